"""The address of a bucket in an S3-compatible store."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, unquote, urlsplit

from app.settings.errors import PREFIX, SettingsError

DEFAULT_REGION = "us-east-1"
"""What S3-compatible stores that have no regions answer to."""


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
