"""Reading the byes (轮空) of a round: an id, or in a Swiss event also `{"entrant": "e4", "kind": "half"}`."""

from collections.abc import Mapping

from scoring_engine.documents import Node
from scoring_engine.event_file.ids import Ids
from scoring_engine.event_file.seating import Seating
from scoring_engine.values import EntrantId

ORDINARY = "bye"
"""What a bye is called of which a file says nothing else."""


def read_ids_of_byes(node: Node, seating: Seating, ids: Ids) -> None:
    """The byes of a round that are ids alone, noted in its seating."""
    for path, value in node.items("byes"):
        if (bye := ids.known(path, value)) is not None:
            seating.bye(path, bye)


def read_byes(node: Node, seating: Seating, known: Mapping[str, object], ids: Ids) -> dict[EntrantId, str]:
    """The byes of a round, noted in its seating, and the kind of each; `known` are those of the regulation."""
    kinds: dict[EntrantId, str] = {}
    for place, value in node.items("byes"):
        path, written, kind = place, value, ORDINARY
        if isinstance(value, Mapping):
            part = Node(value, place, ids.problems)
            kind = part.choice("kind", tuple(known)) or ORDINARY
            path, written = part.at("entrant"), value.get("entrant")
        bye = ids.known(path, written)
        if bye is None:
            continue
        seating.bye(path, bye)
        kinds[bye] = kind
    return kinds
