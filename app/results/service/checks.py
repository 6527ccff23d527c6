"""What a sheet is held to before it is stored: each deal, the whole, and whether it is complete."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from app.results.queries import SheetView
from app.results.rules import (
    Content,
    DealNumberError,
    DealRecord,
    InvalidDealError,
    InvalidOutcomeError,
    Outcome,
    require_not_too_many,
)
from app.text import T


def checked_deal(sheet: SheetView, deal: Mapping[str, Any], prefix: str = "") -> DealRecord:
    """One deal as it is stored; a board game has none."""
    if sheet.game.deal is None:
        text = T("这个项目不记各副。")
        raise DealNumberError(text, clause=sheet.stage.clause, field="deals")
    return sheet.game.deal(deal, sheet.names, sheet.rules, prefix)


def checked_content(sheet: SheetView, deals: Sequence[Mapping[str, Any]], outcome: Outcome | None) -> Content:
    """Everything of a sheet as it is stored. Raises ``InvalidDealError``, ``DealNumberError``, ``InvalidOutcomeError``."""
    game = sheet.game
    records = [checked_deal(sheet, each, f"deals.{index}.") for index, each in enumerate(deals)]
    if game.counts_deals:
        require_not_too_many(records, sheet.stage, sheet.deals_wanted, sheet.rules, field="deals")
    said = game.checked(outcome or {}, sheet.names, sheet.rules)
    after = game.with_outcome(Content(tuple(records)), said, sheet.rules)
    require_possible(sheet, after, added=len(after.deals) - len(records))
    return after


def require_deal_possible(sheet: SheetView, after: Content, deal_number: int) -> None:
    """What is wrong with this deal among the others. What it makes impossible elsewhere stays to be mended."""
    place = f"deals.{deal_number - 1}"
    faults = {
        key.removeprefix(place).removeprefix(".") or "deal_number": fault
        for key, fault in sheet.game.faults(after, sheet.names, sheet.rules).items()
        if key == place or key.startswith(f"{place}.")
    }
    if faults:
        clause = next(iter(faults.values()))[1]
        raise InvalidDealError({key: text for key, (text, _) in faults.items()}, clause=clause)


def require_possible(
    sheet: SheetView, content: Content, *, added: int = 0, besides_deals: bool = False
) -> None:
    """Raises ``InvalidOutcomeError`` with everything that cannot be; with ``besides_deals`` what is wrong with deals is left.

    ``added`` deals in front were not sent, and the others are named by the place they were sent at.
    """
    faults: dict[str, T] = {}
    clauses = []
    for path, (text, clause) in sheet.game.faults(content, sheet.names, sheet.rules).items():
        key, parts = path, path.split(".")
        if parts[0] == "deals" and len(parts) > 1:
            if besides_deals:
                continue
            number = int(parts[1]) - added
            key = "late" if number < 0 else ".".join(["deals", str(number), *parts[2:]])
        faults[key] = text
        clauses.append(clause)
    if faults:
        raise InvalidOutcomeError(faults, clause=clauses[0])


def require_complete(sheet: SheetView, content: Content) -> None:
    if not sheet.game.complete(content, sheet.deals_wanted, sheet.rules):
        raise sheet.game.missing(content, sheet.deals_wanted, sheet.rules, sheet.stage.clause)
