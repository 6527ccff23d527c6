"""Values of settings, each checked and brought into one spelling; each raises ``SettingsError``."""

from __future__ import annotations

import re
import ssl
from email.utils import parseaddr
from pathlib import Path
from urllib.parse import urlsplit

from app.settings.buckets import Bucket
from app.settings.errors import PREFIX, SHORTEST_SECRET, SettingsError


def url(name: str, value: str, schemes: set[str]) -> str:
    """``value`` if its scheme is allowed; the message never repeats the value, which may hold a password."""
    try:
        scheme = urlsplit(value).scheme
    except ValueError:  # half of a bracketed IPv6 address
        scheme = ""
    if value and scheme not in schemes:
        allowed = ", ".join(sorted(schemes))
        raise SettingsError(
            f"{PREFIX}{name} 的地址应以 {allowed} 之一开头 ({PREFIX}{name} must start with one of: {allowed})"
        )
    return value


def site(value: str) -> str:
    """The site's own address without its last slash. Raises ``SettingsError`` for anything but scheme, host, port."""
    if not value:
        return ""
    parts = urlsplit(value)
    try:
        whole = bool(parts.hostname) and parts.port != 0 and re.fullmatch(r"[^\s@]+", parts.netloc)
    except ValueError:  # a port that is no number
        whole = False
    if not whole or parts.path not in {"", "/"} or parts.query or parts.fragment:
        raise SettingsError(
            f"{PREFIX}BASE_URL 应为网站的地址，只含主机和端口，不带路径，例如 https://saishi.example "
            f"({PREFIX}BASE_URL must be the site's address, host and port without a path, "
            "for example https://saishi.example)"
        )
    return f"{parts.scheme}://{parts.netloc}"


def clamd(value: str) -> str:
    """The address of clamd. Raises ``SettingsError`` for one without a path (unix) or a host (tcp)."""
    parts = urlsplit(value)
    try:
        whole = not value or (
            bool(parts.path) and not parts.netloc
            if parts.scheme == "unix"
            else bool(parts.hostname) and parts.port != 0 and parts.path in {"", "/"}
        )
    except ValueError:  # a port that is no number
        whole = False
    if not whole:
        raise SettingsError(
            f"{PREFIX}CLAMD_URL 应为 unix:///run/clamav/clamd.ctl 或 tcp://主机:3310 的样子 "
            f"({PREFIX}CLAMD_URL must look like unix:///run/clamav/clamd.ctl or tcp://host:3310)"
        )
    return value


def database(value: str) -> str:
    """The address with its driver; a SQLite file by its absolute path, because not every process starts here.

    Raises ``SettingsError`` for a SQLite database that is no file: each process would have its own.
    """
    if value.startswith("postgresql://"):
        return value.replace("postgresql://", "postgresql+psycopg://", 1)
    if not value.startswith("sqlite:"):
        return value
    place, _, options = value.removeprefix("sqlite://").partition("?")
    path = place.removeprefix("/")
    if not place.startswith("/") or path in {"", ":memory:"} or path.startswith("file:"):
        raise SettingsError(
            f"{PREFIX}DATABASE_URL 的 SQLite 地址应写明文件，例如 sqlite:////var/lib/saishi/saishi.db "
            f"({PREFIX}DATABASE_URL must name a file for SQLite, for example sqlite:////var/lib/saishi/saishi.db)"
        )
    return f"sqlite:///{Path(path).absolute()}" + (f"?{options}" if options else "")


def smtp(value: str) -> str:
    """The address of the mail server. Raises ``SettingsError`` for one without a host."""
    parts = urlsplit(value)
    try:
        whole = not value or (bool(parts.hostname) and parts.port != 0 and parts.path in {"", "/"})
    except ValueError:  # a port that is no number
        whole = False
    if not whole:
        raise SettingsError(
            f"{PREFIX}SMTP_URL 应为 smtps://用户:密码@主机:465 的样子，密码里的 / 要写成 %2F "
            f"({PREFIX}SMTP_URL must look like smtps://user:password@host:465; write a / in the password as %2F)"
        )
    return value


def imap(value: str) -> str:
    """The address of the mailbox. Raises ``SettingsError`` for one without a host or a user."""
    parts = urlsplit(value)
    try:
        whole = not value or bool(parts.hostname and parts.port != 0 and parts.username and parts.password)
    except ValueError:  # a port that is no number
        whole = False
    broken = re.search(r"%0[0ad]", value, re.IGNORECASE)  # would end a line of what is said to the server
    if not whole or broken or parts.query or parts.fragment:
        raise SettingsError(
            f"{PREFIX}IMAP_URL 应为 imaps://用户:密码@主机:993/INBOX 的样子，密码里的 / 要写成 %2F "
            f"({PREFIX}IMAP_URL must look like imaps://user:password@host:993/INBOX; write a / in the password as %2F)"
        )
    return value


def certificates(value: str) -> str:
    """The path of a file of certificates that mail servers are trusted by. Raises ``SettingsError`` if it holds none."""
    if not value:
        return ""
    try:
        ssl.create_default_context(cafile=value)
    except (OSError, ValueError):  # ssl.SSLError is an OSError
        raise SettingsError(
            f"{PREFIX}SMTP_CA 应为 PEM 格式证书文件的路径 "
            f"({PREFIX}SMTP_CA must be the path of a file with certificates in PEM)"
        ) from None
    return str(Path(value).absolute())


def mailbox(name: str, value: str) -> str:
    """An address such as ``赛事小站 <saishi@example.org>``. Raises ``SettingsError``."""
    if value:
        address = parseaddr(value)[1]
        local, at, domain = address.rpartition("@")
        if (
            not (at and local and domain)
            or re.search(r"[\s\x00-\x1f]", address)
            or "\n" in value
            or "\r" in value
        ):
            raise SettingsError(
                f"{PREFIX}{name} 应为邮箱地址，例如 saishi@example.org 或 赛事小站 <saishi@example.org> "
                f"({PREFIX}{name} must be an e-mail address, for example saishi@example.org)"
            )
    return value


def storage(value: str) -> str:
    """``value`` once it is known to name a bucket. Raises ``SettingsError``."""
    if value:
        Bucket.read(value)
    return value


def file_keys(value: str) -> tuple[str, ...]:
    """The keys of the file store, newest first. Raises ``SettingsError``, which never repeats one."""
    keys = tuple(key.strip() for key in value.split(",")) if value else ()
    if any(len(key) < SHORTEST_SECRET for key in keys) or len(set(keys)) != len(keys):
        raise SettingsError(
            f"{PREFIX}FILE_KEYS 应为用逗号隔开、互不相同的密钥，每个至少 {SHORTEST_SECRET} 个字符 "
            f"({PREFIX}FILE_KEYS must be different keys with commas between, "
            f"each of at least {SHORTEST_SECRET} characters)"
        )
    return keys
