"""Change applications (变更申请) in a copy, with their letters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import select

from app.documents.queries.privacy.files import ENDINGS, CopiedFile, moment
from app.extensions import db
from app.registrations.queries import HeldApplication
from app.uploads.models import StoredFile, UploadFile
from app.uploads.queries import sealed_of
from app.uploads.rules import FileRole


def copied_application(
    held: HeldApplication, letter: Iterable[CopiedFile], member_id: int | None = None
) -> dict[str, Any]:
    """A change application; in the copy of one member his own corrected data and nobody else's."""
    proposal = held.proposal
    form = proposal.form if member_id in {None, proposal.member_id} else None
    return {
        "number": held.number,
        "kind": held.kind.value,
        "state": held.state.value,
        "was": list(proposal.was),
        "names": list(proposal.names),
        "corrected": None
        if form is None
        else {"name": form.name, "id_number": form.id_number, "phone": form.phone},
        "reason": held.reason,
        "answer": held.answer,
        "applied_at": held.applied_at.isoformat(),
        "decided_at": moment(held.decided_at),
        "files": [
            {"name": each.name, "size": each.sealed.size, "sha256": each.sealed.sha256} for each in letter
        ],
    }


def letter_of(held: HeldApplication) -> list[CopiedFile]:
    rows = db.session.execute(
        select(UploadFile.upload_id, StoredFile)
        .join(StoredFile, StoredFile.id == UploadFile.file_id)
        .where(UploadFile.upload_id.in_(held.upload_ids), UploadFile.role == FileRole.CONTENT.value)
    ).all()
    found = {row.upload_id: row.StoredFile for row in rows}
    return [
        CopiedFile(
            f"files/change-{held.number}-{place}.{ENDINGS.get(found[each].media_type, 'bin')}",
            sealed_of(found[each]),
        )
        for place, each in enumerate(held.upload_ids, start=1)
        if each in found
    ]
