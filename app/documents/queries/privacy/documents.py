"""The documents of a member or a unit in a copy, with their files."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import select

from app.documents.models import (
    Document,
    DocumentDecision,
    DocumentPage,
    DocumentReading,
    DocumentRevision,
    Signature,
)
from app.documents.queries.privacy.files import ENDINGS, CopiedFile
from app.documents.rules import Subject
from app.extensions import db
from app.uploads.models import StoredFile, Upload, UploadFile
from app.uploads.queries import sealed_of
from app.uploads.rules import FileRole


def copied_documents(whose: Subject) -> tuple[list[dict[str, Any]], list[CopiedFile]]:
    rows = db.session.execute(
        select(Document, DocumentRevision)
        .join(DocumentRevision, DocumentRevision.document_id == Document.id)
        .where(Document.subject == str(whose))
        .order_by(Document.id, DocumentRevision.number)
    ).all()
    ids = [revision.id for _, revision in rows]
    decisions, uploads = _decisions(ids), _uploads(ids)
    readings = {
        row.revision_id: row
        for row in db.session.scalars(select(DocumentReading).where(DocumentReading.revision_id.in_(ids)))
    }
    signatures = {
        row.revision_id: (row, file)
        for row, file in db.session.execute(
            select(Signature, StoredFile)
            .outerjoin(StoredFile, StoredFile.id == Signature.pdf_id)
            .where(Signature.revision_id.in_(ids))
        )
    }
    files: list[CopiedFile] = []
    found: dict[int, dict[str, Any]] = {}
    for document, revision in rows:
        mine = [
            CopiedFile(_name(document.kind, revision.number, position, file.media_type), sealed_of(file))
            for position, file in uploads[revision.id]
        ]
        signed = None
        if revision.id in signatures:
            signature, sheet = signatures[revision.id]
            signed = {
                "text": signature.text,
                "text_sha256": signature.text_sha256,
                "strokes": signature.strokes,
                "signed_at": signature.signed_at.isoformat(),
            }
            if sheet is not None and all(each.sealed.key != sheet.key for each in mine):
                name = f"files/{document.kind}-{revision.number}-signed.pdf"
                mine.append(CopiedFile(name, sealed_of(sheet)))
        files += mine
        reading = readings.get(revision.id)
        shown = found.setdefault(
            document.id,
            {"kind": document.kind, "state": document.state, "revisions": []},
        )
        shown["revisions"].append(
            {
                "number": revision.number,
                "handed_in_at": revision.handed_in_at.isoformat(),
                "values": json.loads(revision.values),
                "decisions": decisions[revision.id],
                "text_check": reading.findings if reading else None,
                "undertaking": signed,
                "files": [
                    {"name": each.name, "size": each.sealed.size, "sha256": each.sealed.sha256}
                    for each in mine
                ],
            }
        )
    return list(found.values()), files


def _decisions(revision_ids: Iterable[int]) -> Mapping[int, list[dict[str, Any]]]:
    found: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for row in db.session.scalars(
        select(DocumentDecision)
        .where(DocumentDecision.revision_id.in_(list(revision_ids)))
        .order_by(DocumentDecision.id)
    ):
        found[row.revision_id].append(
            {
                "decision": row.kind,
                "reasons": json.loads(row.reasons or "{}"),
                "decided_at": row.decided_at.isoformat(),
            }
        )
    return found


def _uploads(revision_ids: Iterable[int]) -> Mapping[int, list[tuple[int, StoredFile]]]:
    found: dict[int, list[tuple[int, StoredFile]]] = defaultdict(list)
    for revision_id, position, file in db.session.execute(
        select(DocumentPage.revision_id, DocumentPage.position, StoredFile)
        .join(Upload, Upload.id == DocumentPage.upload_id)
        .join(UploadFile, UploadFile.upload_id == Upload.id)
        .join(StoredFile, StoredFile.id == UploadFile.file_id)
        .where(DocumentPage.revision_id.in_(list(revision_ids)), UploadFile.role == FileRole.CONTENT.value)
        .order_by(DocumentPage.position)
    ):
        found[revision_id].append((position, file))
    return found


def _name(kind: str, revision: int, position: int, media_type: str) -> str:
    return f"files/{kind}-{revision}-{position + 1}.{ENDINGS.get(media_type, 'bin')}"
