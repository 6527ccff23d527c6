"""The tables of a later stage: seeding by the stage before, ties and seats by a draw."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring_engine.pairing.groups_of_three import TABLE, Group, group_by_order
from scoring_engine.pairing.seeds import SeedStream
from scoring_engine.ranking import Placing
from scoring_engine.records import EventRecord
from scoring_engine.rules import PLAYOFF, ScoringRules
from scoring_engine.stages.progression import EventOutcome, StageOutcome
from scoring_engine.values import EntrantId


def seeding_order(before: StageOutcome, rules: ScoringRules, stream: SeedStream) -> tuple[EntrantId, ...]:
    """Those who go on from a decided stage, best first.

    By the placings of the stage before (复赛: 按初赛排名顺序); who shares a rank there is put in order by the draw,
    because the text names no order. Direct entrants have no score; they stand last, or first, in the order they were
    drawn (I-A-5).
    """
    ranks: dict[int, list[Placing]] = {}
    advancing = set(before.advance)
    for placing in before.placings:
        if placing.entrant in advancing:
            ranks.setdefault(placing.rank, []).append(placing)
    order: list[EntrantId] = []
    for shared in ranks.values():
        drawn = sorted(placing.entrant for placing in shared)
        order.extend(stream.shuffle(drawn) if len(drawn) > 1 else drawn)
    if rules.option("direct_seeding") == "first":
        return (*before.direct, *order)
    return (*order, *before.direct)


@dataclass(frozen=True, slots=True)
class StageDraw:
    """The tables of a stage in seeding order, and who bids first in deal 1 at each (抽签决定首叫)."""

    tables: tuple[Group, ...]
    first_bidders: tuple[EntrantId, ...]


def draw_next_stage(
    event: EventRecord, outcome: EventOutcome, code: str, seed: bytes, entrants: Sequence[EntrantId]
) -> StageDraw:
    """The tables of a seeded stage, of the final, or of a play-off of these entrants.

    The numbers of the seed are used in this order: the shared ranks of the stage before, best first, each shuffled
    from its ids sorted as text; then for each table in turn `below(3)`, the seat that bids first in deal 1. A play-off
    sits in the order of the ids as text.
    """
    stream = SeedStream(seed)
    if code == PLAYOFF:
        groups: tuple[Group, ...] = (tuple(sorted(entrants)),)
    else:
        codes = [str(stage.rule.code) for stage in outcome.stages]
        before = outcome.stages[codes.index(code) - 1]
        order = seeding_order(before, event.rules, stream)
        if len(order) % TABLE:
            return StageDraw((), ())
        groups = group_by_order(order, event.rules.option("semifinal_grouping"))
    return StageDraw(groups, tuple(group[stream.below(len(group))] for group in groups if group))
