"""Addresses in letters, known without a request: the worker and the scheduler write letters too.

``configure`` is called once by ``create_app``. Without a base URL a letter says in words where its page is.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from email.utils import parseaddr
from typing import Any

from itsdangerous import BadData, URLSafeSerializer

from app.settings import Settings


@dataclass(frozen=True, slots=True)
class Address:
    """A page of this site in a letter's context, by its path: ``Address("/c/demo/publications")``."""

    path: str


class _State:
    """What this process knows of the site, set by ``configure``."""

    base_url: str = ""
    domain: str = "saishi"
    answered: bool = False
    secret_key: str = ""


def configure(settings: Settings) -> None:
    """Take the site's address, the sender's domain and the key that signs tokens from ``settings``."""
    _State.base_url = settings.base_url
    _State.answered = bool(settings.mail_to)
    _State.domain = parseaddr(settings.mail_from)[1].rpartition("@")[2] or "saishi"
    _State.secret_key = settings.secret_key


def full(path: str) -> str | None:
    """The whole address of a page; None where the installation does not know its own."""
    return f"{_State.base_url}{path}" if _State.base_url else None


def is_answered() -> bool:
    """Whether an answer to a letter is read: the installation has a mailbox."""
    return _State.answered


def new_message_id() -> str:
    """A name for a message that no other has, without brackets."""
    domain = _State.domain.encode("idna").decode() if not _State.domain.isascii() else _State.domain
    return f"{secrets.token_hex(16)}@{domain[:80]}"


def stop_path(recipient_hash: str) -> str:
    """The page where the holder of an address stops mail; its token says which address without naming it."""
    return f"/mail/{sign('mail choice', recipient_hash)}"


def read_token(token: str) -> str | None:
    """The recipient's hash in ``token``; None if it is not one of ours."""
    recipient_hash = read("mail choice", token)
    return recipient_hash if isinstance(recipient_hash, str) else None


def sign(purpose: str, value: Any) -> str:
    """A token for an address in a letter: what is in it can be read, and changed by nobody; no personal data."""
    return _serializer(purpose).dumps(value)


def read(purpose: str, token: str) -> Any:
    """What a token holds; None if it is altered, or made for another purpose or by another installation."""
    try:
        return _serializer(purpose).loads(token)
    except BadData:
        return None


def _serializer(purpose: str) -> URLSafeSerializer:
    if not _State.secret_key:
        raise RuntimeError("links.configure() was not called")
    return URLSafeSerializer(_State.secret_key, salt=f"saishi {purpose}")
