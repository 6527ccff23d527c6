"""A published division into groups: drawn again from its seed, and held to the group of every entrant."""

import copy
from typing import Any

import pytest

from scoring_engine import event_file
from scoring_engine.pairing.commitments import commitment_of, entrants_sha256
from scoring_engine.pairing.division import divide
from scoring_engine.pairing.groups_of_three import proof_of
from scoring_engine.values import EntrantId, UnitId
from tests.scoring_engine.swiss_events import GO, rules

SEED = bytes(range(32))


def divided(size: int = 44, groups: int | None = None) -> dict[str, Any]:
    """An event of 围棋 before its first round, two of each unit, divided from the seed."""
    people = [(EntrantId(f"e{number}"), UnitId(f"u{number // 2}")) for number in range(1, size + 1)]
    drawn = divide(people, (20, 32), SEED, groups)
    of = {member: str(name) for name, members in enumerate(drawn.groups, start=1) for member in members}
    ids = sorted(of)
    return {
        "format": "saishi-event",
        "version": 1,
        "regulation": GO,
        "entrants": [{"id": one, "unit": unit, "group": of[one]} for one, unit in people],
        "stages": [],
        "division": {
            "stage": "swiss",
            "seed": SEED.hex(),
            "entrants": ids,
            "groups": [
                {"group": str(name), "entrants": list(members)}
                for name, members in enumerate(drawn.groups, start=1)
            ],
            "proof": proof_of(SEED, ids, drawn.groups, ()),
            "commitment": commitment_of(SEED),
            "committed_at": "2021-06-11T18:00:00+08:00",
            "entrants_sha256": entrants_sha256(ids),
        },
    }


def found(document: dict[str, Any]) -> list[str]:
    return [each.path for each in event_file.verify(document, rules(GO))]


@pytest.mark.parametrize(("size", "groups"), [(44, None), (70, None), (100, 5)])
def test_a_division_verifies_and_its_groups_are_paired_apart(size: int, groups: int | None) -> None:
    document = divided(size, groups)
    assert found(document) == []
    assert event_file.notes(document, rules(GO)) == []
    assert event_file.verify_draw(document, rules(GO), "swiss", 0) == []
    answer = event_file.pair(document, rules(GO), b"\x01")
    assert answer["needs_ruling"] is None
    group = {one["id"]: one["group"] for one in document["entrants"]}
    assert all(len({group[seat] for seat in each["entrants"]}) == 1 for each in answer["tables"])


def test_whatever_is_changed_of_a_division_is_found() -> None:
    document = divided()

    def changed(change: Any) -> list[str]:
        other = copy.deepcopy(document)
        change(other)
        return found(other)

    one, two = (each["entrants"] for each in document["division"]["groups"])

    def swap_members(other: dict[str, Any]) -> None:
        other["division"]["groups"][0]["entrants"][0] = two[0]
        other["division"]["groups"][1]["entrants"][0] = one[0]

    assert changed(swap_members) == ["$.division.groups"]
    assert changed(lambda other: other["division"].update(proof="0" * 64)) == ["$.division.proof"]
    assert changed(lambda other: other["division"].update(commitment="0" * 64)) == ["$.division.commitment"]
    at = next(index for index, each in enumerate(document["entrants"]) if each["id"] == one[0])
    moved = changed(lambda other: other["entrants"][at].update(group="2"))
    assert moved == [f"$.entrants[{at}].group"]
    added = changed(lambda other: other["entrants"].append({"id": "e99", "group": "1"}))
    assert added == ["$.division.entrants", "$.entrants[44].group"]
    seeds = changed(lambda other: other["division"].update(seed="ff" * 16))
    assert seeds[:2] == ["$.division.commitment", "$.division.groups"]


def test_who_enters_later_may_be_in_any_group_without_having_been_divided() -> None:
    document = divided()
    document["entrants"].append({"id": "e99", "group": "2", "enters_in": 2})
    assert found(document) == []
    document["entrants"][-1]["group"] = "1"
    assert found(document) == []


def test_groups_of_another_size_are_noted_since_a_committee_may_have_ruled_so() -> None:
    document = divided(40)
    for part in document["division"]["groups"]:
        del part["entrants"][10:]
    kept = sorted(each for part in document["division"]["groups"] for each in part["entrants"])
    (note,) = event_file.notes(
        {**document, "division": {**document["division"], "entrants": kept}}, rules(GO)
    )
    assert note.more["rule"] == "group_size"
    assert "每组应有20至32人" in note.text.zh


def test_a_file_without_a_division_has_none_to_draw_again() -> None:
    document = divided()
    del document["division"]
    with pytest.raises(LookupError):
        event_file.verify_draw(document, rules(GO), "swiss", 0)
