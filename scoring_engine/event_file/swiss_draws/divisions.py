"""A published division into groups (组别), drawn again from its seed and held to the group of each entrant."""

from scoring_engine.event_file.differences import Difference, Note, commitment_differences, compare
from scoring_engine.pairing.division import divide
from scoring_engine.pairing.groups_of_three import proof_of
from scoring_engine.records import EventRecord
from scoring_engine.stages.swiss import ruling_on_group_sizes


def division_differences(event: EventRecord) -> list[Difference]:
    """The published division against what its seed gives again, and against the group of each entrant."""
    division = event.division
    if division is None:
        return []
    found = commitment_differences(division)
    late = {one.id for one in event.entrants if one.enters_in > 1 or one.withdrawn_after == 0}
    expected = sorted(entrant.id for entrant in event.entrants if entrant.id not in late)
    found += compare(
        f"{division.path}.entrants",
        "分组的名单",
        "The list that was divided",
        expected,
        sorted(set(division.entrants) - late),
    )
    units = {entrant.id: entrant.unit for entrant in event.entrants}
    again = divide(
        [(member, units[member]) for member in division.entrants],
        (1, max(1, len(division.entrants))),
        division.seed,
        max(1, len(division.groups)),
    )
    drawn = {str(number): list(members) for number, members in enumerate(again.groups, start=1)}
    published = {name: list(members) for name, members in division.groups}
    found += compare(f"{division.path}.groups", "分组", "The division into groups", drawn, published)
    if division.proof is not None:
        proof = proof_of(division.seed, division.entrants, again.groups, ())
        found += compare(
            f"{division.path}.proof", "分组的证明", "The proof of the division", proof, division.proof
        )
    of = {member: name for name, members in drawn.items() for member in members}
    for index, entrant in enumerate(event.entrants):
        name = of.get(entrant.id, entrant.group if entrant.id in late else None)
        found += compare(
            f"$.entrants[{index}].group",
            f"{entrant.id} 的组别",
            f"The group of {entrant.id}",
            name,
            entrant.group,
        )
    return found


def division_notes(event: EventRecord) -> list[Note]:
    """That the groups have not the sizes the text asks for: the committee has ruled so, or nobody noticed (I-B-14)."""
    if event.division is None:
        return []
    sizes: dict[str | None, int] = {name: len(members) for name, members in event.division.groups}
    ruling = ruling_on_group_sizes(event.rules.stages[0], sizes, event.rules)
    if ruling is None:
        return []
    return [Note(event.division.path, ruling.reason, {"rule": "group_size", "clause": ruling.clause})]
