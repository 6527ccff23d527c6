"""Draws: the seed's stream, groups of three, later stages, proofs, verification."""

import copy
import hashlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring_engine import event_file
from scoring_engine.pairing.groups_of_three import draw_groups, group_by_order, proof_of
from scoring_engine.pairing.seeds import SeedError, SeedStream, seed_from_hex
from scoring_engine.stages.seeding import from_first_bidder
from scoring_engine.values import EntrantId
from tests.scoring_engine.events import RULES, event, golden, stage

SEED = bytes.fromhex("0001")
IDS = st.lists(st.text(min_size=1, max_size=4), unique=True, max_size=40)


def test_the_stream_is_sha256_of_seed_and_counter() -> None:
    blocks = [hashlib.sha256(SEED + counter.to_bytes(8, "big")).digest() for counter in (0, 1)]
    words = [int.from_bytes(block[start : start + 8], "big") for block in blocks for start in (0, 8, 16, 24)]
    assert words[0] == 0x13C6A7B85FCB0443
    stream = SeedStream(SEED)
    assert [stream.below(2**64) for _ in words] == words


def test_the_published_test_vectors_hold() -> None:
    stream = SeedStream(SEED)
    assert [stream.below(10) for _ in range(8)] == [7, 8, 9, 2, 7, 0, 5, 6]
    assert SeedStream(SEED).shuffle(range(10)) == [9, 8, 2, 6, 0, 1, 3, 5, 4, 7]


def test_a_word_that_would_favour_small_numbers_is_thrown_away() -> None:
    # Half of all words are at or above 2^63 + 1, so a bound of 2^63 + 1 has to reject them.
    bound = 2**63 + 1
    plain = SeedStream(SEED)
    words = [plain.below(2**64) for _ in range(100)]
    accepted = [word for word in words if word < bound]
    assert len(accepted) < len(words)
    stream = SeedStream(SEED)
    assert [stream.below(bound) for _ in accepted] == accepted


@pytest.mark.parametrize("text", ["", "0", "xy", " 00", "00 01", "00\t01", "00\n01", "００"])
def test_a_seed_that_is_not_hexadecimal_is_refused(text: str) -> None:
    with pytest.raises(SeedError):
        seed_from_hex(text)


def test_a_seed_is_read_from_its_hexadecimal_text() -> None:
    assert seed_from_hex("00Ff") == b"\x00\xff"
    with pytest.raises(SeedError):
        SeedStream(b"")
    with pytest.raises(ValueError, match="below 0"):
        SeedStream(SEED).below(0)


def test_a_draw_of_eleven_is_exactly_this_one() -> None:
    draw = draw_groups([EntrantId(f"e{number}") for number in range(1, 12)], SEED)
    assert draw.tables == (("e3", "e8", "e2"), ("e11", "e5", "e6"), ("e4", "e1", "e9"))
    assert draw.direct == ("e7", "e10")


@given(ids=IDS, seed=st.binary(min_size=1, max_size=40), data=st.data())
def test_a_draw_is_a_permutation_that_replays_in_any_input_order(
    ids: list[str], seed: bytes, data: st.DataObject
) -> None:
    entrants = [EntrantId(one) for one in ids]
    draw = draw_groups(entrants, seed)
    drawn = [entrant for table in draw.tables for entrant in table] + list(draw.direct)
    assert sorted(drawn) == sorted(entrants)
    assert all(len(table) == 3 for table in draw.tables)
    assert len(draw.direct) == len(ids) % 3
    assert draw_groups(data.draw(st.permutations(entrants)), seed) == draw


def test_an_entrant_cannot_be_drawn_twice() -> None:
    with pytest.raises(ValueError, match="twice"):
        draw_groups([EntrantId("e1"), EntrantId("e1")], SEED)


@pytest.mark.parametrize(
    ("grouping", "expected"),
    [("blocks", "123 456 789"), ("snake", "167 258 349"), ("deal_out", "147 258 369")],
)
def test_nine_are_grouped_by_their_order(grouping: str, expected: str) -> None:
    groups = group_by_order([EntrantId(digit) for digit in "123456789"], grouping)
    assert " ".join("".join(group) for group in groups) == expected


def test_only_multiples_of_three_are_grouped() -> None:
    with pytest.raises(ValueError, match="tables of three"):
        group_by_order([EntrantId("1")], "blocks")


def played(count: int, **more: Any) -> dict[str, Any]:
    """An event whose drawn prelim has ended without ties."""
    drawn = event_file.pair(event(count), RULES, SEED)
    tables = [
        {"seats": one["entrants"], "totals": [300 + 6 * index, -100 - 3 * index, -200 - 3 * index]}
        for index, one in enumerate(drawn["tables"])
    ]
    draw = {key: drawn[key] for key in ("stage", "round", "seed", "tables", "byes", "proof")}
    draw["entrants"] = [f"e{number}" for number in range(1, count + 1)]
    prelim = stage("prelim", {"tables": tables, "byes": drawn["byes"]})
    return event(count, [prelim], draws=[draw], **more)


