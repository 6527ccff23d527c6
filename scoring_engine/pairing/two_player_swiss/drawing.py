"""Drawing one round: the field, its best matching, and the round with its reasons."""

from collections import Counter
from collections.abc import Iterator, Sequence

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
from scoring_engine.values import EntrantId, NeedsRuling, Points, Text


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
    equals = Counter(field.score)
    pairings = tuple(
        _pairing(field, one, other, table, equals[field.score[one]])
        for table, (one, other) in enumerate(pairs, start=1)
    )
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


def _from_the_top(field: Field, one: int, other: int) -> tuple[Points, Points, int]:
    """Tables by the higher points of the two, then by the lower, then by drawn order."""
    high, low = sorted((field.players[one].points, field.players[other].points), reverse=True)
    return -high, -low, min(one, other)


def _pairing(field: Field, one: int, other: int, table: int, equals: int) -> Pairing:
    """A table of two positions; `equals` is how many have the pairing points of `one`, the upper."""
    first, second = (one, other) if field.first_moves(one, other) else (other, one)
    players = field.players
    gap = field.score[one] - field.score[other]
    upper, lower = players[one], players[other]
    repeats = repeated(upper, Drift.DOWN) + repeated(lower, Drift.UP) if gap else 0
    side_reason = _side_reason(field, first, second)
    avoided = tuple(_avoided(field, one, other))
    lifted = (gap * field.step if gap else 0) != upper.points - lower.points or None
    parts: list[Text | None] = [
        sentences.meeting(
            upper.id,
            upper.points,
            lower.id,
            lower.points,
            lifted and sentences.lifted_by(field.options.accelerated_points),
        ),
        sentences.floating(upper.id, lower.id, equals, repeats) if gap else None,
        sentences.avoided(avoided),
    ]
    if field.options.sides:
        firsts = tuple(players[seat].sides.count(Side.FIRST) for seat in (first, second))
        parts.append(
            sentences.moving_first(
                side_reason,
                players[first].id,
                players[second].id,
                (firsts[0], firsts[1]),
                field.options.longest_run,
            )
        )
    return Pairing(
        table=table,
        first=players[first].id,
        second=players[second].id,
        first_points=players[first].points,
        second_points=players[second].points,
        difference=gap * field.step,
        down=upper.id if gap else None,
        up=lower.id if gap else None,
        side_reason=side_reason,
        avoided=avoided,
        broken=tuple(rule for rule in _rules_between(field, one, other) if _counts(field, rule)),
        why=sentences.joined([part for part in parts if part is not None]),
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
    passed_over = tuple(
        each.id for each, score in zip(field.players, field.score, strict=True) if score < field.score[bye]
    )
    broken = () if field.may_have_bye[bye] else (Rule.SECOND_BYE,)
    why = sentences.having_bye(player.id, player.points, passed_over)
    return Bye(player.id, player.points, passed_over, broken, why)


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
