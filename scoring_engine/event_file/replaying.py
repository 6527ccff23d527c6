"""Comparing a published draw, and the round as it was played, with the draw made again; hand repairs in between."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scoring_engine.event_file.differences import Difference, commitment_differences, compare, lists
from scoring_engine.pairing.groups_of_three import proof_of
from scoring_engine.pairing.repairs import Placed, RepairError, apply_repairs
from scoring_engine.records import DrawRecord, EventRecord, RoundRecord
from scoring_engine.values import EntrantId, Text

Replay = Callable[[DrawRecord], list[Difference]]
"""Every difference between a draw of an event and what its seed gives again."""

BYES = Text("轮空", "The byes")
DIRECT = Text("直接晋级", "The direct entrants")


@dataclass(frozen=True, slots=True)
class Redrawn:
    """A draw made again: the list it is of, and what came out.

    byes: what byes are called. ordered_seats, ordered_byes: whether the order at a table, or of the byes, says anything.
    """

    entrants: tuple[EntrantId, ...]
    placed: Placed
    byes: Text = BYES
    ordered_seats: bool = True
    ordered_byes: bool = False


def draw_differences(draw: DrawRecord, redrawn: Redrawn, part: RoundRecord | None) -> list[Difference]:
    """What the entry of `draws` says against the draw made again, and the round that was played, if any, against both."""
    placed, word = redrawn.placed, redrawn.byes
    found = commitment_differences(draw)
    found += compare(f"{draw.path}.tables", "抽签结果", "The draw", lists(placed.tables), lists(draw.tables))
    found += compare(f"{draw.path}.byes", word.zh, word.en, list(placed.byes), list(draw.direct))
    if draw.proof is not None:
        proof = proof_of(draw.seed, redrawn.entrants, placed.tables, placed.byes)
        found += compare(f"{draw.path}.proof", "抽签证明", "The proof of the draw", proof, draw.proof)
    if draw.repaired is not None:
        made, differences = _repaired(draw, draw.repaired, placed)
        found += differences
        placed = made
    return found if part is None else found + _round_differences(part, placed, redrawn)


def _repaired(draw: DrawRecord, repaired: Placed, drawn: Placed) -> tuple[Placed, list[Difference]]:
    """Whether the changes lead from the draw to the repaired round; the round to be played."""
    path = f"{draw.path}.repaired"
    try:
        made = apply_repairs(drawn, draw.repairs)
    except RepairError as error:
        text = error.text
        return repaired, [
            Difference(
                error.repair.path,
                f"这项调整无法进行：{text.zh}",
                f"This change cannot be made: {text.en}",
                None,
                error.repair.kind.value,
            )
        ]
    found = compare(
        f"{path}.tables", "调整后的各桌", "The repaired tables", lists(made.tables), lists(repaired.tables)
    )
    found += compare(
        f"{path}.byes", "调整后的轮空", "The repaired byes", sorted(made.byes), sorted(repaired.byes)
    )
    size = max(map(len, drawn.tables), default=0)
    for index, table in enumerate(made.tables):
        if len(table) != size:
            found.append(
                Difference(
                    f"{path}.tables[{index}]",
                    f"调整后第{index + 1}桌有{len(table)}人，应为{size}人。",
                    f"After the changes table {index + 1} has {len(table)}, not {size}.",
                    size,
                    len(table),
                )
            )
    if made.left_over:
        found.append(
            Difference(
                path,
                f"调整后没有座位也没有轮空：{'、'.join(made.left_over)}。",
                f"After the changes without a seat or a bye: {', '.join(made.left_over)}.",
                [],
                list(made.left_over),
            )
        )
    return made, found


def _round_differences(part: RoundRecord, placed: Placed, redrawn: Redrawn) -> list[Difference]:
    """The round as it was played."""

    def seats(tables: Sequence[Sequence[EntrantId]]) -> list[list[EntrantId]]:
        # Where the order at a table says nothing, either is right.
        return [list(table) if redrawn.ordered_seats else sorted(table) for table in tables]

    played = [table.seats for table in sorted(part.seated_tables, key=lambda table: table.number)]
    byes = [bye for bye in part.byes if bye not in part.requested]
    word = redrawn.byes
    found = compare(
        f"{part.path}.tables", "本轮各桌座位", "The seats of this round", seats(placed.tables), seats(played)
    )
    expected = list(placed.byes)
    if not redrawn.ordered_byes:
        expected, byes = sorted(expected), sorted(byes)
    return found + compare(f"{part.path}.byes", f"本轮{word.zh}", f"{word.en} of this round", expected, byes)


def round_of(event: EventRecord, draw: DrawRecord) -> RoundRecord | None:
    """The round a draw is of, where it has been recorded."""
    stage = event.stage(draw.stage)
    rounds = stage.rounds if stage is not None else ()
    return next((part for part in rounds if part.number == draw.round), None)
