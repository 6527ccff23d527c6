"""Who entered somebody is told that he was expelled, or that he is in again."""

from __future__ import annotations

from app.accounts import queries as accounts
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.notifications import links
from app.notifications import service as notifications
from app.notifications.letters import Address, LetterKind
from app.registrations.models import Entry, Unit
from app.rulings.queries import RulingView
from app.text import T


def tell_expulsion(ctx: CommandContext, given: RulingView, *, withdrawn: bool) -> None:
    """No name and no reason in the letter: the public list of rulings has the first, the staff the second."""
    entry = ctx.session.get_one(Entry, given.person.entry_id)
    unit = ctx.session.get_one(Unit, entry.unit_id)
    competition = competitions.competition_by_id(competitions.event(given.event_id).competition_id)
    address = f"/c/{competition.slug}/rulings"
    notifications.queue_letter(
        ctx,
        kind=LetterKind.EXPULSION,
        to=accounts.recipient(unit.leader_user_id),
        competition_id=competition.id,
        key=f"ruling {given.id} {'withdrawn' if withdrawn else 'given'}",
        context={
            "competition": competition.name,
            "withdrawn": withdrawn,
            "clause": given.clause,
            "place": given.place,
            "page": Address(address),
            "short": T(
                "“%(name)s”：取消您一名选手参赛资格的判罚已撤销。请打开 %(address)s 查看。",
                name=competition.name,
                address=links.full(address) or address,
            )
            if withdrawn
            else T(
                "“%(name)s”：您的一名选手被取消参赛资格（规程 %(clause)s）。请打开 %(address)s 查看。",
                name=competition.name,
                clause=given.clause,
                address=links.full(address) or address,
            ),
        },
    )
