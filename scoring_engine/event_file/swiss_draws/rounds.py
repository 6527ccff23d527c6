"""A whole Swiss round: each group paired by itself with a seed of its own, tables numbered through (docs/draws.md)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scoring_engine.event_file.swiss_draws.drawn import GroupDraw
from scoring_engine.event_file.swiss_draws.history import RoundToDraw, SwissHistory
from scoring_engine.pairing.division import group_seed
from scoring_engine.values import EntrantId

DrawGroup = Callable[[RoundToDraw, bytes], GroupDraw]


@dataclass(frozen=True, slots=True)
class DrawnGroup:
    """One group of a round. entrants: who was paired, sorted."""

    name: str | None
    seed: bytes
    entrants: tuple[EntrantId, ...]
    drawn: GroupDraw


@dataclass(frozen=True, slots=True)
class WholeRound:
    """A round: the groups in the order of their names, the tables and byes of all, group after group."""

    number: int
    groups: tuple[DrawnGroup, ...]

    @property
    def tables(self) -> tuple[tuple[EntrantId, ...], ...]:
        """Every table, from 1."""
        return tuple(table for group in self.groups for table in group.drawn.tables)

    @property
    def byes(self) -> tuple[EntrantId, ...]:
        """Every bye."""
        return tuple(bye for group in self.groups for bye in group.drawn.byes)

    @property
    def entrants(self) -> tuple[EntrantId, ...]:
        """Who was paired, sorted."""
        return tuple(sorted(entrant for group in self.groups for entrant in group.entrants))


def draw_whole_round(
    history: SwissHistory,
    draw: DrawGroup,
    number: int,
    seed: bytes,
    available: Sequence[EntrantId],
) -> WholeRound:
    """Pair round `number` of those available; groups nobody is left of are passed over."""
    here = frozenset(available)
    groups = []
    for name in history.groups:
        drawing = history.to_draw(number, name, here)
        if not drawing.available:
            continue
        own_seed = group_seed(seed, name)
        groups.append(DrawnGroup(name, own_seed, tuple(sorted(drawing.available)), draw(drawing, own_seed)))
    return WholeRound(number, tuple(groups))
