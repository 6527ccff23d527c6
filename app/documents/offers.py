"""What a member is offered to sign, as page and API show it: by the leader's list, or by a link."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from flask import current_app

from app import clock
from app.competitions import queries as competitions
from app.competitions.queries import CompetitionView
from app.documents import queries
from app.documents.queries import MyDocument, Verified
from app.documents.rules.refusals import NotSignableError
from app.documents.rules.states import DONE
from app.documents.rules.undertaking import Over, Undertaking, still_says
from app.web.i18n import language


@dataclass(frozen=True, slots=True)
class Offer:
    """One undertaking in the reader's language; ``signed_at`` where a signature under this text is here.

    ``link_over``: offered to whoever holds a link, which signs once, over what stood when it was made.
    """

    competition: CompetitionView
    found: MyDocument
    undertaking: Undertaking
    signed_at: datetime | None
    link_over: Over | None = None
    deletions: int = 0

    @property
    def open(self) -> bool:
        return self.found.row.open and self.found.row.required and not self.link_used

    @property
    def link_used(self) -> bool:
        document = self.found.document
        now = Over(document.newest.number if document else 0, self.deletions)
        return self.link_over is not None and self.link_over != now


def offer(slug: str, leader_user_id: int, subject: str, kind: str, *, link_over: Over | None = None) -> Offer:
    """Raises ``UnknownDocumentError``, or ``NotSignableError`` for a kind that is not signed on the phone."""
    competition = competitions.competition(slug)
    settings = current_app.config["SAISHI"]
    found = queries.my_document(
        competition, leader_user_id, subject, kind, clock.now(), purge_days=settings.purge_days
    )
    if not found.row.signable:
        raise NotSignableError
    texts = texts_of(competition, found)
    signature = queries.signature_of(found.document.id if found.document else None)
    stands = (
        signature is not None and found.row.state in DONE and still_says(signature.text, list(texts.values()))
    )
    signed_at = signature.signed_at if signature and stands else None
    deletions = 0 if link_over is None else queries.deletions_of(found.whose.subject, kind)
    return Offer(competition, found, texts[language()], signed_at, link_over, deletions)


def texts_of(competition: CompetitionView, found: MyDocument) -> Mapping[str, Undertaking]:
    whose = found.whose
    return queries.to_sign(competition, found.row.demands, whose.subject, whose.name, found.unit.unit_name)


def blank(slug: str, leader_user_id: int, only: str | None = None) -> list[Undertaking]:
    """The texts of all members of the leader's unit (or of one) that may be signed, in the order of the list."""
    competition = competitions.competition(slug)
    unit = queries.my_lists(competition, leader_user_id, clock.now())
    if unit is None:
        return []
    return [
        queries.to_sign(competition, row.demands, some.subject, some.name, unit.unit_name)[language()]
        for some in unit.lists
        if only is None or str(some.subject) == only
        for row in some.rows
        if row.signable and row.required
    ]


def api_view(found: Offer) -> dict[str, Any]:
    text = found.undertaking
    return {
        "name": text.name,
        "language": text.language,
        "text": text.text,
        "sha256": text.sha256,
        "open": found.open,
        "signed": found.signed_at is not None,
        "signed_at": found.signed_at,
    }


def verified_view(found: Verified | None) -> dict[str, Any]:
    if found is None:
        return {"known": False}
    return {
        "known": True,
        "competition": found.competition,
        "slug": found.slug,
        "signed_on": found.signed_on,
        "sha256": found.sha256,
        "newest": found.newest,
        "returned": found.returned,
    }
