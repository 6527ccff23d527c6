"""Single elimination (单败淘汰, D 赛制): the first round by draw, then winners only; nobody plays for lower places.

| `later_rounds` (I-D-14) | later rounds |
|---|---|
| `table_order` | the winner of table 1 meets that of table 2, 3 meets 4, …; only the bye is drawn |
| `drawn` | the winners are drawn anew |

The text says 首轮抽签、单败淘汰 and no more; that only the *first* round is said to be drawn speaks for `table_order`.
With an odd number one has the bye, by draw (I-D-7), as `byes.BYE_READINGS` says (I-D-15).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring_engine.pairing.byes import bye_candidates
from scoring_engine.pairing.seeds import SeedStream
from scoring_engine.values import EntrantId

LATER_ROUNDS = ("table_order", "drawn")


@dataclass(frozen=True, slots=True)
class BracketRound:
    """One round: tables in order, both sides of each, and who has the bye (at most one)."""

    tables: tuple[tuple[EntrantId, EntrantId], ...]
    byes: tuple[EntrantId, ...]


def draw_first_round(entrants: Sequence[EntrantId], seed: bytes) -> BracketRound:
    """The first round (首轮抽签): the ids sorted as text and shuffled; each two in a row meet, the last of an odd number
    has the bye."""
    drawn = SeedStream(seed).shuffle(sorted(_once(entrants)))
    return _in_order(drawn, drawn[len(drawn) - len(drawn) % 2 :])


def going_on(before: BracketRound, winners: Mapping[int, EntrantId]) -> tuple[EntrantId, ...]:
    """Who is in the next round: the winners by table number (from 1), then who had the bye.

    Raises ValueError for a table whose winner is missing or did not sit there.
    """
    found: list[EntrantId] = []
    for number, table in enumerate(before.tables, start=1):
        winner = winners.get(number)
        if winner not in table:
            raise ValueError(f"table {number} has no winner of its own")
        found.append(winner)
    return (*found, *before.byes)


def draw_later_round(
    order: Sequence[EntrantId],
    seed: bytes,
    *,
    later_rounds: str = "table_order",
    byes_had: Mapping[EntrantId, int] | None = None,
    bye_reading: str = "spread",
) -> BracketRound:
    """A later round of those still in, in the order of `going_on`.

    With an odd number the bye is drawn first: `below(count)` of the candidates sorted as text. The others stay in their
    order, or are sorted as text and shuffled (`drawn`); each two in a row meet. With an even number and `table_order`
    the seed decides nothing.
    """
    if later_rounds not in LATER_ROUNDS:
        raise ValueError(f"no way to pair later rounds: {later_rounds}")
    stream = SeedStream(seed)
    left = list(_once(order))
    byes: list[EntrantId] = []
    if len(left) % 2:
        candidates = bye_candidates(left, byes_had or {}, bye_reading)
        byes = [candidates[stream.below(len(candidates))]]
        left.remove(byes[0])
    if later_rounds == "drawn":
        left = stream.shuffle(sorted(left))
    return _in_order(left, byes)


def _in_order(order: Sequence[EntrantId], byes: Sequence[EntrantId]) -> BracketRound:
    tables = tuple((order[place], order[place + 1]) for place in range(0, len(order) - 1, 2))
    return BracketRound(tables, tuple(byes))


def _once(entrants: Sequence[EntrantId]) -> Sequence[EntrantId]:
    if len(set(entrants)) != len(entrants):
        raise ValueError("an entrant stands twice in the draw")
    return entrants