@pytest.mark.parametrize("seeding", ["last", "first"])
def test_direct_entrants_are_seeded_last_or_first_in_draw_order(seeding: str) -> None:
    document = played(11, options={"direct_seeding": seeding})
    prelim = event_file.score(document, RULES)["stages"][0]
    drawn = event_file.pair(document, RULES, SEED)
    order = [entrant for table in drawn["tables"] for entrant in table["entrants"]]
    if seeding == "last":
        assert order == prelim["advance"] + prelim["direct"]
    else:
        assert order == prelim["direct"] + prelim["advance"]
    assert all(table["first_bidder"] in table["entrants"] for table in drawn["tables"])


def test_the_way_from_draw_to_medals_pairs_and_verifies_itself() -> None:
    document = played(13)
    for code in ("semifinal", "final"):
        drawn = event_file.pair(document, RULES, b"\x07")
        assert drawn["stage"] == code
        tables = [
            {"seats": one["entrants"], "totals": [60 + 9 * index, -15 - 6 * index, -45 - 3 * index]}
            for index, one in enumerate(drawn["tables"])
        ]
        document["stages"].append(stage(code, {"tables": tables}))
        document["draws"].append(
            {
                "entrants": [entrant for one in drawn["tables"] for entrant in one["entrants"]],
                **{key: drawn[key] for key in ("stage", "round", "seed", "tables", "byes", "proof")},
            }
        )
    answer = event_file.score(document, RULES)
    document["published"] = {"placings": answer["placings"]}
    assert event_file.verify(document, RULES) == []
    over = event_file.pair(document, RULES, SEED)
    assert over["tables"] == []
    assert over["report"]["complete"]
    assert over["needs_ruling"] is None


SEMIFINAL_TABLES = {
    "blocks": ((0, 1, 2), (3, 4, 5), (6, 7, 8)),
    "snake": ((0, 5, 6), (1, 4, 7), (2, 3, 8)),
    "deal_out": ((0, 3, 6), (1, 4, 7), (2, 5, 8)),
}
"""Places in the order of the prelim, from 0 (I-A-4)."""


@pytest.mark.parametrize("grouping", SEMIFINAL_TABLES)
@pytest.mark.parametrize("count", range(9, 61))
def test_any_field_of_nine_or_more_comes_to_a_semifinal_of_nine(count: int, grouping: str) -> None:
    document = played(count, options={"semifinal_grouping": grouping})
    prelim_tables = document["stages"][0]["rounds"][0]["tables"]
    prelim = event_file.score(document, RULES)["stages"][0]
    assert (len(prelim_tables), len(prelim["direct"])) == divmod(count, 3)
    order = prelim["advance"] + prelim["direct"]
    assert len(order) == 9
    drawn = event_file.pair(document, RULES, SEED)
    assert drawn["report"]["method"] == grouping
    wanted = [[order[place] for place in places] for places in SEMIFINAL_TABLES[grouping]]
    assert [table["entrants"] for table in drawn["tables"]] == wanted
    assert event_file.verify(document, RULES) == []


@pytest.mark.parametrize("count", range(3, 9))
def test_fewer_than_nine_are_not_drawn_without_a_ruling(count: int) -> None:
    drawn = event_file.pair(event(count), RULES, SEED)
    assert drawn["tables"] == []
    assert drawn["needs_ruling"]["clause"] == "四(二)初赛"


@pytest.mark.parametrize("turned", [False, True])
def test_a_later_stage_verifies_in_seeding_order_and_from_the_first_bidder_on(turned: bool) -> None:
    document = played(13)
    drawn = event_file.pair(document, RULES, b"\x08")
    tables = [from_first_bidder(tuple(one["entrants"]), one["first_bidder"]) for one in drawn["tables"]]
    assert [list(table) for table in tables] != [one["entrants"] for one in drawn["tables"]]
    if not turned:
        tables = [tuple(one["entrants"]) for one in drawn["tables"]]
    ids = [entrant for table in tables for entrant in table]
    draw = {"stage": "semifinal", "seed": "08", "entrants": ids, "tables": [list(table) for table in tables]}
    draw["proof"] = proof_of(b"\x08", ids, tables, ())
    document["draws"].append(draw)
    seated = [
        {"seats": list(table), "totals": [60 + 9 * index, -20 - 9 * index, -40]}
        for index, table in enumerate(tables)
    ]
    document["stages"].append(stage("semifinal", {"tables": seated}))
    assert event_file.verify(document, RULES) == []
    draw["tables"][0] = draw["tables"][0][::-1]
    paths = [difference.path for difference in event_file.verify(document, RULES)]
    assert "$.draws[1].tables" in paths


def test_a_play_off_that_is_due_is_paired_next() -> None:
    document = event(12, [stage("prelim", {"totals": "tie_9_10"})])
    drawn = event_file.pair(document, RULES, SEED)
    assert (drawn["stage"], drawn["round"]) == ("playoff", 1)
    assert [table["entrants"] for table in drawn["tables"]] == [["e2", "e5", "e6"]]


