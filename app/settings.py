"""Settings (配置): one frozen object from the environment, every name with the prefix ``SAISHI_``.

A bad value stops the start with the name of the setting, what was found and what is allowed. ``.env.example``
documents each name; a test holds the two together.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import urlsplit

PREFIX = "SAISHI_"
SHORTEST_SECRET = 32
"""Characters of a secret key; a shorter one could be guessed from a copy of the database."""


class SettingsError(Exception):
    """A setting that cannot be used; the sentence names it."""


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
    mail_from: str = "saishi@localhost"
    language: str = "zh"
    demo: bool = False
    clock_file: Path | None = None
    proxies: int = 0
    web_workers: int = 1
    purge_days: int = 90

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
        smtp_url = _url("SMTP_URL", text("SMTP_URL"), {"smtp", "smtps"})
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
            mail_from=text("MAIL_FROM", "saishi@localhost"),
            language=language,
            demo=demo,
            clock_file=Path(clock_file) if clock_file else None,
            proxies=number("PROXIES", 0, 0, 5),
            web_workers=number("WEB_WORKERS", 1, 1, 64),
            purge_days=number("PURGE_DAYS", 90, 1, 3650),
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


NAMES = (
    "INSTANCE", "SECRET_KEY", "DATABASE_URL", "BROKER_URL", "HOST", "PORT", "BASE_URL", "LIMITS_URL", "SMTP_URL",
    "SMS_URL", "MAIL_FROM", "LANGUAGE", "DEMO", "CLOCK_FILE", "PROXIES", "WEB_WORKERS", "PURGE_DAYS",
)  # fmt: skip
"""Every environment name without its prefix, for the documentation test."""
