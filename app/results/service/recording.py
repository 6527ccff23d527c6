"""Writing on a sheet: deals, results, and handing it in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from app.commands import CommandContext
from app.results.rules import (
    Content,
    DealNumberError,
    Kind,
    Outcome,
    SheetAct,
    moved,
    require_not_too_many,
    with_deal,
)
from app.results.service.checks import (
    checked_content,
    checked_deal,
    require_complete,
    require_deal_possible,
    require_possible,
)
from app.results.service.revising import (
    Saved,
    Sent,
    correction_clause,
    for_recording,
    require_still_correctable,
    revise,
)
from app.text import T


def record_deal(
    ctx: CommandContext, token: str, *, deal_number: int, deal: Mapping[str, Any], sent: Sent
) -> Saved:
    """Record one deal (一副), or replace it while the sheet is open; the revision holds all deals so far.

    Raises ``InvalidDealError``, ``DealNumberError``, ``SheetClosedError``, ``SheetConflictError``.
    """
    locked = for_recording(ctx, token)
    sheet = locked.view

    def content_after() -> Content:
        moved(sheet.state, SheetAct.RECORD, clause=sheet.stage.clause)
        require_still_correctable(ctx, sheet)
        record = checked_deal(sheet, deal)
        if sheet.game.counts_deals and deal_number > len(sheet.deals) and sheet.complete:
            # an eleventh deal is said to be one, whatever number the device gave it
            require_not_too_many([*sheet.deals, record], sheet.stage, sheet.deals_wanted, sheet.rules)
        deals = with_deal(sheet.deals, deal_number, record, clause=sheet.stage.clause)
        if sheet.game.counts_deals:
            require_not_too_many(deals, sheet.stage, sheet.deals_wanted, sheet.rules)
        after = Content(tuple(deals), sheet.outcome)
        require_deal_possible(sheet, after, deal_number)
        return after

    request = {"act": "record_deal", "deal_number": deal_number, "deal": dict(deal)}
    return revise(ctx, locked, sent, request, content_after, act=SheetAct.RECORD)


def record_sheet(
    ctx: CommandContext,
    token: str,
    *,
    handed_in: bool,
    sent: Sent,
    deals: Sequence[Mapping[str, Any]] = (),
    outcome: Outcome | None = None,
    checked: bool = True,
) -> Saved:
    """Record everything of a sheet at once, and with ``handed_in`` hand it in; refused whole or stored whole.

    ``outcome`` is what the event file says of the table besides its seats and deals. ``checked``: the players looked at
    it. Raises as ``record_deal`` and ``hand_in``, and ``InvalidOutcomeError``.
    """
    locked = for_recording(ctx, token, handed_in=handed_in)
    sheet = locked.view

    def content_after() -> Content:
        moved(sheet.state, SheetAct.RECORD, clause=sheet.stage.clause)
        require_still_correctable(ctx, sheet)
        after = checked_content(sheet, deals, outcome)
        if handed_in:
            require_complete(sheet, after)
            if not checked:
                raise sheet.game.not_checked(clause=correction_clause(sheet))
        return after

    request = {"act": "record_sheet", "deals": [dict(each) for each in deals], "handed_in": handed_in}
    if outcome:
        request |= {"outcome": dict(outcome)}
    return revise(
        ctx, locked, sent, request, content_after, act=SheetAct.HAND_IN if handed_in else SheetAct.RECORD
    )


def record_outcome(ctx: CommandContext, token: str, *, outcome: Outcome, sent: Sent) -> Saved:
    """Record what a sheet says besides its deals (弃权、迟到), in place of what it said; the deals stay.

    Raises ``InvalidOutcomeError``, ``SheetClosedError``, ``SheetConflictError``.
    """
    return _say(
        ctx, token, sent, {"act": "record_outcome", "outcome": dict(outcome)}, lambda _before: outcome
    )


def amend_outcome(ctx: CommandContext, token: str, *, outcome: Outcome, sent: Sent) -> Saved:
    """Record some of what a sheet says besides its deals, in place of what it said of the same; the rest stays.

    The request is what was said, not what came of it, so that a phone whose answer was lost is known again by its key whatever
    was recorded since. Raises as ``record_outcome``.
    """
    request = {"act": "amend_outcome", "outcome": dict(outcome)}
    return _say(ctx, token, sent, request, lambda before: {**before, **outcome})


def penalise(ctx: CommandContext, token: str, *, penalty: Mapping[str, Any], sent: Sent) -> Saved:
    """Record one penalty more on the sheet of a match (判罚). Raises as ``record_outcome``."""
    request = {"act": "penalise", "outcome": {"penalties": [dict(penalty)]}}
    return _say(
        ctx,
        token,
        sent,
        request,
        lambda before: {**before, "penalties": [*before.get("penalties", ()), penalty]},
    )


def lift_penalty(ctx: CommandContext, token: str, *, number: int, sent: Sent) -> Saved:
    """Take one penalty back, by its place from 1; the earlier revisions keep it. Raises as ``record_outcome``."""

    def without(before: Outcome) -> Outcome:
        given = enumerate(before.get("penalties", ()), start=1)
        return {**before, "penalties": [one for place, one in given if place != number]}

    return _say(ctx, token, sent, {"act": "lift_penalty", "number": number}, without)


def _say(
    ctx: CommandContext,
    token: str,
    sent: Sent,
    request: Mapping[str, Any],
    outcome_after: Callable[[Outcome], Outcome],
) -> Saved:
    locked = for_recording(ctx, token)
    sheet = locked.view

    def content_after() -> Content:
        moved(sheet.state, SheetAct.RECORD, clause=sheet.stage.clause)
        require_still_correctable(ctx, sheet)
        said = sheet.game.checked(outcome_after(sheet.outcome or {}), sheet.names, sheet.rules)
        after = sheet.game.with_outcome(sheet.content, said, sheet.rules)
        require_possible(sheet, after, besides_deals=True)
        return after

    return revise(ctx, locked, sent, request, content_after, act=SheetAct.RECORD)


def remove_last_deal(ctx: CommandContext, token: str, *, deal_number: int, sent: Sent) -> Saved:
    """Take the last deal of a match out (删去最后一副), where it was written by mistake; the earlier revisions keep it.

    ``deal_number`` says which one the sender saw as the last. Raises ``DealNumberError``, ``SheetClosedError``,
    ``SheetConflictError``.
    """
    locked = for_recording(ctx, token)
    sheet = locked.view

    def content_after() -> Content:
        moved(sheet.state, SheetAct.RECORD, clause=sheet.stage.clause)
        require_still_correctable(ctx, sheet)
        if sheet.game.kind is not Kind.MATCH or not sheet.deals or deal_number != len(sheet.deals):
            text = T("只能删去最后一副。")
            raise DealNumberError(text, clause=sheet.stage.clause)
        after = Content(sheet.deals[:-1], sheet.outcome)
        require_possible(sheet, after, besides_deals=True)
        return after

    request = {"act": "remove_last_deal", "deal_number": deal_number}
    return revise(ctx, locked, sent, request, content_after, act=SheetAct.RECORD)


def hand_in(ctx: CommandContext, token: str, *, checked: bool, sent: Sent) -> Saved:
    """Hand the sheet in (交表) after the players checked it: it is entered, and by the default terms confirmed in the same act.

    Raises ``NotCheckedError``, ``DealsMissingError``, ``SheetClosedError``, ``SheetConflictError``.
    """
    locked = for_recording(ctx, token, handed_in=True)
    sheet = locked.view

    def content_after() -> Content:
        moved(sheet.state, SheetAct.HAND_IN, clause=sheet.stage.clause)
        require_still_correctable(ctx, sheet)
        require_possible(sheet, sheet.content)
        require_complete(sheet, sheet.content)
        if not checked:
            raise sheet.game.not_checked(clause=correction_clause(sheet))
        return sheet.content

    return revise(
        ctx, locked, sent, {"act": "hand_in", "checked": checked}, content_after, act=SheetAct.HAND_IN
    )
