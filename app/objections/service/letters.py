"""Who is told what of a case (通知). To the other side and to everybody outside of the committee nothing says who objected."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.accounts import queries as accounts
from app.actors import Role
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions.queries import EventView
from app.notifications import service as notifications
from app.notifications.letters import Address, LetterKind
from app.notifications.rules import Recipient
from app.objections.models import Objection, ObjectionHearing
from app.objections.queries import lists, people
from app.objections.rules.refusals import listed
from app.objections.rules.states import CaseState, Requirement
from app.publications import queries as publications
from app.registrations import queries as registrations
from app.registrations.models import Unit
from app.text import T


def received(
    ctx: CommandContext, row: Objection, event: EventView, *, again: bool = False, reason: str = ""
) -> None:
    """To whoever lodged it: the number, what is lacking and until when. A new one goes to the committee at once."""
    lacking = [Requirement(each) for each in row.lacking]
    what = listed(lacking) if lacking else None
    end = lists.current(row.event_id, row.publication_id).view.ends_at if row.publication_id else None
    name = competitions.competition_by_id(row.competition_id).name
    _to_reporter(
        ctx,
        row,
        LetterKind.OBJECTION_RECEIVED,
        {
            "lacking": what,
            "ends_at": end if lacking else None,
            "clause": event.regulation.objections.clause,
            "due_at": row.due_at,
            "again": again,
            "reason": reason or None,
            "short": T(
                "“%(name)s”：异议 %(number)s 已收到，还缺%(what)s，请在公示期内补齐。",
                name=name,
                number=row.number,
                what=what,
            )
            if what
            else T("“%(name)s”：异议 %(number)s 已收到，组委会将处理。", name=name, number=row.number),
        },
    )
    if not again:
        to_committee(ctx, row, event)


def to_committee(ctx: CommandContext, row: Objection, event: EventView, *, only: int | None = None) -> None:
    """To the members who may handle it: that something waits, with the number and a link. No name of either side."""
    handlers = people.handlers(row)
    if not handlers:
        nobody_left(ctx, row, event)
        return
    told = [only] if only is not None else sorted(handlers)
    name = competitions.competition_by_id(row.competition_id).name
    for user_id in told:
        _send(
            ctx,
            row,
            LetterKind.OBJECTION_TO_COMMITTEE,
            accounts.recipient(user_id),
            {
                "address": Address(f"/staff/c/{_slug(row)}/objections/{row.number}"),
                "assigned": row.assigned_to_id == user_id,
                "nobody": False,
                "due_at": row.due_at,
                "short": T(
                    "“%(name)s”：异议 %(number)s 等待办理，请到工作台查看。", name=name, number=row.number
                ),
            },
        )


def nobody_left(ctx: CommandContext, row: Objection, event: EventView) -> None:
    """To the organisers: every member of the committee is concerned; another one must be added. Only the number is said."""
    name = competitions.competition_by_id(event.competition_id).name
    for user_id in accounts.holders(row.competition_id, Role.ORGANISER):
        _send(
            ctx,
            row,
            LetterKind.OBJECTION_TO_COMMITTEE,
            accounts.recipient(user_id),
            {
                "address": Address(f"/staff/c/{_slug(row)}/people"),
                "assigned": False,
                "nobody": True,
                "due_at": row.due_at,
                "short": T(
                    "“%(name)s”：异议 %(number)s 没有可以办理的组委会成员，请增加一名。",
                    name=name,
                    number=row.number,
                ),
            },
        )


def accepted(ctx: CommandContext, row: Objection, event: EventView) -> None:
    name = competitions.competition_by_id(event.competition_id).name
    _to_reporter(
        ctx,
        row,
        LetterKind.OBJECTION_ACCEPTED,
        {
            "due_at": row.due_at,
            "short": T("“%(name)s”：异议 %(number)s 已受理。", name=name, number=row.number),
        },
    )


def refused(
    ctx: CommandContext,
    row: Objection,
    event: EventView,
    *,
    reason: str = "",
    requirements: Sequence[Requirement] = (),
) -> None:
    """不予受理: what the text asks and the objection lacks, with the clause."""
    name = competitions.competition_by_id(event.competition_id).name
    what = listed([*requirements] or [Requirement(each) for each in row.lacking])
    _to_reporter(
        ctx,
        row,
        LetterKind.OBJECTION_REFUSED,
        {
            "what": what,
            "clause": row.clause,
            "reason": reason or None,
            "short": T(
                "“%(name)s”：异议 %(number)s 不予受理，不符合：%(what)s（规程 %(clause)s）。",
                name=name,
                number=row.number,
                what=what,
                clause=row.clause,
            ),
        },
    )


def withdrawn(ctx: CommandContext, row: Objection, event: EventView) -> None:
    """To whoever took it back, and to units that were asked: nothing more is wanted of them."""
    name = competitions.competition_by_id(event.competition_id).name
    short = T("“%(name)s”：异议 %(number)s 已撤回，程序结束。", name=name, number=row.number)
    _to_reporter(ctx, row, LetterKind.OBJECTION_DECIDED, _outcome(row, short))
    for hearing, unit in people.asked_units(row.id):
        _send(
            ctx,
            row,
            LetterKind.OBJECTION_DECIDED_OTHER_SIDE,
            accounts.recipient(unit.leader_user_id),
            _outcome(row, short) | {"address": _hearing_address(row, hearing), "entries": _names(unit, row)},
        )


def hearing_asked(ctx: CommandContext, row: Objection, event: EventView, hearing: ObjectionHearing) -> None:
    """To the leader of a unit objected to: the question, whom it is about, until when."""
    unit = ctx.session.get_one(Unit, hearing.unit_id)
    name = competitions.competition_by_id(event.competition_id).name
    _send(
        ctx,
        row,
        LetterKind.HEARING_ASKED,
        accounts.recipient(unit.leader_user_id),
        {
            "address": _hearing_address(row, hearing.id),
            "question": hearing.question,
            "due_at": hearing.due_at,
            "entries": _names(unit, row),
            "short": T(
                "“%(name)s”：有人对您单位的报名提出异议，请在 %(due)s 前到网站答复。",
                name=name,
                due=hearing.due_at,
            ),
        },
    )


def decided(ctx: CommandContext, row: Objection, event: EventView) -> None:
    """The decision with its reasons, to both sides; the other side reads of its own entries only."""
    name = competitions.competition_by_id(event.competition_id).name
    upheld = row.state == CaseState.UPHELD
    short = (
        T("“%(name)s”：异议 %(number)s 已决定：成立。", name=name, number=row.number)
        if upheld
        else T("“%(name)s”：异议 %(number)s 已决定：不成立。", name=name, number=row.number)
    )
    _to_reporter(ctx, row, LetterKind.OBJECTION_DECIDED, _outcome(row, short))
    asked = {unit.unit_id: hearing for hearing, unit in people.asked_units(row.id)}
    for unit in people.concerned(row.id):
        address = (
            _hearing_address(row, asked[unit.unit_id])
            if unit.unit_id in asked
            else Address(f"/c/{_slug(row)}/publications")
        )
        _send(
            ctx,
            row,
            LetterKind.OBJECTION_DECIDED_OTHER_SIDE,
            accounts.recipient(unit.leader_user_id),
            _outcome(row, short) | {"address": address, "entries": _names(unit, row)},
        )


def _outcome(row: Objection, short: T) -> dict[str, Any]:
    new = publications.numbers(row.event_id).get(row.superseding_id) if row.superseding_id else None
    return {
        "state": row.state,
        "decision": row.decision,
        "summary": row.summary,
        "new_list": new,
        "lists": Address(f"/c/{_slug(row)}/publications"),
        "short": short,
    }


def _names(unit: people.ConcernedUnit | Unit, row: Objection) -> list[str]:
    """The unit's own entries that are objected to."""
    unit_id = unit.unit_id if isinstance(unit, people.ConcernedUnit) else unit.id
    own = [
        entry
        for entry, of in people.units_of_entries(people.entry_ids_of(row.id)).items()
        if of.unit_id == unit_id
    ]
    return [each.name for each in registrations.named(own).values()]