def test_shared_ranks_of_the_prelim_are_seeded_by_the_draw() -> None:
    tables = [
        {"seats": [f"e{3 * index + seat}" for seat in (1, 2, 3)], "totals": [30, 0, -30]}
        for index in range(3)
    ]
    document = event(9, [stage("prelim", {"tables": tables})])
    seen = set()
    for number in range(8):
        drawn = event_file.pair(document, RULES, bytes([number]))
        assert sorted(drawn["tables"][0]["entrants"]) == ["e1", "e4", "e7"]
        seen.add(tuple(drawn["tables"][0]["entrants"]))
    assert len(seen) > 1


def test_an_unfinished_table_stops_the_next_round_at_its_path() -> None:
    document = played(9)
    table = document["stages"][0]["rounds"][0]["tables"][1]
    del table["game_points"]
    with pytest.raises(event_file.EventFileError) as refused:
        event_file.pair(document, RULES, SEED)
    assert refused.value.path == "$.stages[0].rounds[0].tables[1]"


def test_a_ruling_that_is_needed_stops_the_next_round_with_its_reason() -> None:
    document = event(12, [stage("prelim", {"totals": "tie_9_10_11"})])
    drawn = event_file.pair(document, RULES, SEED)
    assert drawn["tables"] == []
    assert drawn["needs_ruling"]["clause"] == "四(二)初赛"


def test_without_a_seed_one_is_derived_from_the_file() -> None:
    first, second = event_file.pair(event(9), RULES), event_file.pair(event(9), RULES)
    assert first == second
    assert first["report"]["seed_source"] == "derived"
    assert event_file.pair(event(9), RULES, bytes.fromhex(first["seed"]))["tables"] == first["tables"]


def test_the_proof_is_the_hash_of_the_canonical_draw() -> None:
    text = '{"byes":["丁"],"entrants":["丁","丙","乙","甲"],"seed":"0001","tables":[["甲","乙","丙"]]}'
    ids = [EntrantId(name) for name in "甲乙丙丁"]
    assert json.loads(text)["entrants"] == sorted(ids)
    assert proof_of(SEED, ids, [tuple(ids[:3])], ids[3:]) == hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        (["draws", 0, "seed"], "0002", "$.draws[0].tables"),
        (["draws", 0, "byes"], [], "$.draws[0].byes"),
        (["draws", 0, "entrants"], ["e1", "e2", "e3"], "$.draws[0].entrants"),
        (["draws", 0, "proof"], "00", "$.draws[0].proof"),
        (["stages", 0, "rounds", 0, "tables"], [], "$.stages[0].rounds[0].tables"),
    ],
)
def test_a_draw_that_does_not_replay_is_a_difference(path: list[Any], value: Any, expected: str) -> None:
    document = played(10)
    inside: Any = document
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = value
    differences = event_file.verify(document, RULES)
    assert expected in [difference.path for difference in differences]
    assert all(difference.to_json()["message"] for difference in differences)


def test_published_ranks_that_do_not_follow_are_differences() -> None:
    document = played(9)
    placings = copy.deepcopy(event_file.score(document, RULES)["placings"])
    placings[0]["rank"], placings[3]["decided_by"] = 2, "deals_won"
    document["published"] = {"placings": placings[:-1]}
    assert [difference.path for difference in event_file.verify(document, RULES)] == [
        "$.published.placings[0].rank",
        "$.published.placings[3].decided_by",
        "$.published.placings",
    ]


def test_someone_in_the_semifinal_who_did_not_advance_is_a_difference() -> None:
    cases = {case["name"]: case for case in golden("events")["cases"]}
    whole = next(case for name, case in cases.items() if name.startswith("整个比赛"))
    semifinal = copy.deepcopy(whole["stages"]["semifinal"])
    semifinal["tables"][2]["seats"][2] = "e9"
    document = event(12, [stage("prelim", whole["stages"]["prelim"]), stage("semifinal", semifinal)])
    assert [difference.path for difference in event_file.verify(document, RULES)] == ["$.stages[1]"]


def test_two_people_exchanged_by_hand_after_the_draw_of_groups_verify() -> None:
    drawn = event_file.pair(event(10), RULES, SEED)
    tables = [each["entrants"] for each in drawn["tables"]]
    one, other = tables[0][0], tables[1][0]
    seats = [[other, *tables[0][1:]], [one, *tables[1][1:]], tables[2]]
    rows = [{"seats": each, "totals": [30, -10, -20]} for each in seats]
    draw = {key: drawn[key] for key in ("stage", "round", "seed", "tables", "byes", "proof")}
    draw |= {
        "entrants": [f"e{number}" for number in range(1, 11)],
        "repairs": [{"by": "裁判长", "reason": "同一单位", "change": {"swap": [one, other]}}],
        "repaired": {"tables": seats, "byes": drawn["byes"]},
    }
    document = event(10, [stage("prelim", {"tables": rows, "byes": drawn["byes"]})], draws=[draw])
    assert event_file.verify(document, RULES) == []
    draw["repairs"] = [{"by": "裁判长", "reason": "同一单位", "change": {"swap": [one, tables[2][0]]}}]
    assert "$.draws[0].repaired.tables" in [each.path for each in event_file.verify(document, RULES)]
