"""Who is told what of an appeal (通知): who appeals, the other side, the arbitration committee."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from app.accounts import queries as accounts
from app.actors import Role
from app.appeals.models import Appeal
from app.appeals.queries import ledger, people, rounds
from app.appeals.rules.clocks import terms_of
from app.appeals.rules.ledger import totals, yuan
from app.appeals.rules.states import AppealState, FeeKind
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions.queries import EventView
from app.draws.models import Round
from app.draws.rules import round_name
from app.notifications import service as notifications
from app.notifications.letters import Address, LetterKind
from app.registrations import queries as registrations
from app.registrations.rules import EntryId
from app.text import T


def logged(ctx: CommandContext, row: Appeal, event: EventView) -> None:
    """To who appeals, when the oral one was logged: until when the written one has to come, and what it costs."""
    _to_appellant(ctx, row, LetterKind.APPEAL_RECEIVED, _received(row, event))


def received(ctx: CommandContext, row: Appeal, event: EventView) -> None:
    """To who appeals: that the written one is here. To the committee: that it waits for a hearing."""
    _to_appellant(ctx, row, LetterKind.APPEAL_RECEIVED, _received(row, event))
    free = people.arbiters(row)
    if not free:
        nobody_left(ctx, row)
    for user_id in sorted(free):
        short = T(
            "“%(name)s”：申诉 %(number)s 等待听证，请到工作台查看。", name=_name(row), number=row.number
        )
        _send(
            ctx,
            row,
            LetterKind.APPEAL_TO_COMMITTEE,
            user_id,
            {"address": _desk(row), "nobody": False, "short": short},
        )


def nobody_left(ctx: CommandContext, row: Appeal) -> None:
    """To the organisers: every member of the arbitration committee is concerned, or there is none."""
    address = Address(f"/staff/c/{_slug(row)}/people")
    for user_id in accounts.holders(row.competition_id, Role.ORGANISER):
        short = T(
            "“%(name)s”：申诉 %(number)s 没有可以办理的仲裁委员会成员，请增加一名。",
            name=_name(row),
            number=row.number,
        )
        _send(
            ctx,
            row,
            LetterKind.APPEAL_TO_COMMITTEE,
            user_id,
            {"address": address, "nobody": True, "short": short},
        )


def hearing_set(ctx: CommandContext, row: Appeal) -> None:
    """When and where, to both sides."""
    short = T(
        "“%(name)s”：申诉 %(number)s 的听证定于 %(at)s，%(place)s。",
        name=_name(row),
        number=row.number,
        at=row.hearing_at,
        place=row.hearing_place,
    )
    said = {"at": row.hearing_at, "place": row.hearing_place, "round": _round(ctx, row), "short": short}
    _to_appellant(ctx, row, LetterKind.APPEAL_HEARING, said | {"appeals": True})
    for user_id in _other_side(row):
        page = {"appeals": False, "address": Address(f"/c/{_slug(row)}/appeals")}
        _send(ctx, row, LetterKind.APPEAL_HEARING, user_id, said | page)


def ended(ctx: CommandContext, row: Appeal, event: EventView, *, reason: str = "") -> None:
    """To who appeals: refused, lapsed or taken back, with the clause, and what becomes of the fee."""
    names = {
        AppealState.REFUSED: T("不予受理"),
        AppealState.LAPSED: T("逾期没有收到书面申诉"),
        AppealState.WITHDRAWN: T("已撤回"),
    }
    what = names[AppealState(row.state)]
    short = T("“%(name)s”：申诉 %(number)s %(what)s。", name=_name(row), number=row.number, what=what)
    _to_appellant(
        ctx,
        row,
        LetterKind.APPEAL_ENDED,
        {"state": row.state, "reason": reason or None, "clause": row.clause, "short": short}
        | _fee(row, event),
    )


def decided(ctx: CommandContext, row: Appeal, event: EventView, *, done: Iterable[T]) -> None:
    """The decision with its reasons and what was done, to both sides; who appeals reads what becomes of the fee, too."""
    upheld = row.state == AppealState.UPHELD
    short = (
        T("“%(name)s”：申诉 %(number)s 已裁定：成立。", name=_name(row), number=row.number)
        if upheld
        else T("“%(name)s”：申诉 %(number)s 已裁定：驳回。", name=_name(row), number=row.number)
    )
    said = {
        "upheld": upheld,
        "decision": row.decision,
        "done": list(done),
        "round": _round(ctx, row),
        "standings": Address(f"/c/{_slug(row)}/standings"),
        "short": short,
    }
    _to_appellant(ctx, row, LetterKind.APPEAL_DECIDED, said | {"appeals": True} | _fee(row, event))
    for user_id in _other_side(row):
        page = {
            "appeals": False,
            "address": Address(f"/c/{_slug(row)}/appeals"),
            "fee": None,
            "fee_back": False,
        }
        _send(ctx, row, LetterKind.APPEAL_DECIDED, user_id, said | page)


def _received(row: Appeal, event: EventView) -> dict[str, Any]:
    terms = terms_of(event.regulation)
    clocks = rounds.clocks_of(terms, row.round_id)
    oral = row.state == AppealState.ORAL
    return {
        "oral": oral,
        "said_at": row.oral_at,
        "written_until": clocks.written.at if oral and clocks.written else None,
        "clause": terms.clause,
        "fee": yuan(terms.fen) if terms.fee else None,
        "short": T(
            "“%(name)s”：口头申诉 %(number)s 已登记，请在 %(end)s 前递交书面申诉。",
            name=_name(row),
            number=row.number,
            end=clocks.written.at if clocks.written else "",
        )
        if oral
        else T("“%(name)s”：书面申诉 %(number)s 已收到。", name=_name(row), number=row.number),
    }


def _fee(row: Appeal, event: EventView) -> dict[str, Any]:
    """What becomes of the fee: an amount in yuan, and whether it goes back; None where none came in."""
    found = totals(ledger.entries(row.id))
    return {
        "fee": yuan(found.received) if found.received else None,
        "fee_back": found.kept == 0 and ledger.due_kind(row) is FeeKind.REFUNDED,
    }


def _other_side(row: Appeal) -> tuple[int, ...]:
    """Leaders of the others at the table, and the chief referee, whose ruling it may be; each once, and not who appeals."""
    appeals = {each.leader_user_id for each in people.sides([row.entry_id]).values()} | {row.user_id}
    found = [each.leader_user_id for each in people.others(row)]
    found += accounts.holders(row.competition_id, Role.CHIEF_REFEREE)
    return tuple(each for each in dict.fromkeys(found) if each not in appeals)


def _to_appellant(ctx: CommandContext, row: Appeal, kind: LetterKind, context: dict[str, Any]) -> None:
    leader = people.sides([row.entry_id])[row.entry_id].leader_user_id
    page = {"address": Address(f"/c/{_slug(row)}/appeals/r/{row.token}")}
    for user_id in dict.fromkeys((row.user_id or leader, leader)):
        _send(ctx, row, kind, user_id, page | {"entry": _entry(row)} | context)


def _send(ctx: CommandContext, row: Appeal, kind: LetterKind, user_id: int, context: dict[str, Any]) -> None:
    """One letter for one step of the appeal to one person: the key holds the revision, so a job that runs twice writes it once."""
    notifications.queue_letter(
        ctx,
        kind=kind,
        to=accounts.recipient(user_id),
        competition_id=row.competition_id,
        context={"competition": _name(row), "number": row.number, "entry": _entry(row), **context},
        key=f"{kind.value} {row.number} {row.revision} {user_id}",
    )


def _entry(row: Appeal) -> str:
    return registrations.named([row.entry_id])[EntryId(row.entry_id)].name


def _round(ctx: CommandContext, row: Appeal) -> T:
    drawn = ctx.session.get_one(Round, row.round_id)
    return round_name(drawn.stage, abs(drawn.number))


def _desk(row: Appeal) -> Address:
    return Address(f"/staff/c/{_slug(row)}/appeals/{row.number}")


def _name(row: Appeal) -> str:
    return competitions.competition_by_id(row.competition_id).name


def _slug(row: Appeal) -> str:
    return competitions.competition_by_id(row.competition_id).slug
