"""Settings that cannot work are refused when they are read, each with the sentence that names it."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.settings import Bucket, Settings, SettingsError
from tests.mail_servers import certificate


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


@pytest.mark.parametrize(
    "written", ["", "unix:///run/clamav/clamd.ctl", "tcp://127.0.0.1:3310", "tcp://[::1]", "tcp://clamav/"]
)
def test_clamd_is_found_by_a_path_or_a_host(tmp_path: Path, written: str) -> None:
    assert read(tmp_path, SAISHI_CLAMD_URL=written).clamd_url == written


@pytest.mark.parametrize(
    "written",
    [
        "unix://",
        "unix://run/clamd.ctl",
        "tcp://",
        "tcp://host:0",
        "tcp://host:port",
        "tcp://host/path",
        "http://host",
    ],
)
def test_an_address_no_clamd_can_have_is_refused(tmp_path: Path, written: str) -> None:
    with pytest.raises(SettingsError, match="SAISHI_CLAMD_URL must"):
        read(tmp_path, SAISHI_CLAMD_URL=written)


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


@pytest.mark.parametrize(
    ("written", "bucket"),
    [
        ("s3://files", Bucket("files")),
        ("s3://files/", Bucket("files")),
        ("s3://saishi.files-2/a/b_c/", Bucket("saishi.files-2", "a/b_c")),
        (
            "s3://user:pass%2Fword%40@files/a?endpoint=https://minio.example:9000&region=cn-north-1",
            Bucket("files", "a", "https://minio.example:9000", "cn-north-1", "user", "pass/word@"),
        ),
        ("s3://files?endpoint=https%3A%2F%2Fminio.example/", Bucket("files", "", "https://minio.example")),
        ("s3://files?endpoint=http://127.0.0.1:9000", Bucket("files", "", "http://127.0.0.1:9000")),
        ("s3://files?endpoint=http://[::1]:9000", Bucket("files", "", "http://[::1]:9000")),
        ("s3://files?endpoint=http://minio:9000&plain_http=1", Bucket("files", "", "http://minio:9000")),
    ],
)
def test_a_bucket_is_read_from_the_address_of_the_file_store(
    tmp_path: Path, written: str, bucket: Bucket
) -> None:
    settings = read(tmp_path, SAISHI_STORAGE_URL=written)
    assert settings.bucket == bucket
    assert "pass" not in repr(settings) + repr(settings.bucket)


def test_without_an_address_the_files_are_in_the_data_folder(tmp_path: Path) -> None:
    assert read(tmp_path).bucket is None


@pytest.mark.parametrize(
    "written",
    [
        *(
            "files",
            "/var/files",
            "file:///var/files",
            "https://files.example/files",
            "s3:",
            "s3://",
            "s3:///a",
        ),
        *("s3://Files", "s3://a", "s3://-files", "s3://files:9000/", "s3://two words", "s3://files#top"),
        *("s3://files/a/../b", "s3://files/a//b", "s3://files/.a", "s3://files/a%2f..", "s3://files/文件"),
        *("s3://hidden@files", "s3://hidden:@files", "s3://:hidden@files", "s3://us:hid/den@files"),
        *("s3://files?endpoint", "s3://files?secret=hidden", "s3://files?region=cn north"),
        *("s3://files?region=", "s3://files?plain_http=yes", "s3://files?endpoint=minio.example:9000"),
        *(
            "s3://files?endpoint=https://",
            "s3://files?endpoint=https://h:99999",
            "s3://files?endpoint=https://h/a",
        ),
        *("s3://files?endpoint=https://us:hidden@h", "s3://files?endpoint=https://h%3Fa", "s3://[::1"),
        *(
            "s3://files?endpoint=ftp://h",
            "s3://files?endpoint=http://192.0.2.7",
            "s3://files?endpoint=http://[::1",
        ),
        *("s3://files?endpoint=http://minio&plain_http=0", "s3://files?endpoint=http://localhost.example"),
    ],
)
def test_an_address_no_files_could_be_kept_at_is_refused_without_repeating_it(
    tmp_path: Path, written: str
) -> None:
    with pytest.raises(SettingsError, match=r"^SAISHI_STORAGE_URL .*\(SAISHI_STORAGE_URL ") as caught:
        read(tmp_path, SAISHI_STORAGE_URL=written)
    assert "\n" not in str(caught.value)
    assert "hid" not in str(caught.value)


def test_file_keys_are_read_newest_first(tmp_path: Path) -> None:
    newest, older = "n" * 32, "o" * 40
    settings = read(tmp_path, SAISHI_FILE_KEYS=f"{newest}, {older}")
    assert settings.file_keys == (newest, older)
    assert newest not in repr(settings)
    assert read(tmp_path).file_keys == ()


@pytest.mark.parametrize(
    "written", ["k" * 31, "a" * 32 + "," + "k" * 31, "a" * 32 + ",", ",", "k" * 32 + "," + "k" * 32]
)
def test_file_keys_that_are_short_or_the_same_are_refused_without_repeating_them(
    tmp_path: Path, written: str
) -> None:
    with pytest.raises(SettingsError, match=r"^SAISHI_FILE_KEYS .*32.*\(SAISHI_FILE_KEYS must") as caught:
        read(tmp_path, SAISHI_FILE_KEYS=written)
    assert "kkk" not in str(caught.value)


@pytest.mark.parametrize(
    "written",
    [
        "smtp://user:a%2Fb@mail.example:587",
        "smtps://mail.example",
        "smtp+starttls://mail.example:587/",
        "smtp://[2001:db8::1]:25",
    ],
)
def test_a_mail_server_is_named_by_its_way_of_speaking_and_its_host(tmp_path: Path, written: str) -> None:
    assert read(tmp_path, SAISHI_SMTP_URL=written).smtp_url == written


@pytest.mark.parametrize(
    "written",
    ["mail.example:25", "http://mail.example", "smtp://", "smtps://user:a/b@mail.example", "smtp://host:x"],
)
def test_a_mail_server_that_cannot_be_reached_so_is_refused_without_its_password(
    tmp_path: Path, written: str
) -> None:
    with pytest.raises(SettingsError, match=r"^SAISHI_SMTP_URL .*\(SAISHI_SMTP_URL must") as caught:
        read(tmp_path, SAISHI_SMTP_URL=written)
    assert "a/b" not in str(caught.value)


@pytest.mark.parametrize(
    "written",
    [
        "imaps://office%40mail.example:a%2Fb@mail.example:993/INBOX",
        "imaps://user:a%2Fb@mail.example",
        "imap://user:a%2Fb@[2001:db8::1]:143/INBOX/Office",
    ],
)
def test_a_mailbox_is_named_by_its_host_its_user_and_its_folder(tmp_path: Path, written: str) -> None:
    settings = read(tmp_path, SAISHI_IMAP_URL=written)
    assert settings.imap_url == written
    assert "a%2Fb" not in repr(settings)


@pytest.mark.parametrize(
    "written",
    [
        "mail.example:993",
        "https://user:a-secret@mail.example",
        "pop3://user:a-secret@mail.example",
        "imaps://",
        "imaps://mail.example/INBOX",
        "imaps://user@mail.example",
        "imaps://:a-secret@mail.example",
        "imaps://user:a-secret@",
        "imaps://user:a-secret/b@mail.example",
        "imaps://user:a-secret@mail.example:0",
        "imaps://user:a-secret@mail.example:port",
        "imaps://user:a-secret@[2001:db8::1",
        "imaps://user:a-secret?b@mail.example",
        "imaps://user:a-secret@mail.example/INBOX#a-secret",
        "imaps://user:a-secret@mail.example/INBOX%0d%0a",
        "imaps://user:a-secret%0a@mail.example/INBOX",
    ],
)
def test_a_mailbox_that_cannot_be_read_so_is_refused_without_its_password(
    tmp_path: Path, written: str
) -> None:
    with pytest.raises(SettingsError, match=r"^SAISHI_IMAP_URL .*\(SAISHI_IMAP_URL must") as caught:
        read(tmp_path, SAISHI_IMAP_URL=written)
    assert "a-secret" not in str(caught.value)


def test_certificates_to_trust_are_a_file_that_holds_some(tmp_path: Path) -> None:
    (tmp_path / "empty.pem").write_text("no certificate")
    for written in (tmp_path / "missing.pem", tmp_path / "empty.pem", tmp_path):
        with pytest.raises(SettingsError, match=r"^SAISHI_SMTP_CA "):
            read(tmp_path, SAISHI_SMTP_CA=str(written))
    own = certificate(tmp_path)
    assert read(tmp_path, SAISHI_SMTP_CA=own.ca).smtp_ca == own.ca


@pytest.mark.parametrize("name", ["MAIL_FROM", "MAIL_TO"])
def test_letters_are_from_and_answered_to_an_address(tmp_path: Path, name: str) -> None:
    for written in ("saishi@example.org", "赛事小站 <saishi@example.org>", "saishi@localhost"):
        found = read(tmp_path, **{f"SAISHI_{name}": written})
        assert getattr(found, name.lower()) == written
    for written in (
        "saishi",
        "@example.org",
        "saishi@",
        "a b@example.org",
        "a@example.org\nBcc: b@example.org",
    ):
        with pytest.raises(SettingsError, match=rf"^SAISHI_{name} "):
            read(tmp_path, **{f"SAISHI_{name}": written})
