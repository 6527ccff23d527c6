"""What is handed out as a copy of everything held of a member or a unit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from app.competitions.queries import CompetitionView
from app.documents.queries.deletions import requests_of
from app.documents.queries.privacy.applications import copied_application, letter_of
from app.documents.queries.privacy.documents import copied_documents
from app.documents.queries.privacy.files import CopiedFile, moment
from app.documents.queries.privacy.log import Access, access_log, access_log_of_unit
from app.documents.rules import Subject
from app.registrations import queries as registrations
from app.registrations.queries.held import HeldMember, HeldUnit


def copy_of(
    competition: CompetitionView, member: HeldMember, now: datetime
) -> tuple[Mapping[str, Any], tuple[CopiedFile, ...]]:
    """Everything held of a member as a document, and the cleaned files it names. Moments in UTC."""
    documents, files = copied_documents(Subject(member_id=member.id))
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
            "privacy_notice": {"version": member.notice_version, "agreed_at": moment(member.agreed_at)},
        },
        "entries": [
            {
                "event": each.event_name,
                "receipt": each.number,
                "state": each.state.value,
                "submitted_at": moment(each.submitted_at),
                "decided_at": moment(each.decided_at),
                "reason": each.reason,
                "in_team": each.in_team,
            }
            for each in member.entries
        ],
        "change_applications": [
            copied_application(each, [], member.id)
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
    documents, files = copied_documents(Subject(unit_id=unit.id))
    applications = []
    for each in registrations.held_applications(unit_id=unit.id):
        letter = letter_of(each)
        files += letter
        applications.append(copied_application(each, letter))
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


def _requests_copied(whose: Subject) -> list[dict[str, Any]]:
    return [
        {
            "document": each.kind,
            "state": each.state.value,
            "asked_at": each.asked_at.isoformat(),
            "answer": each.answer,
            "answered_at": moment(each.answered_at),
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
