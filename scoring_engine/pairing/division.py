"""Dividing the entrants into groups (组别) of 20–32 by a draw, units spread over the groups (附件2一3, I-B-14)."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from scoring_engine.pairing.seeds import SeedStream
from scoring_engine.values import EntrantId, NeedsRuling, Text, UnitId


@dataclass(frozen=True, slots=True)
class Division:
    """The groups, each in drawn order; none where the committee has to rule first."""

    groups: tuple[tuple[EntrantId, ...], ...]
    needs_ruling: NeedsRuling | None


def group_seed(seed: bytes, group: str | None) -> bytes:
    """The seed of one group's part of a round: SHA-256 of the seed of the round followed by the name of the group in UTF-8;
    the seed itself where there are no groups."""
    if group is None:
        return seed
    return hashlib.sha256(seed + group.encode("utf-8", "surrogatepass")).digest()


def groups_possible(entrants: int, low: int, high: int) -> range:
    """How many groups of `low`…`high` so many entrants can be divided into (20G ≤ N ≤ 32G); empty where none."""
    return range(-(-entrants // high), entrants // low + 1)


def divide(
    entrants: Sequence[tuple[EntrantId, UnitId | None]],
    sizes: tuple[int, int],
    seed: bytes,
    groups: int | None = None,
    clause: str = "",
) -> Division:
    """Draw the entrants into groups: sizes differ by one at most, and so do the members of one unit in each group.

    sizes: how few and how many a group may have. groups: how many; None for as few as can be. A number that does not
    fit is a ruling. The seed's numbers are used in this order: `shuffle` of the entrants sorted by id; `shuffle` of the
    units in the order their first members were drawn, where who has no unit is one by himself. Unit after unit, each
    in drawn order, the entrants then go to group 1, 2, …, G, 1, 2, ….
    Raises ValueError for an entrant who stands there twice, or sizes that are none.
    """
    low, high = sizes
    units = dict(entrants)
    if len(units) != len(entrants):
        raise ValueError("an entrant stands twice in the draw")
    if not 1 <= low <= high:
        raise ValueError(f"no groups of {low} to {high}")
    possible = groups_possible(len(entrants), low, high)
    if groups is None and possible:
        groups = max(possible[0], 1)
    if groups is None or groups not in possible or groups < 1:
        return Division((), _ruling(len(entrants), sizes, groups, possible, clause))
    stream = SeedStream(seed)
    drawn = stream.shuffle(sorted(units))
    members: dict[tuple[str, str], list[EntrantId]] = {}
    for entrant in drawn:
        unit = units[entrant]
        members.setdefault(("entrant", entrant) if unit is None else ("unit", unit), []).append(entrant)
    order = [entrant for unit in stream.shuffle(members) for entrant in members[unit]]
    return Division(tuple(tuple(order[group::groups]) for group in range(groups)), None)


def _ruling(
    entrants: int, sizes: tuple[int, int], groups: int | None, possible: range, clause: str
) -> NeedsRuling:
    low, high = sizes
    if not possible or possible[-1] < 1:
        return NeedsRuling(
            Text(
                f"{entrants}人无法分成每组{low}至{high}人。",
                f"{entrants} entrants cannot be divided into groups of {low} to {high}.",
            ),
            clause,
            Text(
                "由组委会决定不分组、增减人数或放宽每组人数。",
                "The committee may play in one group, change the entries, or allow other sizes.",
            ),
        )
    counts = "、".join(str(count) for count in possible)
    return NeedsRuling(
        Text(
            f"{entrants}人不能分成{groups}组，每组应有{low}至{high}人。",
            f"{entrants} entrants cannot make {groups} groups of {low} to {high}.",
        ),
        clause,
        Text(f"可以分成{counts}组。", f"{counts.replace('、', ', ')} groups are possible."),
    )
