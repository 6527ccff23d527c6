"""Drawing one round: the field, its best matching, and the round with its reasons."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from scoring_engine.pairing.reasons import Topic, those
from scoring_engine.pairing.two_player_swiss import sentences
from scoring_engine.pairing.two_player_swiss.field import Field, field_of, repeated
from scoring_engine.pairing.two_player_swiss.matching import Matching, best_matching
from scoring_engine.pairing.two_player_swiss.model import Drift, Side, SwissOptions, SwissPlayer, UnitRule
from scoring_engine.pairing.two_player_swiss.result import (
    Avoided,
    Broken,
    Bye,
    Pairing,
    Rule,
    SideReason,
    SwissDraw,
    SwissReport,
)
from scoring_engine.values import EntrantId, NeedsRuling, Points


def draw_round(players: Sequence[SwissPlayer], options: SwissOptions, number: int, seed: bytes) -> SwissDraw:
    """Pair round `number` (from 1) of those available; the same input in any order gives the same round.

    players: everybody of the stage, also who is absent or has withdrawn: they are listed as absent, and count as
    opponents met. Raises ValueError for an impossible input (`check_players`) and SeedError for an empty seed.
    """
    field = field_of(players, options, number, seed)
    matching = best_matching(field)
    return _draw(field, matching)


def _draw(field: Field, matching: Matching) -> SwissDraw:
    size = len(field.players)
    pairs = sorted(matching.pairs, key=lambda pair: _from_the_top(field, *pair))
    pairings = tuple(_pairings(field, pairs))
    bye = None if matching.bye is None else _bye(field, matching.bye)
    broken = tuple(_broken(pairings, bye))
    return SwissDraw(
        number=field.number,
        pairings=pairings,
        bye=bye,
        absent=field.absent,
        lots=field.lots,
        broken=broken,
        needs_ruling=_rulings(field, broken, every_pair=matching.neighbours >= size),
        report=_report(field, matching, pairings),
    )


def _points(field: Field, one: int, other: int) -> tuple[Points, Points]:
    """The points of two, the lower ones first, turned over so that less is more."""
    points = field.players[one].points, field.players[other].points
    return -max(points), -min(points)


def _from_the_top(field: Field, one: int, other: int) -> tuple[Points, Points, int]:
    """Tables by the higher points of the two, then by the lower, then by drawn order."""
    return *_points(field, one, other), min(one, other)


@dataclass(frozen=True, slots=True)
class _Table:
    """Where a table stands: so many have higher points, it is `at`, from 1, of `alike` with the same."""

    ahead: int
    alike: int
    at: int


def _pairings(field: Field, pairs: Sequence[tuple[int, int]]) -> Iterator[Pairing]:
    """Every table, of pairs from the top."""
    equals = Counter(field.score)
    begins: dict[int, int] = {}
    for position, score in enumerate(field.score):
        begins.setdefault(score, position)
    ahead = 0
    for _, group in groupby(pairs, key=lambda pair: _points(field, *pair)):
        alike = list(group)
        for at, (one, other) in enumerate(alike, start=1):
            yield _pairing(field, _Pair(one, other, begins, equals), _Table(ahead, len(alike), at))
        ahead += len(alike)


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two positions, the upper first, and where each score begins and how many have it."""

    one: int
    other: int
    begins: Mapping[int, int]
    equals: Mapping[int, int]


def _pairing(field: Field, pair: _Pair, table: _Table) -> Pairing:
    one, other = pair.one, pair.other
    first, second = (one, other) if field.first_moves(one, other) else (other, one)
    players = field.players
    gap = field.score[one] - field.score[other]
    upper, lower = players[one], players[other]
    begin, equals = pair.begins[field.score[one]], pair.equals[field.score[one]]
    places = begin + 1, pair.begins[field.score[other]] + 1
    repeats = repeated(upper, Drift.DOWN) + repeated(lower, Drift.UP) if gap else 0
    side_reason = _side_reason(field, first, second)
    avoided = tuple(_avoided(field, one, other))
    order = field.options.order(field.number)
    lifted = (gap * field.step if gap else 0) != upper.points - lower.points
    meeting = (
        sentences.meeting_equal(
            upper.id,
            lower.id,
            upper.points,
            equals=equals,
            within=(one - begin + 1, other - begin + 1),
            order=order,
            sides=field.options.sides,
        )
        if upper.points == lower.points and not gap
        else sentences.meeting_unequal(upper.id, lower.id, (upper.points, lower.points), places)
    )
    side = None
    if field.options.sides:
        firsts = tuple(players[seat].sides.count(Side.FIRST) for seat in (first, second))
        side = sentences.moving_first(
            side_reason,
            players[first].id,
            players[second].id,
            (firsts[0], firsts[1]),
            field.options.longest_run,
        )
    broken = tuple(rule for rule in _rules_between(field, one, other) if _counts(field, rule))
    told = [sentences.broken(rule, (players[first].id, players[second].id)) for rule in broken]
    return Pairing(
        table=table.ahead + table.at,
        first=players[first].id,
        second=players[second].id,
        first_points=players[first].points,
        second_points=players[second].points,
        difference=gap * field.step,
        down=upper.id if gap else None,
        up=lower.id if gap else None,
        places=places,
        equals=equals,
        side_reason=side_reason,
        avoided=avoided,
        broken=broken,
        said=those(
            (Topic.MEETING, meeting),
            (Topic.MEETING, sentences.lifted_by(field.options.accelerated_points) if lifted else None),
            (Topic.FLOAT, sentences.floating(upper.id, lower.id, equals, repeats) if gap else None),
            (Topic.AVOIDED, sentences.avoided(avoided)),
            *((Topic.BROKEN, text) for text in told),
            (Topic.SIDE, side),
            (Topic.NUMBER, sentences.numbered(table.ahead, table.alike, table.at, order)),
        ),
    )


