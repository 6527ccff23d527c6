"""Who is in a Swiss event, and when: late entrants, withdrawals, absences, and who is paired again after forfeits.

An entrant may have `"number": 7` (序号), `"enters_in": 3` (补报: his first round) and `"withdrawn_after": 2` (退赛: his last
round, 0 for none). A round may have `"absent": ["e3"]` (not paired in this round) and `"reinstated": ["e5"]` (恢复编排: paired
again from this round on, after forfeits). The round to be drawn next stands last, without tables: `{"number": 3, "absent":
["e3"]}`; who asked for a bye of another kind than the drawn one is not paired either.
"""

from dataclasses import replace

from scoring_engine.documents import Node, Problems
from scoring_engine.event_file.ids import Ids
from scoring_engine.records import EventRecord, RoundRecord
from scoring_engine.values import Entrant, EntrantId

_KEYS = ("absent", "reinstated")
_PRESENCE = ("enters_in", "withdrawn_after")


def read_presence(node: Node, most: int | None) -> tuple[int | None, int, int | None]:
    """`number`, `enters_in` and `withdrawn_after` of an entrant; `most` rounds are played, None where it is no Swiss event."""
    number = node.integer("number", 1) if node.has("number") else None
    if most is None:
        for key in _PRESENCE:
            if node.has(key):
                _only_swiss(node, key)
        return number, 1, None
    enters = node.integer("enters_in", 1, most) if node.has("enters_in") else 1
    last = node.integer("withdrawn_after", 0, most) if node.has("withdrawn_after") else None
    if enters is not None and last is not None and enters > 1 and last < enters:
        node.problems.add(
            node.at("withdrawn_after"),
            f"第{enters}轮才开始参赛，不能在第{last}轮之后退赛。",
            f"He takes part from round {enters} on and cannot withdraw after round {last}.",
        )
    return number, enters or 1, last


def check_numbers(entrants: list[Entrant], problems: Problems) -> None:
    """Note a starting number that stands twice in one group."""
    seen: set[tuple[str | None, int]] = set()
    for index, entrant in enumerate(entrants):
        if entrant.number is None:
            continue
        if (entrant.group, entrant.number) in seen:
            problems.add(
                f"$.entrants[{index}].number",
                f"序号 {entrant.number} 重复。",
                f"Starting number {entrant.number} is used twice.",
            )
        seen.add((entrant.group, entrant.number))


def refuse_attendance(node: Node) -> None:
    """Note keys that only a round of a Swiss event has."""
    for key in _KEYS:
        if node.has(key):
            _only_swiss(node, key)


def _only_swiss(node: Node, key: str) -> None:
    node.problems.add(
        node.at(key),
        f"只有积分编排赛有 {key} 这一项。",
        f"Only a Swiss event has the key {key}.",
    )


def with_attendance(node: Node, part: RoundRecord, ids: Ids) -> RoundRecord:
    """The round with who is absent and who is reinstated; nobody absent has a seat or a bye in it, or is reinstated."""
    here = {seat for table in part.seated_tables for seat in table.seats} | set(part.byes)
    found: dict[str, set[EntrantId]] = {}
    for key in _KEYS:
        named = found[key] = set()
        for path, value in node.items(key):
            entrant = ids.known(path, value)
            if entrant is None:
                continue
            if entrant in named:
                ids.problems.add(path, f"{entrant} 重复。", f"{entrant} stands twice.")
            elif key == "absent" and entrant in here:
                ids.problems.add(
                    path,
                    f"{entrant} 本轮有座位或轮空，不是缺席。",
                    f"{entrant} has a seat or a bye in this round and is not absent.",
                )
            elif key == "reinstated" and entrant in found["absent"]:
                ids.problems.add(
                    path,
                    f"{entrant} 本轮缺席，不能恢复编排。",
                    f"{entrant} is absent in this round and cannot be reinstated.",
                )
            named.add(entrant)
    return replace(part, absent=frozenset(found["absent"]), reinstated=frozenset(found["reinstated"]))


def is_upcoming(part: RoundRecord) -> bool:
    """Whether nothing of the round has been drawn yet."""
    return not part.seated_tables and set(part.byes) == part.requested


def check_presence(event: EventRecord, ids: Ids) -> None:
    """Note who has a seat or a bye before he entered, or after he withdrew."""
    people = {entrant.id: entrant for entrant in event.entrants}
    for stage in event.stages:
        for part in stage.rounds:
            for table in part.seated_tables:
                for seat in table.seats:
                    _check_one(people[seat], part.number, table.path, ids)
            for index, bye in enumerate(part.byes):
                _check_one(people[bye], part.number, f"{part.path}.byes[{index}]", ids)


def _check_one(entrant: Entrant, number: int, path: str, ids: Ids) -> None:
    if number < entrant.enters_in:
        ids.problems.add(
            path,
            f"{entrant.id} 第{entrant.enters_in}轮才开始参赛（enters_in），不能在第{number}轮编排。",
            f"{entrant.id} takes part from round {entrant.enters_in} on (enters_in), not in round {number}.",
        )
    elif entrant.withdrawn_after is not None and number > entrant.withdrawn_after:
        ids.problems.add(
            path,
            f"{entrant.id} 已在第{entrant.withdrawn_after}轮之后退赛（withdrawn_after），不能在第{number}轮编排。",
            f"{entrant.id} withdrew after round {entrant.withdrawn_after} (withdrawn_after), "
            f"and is not in round {number}.",
        )
