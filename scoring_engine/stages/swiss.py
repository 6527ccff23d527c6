"""A Swiss stage (积分编排): the records of everybody, and the placings they give (附件2, 附件3, 附件4).

| rule | here |
|---|---|
| what a table gives its entrants for a round | the `SwissScoring` of the game |
| the chain, in each group (组别) by itself | `rank_field` |
| 前一轮名次: the standings recomputed after each earlier round (I-B-13) | `rank_field` |
| how many entrants a group may have (I-B-14) | `groups_possible`, `SwissOutcome.needs_ruling` |

Not here: pairing. A table without a result is left out of every value, for all its entrants, until it has one.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from scoring_engine.pairing.division import groups_possible
from scoring_engine.penalties.effects import Effect
from scoring_engine.ranking import Placing, rank, ranks
from scoring_engine.records import EventRecord, RoundRecord, StageRecord
from scoring_engine.rules import ScoringRules, StageRule
from scoring_engine.stages.lots import lots_of
from scoring_engine.tie_breaks import options_of
from scoring_engine.tie_breaks.records import Field, RoundResult, StandingRecord
from scoring_engine.values import Entrant, EntrantId, NeedsRuling, Points, Text, points_of, reading_order

ABSENT = "absent"
PREVIOUS_RANK = "previous_round_rank"

RoundResults: TypeAlias = dict[EntrantId, RoundResult | None]
"""One round: what every entrant of the event has of it; None where his table has no result yet."""


@dataclass(frozen=True, slots=True)
class SwissScale:
    """What a round can be worth: `win` and `draw`, and all `values` above 0 where the game fixes them, highest first.

    whole_byes: the byes of an entrant are rounded down together to a whole point.
    """

    win: Points
    draw: Points
    values: tuple[Points, ...] = ()
    whole_byes: bool = False


@dataclass(frozen=True, slots=True)
class SwissScoring:
    """How one game gives results to its entrants.

    tables: the tables of a round, scored, by number; of what type is the game's own business. results: what they and the
    byes gave, for every entrant of the event; one who has neither seat nor bye is absent. scale: what rounds are worth.
    """

    tables: Callable[[RoundRecord, EventRecord], Sequence[Any]]
    results: Callable[[RoundRecord, Sequence[Any], EventRecord], RoundResults]
    scale: Callable[[ScoringRules], SwissScale]

    def round_results(self, part: RoundRecord, event: EventRecord) -> RoundResults:
        """The results of a round whose tables are not asked for."""
        return self.results(part, self.tables(part, event), event)


@dataclass(frozen=True, slots=True)
class SwissGroup:
    """One group (组别) of the stage: its name, or None where there is only one; everybody in it, ranked."""

    name: str | None
    field: Field
    placings: tuple[Placing, ...]


@dataclass(frozen=True, slots=True)
class SwissOutcome:
    """What the stage gives. complete: every round of the regulation is paired and every table has a result.

    tables, results: of each of the rounds, scored once: `SwissScoring`. waiting: a table has no result yet. unplaced: entrants who have neither played
    nor had a bye; they are never counted as 0.
    """

    rule: StageRule
    rounds: tuple[RoundRecord, ...]
    tables: tuple[Sequence[Any], ...]
    results: tuple[RoundResults, ...]
    groups: tuple[SwissGroup, ...]
    unplaced: tuple[EntrantId, ...]
    needs_ruling: NeedsRuling | None
    waiting: bool
    complete: bool


def swiss(event: EventRecord, scoring: SwissScoring) -> SwissOutcome:
    """The stage as it stands; `event_file.swiss_games` has the scoring of each game."""
    rule = event.rules.stages[0]
    record = event.stage(rule.code) or StageRecord(rule.code, (), "")
    took_part = set(record.seated) | {bye for part in record.rounds for bye in part.byes}
    members: dict[str | None, list[Entrant]] = defaultdict(list)
    for entrant in event.entrants:
        members[entrant.group].append(entrant)
    tables = tuple(scoring.tables(part, event) for part in record.rounds)
    results = tuple(
        scoring.results(part, scored, event) for part, scored in zip(record.rounds, tables, strict=True)
    )
    groups = []
    for name in sorted(members, key=str):
        playing = [entrant for entrant in members[name] if entrant.id in took_part]
        groups.append(_group(name, playing, results, event, scoring.scale(event.rules)))
    waiting = any(result is None for each in results for result in each.values())
    return SwissOutcome(
        rule,
        record.rounds,
        tables,
        results,
        tuple(groups),
        tuple(sorted((e.id for e in event.entrants if e.id not in took_part), key=reading_order)),
        ruling_on_group_sizes(rule, {name: len(found) for name, found in members.items()}, event.rules),
        waiting,
        complete=len(record.rounds) == rule.rounds and bool(record.seated) and not waiting,
    )


def _group(
    name: str | None,
    entrants: Sequence[Entrant],
    rounds: Sequence[RoundResults],
    event: EventRecord,
    scale: SwissScale,
) -> SwissGroup:
    rules = event.rules
    lots = lots_of(event.lots, (entrant.id for entrant in entrants))
    violations: Counter[tuple[EntrantId, int]] = Counter()
    for given in event.adjustments:
        rule = rules.penalties.get(given.rule)  # 升级 has its own, in `match.penalties`
        if rule is not None and rule.effect is Effect.VIOLATION:
            violations[given.entrant, given.round] += given.count
    results: dict[EntrantId, list[RoundResult]] = {entrant.id: [] for entrant in entrants}
    for part in rounds:
        for own, found in results.items():
            if (result := part[own]) is not None:
                found.append(result)
    field, placings = rank_field(entrants, results, violations, lots, rules, scale=scale)
    return SwissGroup(name, field, placings)


def rank_field(
    entrants: Sequence[Entrant],
    results: Mapping[EntrantId, Sequence[RoundResult]],
    violations: Mapping[tuple[EntrantId, int], int],
    lots: Mapping[EntrantId, int] | None,
    rules: ScoringRules,
    *,
    scale: SwissScale,
) -> tuple[Field, tuple[Placing, ...]]:
    """The placings after the last round, with the standings after every round before it where the chain needs them.

    The earlier standings leave out lots, which are drawn once, after everything else is equal.
    """
    options = {link.code: link.options for link in rules.ranking}
    last = max((part.round for parts in results.values() for part in parts), default=0)
    growing = [_GrowingRecord(entrant, results[entrant.id], violations, scale) for entrant in entrants]
    earlier: tuple[Mapping[EntrantId, int], ...] = ()
    by_points: tuple[Mapping[EntrantId, int], ...] = ()

    def field_after(number: int) -> Field:
        records = {record.entrant: record for record in (each.after(number) for each in growing)}
        return Field(records, options, scale.win, scale.draw, scale.values, earlier, by_points, lots)

    if PREVIOUS_RANK in options:
        by_chain = options_of(PREVIOUS_RANK, options[PREVIOUS_RANK])["compares"] == "standings"
        before = [code for code in rules.chain if code != "lots"]
        for number in range(1, last):
            field = field_after(number)
            records = tuple(field.records.values())
            if by_chain:
                earlier = (ranks(records, before, field), *earlier)
            else:
                by_points = (_point_ranks(records), *by_points)
    field = field_after(last)
    return field, rank(field.records.values(), rules.chain, field)


def _point_ranks(records: Sequence[StandingRecord]) -> dict[EntrantId, int]:
    """The rank of everybody by points alone; the same number for equal points."""
    ahead: dict[Points, int] = {}
    for place, record in enumerate(sorted(records, key=lambda each: each.points, reverse=True), start=1):
        ahead.setdefault(record.points, place)
    return {record.entrant: ahead[record.points] for record in records}


class _GrowingRecord:
    """One entrant's record from round to round; what a round adds is added once."""

    def __init__(
        self,
        entrant: Entrant,
        parts: Sequence[RoundResult],
        violations: Mapping[tuple[EntrantId, int], int],
        scale: SwissScale,
    ) -> None:
        self._entrant = entrant
        self._parts = tuple(parts)
        self._given = violations
        self._whole_byes = scale.whole_byes
        self._round = self._counted = self._violations = 0
        self._games: Points = 0
        self._byes: Points = 0

    def after(self, last: int) -> StandingRecord:
        """The record after round `last`, which is not before the one asked for last time."""
        entrant, parts = self._entrant, self._parts
        while self._counted < len(parts) and parts[self._counted].round <= last:
            part = parts[self._counted]
            if part.bye is None:
                self._games += part.points
            else:
                self._byes += part.points
            self._counted += 1
        for number in range(self._round + 1, last + 1):
            self._violations += self._given.get((entrant.id, number), 0)
        self._round = last
        byes = self._byes // 1 if self._whole_byes else self._byes
        return StandingRecord(
            entrant.id,
            points_of(entrant.start + self._games + byes),
            rounds=parts[: self._counted],
            violations=self._violations,
            start=entrant.start,
        )


