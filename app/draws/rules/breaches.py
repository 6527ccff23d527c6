"""What a round changed by hand would break of the regulation's rules of pairing: warnings, never refusals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from app.draws.rules.repairs import Names
from app.text import T
from scoring_engine.event_file.swiss_draws.kept import KeptRules
from scoring_engine.event_file.swiss_games import SWISS_GAMES
from scoring_engine.pairing.repairs import Placed
from scoring_engine.rules import Format, ScoringRules
from scoring_engine.values import EntrantId


def kept_rules(rules: ScoringRules, stage: str, number: int) -> KeptRules | None:
    """What the regulation asks of round ``number`` of a stage; None where the seed or the stage before says everything."""
    if rules.format is not Format.SWISS or rules.pairing is None or rules.stage(stage) is None:
        return None
    return SWISS_GAMES[rules.game].kept(rules.pairing, number)


def broken(
    placed: Placed,
    earlier: Sequence[Placed],
    units: Mapping[EntrantId, int],
    names: Names,
    kept: KeptRules | None,
) -> tuple[T, ...]:
    """What the round breaks, table after table. ``earlier``: the rounds of the stage before it, in order."""
    if kept is None:
        return ()
    found: list[T] = []
    met = {frozenset(pair) for each in earlier for table in each.tables for pair in combinations(table, 2)}
    for number, table in enumerate(placed.tables, start=1):
        for one, other in combinations(table, 2):
            people = {"number": number, "one": names.get(one, one), "other": names.get(other, other)}
            if kept.units and one in units and units[one] == units.get(other):
                found.append(T("第 %(number)s 桌：%(one)s与%(other)s同单位。", **people))
            if kept.rematch and frozenset((one, other)) in met:
                found.append(T("第 %(number)s 桌：%(one)s与%(other)s已经相遇过。", **people))
        if kept.longest_run is not None:
            for place, person in enumerate(table):
                if _runs_on(person, place, earlier, kept.longest_run):
                    found.append(
                        T(
                            "第 %(number)s 桌：%(person)s连续超过 %(longest)s 次同一先后手。",
                            number=number,
                            person=names.get(person, person),
                            longest=kept.longest_run,
                        )
                    )
    had = {person for each in earlier for person in each.byes}
    everyone = {person for table in placed.tables for person in table} | {*placed.byes, *placed.left_over}
    if kept.one_bye or everyone - had:
        found += [
            T("%(person)s再次轮空。", person=names.get(each, each)) for each in placed.byes if each in had
        ]
    return tuple(found)


def _runs_on(person: EntrantId, place: int, earlier: Sequence[Placed], longest: int) -> bool:
    """Whether somebody has had this side in the last ``longest`` rounds he sat in."""
    sides = [table.index(person) > 0 for each in earlier for table in each.tables if person in table]
    return len(sides) >= longest and all(side is (place > 0) for side in sides[-longest:])
