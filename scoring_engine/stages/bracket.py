"""A bracket (单场淘汰): rounds of matches of 升级, the winner of each goes on (D 五3).

| rule | here |
|---|---|
| 获胜方直接进入下一轮: the loser is out, the winner and whoever had the bye go on | `BracketRound.advance` |
| odd number: one bye in a round, by draw (I-D-7) | `faults` |
| a loser who plays on, a winner left out, an entrant twice: impossible | `faults` |
| a match without a winner (双方弃权; equal levels and no bank) | `BracketOutcome.needs_ruling`, until the next round is seated |
| an expelled winner (取消参赛资格): his place stays empty, or his opponent goes on (I-D-36) | `BracketRound.expelled` |
| one entrant is left before the last round: he has passed them all (I-D-32) | `BracketOutcome.passed` |

Who left in one round shares a rank with the others; the prizes need no more. Placings are provisional until `complete`.

Not here: the draw, which is `pairing.bracket` and `event_file.bracket_draws`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from scoring_engine.documents import Problem
from scoring_engine.ranking import Placing, rank
from scoring_engine.records import EventRecord, RoundRecord
from scoring_engine.rules import StageRule
from scoring_engine.stages.expulsion import left_out, reading, unranked
from scoring_engine.stages.lots import lots_of
from scoring_engine.stages.matches import MatchResult, match_results
from scoring_engine.tie_breaks.records import Field, StandingRecord
from scoring_engine.values import EntrantId, NeedsRuling, Text, names_of, reading_order


@dataclass(frozen=True, slots=True)
class BracketRound:
    """One round. entrants: who was still in it; byes: who has no match in it.

    advance: who goes on for certain, by table, then the byes. ruled: both sides of a match that has no winner. open:
    who has no result yet, or neither seat nor bye. out: who lost. expelled: who would go on and was expelled. by_table: who goes
    on from each table.
    """

    number: int
    entrants: tuple[EntrantId, ...]
    results: tuple[MatchResult, ...]
    byes: tuple[EntrantId, ...]
    advance: tuple[EntrantId, ...]
    ruled: tuple[tuple[EntrantId, ...], ...]
    open: tuple[EntrantId, ...]
    out: tuple[EntrantId, ...]
    expelled: tuple[EntrantId, ...]
    by_table: Mapping[int, EntrantId]

    @property
    def ended(self) -> bool:
        """Whether everybody of the round has a bye or a match that is over; rulings may still be due."""
        return not self.open


@dataclass(frozen=True, slots=True)
class BracketOutcome:
    """What the event gives. passed: how many rounds each entrant with a result has passed, byes included.

    remaining: who is still in it. needs_ruling: what has to be ruled before the next round can be drawn. complete: the
    last round has ended, or one entrant is left.
    """

    rule: StageRule
    rounds: tuple[BracketRound, ...]
    placings: tuple[Placing, ...]
    passed: Mapping[EntrantId, int]
    remaining: tuple[EntrantId, ...]
    unplaced: tuple[EntrantId, ...]
    needs_ruling: NeedsRuling | None
    complete: bool


def bracket(event: EventRecord) -> BracketOutcome:
    """The event as it stands. Its rounds are possible ones (`faults`)."""
    rule, rounds = event.rules.stages[0], rounds_of(event)
    last = rounds[-1] if rounds else None
    remaining = tuple(entrant.id for entrant in event.entrants)
    ruling = None
    if last is not None:
        remaining = (*last.advance, *(side for sides in last.ruled for side in sides), *last.open)
        ruling = _ruling(last)
    complete = last is not None and last.ended and ruling is None
    complete = complete and (len(rounds) == rule.rounds or len(remaining) <= 1)
    passed = _passed(rounds)
    for entrant in unranked(event):
        passed.pop(entrant, None)
    if complete and len(remaining) == 1:
        passed[remaining[0]] = rule.rounds
    records = [StandingRecord(entrant, 0, round_reached=1 + count) for entrant, count in passed.items()]
    field = Field(
        {record.entrant: record for record in records},
        {link.code: link.options for link in event.rules.ranking},
        lots=lots_of(event.lots, passed),
    )
    expelled = unranked(event)
    unplaced = (each.id for each in event.entrants if each.id not in passed and each.id not in expelled)
    return BracketOutcome(
        rule,
        rounds,
        rank(records, event.rules.chain, field),
        passed,
        tuple(sorted(remaining, key=reading_order)),
        tuple(sorted(unplaced, key=reading_order)),
        ruling,
        complete,
    )


def rounds_of(event: EventRecord) -> tuple[BracketRound, ...]:
    """Every round that was recorded, in order."""
    stage = event.stage(event.rules.stages[0].code)
    entrants = tuple(sorted((entrant.id for entrant in event.entrants), key=reading_order))
    found: list[BracketRound] = []
    for part in stage.rounds if stage else ():
        if found:
            entrants = _go_on(found[-1], part)
        results = match_results(event.rules.stages[0].code, part, event.adjustments, event.rules)
        gone = left_out(event, event.rules.stages[0].code, part.number)
        stands_in = reading(event.rules, "expelled_place") == "opponent"
        found.append(_round(part, entrants, results, gone, stands_in=stands_in))
    return tuple(found)


def _go_on(before: BracketRound, part: RoundRecord) -> tuple[EntrantId, ...]:
    """Who is in a round: who came out of the one before, and whom the committee let go on by seating him here."""
    here = _present(part)
    ruled = (side for sides in before.ruled for side in sides if side in here)
    return (*before.advance, *ruled)


def _present(part: RoundRecord) -> frozenset[EntrantId]:
    return frozenset((*part.byes, *(side for record in part.matches for side in record.seats)))


def _round(
    part: RoundRecord,
    entrants: tuple[EntrantId, ...],
    results: tuple[MatchResult, ...],
    gone: frozenset[EntrantId],
    *,
    stands_in: bool,
) -> BracketRound:
    by_table: dict[int, EntrantId] = {}
    for result in results:
        if result.winner is None:
            continue
        others = [side for side in result.record.seats if side not in gone] if stands_in else []
        goes_on = [result.winner] if result.winner not in gone else others
        by_table |= dict.fromkeys([result.record.number], goes_on[0]) if goes_on else {}
    won = [result.winner for result in results if result.winner is not None]
    byes = tuple(bye for bye in part.byes if bye not in gone)
    without = [result for result in results if result.ended and result.winner is None]
    unfinished = [result for result in results if not result.ended]
    here = _present(part)
    waiting = [side for result in unfinished for side in result.record.seats]
    return BracketRound(
        part.number,
        entrants,
        results,
        part.byes,
        advance=(*by_table.values(), *byes),
        ruled=tuple(
            sides
            for result in without
            if (sides := tuple(side for side in result.record.seats if side not in gone))
        ),
        open=(*waiting, *(entrant for entrant in entrants if entrant not in here)),
        out=tuple(
            side
            for result in results
            if result.winner is not None
            for side in result.record.seats
            if side != by_table.get(result.record.number, result.winner)
        ),
        expelled=tuple(entrant for entrant in (*won, *part.byes) if entrant in gone),
        by_table=by_table,
    )


def _passed(rounds: Sequence[BracketRound]) -> dict[EntrantId, int]:
    """How many rounds everybody with a result or a bye has passed."""
    passed: dict[EntrantId, int] = {}
    for index, part in enumerate(rounds):
        following = set(rounds[index + 1].entrants) if index + 1 < len(rounds) else set[EntrantId]()
        for entrant in (*part.out, *(side for sides in part.ruled for side in sides)):
            passed.setdefault(entrant, 0)
        for entrant in {*part.advance, *part.expelled, *following}:
            passed[entrant] = passed.get(entrant, 0) + 1
    return passed


def _ruling(part: BracketRound) -> NeedsRuling | None:
    return next((result.score.ruling for result in part.results if result.score.ruling is not None), None)


def faults(event: EventRecord) -> list[Problem]:
    """What makes the rounds of a bracket impossible, each with its path and clause; empty where they can have been."""
    rule = event.rules.stages[0]
    stage, rounds = event.stage(rule.code), rounds_of(event)
    if stage is None:
        return []
    found: list[Problem] = []
    for index, part in enumerate(stage.rounds):
        before = rounds[index - 1] if index else None
        if before is not None and not before.ended:
            found += _unfinished(before, stage.rounds[index - 1], part, rule)
            break
        if before is not None:
            found += _strangers(before, rounds[:index], part, rule)
            found += _left_out(before, part, rule)
        expected = rounds[index].entrants
        found += _needless_byes(part, len(expected), rule)
    return found


def _problem(path: str, text: Text, rule: StageRule) -> Problem:
    zh = f"{text.zh.removesuffix('。')}（规程 {rule.clause}）。"
    return Problem(path, zh, f"{text.en.removesuffix('.')} (regulation, {rule.clause}).")


def _unfinished(
    before: BracketRound, recorded: RoundRecord, part: RoundRecord, rule: StageRule
) -> Iterator[Problem]:
    here = _present(recorded)
    missing = [entrant for entrant in before.open if entrant not in here]
    for entrant in missing:
        text = Text(
            f"第{before.number}轮里 {entrant} 既没有座位也没有轮空，却已有第{part.number}轮。",
            f"Round {part.number} stands here, but {entrant} has neither a seat nor a bye in round {before.number}.",
        )
        yield _problem(recorded.path, text, rule)
    for result in before.results:
        if not result.ended:
            number = result.record.number
            text = Text(
                f"第{before.number}轮第{number}桌还没有结果，不能有第{part.number}轮。",
                f"Table {number} of round {before.number} has no result yet; there is no round {part.number}.",
            )
            yield _problem(part.path, text, rule)


def _places(part: RoundRecord) -> Iterator[tuple[str, EntrantId]]:
    """Every entrant of a round with the path he is written at."""
    for record in part.matches:
        yield from ((f"{record.path}.sides[{index}]", side) for index, side in enumerate(record.seats))
    yield from ((f"{part.path}.byes[{index}]", bye) for index, bye in enumerate(part.byes))


def _strangers(
    before: BracketRound, earlier: Sequence[BracketRound], part: RoundRecord, rule: StageRule
) -> Iterator[Problem]:
    """Who plays on though he lost, and both sides of a match that could send one on at most."""
    lost = {entrant: one.number for one in earlier for entrant in one.out}
    may = {side: sides for sides in before.ruled for side in sides}
    came: dict[tuple[EntrantId, ...], EntrantId] = {}
    for path, entrant in _places(part):
        if entrant in before.advance:
            continue
        if entrant not in may:
            number = lost.get(entrant)
            text = Text(
                f"{entrant} 在第{number}轮已被淘汰，不能参加第{part.number}轮。",
                f"{entrant} lost in round {number} and cannot play in round {part.number}.",
            )
            if number is None:
                text = Text(
                    f"{entrant} 没有进入第{part.number}轮。",
                    f"{entrant} did not come to round {part.number}.",
                )
            yield _problem(path, text, rule)
        elif (other := came.setdefault(may[entrant], entrant)) != entrant:
            text = Text(
                f"{other} 与 {entrant} 在第{before.number}轮相遇，只能有一对进入第{part.number}轮。",
                f"{other} and {entrant} met in round {before.number}; one of them at most goes on to round {part.number}.",
            )
            yield _problem(path, text, rule)


def _left_out(before: BracketRound, part: RoundRecord, rule: StageRule) -> Iterator[Problem]:
    here = _present(part)
    left = [entrant for entrant in before.advance if entrant not in here]
    if left:
        names = names_of(left)
        text = Text(
            f"{names.zh} 已进入第{part.number}轮，但没有座位也没有轮空。",
            f"{names.en} went on to round {part.number} but have neither a seat nor a bye there.",
        )
        yield _problem(part.path, text, rule)


def _needless_byes(part: RoundRecord, field: int, rule: StageRule) -> Iterator[Problem]:
    allowed = field % 2
    for index in range(allowed, len(part.byes)):
        text = Text(
            f"本轮{field}对，只能有{allowed}对轮空。",
            f"With {field} entrants in this round {allowed} may have a bye.",
        )
        yield _problem(f"{part.path}.byes[{index}]", text, rule)
