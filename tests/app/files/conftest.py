"""The file store over a folder and over a real S3-compatible server, each test with a store of its own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from app.files import store
from app.settings import Settings
from tests import services
from tests.conftest import SECRET, make_settings

HASTE = store.Patience(connect=2, request=2, retries=2, all_tries=4)


@dataclass
class Place:
    """A store as its operator sees it: the settings that lead to it and the raw objects in it."""

    settings: Settings
    moto: services.Moto | None = None

    def use(self, *file_keys: str, secret_key: str = SECRET) -> None:
        """Configure the process for this store, with these keys."""
        changed = make_settings(
            self.settings.instance,
            "",
            storage_url=self.settings.storage_url,
            file_keys=file_keys,
            secret_key=secret_key,
        )
        store.configure(changed, HASTE)

    def objects(self) -> dict[str, bytes]:
        """Everything the store shows."""
        return {key: self.get(key) for key in dict(store.keys())}

    def get(self, key: str) -> bytes:
        if self.moto is None:
            return self._file(key).read_bytes()
        answer = self.moto.call("GET", self._path(key))
        answer.raise_for_status()
        return answer.content

    def put(self, key: str, content: bytes) -> None:
        if self.moto is None:
            self._file(key).parent.mkdir(parents=True, exist_ok=True)
            self._file(key).write_bytes(content)
        else:
            self.moto.call("PUT", self._path(key), content).raise_for_status()

    def _file(self, key: str) -> Path:
        return self.settings.instance / "files" / key

    def _path(self, key: str) -> str:
        bucket = self.settings.bucket
        assert bucket is not None
        return f"/{bucket.name}/{bucket.prefix}/{key}"


@pytest.fixture(params=["folder", "s3"])
def place(request: pytest.FixtureRequest, tmp_path: Path, own_store: None) -> Place:
    """An empty store of either kind, in use by this process."""
    if request.param == "folder":
        made = Place(make_settings(tmp_path, ""))
    else:
        moto: services.Moto = request.getfixturevalue("moto")
        made = Place(make_settings(tmp_path, "", storage_url=moto.url(moto.new_bucket())), moto)
    made.use()
    return made
