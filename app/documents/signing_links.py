"""The link by which a member signs his undertaking on his own phone (签名链接): whose, and until when; signed, not stored.

It stands in the query of an address, which no log of ours writes, and opens nothing but the text with the name.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from flask import current_app
from itsdangerous import BadSignature, URLSafeSerializer

from app import clock
from app.competitions import queries as competitions
from app.documents.rules.refusals import LinkOverError
from app.documents.rules.undertaking import Over

LASTS = timedelta(days=3)


@dataclass(frozen=True, slots=True)
class SigningLink:
    """What a link says: whose undertaking, in the list of which leader, over what it signs."""

    slug: str
    subject: str
    kind: str
    leader_user_id: int
    over: Over
    until: datetime


def issue(slug: str, subject: str, kind: str, leader_user_id: int, over: Over) -> tuple[str, datetime]:
    """The key of a new link, and until when it works."""
    until = clock.now() + LASTS
    said = [competitions.competition_id(slug), subject, kind, leader_user_id, *over, int(until.timestamp())]
    return str(_serializer().dumps(said)), until


def read(slug: str, key: str) -> SigningLink:
    """Raises ``LinkOverError`` for one that ran out, was altered, or is of another competition."""
    try:
        competition_id, subject, kind, leader_user_id, revision, deletions, last = _serializer().loads(key)
        until = datetime.fromtimestamp(last, UTC)
    except (BadSignature, ValueError, TypeError) as error:
        raise LinkOverError from error
    if competition_id != competitions.competition_id(slug) or clock.now() > until:
        raise LinkOverError
    return SigningLink(slug, subject, kind, leader_user_id, Over(revision, deletions), until)


def _serializer() -> URLSafeSerializer:
    return URLSafeSerializer(current_app.config["SAISHI"].secret_key, salt="saishi undertaking")
