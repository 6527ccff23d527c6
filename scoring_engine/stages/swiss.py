"""A Swiss stage (积分编排) of a board game: the records of everybody, and the placings they give (附件2, 附件3).

| rule | here |
|---|---|
| points of a win, a draw, a loss, a forfeit, a double forfeit, a bye (I-B-15, I-B-19) | `records_of` |
| an entrant with neither seat nor bye in a round: not paired, late, withdrawn (退赛) | the bye `absent`; his points stay |
| the chain, in each group (组别) by itself | `rank_field` |
| 前一轮名次: the standings recomputed after each earlier round (I-B-13) | `rank_field` |
| how many entrants a group may have (I-B-14) | `groups_possible`, `SwissOutcome.needs_ruling` |

Not here: pairing. A game without a result is left out of every value, for both players, until it has one.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring_engine.pairing.seeds import SeedStream
from scoring_engine.penalties.effects import Effect
from scoring_engine.ranking import Placing, rank
from scoring_engine.records import EventRecord, GameRecord, RoundRecord, StageRecord
from scoring_engine.rules import BoardRules, ScoringRules, StageRule
from scoring_engine.tie_breaks.records import Field, Played, RoundResult, StandingRecord
from scoring_engine.values import Entrant, EntrantId, NeedsRuling, Points, Text, points_of, reading_order

ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class SwissGroup:
    """One group (组别) of the stage: its name, or None where there is only one; everybody in it, ranked."""

    name: str | None
    field: Field
    placings: tuple[Placing, ...]


@dataclass(frozen=True, slots=True)
class SwissOutcome:
    """What the stage gives. complete: every round of the regulation is paired and every game has a result.

    unplaced: entrants who have neither played nor had a bye; they are never counted as 0.
    """

    rule: StageRule
    rounds: tuple[RoundRecord, ...]
    groups: tuple[SwissGroup, ...]
    unplaced: tuple[EntrantId, ...]
    needs_ruling: NeedsRuling | None
    complete: bool


def swiss(event: EventRecord) -> SwissOutcome:
    """The stage as it stands."""
    rule = event.rules.stages[0]
    record = event.stage(rule.code) or StageRecord(rule.code, (), "")
    took_part = set(record.seated) | {bye for part in record.rounds for bye in part.byes}
    members: dict[str | None, list[Entrant]] = defaultdict(list)
    for entrant in event.entrants:
        members[entrant.group].append(entrant)
    groups = []
    for name in sorted(members, key=str):
        playing = [entrant for entrant in members[name] if entrant.id in took_part]
        groups.append(_group(name, playing, record, event))
    games = [game for part in record.rounds for game in part.games]
    return SwissOutcome(
        rule,
        record.rounds,
        tuple(groups),
        tuple(sorted((e.id for e in event.entrants if e.id not in took_part), key=reading_order)),
        _of_group_sizes(rule, {name: len(found) for name, found in members.items()}, event.rules),
        complete=len(record.rounds) == rule.rounds and bool(games) and all(game.ended for game in games),
    )


def _group(
    name: str | None, entrants: Sequence[Entrant], record: StageRecord, event: EventRecord
) -> SwissGroup:
    rules = event.rules
    order = sorted(entrant.id for entrant in entrants)
    lots = None
    if event.lots is not None:
        lots = {
            entrant: place for place, entrant in enumerate(SeedStream(event.lots).shuffle(order), start=1)
        }
    violations: Counter[tuple[EntrantId, int]] = Counter()
    for given in event.adjustments:
        if rules.penalties[given.rule].effect is Effect.VIOLATION:
            violations[given.entrant, given.round] += given.count
    results = results_of(record.rounds, [entrant.id for entrant in entrants], rules.board)
    field, placings = rank_field(entrants, results, violations, lots, rules)
    return SwissGroup(name, field, placings)


def results_of(
    rounds: Sequence[RoundRecord], entrants: Sequence[EntrantId], board: BoardRules
) -> dict[EntrantId, list[RoundResult]]:
    """What each entrant has of each round, in order; nothing where his game has no result yet."""
    found: dict[EntrantId, list[RoundResult]] = {entrant: [] for entrant in entrants}
    for part in rounds:
        seated: set[EntrantId] = set(part.byes)
        for game in part.games:
            seated.update(game.seats)
            for seat in game.seats if game.ended else ():
                if seat in found:
                    found[seat].append(_of_game(game, seat, part.number, board))
        for bye in part.byes:
            if bye in found:
                kind = part.bye_kinds[bye]
                played = Played.ABSENT if kind == ABSENT else Played.BYE
                found[bye].append(RoundResult(part.number, played, board.byes[kind], bye=kind))
        for entrant in entrants:
            if entrant not in seated:
                found[entrant].append(RoundResult(part.number, Played.ABSENT, board.byes[ABSENT], bye=ABSENT))
    return found


def game_points(game: GameRecord, seat: EntrantId, board: BoardRules) -> Points:
    """The points of one player of a game that has a result; of a double forfeit (双方弃权) both have those of a forfeit."""
    won = game.winner == seat
    if game.forfeits:
        return board.forfeit_win if won else board.forfeit_loss
    if game.winner is None:
        return board.draw
    return board.win if won else board.loss


def _of_game(game: GameRecord, seat: EntrantId, number: int, board: BoardRules) -> RoundResult:
    second = seat == game.second
    won = game.winner == seat
    drawn = game.winner is None and not game.forfeits
    return RoundResult(
        number,
        Played.FORFEIT if game.forfeits else Played.GAME,
        game_points(game, seat, board),
        game.first if second else game.second,
        second,
        won,
        drawn,
        game.stones if second else -game.stones,
    )


def rank_field(
    entrants: Sequence[Entrant],
    results: Mapping[EntrantId, Sequence[RoundResult]],
    violations: Mapping[tuple[EntrantId, int], int],
    lots: Mapping[EntrantId, int] | None,
    rules: ScoringRules,
) -> tuple[Field, tuple[Placing, ...]]:
    """The placings after the last round, with the standings after every round before it where the chain needs them.

    The earlier standings leave out lots, which are drawn once, after everything else is equal.
    """
    options = {link.code: link.options for link in rules.ranking}
    last = max((part.round for parts in results.values() for part in parts), default=0)
    first = 1 if "previous_round_rank" in options else last
    earlier: tuple[Mapping[EntrantId, int], ...] = ()
    by_points: tuple[Mapping[EntrantId, int], ...] = ()
    before = [code for code in rules.chain if code != "lots"]
    field = Field({}, options)
    placings: tuple[Placing, ...] = ()
    for number in range(first, last + 1):
        records = [
            _record(entrant, results[entrant.id], number, violations, rules.board) for entrant in entrants
        ]
        field = Field(
            {record.entrant: record for record in records},
            options,
            rules.board.win,
            rules.board.draw,
            earlier,
            by_points,
            lots,
        )
        placings = rank(records, rules.chain if number == last else before, field)
        earlier = ({placing.entrant: placing.rank for placing in placings}, *earlier)
        by_points = (_point_ranks(records), *by_points)
    return field, placings


def _point_ranks(records: Sequence[StandingRecord]) -> dict[EntrantId, int]:
    """The rank of everybody by points alone; the same number for equal points."""
    ahead: dict[Points, int] = {}
    for place, record in enumerate(sorted(records, key=lambda each: each.points, reverse=True), start=1):
        ahead.setdefault(record.points, place)
    return {record.entrant: ahead[record.points] for record in records}


def _record(
    entrant: Entrant,
    parts: Sequence[RoundResult],
    last: int,
    violations: Mapping[tuple[EntrantId, int], int],
    board: BoardRules,
) -> StandingRecord:
    """An entrant's record after round `last`."""
    counted = tuple(part for part in parts if part.round <= last)
    games = sum((part.points for part in counted if part.bye is None), start=Fraction(0))
    byes = sum((part.points for part in counted if part.bye is not None), start=Fraction(0))
    if board.whole_byes:
        byes = Fraction(byes // 1)
    return StandingRecord(
        entrant.id,
        points_of(Fraction(entrant.start) + games + byes),
        rounds=counted,
        violations=sum(violations.get((entrant.id, number), 0) for number in range(1, last + 1)),
        start=entrant.start,
    )


def groups_possible(entrants: int, low: int, high: int) -> range:
    """How many groups of `low`…`high` so many entrants can be divided into (20G ≤ N ≤ 32G); empty where none."""
    return range(-(-entrants // high), entrants // low + 1)


def _of_group_sizes(
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
