"""Settings (配置): one frozen object from the environment, every name with the prefix ``SAISHI_``.

A bad value stops the start with the name of the setting, what was found and what is allowed. ``.env.example``
documents each name; a test holds the two together.
"""

from __future__ import annotations

import os
import re
import secrets
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from email.utils import parseaddr
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

PREFIX = "SAISHI_"
SHORTEST_SECRET = 32
"""Characters of a secret key; a shorter one could be guessed from a copy of the database."""


DEFAULT_REGION = "us-east-1"
"""What S3-compatible stores that have no regions answer to."""


class SettingsError(Exception):
    """A setting that cannot be used; the sentence names it."""


@dataclass(frozen=True, slots=True)
class Bucket:
    """Where an S3-compatible store keeps the files; ``read`` makes it from the address in ``SAISHI_STORAGE_URL``.

    ``prefix`` is a folder without slashes at its ends, or empty. Without ``endpoint``, ``user`` or ``password`` the
    standard ``AWS_`` environment says where and as whom.
    """

    name: str
    prefix: str = ""
    endpoint: str = ""
    region: str = DEFAULT_REGION
    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)

    @property
    def plain_http(self) -> bool:
        """Whether what is sent may travel unencrypted; ``read`` has seen that this was allowed."""
        return self.endpoint.startswith("http://")

    @classmethod
    def read(cls, url: str) -> Bucket:
        """Take ``s3://user:password@bucket/prefix?endpoint=…&region=…`` apart.

        Raises ``SettingsError``, which never repeats the address: it may hold a password.
        """
        try:
            parts = urlsplit(url)
            query = dict(parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query)))
            port = parts.port
            endpoint = urlsplit(query.get("endpoint", ""))
            whole = not query.get("endpoint") or bool(endpoint.hostname and endpoint.port != 0)
        except ValueError:  # no port, half of an IPv6 address, a query without "="
            raise _storage_error(
                "地址读不懂，密码里的 / 要写成 %2F", "write a / in the password as %2F"
            ) from None
        if parts.scheme != "s3" or parts.fragment or port is not None:
            raise _storage_error("应以 s3:// 开头", "must start with s3://")
        if not re.fullmatch(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]", parts.netloc.rpartition("@")[2]):
            raise _storage_error("里的桶名不对", "needs the name of a bucket")
        if not re.fullmatch(r"(/[A-Za-z0-9_-]+)*/?", parts.path):
            raise _storage_error(
                "的前缀只能有字母、数字、_、- 和 /", "may have letters, digits, _, - and / as prefix"
            )
        if bool(parts.username) != bool(parts.password):
            raise _storage_error("的用户和密码要一起写", "needs both user and password, or neither")
        if set(query) - {"endpoint", "region", "plain_http"}:
            raise _storage_error(
                "的参数只有 endpoint、region 和 plain_http", "takes endpoint, region and plain_http only"
            )
        if not whole or (endpoint.scheme or "https") not in {"http", "https"} or endpoint.username:
            raise _storage_error(
                "的 endpoint 应为 https://主机:端口",
                "needs an endpoint like https://host:port, without a user",
            )
        if endpoint.path.strip("/") or endpoint.query or endpoint.fragment:
            raise _storage_error("的 endpoint 不带路径", "needs an endpoint without a path")
        if not re.fullmatch(r"[a-z0-9-]+", query.get("region", DEFAULT_REGION)):
            raise _storage_error("的 region 不对，例如 cn-north-1", "needs a region such as cn-north-1")
        if query.get("plain_http", "0") not in {"0", "1"}:
            raise _storage_error("的 plain_http 应为 0 或 1", "takes 0 or 1 as plain_http")
        here = endpoint.hostname in {"localhost", "127.0.0.1", "::1"}
        if endpoint.scheme == "http" and not here and query.get("plain_http", "0") != "1":
            raise _storage_error(
                "的 endpoint 应为 https；只在自己的内网里可加 plain_http=1",
                "needs an https endpoint; within your own network add plain_http=1",
            )
        return cls(
            name=parts.netloc.rpartition("@")[2],
            prefix=parts.path.strip("/"),
            endpoint=f"{endpoint.scheme}://{endpoint.netloc}" if endpoint.netloc else "",
            region=query.get("region", DEFAULT_REGION),
            user=unquote(parts.username or ""),
            password=unquote(parts.password or ""),
        )