def ruling_on_group_sizes(
    rule: StageRule, sizes: Mapping[str | None, int], rules: ScoringRules
) -> NeedsRuling | None:
    """A group that is too small or too large; the text does not say how to play then (I-B-14)."""
    if rule.group is None:
        return None
    low, high = rule.group
    wrong = {name: size for name, size in sizes.items() if not low <= size <= high}
    if not wrong:
        return None
    total = sum(sizes.values())
    reading = rules.interpretations.get("group_size")
    named, named_en = ("", "") if reading is None else (f"（{reading.id}）", f" ({reading.id})")
    shown = "、".join(f"{name or '全部'}{size}人" for name, size in sorted(wrong.items(), key=str))
    shown_en = ", ".join(f"{name or 'all'}: {size}" for name, size in sorted(wrong.items(), key=str))
    reason = Text(
        f"每组应有{low}至{high}人，现在{shown}{named}。",
        f"A group has {low} to {high} players; here {shown_en}{named_en}.",
    )
    return NeedsRuling(reason, rule.clause, _division(total, low, high))


def _division(total: int, low: int, high: int) -> Text:
    possible = groups_possible(total, low, high)
    if not possible:
        return Text(
            f"{total}人无法分成每组{low}至{high}人，请组委会裁定。",
            f"{total} players cannot be divided into groups of {low} to {high}; the committee rules.",
        )
    counts = "、".join(str(count) for count in possible)
    return Text(
        f"{total}人可以分成{counts}组，请在参赛者的 group 中写明。",
        f"{total} players can be divided into {counts.replace('、', ', ')} groups; write each entrant's group.",
    )
