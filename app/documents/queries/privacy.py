"""What a member sees of himself: who looked at what (访问记录), which documents are kept, what is handed out as a copy."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select

from app.audit import queries as audit
from app.audit.actions import AuditAction
from app.competitions.queries import CompetitionView
from app.documents.models import (
    Document,
    DocumentDecision,
    DocumentPage,
    DocumentReading,
    DocumentRevision,
    Signature,
)
from app.documents.queries.deletions import requests_of
from app.documents.rules import DocumentId, DocumentState, Subject
from app.documents.rules.privacy import COMMITTEE, SYSTEM, WHAT_NAMES
from app.documents.rules.review import LEADER
from app.extensions import db
from app.files.store import Sealed
from app.registrations import queries as registrations
from app.registrations.queries import HeldApplication
from app.registrations.queries.held import HeldMember, HeldUnit
from app.regulations.rules import DOCUMENT_KINDS
from app.text import T
from app.uploads.models import StoredFile, Upload, UploadFile
from app.uploads.queries import sealed_of
from app.uploads.rules import FileRole

ENDINGS = {"image/jpeg": "jpg", "application/pdf": "pdf"}


@dataclass(frozen=True, slots=True)
class Access:
    """One line of a member's access log: when, in which role, what of which document. ``kind`` is None for ID number and phone."""

    at: datetime
    role: str
    action: AuditAction
    kind: str | None
    revision: int | None = None
    page: int | None = None
    picture: str | None = None

    @property
    def what(self) -> T:
        """In words."""
        if self.action is AuditAction.PERSONAL_DATA_EXPORTED:
            return T("导出全部资料")
        of = DOCUMENT_KINDS.get(self.kind, T("已删除的材料")) if self.kind else T("身份证号和手机号")
        if self.action is AuditAction.DOCUMENT_READ and self.page:
            return T("查阅%(kind)s第 %(page)s 页", kind=of, page=self.page)
        return T("%(act)s%(kind)s", act=WHAT_NAMES[self.action], kind=of)


@dataclass(frozen=True, slots=True)
class KeptDocument:
    """A document of a member, in any state. ``pages`` counts the files that are kept of all its revisions."""

    id: DocumentId
    kind: str
    state: DocumentState
    handed_in_at: datetime
    pages: int


@dataclass(frozen=True, slots=True)
class CopiedFile:
    """A file of a copy: its name in the archive, and how it is read."""

    name: str
    sealed: Sealed


LOGGED = (
    AuditAction.DOCUMENT_READ,
    AuditAction.DOCUMENT_ACCEPTED,
    AuditAction.DOCUMENT_SENT_BACK,
    AuditAction.DOCUMENT_REJECTED,
    AuditAction.DOCUMENT_DECISION_TAKEN_BACK,
    AuditAction.DOCUMENT_LINK_MADE,
    AuditAction.PERSONAL_DATA_READ,
    AuditAction.PERSONAL_DATA_EXPORTED,
    AuditAction.PERSONAL_DATA_DELETED,
)


def access_log(member: HeldMember) -> tuple[Access, ...]:
    """Who looked at a member's documents and numbers, or decided or deleted, the newest first.

    A reader is named by his role: the notice promises that only the committee looks, and a member needs to know that it did,
    when and at what, not which of its people. The person stands in the audit chain, for a complaint.
    """
    whose = Subject(member_id=member.id)
    about = [*(("Entry", each.entry_id) for each in member.entries), ("Member", member.id)]
    kinds = _kinds(whose) | _deleted_kinds("Member", member.id)
    return _log(about, kinds, _purged(member.competition_id, whose))


def access_log_of_unit(unit: HeldUnit) -> tuple[Access, ...]:
    """The same of the documents that are the unit's own: entry form, sealed letter."""
    whose = Subject(unit_id=unit.id)
    kinds = _kinds(whose) | _deleted_kinds("Unit", unit.id)
    return _log([("Unit", unit.id)], kinds, _purged(unit.competition_id, whose))


def _log(
    about: Sequence[tuple[str, int]], kinds: dict[int, str], purged: Sequence[tuple[Any, Mapping[int, str]]]
) -> tuple[Access, ...]:
    """What is on record of these subjects and documents, the newest first; what was ``purged`` had been looked at, too."""
    for _, gone in purged:
        kinds |= gone
    subjects = [*about, *(("Document", document_id) for document_id in kinds)]
    lines = [(entry.id, _access(entry, kinds)) for entry in audit.of_subjects(subjects, LOGGED)]
    lines += [
        (entry.id, Access(entry.at, SYSTEM, AuditAction.DOCUMENTS_PURGED, kind))
        for entry, gone in purged
        for kind in gone.values()
    ]
    return tuple(line for _, line in sorted(lines, key=lambda each: each[0], reverse=True))


def _purged(competition_id: int, whose: Subject) -> list[tuple[Any, dict[int, str]]]:
    """The purge's entries that name documents of a subject, each with their kinds by id."""
    entries = audit.of_subject("Competition", competition_id, [AuditAction.DOCUMENTS_PURGED])
    return [
        (entry, {int(key): kind for key, kind in gone.items()})
        for entry in entries
        if (gone := entry.details.get("whose", {}).get(str(whose)))
    ]


def _kinds(whose: Subject) -> dict[int, str]:
    """The kind of each document of a subject, by its id."""
    return {
        row.id: row.kind
        for row in db.session.execute(
            select(Document.id, Document.kind).where(Document.subject == str(whose))
        )
    }


