"""Groups of three (每组3人): the drawn first round, and the groups of a later stage by the order of the one before.

| grouping | of nine | |
|---|---|---|
| `blocks` | 1-2-3 / 4-5-6 / 7-8-9 | 按排名顺序, word for word (I-A-4) |
| `snake` | 1-6-7 / 2-5-8 / 3-4-9 | |
| `deal_out` | 1-4-7 / 2-5-8 / 3-6-9 | |
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from scoring_engine.pairing.seeds import SeedStream
from scoring_engine.values import EntrantId

TABLE = 3

Group = tuple[EntrantId, ...]


@dataclass(frozen=True, slots=True)
class GroupsDraw:
    """A drawn round: tables in order, each of three in seat order (the first seat bids first in deal 1), and the one
    or two entrants who go straight on (直接进入复赛), in draw order."""

    tables: tuple[Group, ...]
    direct: Group


def draw_groups(entrants: Sequence[EntrantId], seed: bytes) -> GroupsDraw:
    """Draw entrants into groups of three (A, 四(二)初赛 随机抽签分组).

    The ids are sorted as text (by code point) first, so the order they come in does not matter; then shuffled with
    the seed; then each three in a row are a table, and the one or two left at the end go straight on.
    """
    if len(set(entrants)) != len(entrants):
        raise ValueError("an entrant stands twice in the draw")
    drawn = SeedStream(seed).shuffle(sorted(entrants))
    seated = len(drawn) - len(drawn) % TABLE
    tables = tuple(tuple(drawn[start : start + TABLE]) for start in range(0, seated, TABLE))
    return GroupsDraw(tables, tuple(drawn[seated:]))


def _blocks(order: Sequence[EntrantId], tables: int) -> list[list[EntrantId]]:
    return [list(order[TABLE * table : TABLE * (table + 1)]) for table in range(tables)]


def _snake(order: Sequence[EntrantId], tables: int) -> list[list[EntrantId]]:
    groups: list[list[EntrantId]] = [[] for _ in range(tables)]
    for index, entrant in enumerate(order):
        turn, place = divmod(index, tables)
        groups[place if turn % 2 == 0 else tables - 1 - place].append(entrant)
    return groups


def _deal_out(order: Sequence[EntrantId], tables: int) -> list[list[EntrantId]]:
    return [list(order[table::tables]) for table in range(tables)]


GROUPINGS: Mapping[str, Callable[[Sequence[EntrantId], int], list[list[EntrantId]]]] = {
    "blocks": _blocks,
    "snake": _snake,
    "deal_out": _deal_out,
}


def group_by_order(order: Sequence[EntrantId], grouping: str) -> tuple[Group, ...]:
    """Groups of three from entrants in seeding order, best first (I-A-4). The number must be a multiple of three."""
    if len(order) % TABLE:
        raise ValueError(f"{len(order)} entrants do not make tables of three")
    return tuple(tuple(group) for group in GROUPINGS[grouping](order, len(order) // TABLE))


def proof_of(
    seed: bytes, entrants: Sequence[EntrantId], tables: Sequence[Group], direct: Sequence[EntrantId]
) -> str:
    """SHA-256 (hex) of a draw, to publish beside it.

    Hashed is the UTF-8 text of the JSON object with the keys byes, entrants (sorted as text), seed (hex), tables in
    this order, without spaces and without \\u escapes.
    """
    drawn = {
        "byes": list(direct),
        "entrants": sorted(entrants),
        "seed": seed.hex(),
        "tables": [list(table) for table in tables],
    }
    text = json.dumps(drawn, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
