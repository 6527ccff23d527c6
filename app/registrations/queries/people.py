"""What every reading of entries shares: the joins, and how an entry and its units are called."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVarTuple

from sqlalchemy import Select

from app.registrations.models import Entry, EntryMember, Member
from app.regulations.rules import Employment

Columns = TypeVarTuple("Columns")


def joined(names: Iterable[str]) -> str:
    """How an entry is called: the player, or both of a pair."""
    return " / ".join(names)


def with_people(statement: Select[*Columns]) -> Select[*Columns]:
    """Joins each entry with its player or players."""
    return statement.join_from(Entry, EntryMember, EntryMember.entry_id == Entry.id).join(
        Member, Member.id == EntryMember.member_id
    )


def units_of(own: Sequence[str | None], entered_by: str) -> str:
    """The units of an entry: what its players wrote, each once; else the unit that entered it."""
    return joined(dict.fromkeys(each for each in own if each)) or entered_by


def employment_of(member: Member) -> Employment | None:
    return Employment(member.employment) if member.employment else None
