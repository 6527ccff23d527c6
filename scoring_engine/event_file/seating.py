"""Who sits where in a round of an event file: every table number once, and everybody one seat or one bye at most."""

from collections.abc import Collection

from scoring_engine.documents import Node, Problems
from scoring_engine.event_file.ids import Ids
from scoring_engine.values import EntrantId


class Seating:
    """The seats and byes of the round being read; what stands twice is noted, with a clause where one says so."""

    def __init__(self, problems: Problems, clause: str | None = None) -> None:
        self._problems = problems
        self._numbers: set[int] = set()
        self._tables: dict[EntrantId, int] = {}
        self._byes: dict[EntrantId, None] = {}  # in the order of the file
        self._zh, self._en = (
            ("", "") if clause is None else (f"（规程 {clause}）", f" (regulation, {clause})")
        )

    @property
    def byes(self) -> tuple[EntrantId, ...]:
        """Who has a bye, in the order of the file."""
        return tuple(self._byes)

    def open_table(self, path: str, number: int) -> None:
        """A table of this number, which stands at `path`."""
        if number in self._numbers:
            self._problems.add(path, f"桌号 {number} 重复。", f"Table number {number} is used twice.")
        self._numbers.add(number)

    def seat(self, path: str, entrant: EntrantId, number: int) -> None:
        """An entrant at `path` sits at the table of this number."""
        if (before := self._tables.get(entrant)) is not None:
            self._problems.add(
                path,
                f"{entrant} 本轮已坐在第{before}桌{self._zh}。",
                f"{entrant} already sits at table {before} in this round{self._en}.",
            )
        self._tables[entrant] = number

    def bye(self, path: str, entrant: EntrantId) -> None:
        """An entrant at `path` has a bye."""
        if entrant in self._tables or entrant in self._byes:
            self._problems.add(
                path,
                f"{entrant} 本轮已有座位或已轮空{self._zh}。",
                f"{entrant} already has a seat or a bye in this round{self._en}.",
            )
        self._byes[entrant] = None


def read_forfeits(node: Node, seats: Collection[EntrantId | None], ids: Ids) -> frozenset[EntrantId]:
    """Who gave up (弃权) at a table: each sits there, and stands once."""
    found: set[EntrantId] = set()
    for path, value in node.items("forfeits"):
        entrant = ids.known(path, value)
        if entrant is None:
            continue
        if entrant not in seats:
            ids.problems.add(path, f"{entrant} 不在本桌。", f"{entrant} is not at this table.")
        elif entrant in found:
            ids.problems.add(path, f"{entrant} 重复。", f"{entrant} stands twice.")
        found.add(entrant)
    return frozenset(found)
