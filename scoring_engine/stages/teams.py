"""Team results (团体名次): the sums of two members of one unit (附件4七(二), I-B-10).

The members are those whose entry names the team; of a unit that names none, its best, by option. A unit with too few
entrants makes no team. Equal sums are separated by the sums of the next criteria, as far as those add up; 抽签 is drawn
among the teams.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from operator import add

from scoring_engine.ranking import CriterionValue, Placing
from scoring_engine.records import EventRecord
from scoring_engine.rules import TeamRule
from scoring_engine.stages.lots import lots_of
from scoring_engine.tie_breaks import CRITERIA, LOW
from scoring_engine.values import Entrant, EntrantId, Figure, Points, TeamId, reading_order

_LOTS = "lots"


@dataclass(frozen=True, slots=True)
class TeamPlacing:
    """One team's rank, its members, best first, and the sums that were compared; `decided_by` as in `Placing`."""

    rank: int
    team: TeamId
    members: tuple[EntrantId, ...]
    values: tuple[CriterionValue, ...]
    decided_by: str | None
    shared: bool


def rank_teams(event: EventRecord, placings: Sequence[Placing]) -> tuple[TeamPlacing, ...]:
    """The teams of an event, best first; none where the regulation has no team result."""
    rule = event.rules.teams
    if rule is None:
        return ()
    members = members_of(event.entrants, placings, rule)
    chain = _chain(event.rules.chain, rule)
    own = {
        placing.entrant: {value.criterion: value.value for value in placing.values} for placing in placings
    }
    drawn = lots_of(event.lots, map(EntrantId, members))
    lots = {} if drawn is None else drawn
    rows: dict[TeamId, list[Figure | None]] = {
        team: [
            lots.get(EntrantId(team)) if code == _LOTS else _sum([own[member][code] for member in who])
            for code in chain
        ]
        for team, who in members.items()
    }
    known = [index for index in range(len(chain)) if all(row[index] is not None for row in rows.values())]
    keys = {team: tuple(_key(chain[index], row[index]) for index in known) for team, row in rows.items()}
    equal = Counter(keys.values())
    found: list[TeamPlacing] = []
    above: tuple[tuple[Points, ...], ...] | None = None
    for place, team in enumerate(sorted(rows, key=lambda team: (keys[team], reading_order(team))), start=1):
        key = keys[team]
        shared = equal[key] > 1
        rank = found[-1].rank if key == above else place
        decided = None
        if above is not None and not shared:
            decided = next(chain[known[i]] for i, part in enumerate(key) if part != above[i])
        values = tuple(
            CriterionValue(code, value, index in known)
            for index, (code, value) in enumerate(zip(chain, rows[team], strict=True))
        )
        found.append(TeamPlacing(rank, team, members[team], values, decided, shared))
        above = key
    return tuple(found)


def members_of(
    entrants: Sequence[Entrant], placings: Sequence[Placing], rule: TeamRule
) -> dict[TeamId, tuple[EntrantId, ...]]:
    """The members of every team, best first. Who has no placing yet is no member; missing is not zero."""
    named: dict[TeamId, list[EntrantId]] = defaultdict(list)
    units: dict[TeamId, list[EntrantId]] = defaultdict(list)
    naming = {entrant.unit for entrant in entrants if entrant.team is not None}
    place = {placing.entrant: index for index, placing in enumerate(placings)}
    for entrant in sorted((each for each in entrants if each.id in place), key=lambda each: place[each.id]):
        if entrant.team is not None:
            named[entrant.team].append(entrant.id)
        elif entrant.unit is not None and entrant.unit not in naming and rule.unnamed == "best":
            units[TeamId(entrant.unit)].append(entrant.id)
    return {
        team: tuple(who[: rule.size]) for team, who in {**units, **named}.items() if len(who) >= rule.size
    }


def _chain(chain: Sequence[str], rule: TeamRule) -> tuple[str, ...]:
    """The criteria that separate teams: those that add up, and lots, as far as the rule goes."""
    codes = tuple(code for code in chain if code == _LOTS or CRITERIA[code].adds_up)
    if rule.ties == "chain":
        return codes
    return codes[:1] if rule.ties == "shared" else codes[: codes.index("game_points") + 1]


def _sum(values: Sequence[Figure | None]) -> Figure | None:
    """The sum of the members' values; of lists, place by place; None where one is not known."""
    first, *others = values
    for value in others:
        if first is None or value is None:
            return None
        if isinstance(first, tuple) and isinstance(value, tuple):
            first = tuple(map(add, first, value))
        elif not isinstance(first, tuple) and not isinstance(value, tuple):
            first += value
    return first


def _key(code: str, value: Figure | None) -> tuple[Points, ...]:
    """A key that sorts the better value first."""
    parts = value if isinstance(value, tuple) else () if value is None else (value,)
    return parts if CRITERIA[code].direction == LOW else tuple(-part for part in parts)