def _storage_error(chinese: str, english: str) -> SettingsError:
    return SettingsError(f"{PREFIX}STORAGE_URL {chinese} ({PREFIX}STORAGE_URL {english})")


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything an installation may choose. ``from_environment`` reads it; tests build it directly."""

    instance: Path
    secret_key: str = field(repr=False)
    database_url: str = field(repr=False)
    broker_url: str = field(repr=False)
    host: str = "0.0.0.0"  # noqa: S104 - phones in the hall must reach the desk's computer
    port: int = 8000
    base_url: str = ""
    limits_url: str = "memory://"
    smtp_url: str = field(default="", repr=False)
    sms_url: str = field(default="", repr=False)
    smtp_ca: str = ""
    mail_from: str = "saishi@localhost"
    mail_to: str = ""
    imap_url: str = field(default="", repr=False)
    language: str = "zh"
    demo: bool = False
    clock_file: Path | None = None
    proxies: int = 0
    web_workers: int = 1
    purge_days: int = 90
    warn_days: int = 7
    report_minutes: int = 30
    storage_url: str = field(default="", repr=False)
    file_keys: tuple[str, ...] = field(default=(), repr=False)
    clamd_url: str = ""

    @property
    def bucket(self) -> Bucket | None:
        """Where the files are when not in the instance folder."""
        return Bucket.read(self.storage_url) if self.storage_url else None

    @property
    def secure(self) -> bool:
        """Whether the site is reached by https, so cookies must not travel otherwise."""
        return self.base_url.startswith("https://")

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None, **overrides: object) -> Settings:
        """Read the environment. Raises ``SettingsError`` naming the first bad setting."""
        env = os.environ if environment is None else environment

        def text(name: str, default: str = "") -> str:
            return env.get(PREFIX + name, "").strip() or default

        def number(name: str, default: int, low: int, high: int) -> int:
            written = text(name, str(default))
            if not written.isascii() or not written.isdigit() or not low <= int(written) <= high:
                raise SettingsError(
                    f"{PREFIX}{name} 应为 {low}–{high} 的整数，现在是“{written}” "
                    f"({PREFIX}{name} must be a whole number from {low} to {high})"
                )
            return int(written)

        def flag(name: str) -> bool:
            written = text(name, "0").lower()
            if written not in {"0", "1", "true", "false", "yes", "no"}:
                raise SettingsError(
                    f"{PREFIX}{name} 应为 0 或 1，现在是“{written}” ({PREFIX}{name} must be 0 or 1)"
                )
            return written in {"1", "true", "yes"}

        instance = Path(str(overrides.pop("instance", "") or text("INSTANCE", "instance"))).absolute()
        demo = bool(overrides.pop("demo", flag("DEMO")))
        port = number("PORT", 8000, 1, 65535)
        language = text("LANGUAGE", "zh")
        if language not in {"zh", "en"}:
            raise SettingsError(
                f"{PREFIX}LANGUAGE 应为 zh 或 en，现在是“{language}” ({PREFIX}LANGUAGE must be zh or en)"
            )
        secret_key = text("SECRET_KEY")
        if secret_key and len(secret_key) < SHORTEST_SECRET:
            raise SettingsError(
                f"{PREFIX}SECRET_KEY 太短，至少 {SHORTEST_SECRET} 个字符，例如用 openssl rand -hex 32 生成 "
                f"({PREFIX}SECRET_KEY needs at least {SHORTEST_SECRET} characters; make one with openssl rand -hex 32)"
            )
        base_url = _site(_url("BASE_URL", text("BASE_URL"), {"http", "https"}))
        database_url = _database(
            _url(
                "DATABASE_URL",
                text("DATABASE_URL", f"sqlite:///{instance / 'saishi.db'}"),
                {"sqlite", "postgresql", "postgresql+psycopg"},
            )
        )
        broker_url = _url(
            "BROKER_URL",
            text("BROKER_URL", "filesystem://"),
            {"filesystem", "redis", "rediss", "redis+socket", "amqp"},
        )
        limits_url = _url(
            "LIMITS_URL", text("LIMITS_URL", "memory://"), {"memory", "redis", "rediss", "redis+unix"}
        )
        smtp_url = _smtp(_url("SMTP_URL", text("SMTP_URL"), {"smtp", "smtps", "smtp+starttls"}))
        clock_file = text("CLOCK_FILE") or (str(instance / "clock") if demo else "")
        return cls(
            instance=instance,
            secret_key=secret_key,
            database_url=database_url,
            broker_url=broker_url,
            host=text("HOST", "0.0.0.0"),  # noqa: S104 - as above
            port=port,
            base_url=base_url,
            limits_url=limits_url,
            smtp_url=smtp_url,
            sms_url=_url("SMS_URL", text("SMS_URL"), {"http", "https"}),
            smtp_ca=_certificates(text("SMTP_CA")),
            mail_from=_mailbox("MAIL_FROM", text("MAIL_FROM", "saishi@localhost")),
            mail_to=_mailbox("MAIL_TO", text("MAIL_TO")),
            imap_url=_imap(_url("IMAP_URL", text("IMAP_URL"), {"imap", "imaps"})),
            language=language,
            demo=demo,
            clock_file=Path(clock_file) if clock_file else None,
            proxies=number("PROXIES", 0, 0, 5),
            web_workers=number("WEB_WORKERS", 1, 1, 64),
            purge_days=number("PURGE_DAYS", 90, 1, 3650),
            warn_days=number("WARN_DAYS", 7, 1, 60),
            report_minutes=number("REPORT_MINUTES", 30, 1, 1440),
            storage_url=_storage(text("STORAGE_URL")),
            file_keys=_file_keys(text("FILE_KEYS")),
            clamd_url=_clamd(_url("CLAMD_URL", text("CLAMD_URL"), {"unix", "tcp"})),
        )

    def with_secret(self) -> Settings:
        """These settings with a secret key, made once in the instance folder when none was given."""
        if self.secret_key:
            return self
        path = self.instance / "secret_key"
        if not path.exists():
            self.instance.mkdir(parents=True, exist_ok=True)
            written = self.instance / f"secret_key.{os.getpid()}"
            written.touch(mode=0o600)
            written.write_text(secrets.token_urlsafe(48))
            try:
                os.link(written, path)  # atomic: a sibling process sees a whole key or none
            except FileExistsError:
                pass
            finally:
                written.unlink()
        try:
            secret = path.read_text().strip()
        except (OSError, UnicodeDecodeError):
            secret = ""
        if len(secret) < SHORTEST_SECRET:
            raise SettingsError(
                f"密钥文件 {path} 读不出或不完整，请从备份恢复"
                " (the secret key file cannot be read or is incomplete; restore it from a backup)"
            )
        return replace(self, secret_key=secret)


def _url(name: str, value: str, schemes: set[str]) -> str:
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


def _site(value: str) -> str:
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


def _clamd(value: str) -> str:
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


def _database(value: str) -> str:
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


def _smtp(value: str) -> str:
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


def _imap(value: str) -> str:
    """The address of the mailbox. Raises ``SettingsError`` for one without a host or a user."""
    parts = urlsplit(value)
    try:
        whole = not value or bool(parts.hostname and parts.port != 0 and parts.username and parts.password)
    except ValueError:  # a port that is no number
        whole = False
    if not whole or parts.query or parts.fragment:
        raise SettingsError(
            f"{PREFIX}IMAP_URL 应为 imaps://用户:密码@主机:993/INBOX 的样子，密码里的 / 要写成 %2F "
            f"({PREFIX}IMAP_URL must look like imaps://user:password@host:993/INBOX; write a / in the password as %2F)"
        )
    return value


def _certificates(value: str) -> str:
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


def _mailbox(name: str, value: str) -> str:
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


def _storage(value: str) -> str:
    """``value`` once it is known to name a bucket. Raises ``SettingsError``."""
    if value:
        Bucket.read(value)
    return value


def _file_keys(value: str) -> tuple[str, ...]:
    """The keys of the file store, newest first. Raises ``SettingsError``, which never repeats one."""
    keys = tuple(key.strip() for key in value.split(",")) if value else ()
    if any(len(key) < SHORTEST_SECRET for key in keys) or len(set(keys)) != len(keys):
        raise SettingsError(
            f"{PREFIX}FILE_KEYS 应为用逗号隔开、互不相同的密钥，每个至少 {SHORTEST_SECRET} 个字符 "
            f"({PREFIX}FILE_KEYS must be different keys with commas between, "
            f"each of at least {SHORTEST_SECRET} characters)"
        )
    return keys


NAMES = (
    "INSTANCE", "SECRET_KEY", "DATABASE_URL", "BROKER_URL", "HOST", "PORT", "BASE_URL", "LIMITS_URL", "SMTP_URL",
    "SMS_URL", "MAIL_FROM", "LANGUAGE", "DEMO", "CLOCK_FILE", "PROXIES", "WEB_WORKERS", "PURGE_DAYS",
    "STORAGE_URL", "FILE_KEYS", "CLAMD_URL", "WARN_DAYS", "IMAP_URL", "SMTP_CA", "MAIL_TO",
    "REPORT_MINUTES",
)  # fmt: skip
"""Every environment name without its prefix, for the documentation test."""
