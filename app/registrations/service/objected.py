"""What an objection that was upheld (异议成立) does to an entry. Whoever calls has decided it; its feature asks for permission."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.registrations.models import Entry
from app.registrations.rules import EntryId, UnknownEntryError
from app.registrations.rules.identity import person_name
from app.registrations.service.entries import rows_of


def correct_objected(ctx: CommandContext, entry_id: EntryId, *, names: Sequence[str]) -> None:
    """Give the players of an entry their right names, in the order of its form. Raises ``BadValueError`` for what is no name."""
    entry = _locked(ctx, entry_id)
    rows = rows_of(ctx, entry)
    if len(rows) != len(names):
        raise UnknownEntryError
    for (member, _), name in zip(rows, names, strict=True):
        member.name = person_name(name)
    entry.revision += 1
    ctx.session.flush()
    ctx.record(AuditAction.ENTRY_CHANGED, entry, state=entry.state, by="objection")


def _locked(ctx: CommandContext, entry_id: EntryId) -> Entry:
    entry: Entry | None = ctx.session.scalar(
        select(Entry).where(Entry.id == entry_id).with_for_update(key_share=True)
    )
    if entry is None:
        raise UnknownEntryError
    return entry
