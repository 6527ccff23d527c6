"""The tables of a later stage: seeding by the stage before, ties and seats by a draw."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring_engine.pairing.groups_of_three import TABLE, Group, group_by_order
from scoring_engine.pairing.seeds import SeedStream
from scoring_engine.records import EventRecord
from scoring_engine.rules import PLAYOFF, ScoringRules
from scoring_engine.stages.progression import EventOutcome, StageOutcome
from scoring_engine.values import EntrantId


def seeding_groups(before: StageOutcome, rules: ScoringRules) -> tuple[Group, ...]:
    """Those who go on from a decided stage, best first; who shares a rank there stands in one group, sorted as text.

    By the placings of the stage before (复赛: 按初赛排名顺序). Direct entrants have no score; they stand last, or first,
    in the order they were drawn (I-A-5).
    """
    advancing = set(before.advance)
    ranks: dict[int, list[EntrantId]] = {}
    for placing in before.placings:
        if placing.entrant in advancing:
            ranks.setdefault(placing.rank, []).append(placing.entrant)
    ranked = tuple(tuple(sorted(shared)) for shared in ranks.values())
    direct = tuple((entrant,) for entrant in before.direct)
    return direct + ranked if rules.option("direct_seeding") == "first" else ranked + direct


def seeding_order(before: StageOutcome, rules: ScoringRules, stream: SeedStream) -> tuple[EntrantId, ...]:
    """The seeding order; a shared rank is put in order by the draw, because the text names no order."""
    order: list[EntrantId] = []
    for group in seeding_groups(before, rules):
        order.extend(stream.shuffle(group) if len(group) > 1 else group)
    return tuple(order)


@dataclass(frozen=True, slots=True)
class StageDraw:
    """The tables of a stage in seeding order, and who bids first in deal 1 at each (抽签决定首叫)."""

    tables: tuple[Group, ...]
    first_bidders: tuple[EntrantId, ...]

    @property
    def seated(self) -> tuple[Group, ...]:
        """The same tables, each from its first bidder on: whoever sits first bids first in deal 1."""
        return tuple(map(from_first_bidder, self.tables, self.first_bidders))


def from_first_bidder(group: Group, first: EntrantId) -> Group:
    """A table's seats, counter-clockwise, counted from the one who bids first in deal 1."""
    place = group.index(first)
    return group[place:] + group[:place]


def draw_next_stage(
    event: EventRecord, outcome: EventOutcome, code: str, seed: bytes, entrants: Sequence[EntrantId]
) -> StageDraw:
    """The tables of a seeded stage, of the final, or of a play-off of these entrants.

    The numbers of the seed are used in this order: the shared ranks of the stage before, best first, each shuffled
    from its ids sorted as text; then for each table in turn `below(3)`, the seat that bids first in deal 1. A play-off
    sits in the order of the ids as text. No tables where the stage before is not decided: who is sure to go on then is
    not everybody who will.
    """
    stream = SeedStream(seed)
    if code == PLAYOFF:
        groups: tuple[Group, ...] = (tuple(sorted(entrants)),)
    else:
        codes = [str(stage.rule.code) for stage in outcome.stages]
        before = outcome.stages[codes.index(code) - 1]
        order = seeding_order(before, event.rules, stream)
        if not before.decided or len(order) % TABLE:
            return StageDraw((), ())
        groups = group_by_order(order, event.rules.option("semifinal_grouping"))
    return StageDraw(groups, tuple(group[stream.below(len(group))] for group in groups if group))