def _deleted_kinds(subject_type: str, subject_id: int) -> dict[int, str]:
    """The same of what was deleted on request since: looks at it stay in the log."""
    found: dict[int, str] = {}
    for entry in audit.of_subject(subject_type, subject_id, [AuditAction.PERSONAL_DATA_DELETED]):
        found |= {int(key): kind for key, kind in entry.details.get("documents", {}).items()}
    return found


def _access(entry: Any, kinds: Mapping[int, str]) -> Access:
    of_document = entry.subject_type == "Document"
    what = entry.details.get("what")
    return Access(
        at=entry.at,
        role=LEADER
        if entry.details.get("role") == LEADER or entry.action == AuditAction.DOCUMENT_LINK_MADE
        else COMMITTEE,  # nobody but the leader gives a link
        action=AuditAction(entry.action),
        kind=kinds.get(int(entry.subject_id)) if of_document else entry.details.get("kind"),
        revision=entry.details.get("revision"),
        page=entry.details.get("page"),
        picture=what if isinstance(what, str) else None,
    )


def kept_documents(whose: Subject) -> tuple[KeptDocument, ...]:
    """Every document of a member or of a unit itself, in the order of handing in."""
    rows = db.session.scalars(
        select(Document).where(Document.subject == str(whose)).order_by(Document.id)
    ).all()
    counted: dict[int, int] = defaultdict(int)
    for document_id in db.session.scalars(
        select(DocumentRevision.document_id)
        .join(DocumentPage, DocumentPage.revision_id == DocumentRevision.id)
        .where(DocumentRevision.document_id.in_([row.id for row in rows]))
    ):
        counted[document_id] += 1
    return tuple(
        KeptDocument(
            DocumentId(row.id), row.kind, DocumentState(row.state), row.handed_in_at, counted[row.id]
        )
        for row in rows
    )


def copy_of(
    competition: CompetitionView, member: HeldMember, now: datetime
) -> tuple[Mapping[str, Any], tuple[CopiedFile, ...]]:
    """Everything held of a member as a document, and the cleaned files it names. Moments in UTC."""
    documents, files = _documents(Subject(member_id=member.id))
    return {
        "format": "saishi personal data",
        "version": 1,
        "made_at": now.isoformat(),
        "competition": {"address": competition.slug, "name": competition.name},
        "member": {
            "name": member.name,
            "id_number": member.id_number,
            "phone": member.phone,
            "employment": member.employment.value if member.employment else None,
            "unit_name": member.unit_name,
            "declared": list(member.declared),
            "entered_at": member.created_at.isoformat(),
            "registered_by": {"unit": member.leading_unit, "credit_code": member.credit_code},
            "privacy_notice": {"version": member.notice_version, "agreed_at": _moment(member.agreed_at)},
        },
        "entries": [
            {
                "event": each.event_name,
                "receipt": each.number,
                "state": each.state.value,
                "submitted_at": _moment(each.submitted_at),
                "decided_at": _moment(each.decided_at),
                "reason": each.reason,
                "in_team": each.in_team,
            }
            for each in member.entries
        ],
        "change_applications": [
            _application(each, [], member.id)
            for each in registrations.held_applications(
                unit_id=member.unit_id, entry_ids=[each.entry_id for each in member.entries]
            )
        ],
        "documents": documents,
        "deletion_requests": _requests_copied(Subject(member_id=member.id)),
        "access_log": _log_copied(access_log(member)),
    }, tuple(files)


def copy_of_unit(
    competition: CompetitionView, unit: HeldUnit, now: datetime
) -> tuple[Mapping[str, Any], tuple[CopiedFile, ...]]:
    """The same of a unit: who it is, whom it named to be called, and its own documents. Its members have copies of their own."""
    documents, files = _documents(Subject(unit_id=unit.id))
    applications = []
    for each in registrations.held_applications(unit_id=unit.id):
        letter = _letter(each)
        files += letter
        applications.append(_application(each, letter))
    return {
        "format": "saishi personal data",
        "version": 1,
        "made_at": now.isoformat(),
        "competition": {"address": competition.slug, "name": competition.name},
        "unit": {
            "name": unit.name,
            "credit_code": unit.credit_code,
            "contact_name": unit.contact_name,
            "contact_phone": unit.contact_phone,
        },
        "change_applications": applications,
        "documents": documents,
        "deletion_requests": _requests_copied(Subject(unit_id=unit.id)),
        "access_log": _log_copied(access_log_of_unit(unit)),
    }, tuple(files)


def _application(
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
        "decided_at": _moment(held.decided_at),
        "files": [
            {"name": each.name, "size": each.sealed.size, "sha256": each.sealed.sha256} for each in letter
        ],
    }


def _letter(held: HeldApplication) -> list[CopiedFile]:
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


def _requests_copied(whose: Subject) -> list[dict[str, Any]]:
    return [
        {
            "document": each.kind,
            "state": each.state.value,
            "asked_at": each.asked_at.isoformat(),
            "answer": each.answer,
            "answered_at": _moment(each.answered_at),
        }
        for each in requests_of(whose)
    ]


def _log_copied(log: Iterable[Access]) -> list[dict[str, Any]]:
    return [
        {
            "at": each.at.isoformat(),
            "role": each.role,
            "action": each.action.value,
            "document": each.kind,
            "revision": each.revision,
            "page": each.page,
            "picture": each.picture,
        }
        for each in log
    ]


def _documents(whose: Subject) -> tuple[list[dict[str, Any]], list[CopiedFile]]:
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


def _moment(value: datetime | None) -> str | None:
    return value.isoformat() if value else None
