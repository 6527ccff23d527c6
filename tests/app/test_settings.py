"""Settings that cannot work are refused when they are read, each with the sentence that names it."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.settings import Settings, SettingsError


def read(folder: Path, **values: str) -> Settings:
    return Settings.from_environment({"SAISHI_INSTANCE": str(folder), **values})


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("", ""),
        ("https://saishi.example", "https://saishi.example"),
        ("https://saishi.example/", "https://saishi.example"),
        ("HTTPS://saishi.example", "https://saishi.example"),
        ("http://192.0.2.7:8000", "http://192.0.2.7:8000"),
        ("http://[2001:db8::1]:8000/", "http://[2001:db8::1]:8000"),
        ("https://赛事.example", "https://赛事.example"),
    ],
)
def test_the_site_s_address_is_scheme_host_and_port(tmp_path: Path, written: str, kept: str) -> None:
    assert read(tmp_path, SAISHI_BASE_URL=written).base_url == kept


@pytest.mark.parametrize(
    "written",
    [
        "http://",
        "http:///",
        "https://host/sub",
        "https://host/?a=b",
        "https://host#top",
        "https://someone@host",
        "https://two words.example",
        "https://host:port",
        "https://host:99999",
        "https://host:0",
        "https://[2001:db8::1",
        "saishi.example",
        "ftp://host",
    ],
)
def test_an_address_people_could_not_open_is_refused(tmp_path: Path, written: str) -> None:
    with pytest.raises(SettingsError, match=r"^SAISHI_BASE_URL .*\(SAISHI_BASE_URL must") as caught:
        read(tmp_path, SAISHI_BASE_URL=written)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "written",
    [
        "sqlite:",
        "sqlite://",
        "sqlite:///",
        "sqlite:///:memory:",
        "sqlite:///file::memory:?uri=true",
        "sqlite:///file:x?mode=memory&uri=true",
        "sqlite://host/saishi.db",
    ],
)
def test_a_sqlite_database_that_is_no_file_is_refused(tmp_path: Path, written: str) -> None:
    with pytest.raises(SettingsError, match="SAISHI_DATABASE_URL must name a file"):
        read(tmp_path, SAISHI_DATABASE_URL=written)


def test_a_sqlite_file_is_named_absolutely_because_the_processes_start_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    wanted = f"sqlite:///{tmp_path / 'data' / 'saishi.db'}"
    assert read(tmp_path, SAISHI_DATABASE_URL="sqlite:///data/saishi.db").database_url == wanted
    assert read(tmp_path, SAISHI_DATABASE_URL=wanted).database_url == wanted
    assert read(tmp_path).database_url == f"sqlite:///{tmp_path / 'saishi.db'}"


def test_a_short_secret_key_is_refused_without_repeating_it(tmp_path: Path) -> None:
    short = "k" * 31
    with pytest.raises(SettingsError, match="SAISHI_SECRET_KEY needs at least 32 characters") as caught:
        read(tmp_path, SAISHI_SECRET_KEY=short)
    assert short not in str(caught.value)
    assert read(tmp_path, SAISHI_SECRET_KEY=short + "k").secret_key == short + "k"


@pytest.mark.parametrize("written", [b"", b"cut off", b"\xff" * 48])
def test_a_secret_key_file_that_is_not_whole_is_refused(tmp_path: Path, written: bytes) -> None:
    (tmp_path / "secret_key").write_bytes(written)
    with pytest.raises(SettingsError, match="the secret key file cannot be read or is incomplete"):
        read(tmp_path).with_secret()
