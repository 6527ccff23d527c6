"""The leader is told what came of an application."""

from __future__ import annotations

from app.accounts import queries as accounts
from app.commands import CommandContext
from app.competitions.queries import CompetitionView
from app.notifications import service as notifications
from app.notifications.rules import Channel
from app.registrations.models import ChangeApplication, Unit
from app.registrations.rules.changes import KIND_NAMES, STATE_NAMES, ApplicationState, ChangeKind
from app.text import T


def tell(
    ctx: CommandContext, competition: CompetitionView, row: ChangeApplication, unit: Unit, address: str
) -> None:
    """No name and no reason in the message: the page has them. A forgotten account has no number."""
    recipient = accounts.user_phone(unit.leader_user_id)
    if not recipient:
        return
    notifications.queue_message(
        ctx,
        channel=Channel.SMS,
        recipient=recipient,
        subject=T("变更申请"),
        body=T(
            "“%(name)s”：您的变更申请第 %(number)s 号（%(kind)s）%(state)s。请打开 %(address)s 查看。",
            name=competition.name,
            number=row.number,
            kind=KIND_NAMES[ChangeKind(row.kind)],
            state=STATE_NAMES[ApplicationState(row.state)],
            address=address,
        ),
    )
