"""Nothing starts on a file store that does not work; each fault is one sentence without a secret."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.cli import preflight
from app.cli.preflight import PreflightError
from app.files import store
from app.files.places import Place
from tests import services
from tests.conftest import make_settings


def refusal(tmp_path: Path, url: str = "") -> str:
    with pytest.raises(PreflightError) as caught:
        preflight.check_files(make_settings(tmp_path, "", storage_url=url))
    said = str(caught.value)
    assert "\n" not in said
    assert "made-up" not in said
    assert "tester" not in said
    return said


@pytest.fixture
def guarded(moto: services.Moto) -> Iterator[services.Moto]:
    """The server asks who sends a request, and knows nobody."""
    bucket = moto.new_bucket()
    moto.call("POST", "/moto-api/reset-auth", b"0")
    yield services.Moto(moto.address)
    moto.call("POST", "/moto-api/reset-auth", b"inf")
    assert moto.call("GET", f"/{bucket}").status_code == 200


def test_a_store_that_works_is_taken_and_left_empty(tmp_path: Path, moto: services.Moto) -> None:
    bucket = moto.new_bucket()
    preflight.check_files(make_settings(tmp_path, "", storage_url=moto.url(bucket)))
    assert b"<Contents>" not in moto.call("GET", f"/{bucket}").content
    preflight.check_files(make_settings(tmp_path, ""))
    assert [path for path in (tmp_path / "files").rglob("*") if path.is_file()] == []


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "files").touch()
    assert f"文件存储 {tmp_path / 'files'} 无法写入" in refusal(tmp_path)


def test_an_unknown_bucket_is_named(tmp_path: Path, moto: services.Moto) -> None:
    said = refusal(tmp_path, moto.url("no-such-bucket"))
    assert f"{moto.address} (no-such-bucket) 里没有这个桶" in said


def test_a_wrong_user_is_refused(tmp_path: Path, guarded: services.Moto) -> None:
    assert "不接受这个用户或密码" in refusal(tmp_path, guarded.url("any-bucket"))


def test_a_store_that_is_down_is_named(tmp_path: Path) -> None:
    address = f"http://127.0.0.1:{services.free_port()}"
    said = refusal(tmp_path, services.Moto(address).url("files"))
    assert f"连不上文件存储 {address} (files)" in said


def test_a_store_that_loses_what_it_is_given_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Place, "put", lambda *_: None)
    assert "没有给回存进去的内容" in refusal(tmp_path)


@pytest.mark.parametrize("fault", store.Fault)
def test_every_fault_that_a_start_can_meet_has_its_sentence(
    fault: store.Fault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> None:
        raise store.StoreDownError(fault)

    monkeypatch.setattr(Place, "put", broken)
    assert str(tmp_path / "files") in refusal(tmp_path)


@pytest.mark.parametrize("name", ["serve", "demo", "web", "worker"])
def test_each_command_that_needs_the_files_ends_with_the_sentence_and_status_2(
    tmp_path: Path, name: str
) -> None:
    environment = services.environment(
        tmp_path, SAISHI_STORAGE_URL=services.Moto(f"http://127.0.0.1:{services.free_port()}").url("files")
    )
    services.migrate(environment)
    done = services.saishi(name, environment=environment)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("连不上文件存储")
    assert done.stderr.count("\n") == 1


def test_the_site_starts_on_a_bucket(tmp_path: Path, moto: services.Moto) -> None:
    environment = services.environment(tmp_path, SAISHI_STORAGE_URL=moto.url(moto.new_bucket()))
    services.migrate(environment)
    with services.web(environment) as url:
        assert services.answers(url)
    assert not (tmp_path / "files").exists()
