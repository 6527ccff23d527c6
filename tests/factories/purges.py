"""A competition with proofs of every sort, and what is kept of it anywhere. Everything needs an application context."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from sqlalchemy import select

from app.actors import SYSTEM, Actor
from app.audit.actions import AuditAction
from app.commands import command
from app.competitions import queries as competitions
from app.documents.models import (
    DeletionRequest,
    DocumentDecision,
    DocumentReading,
    DocumentRequest,
    DocumentRevision,
    DocumentWarning,
    Signature,
)
from app.documents.rules import DocumentId
from app.extensions import db
from app.files import store
from app.registrations.models import Member, Unit
from app.uploads.models import StoredFile
from tests.factories import documents, registrations, reviews, uploads

TYPED = "示例医院不可见"
"""What was typed with a document; nothing may keep it."""


def filled(serial: int = 1, members: int = 2, slug: str = "beach", pages: int = 2) -> Actor:
    """A unit whose every member has a decided proof with pictures in the store, a reading and a signed undertaking.

    Beside them a request to delete, one of the committee, a warning, and a file that no form has claimed.
    """
    leader = registrations.submitted(serial, members=members, slug=slug)
    for member in range(members):
        proof = reviews.document(
            leader,
            "medical_certificate",
            {"issuer": TYPED},
            member=member,
            pages=pages,
            picture=reviews.photo(90, 120),
            slug=slug,
        )
        waiver = reviews.document(leader, "waiver", {}, member=member, pages=0, slug=slug)
        _add_all(leader, proof, waiver, slug)
    uploads.whole(leader, slug, uploads.photo())
    return leader


def _add_all(leader: Actor, proof: DocumentId, waiver: DocumentId, slug: str) -> None:
    competition_id = competitions.competition_id(slug)
    sheet = store.write(f"sheets/{waiver}", [b"%PDF signed"])
    with command(SYSTEM) as ctx:
        session, now = ctx.session, ctx.now
        of_proof = session.scalars(
            select(DocumentRevision.id).where(DocumentRevision.document_id == proof)
        ).one()
        of_waiver = session.scalars(
            select(DocumentRevision.id).where(DocumentRevision.document_id == waiver)
        ).one()
        unit = session.scalars(select(Unit).where(Unit.leader_user_id == leader.user_id)).first()
        assert unit is not None
        member = session.scalars(select(Member).where(Member.unit_id == unit.id).order_by(Member.id)).first()
        file = StoredFile(
            key=sheet.key,
            wrapped_key=sheet.wrapped_key,
            key_id=sheet.key_id,
            size=sheet.size,
            sha256=sheet.sha256,
            media_type="application/pdf",
            created_at=now,
        )
        session.add(file)
        session.flush()
        assert member is not None
        session.add_all(
            [
                DocumentDecision(
                    revision_id=of_proof,
                    kind="needs_changes",
                    reasons=json.dumps({"issuer": {"code": "other", "text": TYPED}}),
                    decided_by_id=leader.user_id,
                    decided_at=now,
                ),
                DocumentReading(revision_id=of_proof, state="read", findings=TYPED, read_at=now),
                Signature(
                    revision_id=of_waiver,
                    text=TYPED,
                    text_sha256="0" * 64,
                    strokes=TYPED,
                    pdf_id=file.id,
                    signed_at=now,
                ),
                DeletionRequest(
                    competition_id=competition_id,
                    member_id=member.id,
                    document_id=proof,
                    asked_by_id=leader.user_id,
                    asked_at=now,
                    state="refused",
                    answer=TYPED,
                ),
                DocumentRequest(
                    competition_id=competition_id,
                    kind="waiver",
                    subject=f"m{member.id}-{proof}",
                    until=now.date(),
                    asked_at=now,
                    asked_by_id=leader.user_id,
                ),
                DocumentWarning(
                    unit_id=unit.id,
                    subject=f"m{member.id}-{proof}",
                    kind="waiver",
                    reason="ends",
                    day=now.date(),
                    told_at=now,
                ),
            ]
        )
        ctx.record(AuditAction.MEMBER_CHANGED, member)


def plant_copies() -> dict[str, bytes]:
    """A backup: every object as it lies in the store now, by key."""
    folder = _folder()
    stored = list(store.keys())
    return {key: (folder / key).read_bytes() for key, _ in stored}


def put_back(copies: dict[str, bytes]) -> None:
    """Restore the backup of the objects."""
    for key, content in copies.items():
        path = _folder() / key
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _folder() -> Path:
    settings = store._State.settings
    assert settings is not None
    return settings.instance / "files"


def wrapped_keys() -> set[str]:
    """The wrapped key of every stored file."""
    return set(db.session.scalars(select(StoredFile.wrapped_key)))


def database_bytes() -> Iterator[tuple[str, bytes]]:
    """Every file of the SQLite database, raw: the database, its journal (WAL) and its index."""
    database = db.engine.url.database
    assert database is not None
    for path in sorted(Path(database).parent.glob(Path(database).name + "*")):
        with closing(path.open("rb")) as file:
            yield path.name, file.read()


__all__ = ["TYPED", "database_bytes", "documents", "filled", "plant_copies", "put_back", "wrapped_keys"]
