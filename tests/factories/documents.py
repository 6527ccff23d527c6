"""Documents in any state, with what was typed that regulation A takes."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from app.actors import Actor, Role
from app.audit.actions import AuditAction
from app.commands import command
from app.competitions import queries as competitions
from app.competitions import service as competitions_service
from app.competitions.queries import CompetitionView
from app.documents.models import Document, DocumentDecision, DocumentPage, DocumentRevision
from app.documents.rules import DocumentId, DocumentState, Subject
from app.registrations import queries as registrations
from app.registrations.rules import MemberId
from app.regulations import library
from app.regulations.rules import Regulation
from app.uploads.models import Upload
from tests.factories import accounts
from tests.factories import registrations as registrations_factory

VALUES: Mapping[str, Mapping[str, str]] = {
    "medical_certificate": {"issued_on": "2021-10-20", "issuer": "示例医院"},
    "accident_insurance": {
        "issuer": "示例保险",
        "number": "P-0001",
        "valid_from": "2021-11-01",
        "valid_to": "2021-12-31",
    },
    "vaccination_certificate": {"issued_on": "2021-06-01"},
    "nucleic_acid_report": {"sampled_on": "2021-11-30", "result": "negative"},
    "health_code": {"valid_to": "2021-12-02", "result": "green"},
    "waiver": {"issued_on": "2021-10-22"},
}
"""Values of each kind of regulation A that its rules take; the report's and the code's once their day has come."""


DUE_WITH_ENTRY: Mapping[str, Mapping[str, Any]] = {
    "medical_certificate": {"due": "registration"},
    "entry_form": {"due": "registration", "clause": "三(三)1"},
}
"""Changes of regulation A's rows: a proof of each member and one of the unit, both due with the entry."""


def competition(
    changes: Mapping[str, Mapping[str, Any]] = DUE_WITH_ENTRY, slug: str = "beach"
) -> CompetitionView:
    """Regulation A with these changes of its documents, by kind; entries are open at ``NOON``."""
    document = library.load("beach-games-landlord-2021").document
    rows = {row["kind"]: row for row in document["documents"]}
    for kind, keys in changes.items():
        rows.setdefault(kind, {"kind": kind}).update(keys)
    document["documents"] = list(rows.values())
    with command(accounts.user(registrations_factory.ORGANISER, Role.ORGANISER)) as ctx:
        made = competitions_service.create_competition(
            replace(ctx, now=min(ctx.now, registrations_factory.OPEN)),
            regulation=Regulation.from_document(document),
            place="三亚",
            slug=slug,
        )
    return competitions.competition_by_id(made)


def first_member(person: Actor, slug: str = "beach") -> MemberId:
    """The first member of the unit that this person leads."""
    assert person.user_id is not None
    mine = registrations.my(person.user_id, competitions.competition(slug))
    return MemberId(mine.members[0].id)


def stored(
    person: Actor,
    kind: str = "medical_certificate",
    *,
    slug: str = "beach",
    member_id: MemberId | None = None,
    of_unit: bool = False,
    state: str = "uploaded",
    reasons: Mapping[str, Mapping[str, str]] | None = None,
    decided_by: Actor | None = None,
    files: int = 1,
    **values: str,
) -> DocumentId:
    """A document of the leader's first member (or this one, or his unit), written as it is once handed in and decided.

    Its uploads are rows without content; ``reasons`` as ``{"valid_to": {"code": "differs", "text": ""}}``.
    """
    competition = competitions.competition(slug)
    (unit,) = registrations.led_units(competition.id, user_id=person.user_id)
    whose = (
        Subject(unit_id=unit.id) if of_unit else Subject(member_id=member_id or first_member(person, slug))
    )
    with command(person) as ctx:
        document = Document(
            competition_id=competition.id,
            unit_id=unit.id,
            member_id=whose.member_id,
            subject=str(whose),
            kind=kind,
            state=state,
            revision=1,
            handed_in_at=ctx.now,
        )
        ctx.session.add(document)
        ctx.session.flush()
        revision = DocumentRevision(
            document_id=document.id,
            number=1,
            idempotency_key=secrets.token_urlsafe(16),
            handed_in_by_id=person.user_id,
            handed_in_at=ctx.now,
            regulation_version_id=competition.event.regulation_version_id,
            values=json.dumps({**VALUES.get(kind, {}), **values}),
        )
        ctx.session.add(revision)
        ctx.session.flush()
        for position in range(files):
            upload = _upload(person, competition.id, ctx.now)
            ctx.session.add(upload)
            ctx.session.flush()
            ctx.session.add(DocumentPage(revision_id=revision.id, position=position, upload_id=upload.id))
        if state != DocumentState.UPLOADED:
            document.decided_at = ctx.now
            document.decided_by_id = (decided_by or person).user_id
            ctx.session.add(
                DocumentDecision(
                    revision_id=revision.id,
                    kind=state,
                    reasons=json.dumps(reasons or {}),
                    decided_by_id=document.decided_by_id,
                    decided_at=ctx.now,
                )
            )
        ctx.session.flush()
        ctx.record(AuditAction.DOCUMENT_HANDED_IN, document, kind=kind, revision=1)
        return DocumentId(document.id)


def _upload(person: Actor, competition_id: int, now: object) -> Upload:
    return Upload(
        token=secrets.token_urlsafe(32),
        user_id=person.user_id,
        competition_id=competition_id,
        idempotency_key=secrets.token_urlsafe(16),
        purpose="proof",
        name="照片.jpg",
        state="ready",
        size=1000,
        received=1000,
        max_bytes=1000,
        max_pages=1,
        media_type="image/jpeg",
        pages=1,
        created_at=now,
        touched_at=now,
        finished_at=now,
        cleaned_at=now,
        claimed_at=now,
    )
