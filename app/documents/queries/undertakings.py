"""Undertakings (承诺书): the text that a member is shown, what was signed, and whether a fingerprint is one of ours."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from sqlalchemy import and_, select

from app.audit import queries as audit
from app.audit.actions import AuditAction
from app.clock import beijing_date
from app.competitions.models import Competition
from app.competitions.queries import CompetitionView
from app.database import person_hash
from app.documents.models import Document, DocumentRevision, Signature
from app.documents.rules import DocumentId, DocumentState, EventDemand, Subject
from app.documents.rules.undertaking import LANGUAGES, SignedUnder, Undertaking, undertaking
from app.extensions import db
from app.uploads.models import StoredFile

RETURNED = frozenset({DocumentState.REJECTED.value, DocumentState.NEEDS_CHANGES.value})
GROUPS, DIGITS = 4, 5
"""The number of an undertaking: 20 hexadecimal digits, more than anybody can try."""


@dataclass(frozen=True, slots=True)
class SignatureView:
    """A signature under the newest revision of a document."""

    text: str = field(repr=False)
    sha256: str
    signed_at: datetime


@dataclass(frozen=True, slots=True)
class Verified:
    """What anybody may know of a text that was signed here: of which competition, on which day, whether it stands.

    ``newest``: nothing was signed after it, nor was it withdrawn. ``returned``: it is the newest, and the committee turned it
    down or asked for another one.
    """

    competition: str
    slug: str
    signed_on: date
    sha256: str
    newest: bool
    returned: bool

    @property
    def counts(self) -> bool:
        return self.newest and not self.returned


def to_sign(
    competition: CompetitionView, demands: Sequence[EventDemand], subject: Subject, name: str, unit: str
) -> Mapping[str, Undertaking]:
    """The text of today for one member, by language."""
    by_players = competition.event.regulation.by_players
    return {
        language: undertaking(
            demands,
            competition=competition.name,
            place=competition.place,
            name=name,
            unit=None if by_players else unit,
            number=_number(competition.id, subject),
            language=language,
        )
        for language in LANGUAGES
    }


def _number(competition_id: int, subject: Subject) -> str:
    """Always the same for a member, and nobody's guess without the key."""
    digits = person_hash(f"undertaking {competition_id} {subject}")[: GROUPS * DIGITS]
    return "-".join(digits[begin : begin + DIGITS] for begin in range(0, len(digits), DIGITS))


def signed_under(unit_ids: Collection[int]) -> Mapping[str, Mapping[str, SignedUnder]]:
    """What members of these units signed, on the phone or on paper, and that counts: subject, then kind."""
    rows = db.session.execute(
        select(Document.subject, Document.kind, Signature.text, DocumentRevision.wording_sha256)
        .join(
            DocumentRevision,
            and_(DocumentRevision.document_id == Document.id, DocumentRevision.number == Document.revision),
        )
        .outerjoin(Signature, Signature.revision_id == DocumentRevision.id)
        .where(
            Document.unit_id.in_(tuple(unit_ids)),
            Signature.revision_id.is_not(None) | DocumentRevision.wording_sha256.is_not(None),
        )
    )
    found: dict[str, dict[str, SignedUnder]] = defaultdict(dict)
    for subject, kind, text, wording in rows:
        found[subject][kind] = SignedUnder(text, wording)
    return found


def signature_of(document_id: DocumentId | None) -> SignatureView | None:
    """The signature under the newest revision; None where it is a photo, was withdrawn, or nothing is there."""
    row = db.session.scalar(
        select(Signature)
        .join(DocumentRevision, DocumentRevision.id == Signature.revision_id)
        .join(
            Document,
            and_(Document.id == DocumentRevision.document_id, Document.revision == DocumentRevision.number),
        )
        .where(Document.id == document_id)
    )
    return None if row is None else SignatureView(row.text, row.text_sha256, row.signed_at)


def deletions_of(whose: Subject, kind: str) -> int:
    """How often this document of a member was deleted for good, alone or with everything of the member."""
    if whose.member_id is None:
        return 0
    entries = audit.of_subject("Member", whose.member_id, [AuditAction.PERSONAL_DATA_DELETED])
    return sum(entry.details.get("kind") in {None, kind} for entry in entries)


def verified(fingerprint: str) -> Verified | None:
    """What is known of a fingerprint, of a signed text or of the PDF made of it: 64 hexadecimal digits, spaces and case aside."""
    digest = re.sub(r"\s", "", fingerprint).lower()
    if not re.fullmatch(r"[0-9a-f]{64}", digest):
        return None
    row = db.session.execute(
        select(Signature, Document, DocumentRevision.number, Competition)
        .join(DocumentRevision, DocumentRevision.id == Signature.revision_id)
        .join(Document, Document.id == DocumentRevision.document_id)
        .join(Competition, Competition.id == Document.competition_id)
        .outerjoin(StoredFile, StoredFile.id == Signature.pdf_id)
        .where((Signature.text_sha256 == digest) | (StoredFile.sha256 == digest))
        .order_by(Signature.revision_id.desc())
        .limit(1)
    ).one_or_none()
    if row is None:
        return None
    signature, document, number, competition = row
    newest = number == document.revision and document.state != DocumentState.WITHDRAWN.value
    return Verified(
        competition=competition.name,
        slug=competition.slug,
        signed_on=beijing_date(signature.signed_at),
        sha256=signature.text_sha256,
        newest=newest,
        returned=newest and document.state in RETURNED,
    )
