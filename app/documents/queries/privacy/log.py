"""Who looked at what (访问记录) of a member or a unit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select

from app.audit import queries as audit
from app.audit.actions import AuditAction
from app.documents.models import (
    Document,
)
from app.documents.rules import Subject
from app.documents.rules.privacy import COMMITTEE, SYSTEM, WHAT_NAMES
from app.documents.rules.review import LEADER
from app.extensions import db
from app.registrations.queries.held import HeldMember, HeldUnit
from app.regulations.rules import DOCUMENT_KINDS
from app.text import T


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
