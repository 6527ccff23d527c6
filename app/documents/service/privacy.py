"""What a member, or the leader who acts for him, does with his data: take a copy."""

from __future__ import annotations

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.documents.rules.privacy import NoUnitError
from app.documents.rules.review import LEADER
from app.registrations.queries import held
from app.registrations.queries.held import HeldMember, HeldUnit


def take_copy(ctx: CommandContext, *, slug: str, member_id: int) -> HeldMember:
    """Let the leader, or a player who entered himself, take a copy of everything held of a member; it is on record.

    Raises ``UnknownMemberError`` for somebody else's member.
    """
    competition = competitions.competition(slug)
    member = held.my_member(competition, ctx.actor.require_signed_in(), member_id)
    ctx.record(AuditAction.PERSONAL_DATA_EXPORTED, ("Member", member.id), role=LEADER)
    return member


def take_unit_copy(ctx: CommandContext, *, slug: str) -> HeldUnit:
    """Let the leader take a copy of what is held of the unit itself; it is on record. Raises ``NoUnitError``."""
    unit = held.my_unit(competitions.competition(slug), ctx.actor.require_signed_in())
    if unit is None:
        raise NoUnitError
    ctx.record(AuditAction.PERSONAL_DATA_EXPORTED, ("Unit", unit.id), role=LEADER)
    return unit
