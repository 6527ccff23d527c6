"""Who was expelled from a knock-out (取消参赛资格), as the event file says it: after which drawn round he is in no draw."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from app.draws.queries import RoundView
from app.draws.rules import entrant_of
from app.standings.rules.given import PutOut, expulsions
from app.standings.rules.impact import Supposed
from scoring_engine.rules import Format, ScoringRules
from scoring_engine.values import EntrantId


def expelled_after(
    event_id: int, rounds: Sequence[RoundView], rules: ScoringRules, supposed: Supposed
) -> dict[EntrantId, dict[str, Any]]:
    """``expelled_after`` of every expelled entrant; of an event paired by points nothing, where the attendance says it.

    It follows from the rounds that stand, so that one that is taken back and drawn again is drawn without him. An expulsion that was
    taken back leaves a trace only where a round was drawn meanwhile.
    """
    if rules.format is Format.SWISS:
        return {}
    acts: dict[EntrantId, list[PutOut]] = defaultdict(list)
    for act in expulsions(event_id):
        acts[act.entrant].append(act)
    own = [each for each in rounds if rules.stage(each.stage) is not None]
    last = _last_rounds(own)
    found: dict[EntrantId, dict[str, Any]] = {}
    for entrant in {*acts, *supposed.expelled} & last.keys():
        place = last[entrant]
        out = entrant in supposed.expelled or any(each.until is None for each in acts[entrant])
        if entrant in supposed.let_in:
            out = False
        missed = any(
            each.since <= later.drawn_at and (each.until is None or later.drawn_at <= each.until)
            for later in own[place + 1 :]
            for each in acts[entrant]
        )
        if out or missed:
            said = {"stage": own[place].stage, "round": own[place].number}
            found[entrant] = said if out else said | {"reinstated": True}
    return found


def _last_rounds(rounds: Sequence[RoundView]) -> Mapping[EntrantId, int]:
    """The last round, by its place among these, in which everybody has a seat or goes straight on."""
    return {
        entrant_of(each.entry_id): place
        for place, drawn in enumerate(rounds)
        for each in (*(seat for table in drawn.tables for seat in table.seats), *drawn.direct)
    }