def _rules_between(field: Field, one: int, other: int) -> Iterator[Rule]:
    if other in field.met[one]:
        yield Rule.REMATCH
    if field.same_unit(one, other):
        yield Rule.SAME_UNIT
    if field.runs_on(one, other):
        yield Rule.SAME_SIDE


def _counts(field: Field, rule: Rule) -> bool:
    """A soft rule is not broken: the report counts it."""
    return rule is not Rule.SAME_UNIT or field.unit_rule is UnitRule.HARD


def _avoided(field: Field, one: int, other: int) -> Iterator[Avoided]:
    """The opponents of equal points nearer than the one taken, from either side, whom a rule excludes."""
    score, last = field.score, len(field.players) - 1
    for own, taken in ((one, other), (other, one)):
        for gap in range(1, abs(taken - own)):
            for near in (own - gap, own + gap):
                if not 0 <= near <= last or score[near] != score[own] or not field.apart(own, near):
                    continue
                rule = next(_rules_between(field, own, near))
                yield Avoided(field.players[own].id, field.players[near].id, rule)


def _side_reason(field: Field, first: int, second: int) -> SideReason:
    if not field.options.sides:
        return SideReason.LOTS
    if field.bound[first] != field.bound[second]:
        return SideReason.RUN
    one, other = field.players[first].sides, field.players[second].sides
    if one.count(Side.FIRST) != other.count(Side.FIRST):
        return SideReason.FEWER_FIRST
    if len(one) != len(other):
        return SideReason.MORE_SECOND
    return SideReason.LAST_SECOND if one != other else SideReason.LOTS


def _bye(field: Field, bye: int) -> Bye:
    player = field.players[bye]
    own = field.score[bye]
    below = [at for at, score in enumerate(field.score) if score < own]
    had = tuple(field.players[at].id for at in below if not field.may_have_bye[at])
    needed = tuple(field.players[at].id for at in below if field.may_have_bye[at])
    equals = sum(
        score == own and may and at != bye
        for at, (score, may) in enumerate(zip(field.score, field.may_have_bye, strict=True))
    )
    broken = () if field.may_have_bye[bye] else (Rule.SECOND_BYE,)
    told = (
        (Topic.BROKEN, sentences.broken(Rule.SECOND_BYE, (player.id,)))
        if broken
        else (Topic.BYE, sentences.having_bye(player.id, player.points, had, needed, equals))
    )
    passed_over = tuple(field.players[at].id for at in below)
    return Bye(player.id, player.points, passed_over, had, broken, those(told))


def _broken(pairings: Sequence[Pairing], bye: Bye | None) -> Iterator[Broken]:
    for pairing in pairings:
        entrants = (pairing.first, pairing.second)
        for rule in pairing.broken:
            yield Broken(rule, entrants, sentences.broken(rule, entrants))
    if bye is not None:
        for rule in bye.broken:
            yield Broken(rule, (bye.entrant,), sentences.broken(rule, (bye.entrant,)))


def _rulings(field: Field, broken: Sequence[Broken], *, every_pair: bool) -> tuple[NeedsRuling, ...]:
    """A question for each hard rule broken. A side too often running is only reported: it gives way where it must."""
    asked = [each for each in broken if each.rule is not Rule.SAME_SIDE]
    alone = _without_opponent(field) if asked else ()
    return tuple(
        NeedsRuling(
            sentences.no_draw(each.text, every_pair, alone), field.options.clause, sentences.SUGGESTION
        )
        for each in asked
    )


def _without_opponent(field: Field) -> tuple[EntrantId, ...]:
    """Who has met everybody else, or has only people left whom a rule forbids."""
    positions = range(len(field.players))
    return tuple(
        field.players[one].id
        for one in positions
        if all(one == other or field.excluded(one, other) for other in positions)
    )


def _report(field: Field, matching: Matching, pairings: Sequence[Pairing]) -> SwissReport:
    gaps = [field.score[one] - field.score[other] for one, other in matching.pairs]
    floats = [pair for pair, gap in zip(matching.pairs, gaps, strict=True) if gap]
    imbalance = list(field.imbalance)
    again = runs = 0
    for one, other in matching.pairs if field.options.sides else ():
        first, second = (one, other) if field.first_moves(one, other) else (other, one)
        imbalance[first] += 1
        imbalance[second] -= 1
        again += field.players[first].sides[-1:] == (Side.FIRST,)
        again += field.players[second].sides[-1:] == (Side.SECOND,)
        runs += field.runs_on(one, other)
    avoided = Counter(each.rule for pairing in pairings for each in pairing.avoided)
    return SwissReport(
        total_difference=sum(gaps) * field.step,
        squares=sum(gap * gap for gap in gaps) * field.step**2,
        floats=len(floats),
        repeated_floats=sum(
            repeated(field.players[one], Drift.DOWN) + repeated(field.players[other], Drift.UP)
            for one, other in floats
        ),
        unit_meetings=sum(field.same_unit(one, other) for one, other in matching.pairs),
        runs=runs,
        imbalance=sum(each * each for each in imbalance),
        greatest_imbalance=max(map(abs, imbalance), default=0),
        again=again,
        rematches_avoided=avoided[Rule.REMATCH],
        units_avoided=avoided[Rule.SAME_UNIT],
        runs_avoided=avoided[Rule.SAME_SIDE],
        proof=matching.proof,
        neighbours=matching.neighbours,
        sections=matching.sections,
        left_out=tuple(aim.name.lower() for aim in matching.left_out),
    )
