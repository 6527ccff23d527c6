"""The leader is told what came of an application."""

from __future__ import annotations

from app.accounts import queries as accounts
from app.commands import CommandContext
from app.competitions.queries import CompetitionView
from app.notifications import links
from app.notifications import service as notifications
from app.notifications.letters import Address, LetterKind
from app.registrations.models import ChangeApplication, Unit
from app.registrations.rules.changes import KIND_NAMES, STATE_NAMES, ApplicationState, ChangeKind
from app.text import T


def tell(
    ctx: CommandContext, competition: CompetitionView, row: ChangeApplication, unit: Unit, address: str
) -> None:
    """No name and no reason in the letter: the page at ``address``, a path of this site, has them."""
    regulation = competition.event.regulation
    kind, state = ChangeKind(row.kind), ApplicationState(row.state)
    granted = state is ApplicationState.GRANTED
    notifications.queue_letter(
        ctx,
        kind=LetterKind.CHANGE_DECIDED,
        to=accounts.recipient(unit.leader_user_id),
        competition_id=competition.id,
        key=f"change {row.id} decided",
        context={
            "competition": competition.name,
            "number": row.number,
            "change": KIND_NAMES[kind],
            "granted": granted,
            "to_be_published": granted
            and kind is not ChangeKind.WITHDRAW
            and regulation.has("publication")
            and regulation.registration.changes_published,
            "page": Address(address),
            "short": T(
                "“%(name)s”：您的变更申请第 %(number)s 号（%(kind)s）%(state)s。请打开 %(address)s 查看。",
                name=competition.name,
                number=row.number,
                kind=KIND_NAMES[kind],
                state=STATE_NAMES[state],
                address=links.full(address) or address,
            ),
        },
    )
