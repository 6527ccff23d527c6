"""Lots (抽签定名次) in an event file: the seed that puts those in order whom nothing else separates, and what it gave.

    "lots": {"seed": "…", "entrants": ["e1", "e2", "e3"], "ties": [["e3", "e1"]], "team_ties": [["u2", "u1"]],
             "proof": "…", "commitment": "…", "committed_at": "…", "entrants_sha256": "…"}

Only the seed must stand there. `entrants` are all who took part, whose lots are drawn in each group by itself; `ties` are
those who were equal, in the order drawn, and `team_ties` the teams; the proof is that of docs/draws.md with the ties, then
the teams, as tables. What was published before is written as of a draw.
"""

from scoring_engine.documents import Node
from scoring_engine.event_file.differences import Difference, commitment_differences, compare, lists
from scoring_engine.event_file.drawn_rounds import read_ids
from scoring_engine.event_file.draws import read_commitment, read_seed
from scoring_engine.event_file.ids import Ids
from scoring_engine.event_file.swiss_games import outcome_of
from scoring_engine.pairing.groups_of_three import proof_of
from scoring_engine.records import EventRecord, LotsRecord
from scoring_engine.rules import Format
from scoring_engine.stages.lots import lots_of
from scoring_engine.stages.teams import members_of
from scoring_engine.values import EntrantId


def read_lots(root: Node, ids: Ids) -> LotsRecord | None:
    """`lots`; None where the file has none, or no seed that can be read."""
    node = root.node("lots") if root.has("lots") else None
    if node is None:
        return None
    seed = read_seed(node)
    entrants = read_ids(node, "entrants", ids)
    ties = tuple(_ties(node, "ties", ids))
    teams = tuple(_ties(node, "team_ties", None))
    proof = node.optional_text("proof")
    committed = read_commitment(node)
    if seed is None:
        return None
    return LotsRecord(seed, entrants, ties, teams, proof, node.path, committed)


def _ties(node: Node, key: str, ids: Ids | None) -> list[tuple[EntrantId, ...]]:
    """Lists of ids under a key: of entrants, or of teams where no `ids` are known."""
    found: list[tuple[EntrantId, ...]] = []
    for path, value in node.items(key):
        if not isinstance(value, list | tuple):
            node.problems.wrong_type(path, list)
            continue
        members: list[EntrantId] = []
        for index, item in enumerate(value):
            place = f"{path}[{index}]"
            known = ids.known(place, item) if ids is not None else _text(node, place, item)
            if known is None:
                continue
            if known in members:
                node.problems.add(place, f"{known} 重复。", f"{known} stands twice.")
            members.append(known)
        found.append(tuple(members))
    return found


def _text(node: Node, path: str, value: object) -> EntrantId | None:
    if isinstance(value, str) and value.strip():
        return EntrantId(value)
    node.problems.wrong_type(path, str)
    return None


def lots_differences(event: EventRecord) -> list[Difference]:
    """The lots drawn again: who was in them, those who were equal in the order drawn, proof and commitment."""
    record = event.lots_drawn
    if record is None:
        return []
    found = commitment_differences(record)
    if event.rules.format is not Format.SWISS:
        return found
    outcome = outcome_of(event)
    groups = [[placing.entrant for placing in group.placings] for group in outcome.groups]
    everybody = sorted(entrant for group in groups for entrant in group)
    if record.entrants:
        found += compare(
            f"{record.path}.entrants", "抽签的名单", "Who the lots are of", everybody, sorted(record.entrants)
        )
    places: dict[EntrantId, int] = {}
    for group in groups:
        places |= lots_of(record.seed, group) or {}
    placings = [placing for group in outcome.groups for placing in group.placings]
    teams = members_of(event.entrants, placings, event.rules.teams) if event.rules.teams else {}
    team_places = lots_of(record.seed, map(EntrantId, teams)) or {}
    for key, ties, lots in (("ties", record.ties, places), ("team_ties", record.team_ties, team_places)):
        drawn = [sorted(tie, key=lambda one: (lots.get(one, 0), one)) for tie in ties]
        found += compare(f"{record.path}.{key}", "抽签的先后", "The order drawn by lot", drawn, lists(ties))
    if record.proof is not None:
        proof = proof_of(record.seed, everybody, [*record.ties, *record.team_ties], ())
        found += compare(f"{record.path}.proof", "抽签证明", "The proof of the lots", proof, record.proof)
    return found
