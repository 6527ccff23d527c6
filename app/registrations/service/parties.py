"""Who enters: a unit that its leader made, or players who enter themselves."""

from __future__ import annotations

from collections.abc import Sequence

from app.accounts import queries as accounts
from app.commands import CommandContext
from app.registrations.models import Registration, Unit
from app.registrations.rules import MemberData, RegistrationState, without_code
from app.registrations.service.access import Leader, Party, own_unit, required_unit


def party(ctx: CommandContext, leader: Leader, people: Sequence[MemberData]) -> Party:
    """The unit for which somebody enters these players; where players enter themselves, it is made with the first form.

    It then bears the unit of the first player; the contact is he, at the number that signed in.
    """
    if not leader.event.regulation.by_players:
        return Party(leader, required_unit(ctx, leader))
    unit = own_unit(ctx, leader)
    if unit is not None:
        return Party(leader, unit)
    unit = Unit(
        competition_id=leader.competition.id,
        leader_user_id=leader.user_id,
        created_at=ctx.now,
        name=people[0].unit_name,
        credit_code=without_code(leader.user_id),
        contact_name=people[0].name,
        contact_phone=accounts.user_phone(leader.user_id),
    )
    ctx.session.add(unit)
    ctx.session.flush()
    open_registration(ctx, leader, unit)
    return Party(leader, unit)


def open_registration(ctx: CommandContext, leader: Leader, unit: Unit) -> None:
    """The draft to which everything belongs that is entered from now on."""
    ctx.session.add(
        Registration(
            event_id=leader.event.id,
            unit_id=unit.id,
            state=RegistrationState.DRAFT.value,
            regulation_version_id=leader.event.regulation_version_id,
        )
    )
    ctx.session.flush()