def _to_reporter(ctx: CommandContext, row: Objection, kind: LetterKind, context: dict[str, Any]) -> None:
    _send(
        ctx,
        row,
        kind,
        accounts.recipient(row.user_id)
        if row.user_id is not None
        else Recipient(None, row.reporter_email, None, row.language),
        {"address": Address(f"/c/{_slug(row)}/objections/r/{row.token}")} | context,
        reporter=True,
        in_reply_to=people.letter_id(row) if row.user_id is None else None,
    )


def _send(
    ctx: CommandContext,
    row: Objection,
    kind: LetterKind,
    to: Recipient,
    context: dict[str, Any],
    *,
    reporter: bool = False,
    in_reply_to: str | None = None,
) -> None:
    """One letter for one step of the case to one person: the key holds the revision, so a job that runs twice writes it once."""
    competition = competitions.competition_by_id(row.competition_id)
    whom = to.user_id if to.user_id is not None else "reporter"
    notifications.queue_letter(
        ctx,
        kind=kind,
        to=to,
        # the list of a competition's letters must not say to whom a reporter's went
        competition_id=None if reporter else row.competition_id,
        context={"competition": competition.name, "number": row.number, **context},
        key=f"{kind.value} {row.number} {row.revision} {whom}",
        in_reply_to=in_reply_to,
    )


def _slug(row: Objection) -> str:
    return competitions.competition_by_id(row.competition_id).slug


def _hearing_address(row: Objection, hearing_id: int) -> Address:
    return Address(f"/c/{_slug(row)}/objections/hearings/{hearing_id}")
