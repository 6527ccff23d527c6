"""Drawing one round: order and byes, the best tables found, seats, and the round with its reasons."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, islice

from scoring_engine.pairing.reasons import Topic, those
from scoring_engine.pairing.seeds import SeedStream
from scoring_engine.pairing.three_player_swiss import sentences
from scoring_engine.pairing.three_player_swiss.bounds import least_spread
from scoring_engine.pairing.three_player_swiss.costs import Costs, Trio
from scoring_engine.pairing.three_player_swiss.field import (
    Byes,
    Field,
    Ordered,
    choose_byes,
    field_of,
    in_order,
    other_byes,
)
from scoring_engine.pairing.three_player_swiss.model import TABLE, Rematch, TrioOptions, TrioPlayer
from scoring_engine.pairing.three_player_swiss.result import (
    Met,
    TrioAvoided,
    TrioBroken,
    TrioBye,
    TrioDraw,
    TrioReport,
    TrioRule,
    TrioTable,
)
from scoring_engine.pairing.three_player_swiss.search import Found, best_tables
from scoring_engine.pairing.three_player_swiss.seats import imbalance, seat, seats_after
from scoring_engine.values import EntrantId, NeedsRuling, Text, points_of

_OTHER_BYES = 20
"""How many other choices of byes are tried where rematches are forbidden and cannot all be avoided."""


def draw_round(players: Sequence[TrioPlayer], options: TrioOptions, number: int, seed: bytes) -> TrioDraw:
    """Pair round `number` (from 1) of those available; the same input in any order gives the same round.

    players: everybody of the stage; who is not available is listed as absent. Raises ValueError or TypeError for an
    impossible input (`check_players`) and SeedError for an empty seed.
    """
    stream = SeedStream(seed)
    ordered = in_order(players, number, stream)
    byes, costs, found = _best(ordered, options, number)
    tables = tuple(
        _table(_Round(costs, found.tables, options, number), at, stream) for at in range(len(found.tables))
    )
    had_byes = tuple(_bye(ordered, byes, place, number) for place in byes.positions)
    broken = tuple(chain(*(table.broken for table in tables), *(bye.broken for bye in had_byes)))
    return TrioDraw(
        number=number,
        tables=tables,
        byes=had_byes,
        absent=ordered.absent,
        lots=ordered.lots,
        broken=broken,
        needs_ruling=tuple(_rulings(ordered, byes, found, broken, options)),
        report=_report(costs, found, tables),
    )


def _best(ordered: Ordered, options: TrioOptions, number: int) -> tuple[Byes, Costs, Found]:
    """The tables with the usual byes; with other byes where only they keep people apart who must not meet again."""

    def with_byes(byes: Byes) -> tuple[Byes, Costs, Found]:
        costs = Costs(field_of(ordered, byes, number), options.rematch)
        return byes, costs, best_tables(costs)

    usual = with_byes(choose_byes(ordered))
    byes, costs, found = usual
    if options.rematch is not Rematch.HARD or byes.excess or not _breaks(costs, found):
        return usual
    for other in islice(other_byes(ordered, byes), _OTHER_BYES):
        tried = with_byes(other)
        if not _breaks(*tried[1:]):
            return tried
    return usual


def _breaks(costs: Costs, found: Found) -> bool:
    return any(costs.breaks_hard(trio) for trio in found.tables)


@dataclass(frozen=True, slots=True)
class _Round:
    """What the sentences of a table look at: all tables, from the top, and what the round was drawn by."""

    costs: Costs
    tables: Sequence[Trio]
    options: TrioOptions
    number: int


def _table(drawn: _Round, at: int, stream: SeedStream) -> TrioTable:
    field, trio = drawn.costs.field, drawn.tables[at]
    players = [field.players[one] for one in trio]
    seated = seat(players, stream)
    seats = tuple(player.id for player in seated)
    had = tuple(player.seats[place] for place, player in enumerate(seated))
    places = tuple(field.rank[one] for one in trio)
    spread = points_of((field.points[trio[0]] - field.points[trio[-1]]) * field.step)
    again = tuple(_rematches(field, trio))
    avoided = tuple(_avoided(field, trio, _lower(drawn.tables, at)))
    first, middle, last = players
    opening = drawn.number == 1
    broken = tuple(_broken_pairs(field, trio, drawn.options))
    meeting = (
        sentences.drawn([player.id for player in players])
        if opening
        else sentences.meeting(players, places, spread)
    )
    said = those(
        (Topic.MEETING, meeting),
        (Topic.FLOAT, _floating(field, trio) if spread else None),
        (Topic.AVOIDED, sentences.avoided(avoided)),
        (Topic.REMATCH, sentences.rematches(again, drawn.options.rematch)),
        *((Topic.BROKEN, each.text) for each in broken if each.rule is not TrioRule.REMATCH),
        (Topic.SEATS, sentences.seating(seats, had, first_round=opening)),
        (Topic.NUMBER, sentences.numbered(first.id, places[0], first_round=opening)),
    )
    return TrioTable(
        number=at + 1,
        seats=(seats[0], seats[1], seats[2]),
        by_score=(first.id, middle.id, last.id),
        match_points=(first.match_points, middle.match_points, last.match_points),
        places=(places[0], places[1], places[2]),
        spread=spread,
        rematches=again,
        avoided=avoided,
        seats_had=(had[0], had[1], had[2]),
        broken=broken,
        said=said,
    )


def _floating(field: Field, trio: Trio) -> Text:
    """Why the three do not have the same match points."""
    most = field.points[trio[0]]
    upper = [field.players[one].id for one in trio if field.points[one] == most]
    lower = [field.players[one].id for one in trio if field.points[one] != most]
    return sentences.floating(upper, lower, field.players[trio[0]].match_points, field.points.count(most))


def _rematches(field: Field, trio: Trio) -> Iterator[Met]:
    for one, other in combinations(trio, 2):
        times = field.met[one].get(other, 0)
        if times:
            yield Met((field.players[one].id, field.players[other].id), times)


def _broken_pairs(field: Field, trio: Trio, options: TrioOptions) -> Iterator[TrioBroken]:
    """Two at the table who may not meet."""
    for one, other in combinations(trio, 2):
        if field.unit[one] == field.unit[other]:
            rule = TrioRule.SAME_UNIT
        elif options.rematch is Rematch.HARD and other in field.met[one]:
            rule = TrioRule.REMATCH
        else:
            continue
        two = field.players[one].id, field.players[other].id
        yield TrioBroken(rule, two, sentences.meets(rule, *two))


def _lower(tables: Sequence[Trio], at: int) -> Sequence[Trio]:
    """The tables below one that begin before its last person; tables stand from the top."""
    last = at + 1
    while last < len(tables) and tables[last][0] < tables[at][-1]:
        last += 1
    return tables[at + 1 : last]


def _avoided(field: Field, trio: Trio, lower: Sequence[Trio]) -> Iterator[TrioAvoided]:
    """People between the first and the last of a table who sit at a lower one and should not meet somebody here."""
    between = range(trio[0] + 1, trio[-1])
    elsewhere = sorted(one for table in lower for one in table if one in between)
    for own in trio[:-1]:
        for near in elsewhere:
            if near < own:
                continue
            if field.unit[own] == field.unit[near]:
                yield TrioAvoided(field.players[own].id, field.players[near].id, TrioRule.SAME_UNIT)
            elif near in field.met[own]:
                yield TrioAvoided(field.players[own].id, field.players[near].id, TrioRule.REMATCH)


def _bye(ordered: Ordered, byes: Byes, place: int, number: int) -> TrioBye:
    player = ordered.players[place]
    forced = place in byes.forced
    usual = forced or place in choose_byes(ordered).positions
    had_more = tuple(
        other.id for other in ordered.players[place + 1 :] if number > 1 and other.byes > player.byes
    )
    why = (
        sentences.bye(player, had_more, first_round=number == 1, forced=forced)
        if usual
        else sentences.other_bye(player)
    )
    broken = (
        (TrioBroken(TrioRule.SECOND_BYE, (player.id,), sentences.second_bye(player.id)),)
        if place in byes.second
        else ()
    )
    said = those((Topic.BYE, why), *((Topic.BROKEN, each.text) for each in broken))
    return TrioBye(player.id, player.match_points, player.byes, broken, said)


def _rulings(
    ordered: Ordered, byes: Byes, found: Found, broken: Sequence[TrioBroken], options: TrioOptions
) -> Iterator[NeedsRuling]:
    """What the committee has to decide: too few people, a unit too large, a second bye, people who meet again."""
    players = ordered.players

    def ruling(reason: Text) -> NeedsRuling:
        return NeedsRuling(reason, options.clause, sentences.SUGGESTION)

    if 0 < len(players) < TABLE:
        yield ruling(sentences.too_few(tuple(player.id for player in players)))
    for unit, excess in byes.excess:
        seated = tuple(
            player.id
            for place, player in enumerate(players)
            if player.unit == unit and place not in byes.positions
        )
        yield ruling(sentences.unit_too_large(unit, seated, len(players) // TABLE, excess))
    for each in broken:
        if each.rule is TrioRule.SECOND_BYE:
            yield ruling(each.text)
    apart = [each for each in broken if each.rule is not TrioRule.SECOND_BYE]
    if apart and not byes.excess:
        concerned: tuple[EntrantId, ...] = tuple(
            dict.fromkeys(entrant for each in apart for entrant in each.entrants)
        )
        texts = [each.text for each in apart]
        yield ruling(sentences.no_draw(texts, concerned, certain=found.impossible and not byes.positions))


def _report(costs: Costs, found: Found, tables: Sequence[TrioTable]) -> TrioReport:
    field = costs.field
    parts = costs.parts(found.tables)
    by_id = {player.id: player for player in field.players}
    uneven = [
        imbalance(seats_after(by_id[entrant], place))
        for table in tables
        for place, entrant in enumerate(table.seats)
    ]
    avoided = Counter(each.rule for table in tables for each in table.avoided)
    return TrioReport(
        spread=points_of(parts.spread * field.step),
        least_spread=points_of(least_spread(field) * field.step),
        rematches=parts.rematches,
        place_squares=parts.ranks,
        unit_meetings=parts.units,
        seat_imbalance=sum(uneven),
        greatest_seat_imbalance=max(uneven, default=0),
        units_avoided=avoided[TrioRule.SAME_UNIT],
        rematches_avoided=avoided[TrioRule.REMATCH],
        every_draw=found.best,
    )
