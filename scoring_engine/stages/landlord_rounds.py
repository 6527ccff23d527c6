"""What the tables of three of one round give their players (快乐二打一): 附件4六, 附件4八(六).

| rule | here |
|---|---|
| 小分 of the deals, and of lateness for each at the table (I-B-3, I-B-4) | `score_round_table` |
| 场分 by the 小分 of the round (I-B-1, I-B-5) | `score_round_table`, `MatchPointScheme` |
| 弃权, also by coming too late (I-B-6, I-B-23) | `score_round_table` |
| 轮空 (I-B-2), and neither seat nor bye: absent, withdrawn (退赛) | `landlord_results` |

A penalty in points counts in the 小分 of its offender alone, as lateness does. The deals of a table where somebody
forfeits stay on record and count for nobody.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from scoring_engine.landlord.deals import DealScore, score_deal
from scoring_engine.landlord.tables import counts_as_deal
from scoring_engine.penalties.effects import Effect
from scoring_engine.records import EventRecord, RoundRecord, TableRecord
from scoring_engine.rules import ScoringRules, Worth
from scoring_engine.stages.swiss import ABSENT, RoundResults, SwissScale
from scoring_engine.tie_breaks.records import Played, RoundResult
from scoring_engine.values import EntrantId, Points

Amounts = Mapping[EntrantId, int]


@dataclass(frozen=True, slots=True)
class TableRound:
    """One table of a round.

    deals: the score of each deal on the sheet, None where only totals are known. played: 小分 of the deals, None before
    anything was played. late, penalties: signed 小分 of each seat. forfeits: who gave up or came too late. game_points:
    小分 of the round as it stands, empty before anything was played. match_points, ranks: 场分 and the rank at the table;
    empty until the table has ended, and ranks also where somebody forfeits.
    """

    table: TableRecord
    deals: tuple[DealScore, ...] | None
    played: Amounts | None
    late: Amounts
    penalties: Amounts
    forfeits: frozenset[EntrantId]
    game_points: Mapping[EntrantId, Points]
    match_points: Mapping[EntrantId, Points]
    ranks: Mapping[EntrantId, int]

    @property
    def ended(self) -> bool:
        """Whether nothing more is played here."""
        return bool(self.match_points)


def landlord_scale(rules: ScoringRules) -> SwissScale:
    """What rounds at a table of three are worth: at most `win`, and `draw` where all three are level."""
    rounds = rules.rounds
    return SwissScale(max(rounds.scheme.values), rounds.scheme.all_equal, rounds.values)


def scored_landlord(part: RoundRecord, event: EventRecord) -> Sequence[TableRound]:
    """The tables of a round, scored, by number."""
    penalties = _penalties_of(part.number, event)
    in_order = sorted(part.tables, key=lambda table: table.number)
    return [score_round_table(table, event.rules, penalties) for table in in_order]


def landlord_results(part: RoundRecord, tables: Sequence[TableRound], event: EventRecord) -> RoundResults:
    """The round of every entrant; None for those at a table that is still played."""
    byes = event.rules.rounds.byes
    found: RoundResults = {
        entrant.id: _unplayed(part.number, ABSENT, byes[ABSENT]) for entrant in event.entrants
    }
    for bye in part.byes:
        kind = part.bye_kinds[bye]
        found[bye] = _unplayed(part.number, kind, byes[kind])
    for scored in tables:
        for seat in scored.table.seats:
            found[seat] = _of_table(scored, seat, part.number) if scored.ended else None
    return found


def _penalties_of(number: int, event: EventRecord) -> Amounts:
    """The points that the penalties of one round cost each offender, signed."""
    found: Counter[EntrantId] = Counter()
    for given in event.adjustments:
        rule = event.rules.penalties[given.rule]
        if given.round == number and rule.effect is Effect.POINTS:
            found[given.entrant] += rule.points * given.count
    return found


def _unplayed(number: int, kind: str, worth: Worth) -> RoundResult:
    played = Played.ABSENT if kind == ABSENT else Played.BYE
    return RoundResult(number, played, worth.match_points, bye=kind, game_points=worth.game_points)


def _of_table(scored: TableRound, seat: EntrantId, number: int) -> RoundResult:
    first = scored.ranks.get(seat) == 1
    alone = list(scored.ranks.values()).count(1) == 1
    return RoundResult(
        number,
        Played.FORFEIT if scored.forfeits else Played.GAME,
        scored.match_points[seat],
        tuple(other for other in scored.table.seats if other != seat),
        won=first and alone,
        drawn=first and not alone,
        game_points=scored.game_points[seat],
        table_rank=scored.ranks.get(seat),
    )


def score_round_table(table: TableRecord, rules: ScoringRules, penalties: Amounts) -> TableRound:
    """Score one table; `penalties` are those of this round."""
    forfeits = forfeits_of(table, rules)
    deals = tuple(score_deal(deal, rules.bids, rules.doublings) for deal in table.deals or ())
    played: Amounts | None = table.totals
    if table.deals:
        played = {seat: sum(deal.points[seat] for deal in deals) for seat in table.seats}
    own = {seat: penalties[seat] for seat in table.seats if penalties.get(seat)}
    scored = TableRound(
        table,
        None if played is not None and not table.deals else deals,
        played,
        _lateness(table, forfeits, rules),
        own,
        forfeits,
        game_points={},
        match_points={},
        ranks={},
    )
    return _forfeited(scored, rules) if forfeits else _played(scored, rules)


def _lateness(table: TableRecord, forfeits: frozenset[EntrantId], rules: ScoringRules) -> Amounts:
    """迟到: what whoever was late loses, and whoever was in time gets (I-B-4); nothing for those who forfeit."""
    rounds = rules.rounds
    if forfeits and rounds.forfeits.late == "ignored":
        return {}
    tiers = {
        seat: tier
        for seat, minutes in table.late.items()
        if seat not in forfeits and (tier := rounds.lateness.tier(minutes)) is not None
    }
    if not tiers:
        return {}
    in_time = rounds.lateness.points_in_time(list(tiers.values()))
    return {
        seat: tiers[seat].offender if seat in tiers else in_time
        for seat in table.seats
        if seat not in forfeits
    }


def _forfeited(scored: TableRound, rules: ScoringRules) -> TableRound:
    """弃权: fixed 场分 and 小分 for everybody at the table (附件4八(六)2)."""
    forfeits = rules.rounds.forfeits
    left = forfeits.others if len(scored.forfeits) == 1 else forfeits.sole
    worth = {seat: forfeits.offender if seat in scored.forfeits else left for seat in scored.table.seats}
    return _with_points(
        scored,
        {seat: _adjusted(scored, seat, each.game_points) for seat, each in worth.items()},
        {seat: each.match_points for seat, each in worth.items()},
        {},
    )


def _played(scored: TableRound, rules: ScoringRules) -> TableRound:
    """A table that was played: its 小分 with everything that counts, and 场分 once it has ended."""
    if scored.played is None:
        return scored
    seats = scored.table.seats
    totals = {seat: _adjusted(scored, seat, scored.played[seat]) for seat in seats}
    deals = scored.table.deals
    counted = None if not deals else sum(counts_as_deal(deal, rules) for deal in deals)
    if counted is not None and counted < rules.stages[0].deals:
        return _with_points(scored, totals, {}, {})
    compared = totals if rules.rounds.compares == "with_adjustments" else scored.played
    compared_in_order = [compared[seat] for seat in seats]
    points = rules.rounds.scheme.of(compared_in_order)
    ranks = {seat: 1 + sum(other > compared[seat] for other in compared_in_order) for seat in seats}
    return _with_points(scored, totals, dict(zip(seats, points, strict=True)), ranks)


def _adjusted(scored: TableRound, seat: EntrantId, points: Points) -> Points:
    return points + scored.late.get(seat, 0) + scored.penalties.get(seat, 0)


def _with_points(
    scored: TableRound,
    game_points: Mapping[EntrantId, Points],
    match_points: Mapping[EntrantId, Points],
    ranks: Mapping[EntrantId, int],
) -> TableRound:
    return replace(scored, game_points=game_points, match_points=match_points, ranks=ranks)


def landlord_forfeits(part: RoundRecord, event: EventRecord) -> frozenset[EntrantId]:
    """Who gave up in a round, also by coming too late."""
    return frozenset(one for table in part.tables for one in forfeits_of(table, event.rules))


def forfeits_of(table: TableRecord, rules: ScoringRules) -> frozenset[EntrantId]:
    """Who gave up at a table, also by coming too late."""
    late = rules.rounds.lateness
    return table.forfeits | {seat for seat, minutes in table.late.items() if late.is_forfeit(minutes)}
