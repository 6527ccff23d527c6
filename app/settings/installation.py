"""The settings of an installation, read from the environment."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from app.settings import checks
from app.settings.buckets import Bucket
from app.settings.errors import PREFIX, SHORTEST_SECRET, SettingsError


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
        base_url = checks.site(checks.url("BASE_URL", text("BASE_URL"), {"http", "https"}))
        database_url = checks.database(
            checks.url(
                "DATABASE_URL",
                text("DATABASE_URL", f"sqlite:///{instance / 'saishi.db'}"),
                {"sqlite", "postgresql", "postgresql+psycopg"},
            )
        )
        broker_url = checks.url(
            "BROKER_URL",
            text("BROKER_URL", "filesystem://"),
            {"filesystem", "redis", "rediss", "redis+socket", "amqp"},
        )
        limits_url = checks.url(
            "LIMITS_URL", text("LIMITS_URL", "memory://"), {"memory", "redis", "rediss", "redis+unix"}
        )
        smtp_url = checks.smtp(checks.url("SMTP_URL", text("SMTP_URL"), {"smtp", "smtps", "smtp+starttls"}))
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
            sms_url=checks.url("SMS_URL", text("SMS_URL"), {"http", "https"}),
            smtp_ca=checks.certificates(text("SMTP_CA")),
            mail_from=checks.mailbox("MAIL_FROM", text("MAIL_FROM", "saishi@localhost")),
            mail_to=checks.mailbox("MAIL_TO", text("MAIL_TO")),
            imap_url=checks.imap(checks.url("IMAP_URL", text("IMAP_URL"), {"imap", "imaps"})),
            language=language,
            demo=demo,
            clock_file=Path(clock_file) if clock_file else None,
            proxies=number("PROXIES", 0, 0, 5),
            web_workers=number("WEB_WORKERS", 1, 1, 64),
            purge_days=number("PURGE_DAYS", 90, 1, 3650),
            warn_days=number("WARN_DAYS", 7, 1, 60),
            report_minutes=number("REPORT_MINUTES", 30, 1, 1440),
            storage_url=checks.storage(text("STORAGE_URL")),
            file_keys=checks.file_keys(text("FILE_KEYS")),
            clamd_url=checks.clamd(checks.url("CLAMD_URL", text("CLAMD_URL"), {"unix", "tcp"})),
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


NAMES = (
    "INSTANCE", "SECRET_KEY", "DATABASE_URL", "BROKER_URL", "HOST", "PORT", "BASE_URL", "LIMITS_URL", "SMTP_URL",
    "SMS_URL", "MAIL_FROM", "LANGUAGE", "DEMO", "CLOCK_FILE", "PROXIES", "WEB_WORKERS", "PURGE_DAYS",
    "STORAGE_URL", "FILE_KEYS", "CLAMD_URL", "WARN_DAYS", "IMAP_URL", "SMTP_CA", "MAIL_TO",
    "REPORT_MINUTES",
)  # fmt: skip
"""Every environment name without its prefix, for the documentation test."""
