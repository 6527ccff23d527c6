"""Reading the byes (轮空) of a round of a Swiss event: an id, or `{"entrant": "e4", "kind": "half"}`."""

from collections.abc import Container, Mapping

from scoring_engine.documents import Node
from scoring_engine.event_file.ids import Ids
from scoring_engine.values import EntrantId

_ORDINARY = "bye"


def read_byes(
    node: Node, taken: Container[EntrantId], known: Mapping[str, object], ids: Ids
) -> tuple[tuple[EntrantId, ...], dict[EntrantId, str]]:
    """The byes in order, and the kind of each; `known` are those of the regulation, `taken` who has a seat."""
    byes: list[EntrantId] = []
    kinds: dict[EntrantId, str] = {}
    for place, value in node.items("byes"):
        path, written, kind = place, value, _ORDINARY
        if isinstance(value, Mapping):
            part = Node(value, place, ids.problems)
            kind = part.choice("kind", tuple(known)) or _ORDINARY
            path, written = part.at("entrant"), value.get("entrant")
        bye = ids.known(path, written)
        if bye is None:
            continue
        if bye in taken or bye in kinds:
            ids.problems.add(
                path, f"{bye} 本轮已有座位或已轮空。", f"{bye} already has a seat or a bye in this round."
            )
        byes.append(bye)
        kinds[bye] = kind
    return tuple(byes), kinds
