"""When an event is complete, what it waits for, and what of its stages the committee should see."""

from itertools import chain, permutations
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scoring_engine import event_file
from scoring_engine.stages.names import stage_words
from tests.scoring_engine.events import RULES, event, stage

PRELIM = stage("prelim", {"totals": "clear_9"})
SEMIFINAL_TABLES = [
    {"seats": ["e1", "e4", "e7"], "totals": [10, 40, -50]},
    {"seats": ["e8", "e5", "e2"], "totals": [30, 3, -33]},
    {"seats": ["e9", "e6", "e3"], "totals": [21, -9, -12]},
]
FINAL_TABLE = {"seats": ["e4", "e8", "e9"], "totals": [-30, 3, 27]}
SEMIFINAL = stage("semifinal", {"tables": SEMIFINAL_TABLES})
FINAL = stage("final", {"tables": [FINAL_TABLE]})
TIED = stage("prelim", {"totals": "tie_9_10"})  # e2 and e5 are tied for the ninth place, e6 is the eleventh


def scored(entrants: int, *stages: dict[str, Any], **more: Any) -> dict[str, Any]:
    return event_file.score(event(entrants, list(stages), **more), RULES)


def reasons(answer: dict[str, Any], code: str) -> list[str]:
    part = next(part for part in answer["stages"] if part["code"] == code)
    assert all(note["clause"] and note["reason_en"] for note in part["notes"])
    return [note["reason"] for note in part["notes"]]


def winners(answer: dict[str, Any]) -> list[str]:
    return [entrant for prize in answer["prizes"] for entrant in prize["entrants"]]


def test_an_event_of_all_stages_is_complete_and_over() -> None:
    answer = scored(9, PRELIM, SEMIFINAL, FINAL)
    assert answer["complete"]
    assert answer["next"] == {"step": "over", "stage": "final", "entrants": [], "needs_ruling": None}
    assert winners(answer)[0] == "e9"
    assert [note for part in answer["stages"] for note in part["notes"]] == []


@pytest.mark.parametrize(
    ("stages", "waits_for"),
    [
        ([FINAL], "prelim"),
        ([SEMIFINAL, FINAL], "prelim"),
        ([PRELIM, FINAL], "semifinal"),
        ([PRELIM, stage("semifinal", {"tables": SEMIFINAL_TABLES[:2]}), FINAL], "semifinal"),
        ([stage("prelim", {"tables": []}), SEMIFINAL, FINAL], "prelim"),
    ],
)
def test_no_medal_is_given_while_a_stage_before_is_missing(
    stages: list[dict[str, Any]], waits_for: str
) -> None:
    answer = scored(9, *stages)
    assert not answer["complete"]
    assert winners(answer) == []
    assert (answer["next"]["step"], answer["next"]["stage"]) == ("sheets", waits_for)
    assert answer["placings"][0]["entrant"] == "e9"  # scored all the same
    with pytest.raises(event_file.EventFileError, match=f"{stage_words(waits_for)}还没有打完"):
        event_file.pair(event(9, stages), RULES)


def test_a_semifinal_with_a_table_missing_sends_nobody_on() -> None:
    answer = scored(9, PRELIM, stage("semifinal", {"tables": SEMIFINAL_TABLES[:1]}))
    assert answer["stages"][1]["advance"] == []
    assert not answer["stages"][1]["complete"]
    assert reasons(answer, "semifinal") == ["e2、e3、e5、e6、e8、e9已晋级本阶段，但没有座位，请核对。"]


def test_a_table_still_running_keeps_an_event_open_although_the_final_is_played() -> None:
    tables = [*SEMIFINAL_TABLES[:2], {"seats": ["e9", "e6", "e3"], "deals": ["0L3"]}]
    answer = scored(9, PRELIM, stage("semifinal", {"tables": tables}), FINAL)
    assert not answer["complete"]
    assert reasons(answer, "final") == ["上一阶段还没有打完，本阶段已有座位；名次暂定。"]


def test_a_play_off_that_was_not_played_keeps_an_event_open_and_is_what_comes_next() -> None:
    semifinal = stage(
        "semifinal",
        {
            "tables": [
                {"seats": ["e1", "e4", "e7"], "totals": [10, 40, -50]},
                {"seats": ["e10", "e11", "e8"], "totals": [30, 3, -33]},
                {"seats": ["e9", "e2", "e12"], "totals": [21, -9, -12]},
            ]
        },
    )
    final = stage("final", {"tables": [{"seats": ["e4", "e10", "e9"], "totals": [-30, 3, 27]}]})
    answer = scored(12, TIED, semifinal, final)
    assert not answer["complete"]
    assert answer["next"]["step"] == "playoff"
    assert answer["next"]["entrants"] == [["e2"], ["e5"], ["e6"]]
    drawn = event_file.pair(event(12, [TIED, semifinal, final]), RULES, b"\x01")
    assert (drawn["stage"], drawn["tables"][0]["entrants"]) == ("playoff", ["e2", "e5", "e6"])


def test_a_question_answered_by_seating_the_next_stage_is_closed() -> None:
    tied = stage("prelim", {"totals": "tie_9_10_11"})
    assert scored(12, tied)["next"]["step"] == "ruling"
    first = [placing["entrant"] for placing in scored(12, tied)["stages"][0]["placings"]][:9]
    tables = [{"seats": first[at : at + 3], "totals": [30 - at, 0, at - 30]} for at in (0, 3, 6)]
    final = stage("final", {"tables": [{"seats": [first[0], first[3], first[6]], "totals": [9, 0, -9]}]})
    answer = scored(12, tied, stage("semifinal", {"tables": tables}), final)
    assert answer["complete"]
    assert reasons(answer, "semifinal") == []


def test_a_small_field_may_start_later_as_the_committee_ruled() -> None:
    three = stage("final", {"tables": [{"seats": ["e1", "e2", "e3"], "totals": [24, 0, -24]}]})
    assert scored(3, three)["complete"]
    assert winners(scored(3, three)) == ["e1", "e2", "e3"]
    six = stage(
        "semifinal",
        {
            "tables": [
                {"seats": ["e1", "e2", "e3"], "totals": [30, 0, -30]},
                {"seats": ["e4", "e5", "e6"], "totals": [24, 3, -27]},
            ]
        },
    )
    waiting = scored(6, six)
    assert (waiting["next"]["step"], waiting["next"]["entrants"]) == ("stage", [["e1"], ["e4"], ["e5"]])
    final = stage("final", {"tables": [{"seats": ["e1", "e4", "e5"], "totals": [24, 0, -24]}]})
    answer = scored(6, six, final)
    assert answer["complete"]
    assert reasons(answer, "final") == []


def test_a_small_field_of_which_some_never_sat_down_is_not_complete() -> None:
    final = stage("final", {"tables": [{"seats": ["e1", "e2", "e3"], "totals": [24, 0, -24]}]})
    answer = scored(6, final)
    assert not answer["complete"]
    assert winners(answer) == []
    assert answer["next"]["step"] == "ruling"
    assert answer["next"]["needs_ruling"]["clause"] == "四(二)初赛"


def test_what_comes_next_is_said_once_for_score_and_pair() -> None:
    steps = [
        (scored(9), event(9)),
        (scored(9, PRELIM), event(9, [PRELIM])),
        (scored(12, TIED), event(12, [TIED])),
        (scored(9, PRELIM, SEMIFINAL), event(9, [PRELIM, SEMIFINAL])),
    ]
    shown = [(answer["next"]["step"], answer["next"]["stage"]) for answer, _ in steps]
    assert shown == [
        ("first_draw", "prelim"),
        ("stage", "semifinal"),
        ("playoff", "prelim"),
        ("stage", "final"),
    ]
    for answer, document in steps:
        drawn = event_file.pair(document, RULES, b"\x07")
        expected = "playoff" if answer["next"]["step"] == "playoff" else answer["next"]["stage"]
        assert drawn["stage"] == expected


@pytest.mark.parametrize("choice", ["last", "first"])
def test_the_next_stage_is_announced_in_the_order_it_is_seeded(choice: str) -> None:
    """Ranks of their own keep their place under every seed; a shared rank is one group (I-A-5)."""
    tables = [
        {"seats": ["e1", "e2", "e3"], "totals": [30, 0, -30]},
        {"seats": ["e4", "e5", "e6"], "totals": [24, 6, -30]},
        {"seats": ["e7", "e8", "e9"], "totals": [6, 3, -9]},
    ]
    options = {"direct_seeding": choice, "semifinal_grouping": "blocks"}
    document = event(11, [stage("prelim", {"tables": tables, "byes": ["e11", "e10"]})], options=options)
    groups = event_file.score(document, RULES)["next"]["entrants"]
    ranked = [["e1"], ["e4"], ["e5", "e7"], ["e8"], ["e2"], ["e9"]]
    assert groups == ([["e11"], ["e10"], *ranked] if choice == "first" else [*ranked, ["e11"], ["e10"]])
    orders = set()
    for number in range(8):
        drawn = event_file.pair(document, RULES, bytes([number]))
        order = [entrant for table in drawn["tables"] for entrant in table["entrants"]]
        orders.add(tuple(order))
        at = 0
        for group in groups:
            assert sorted(order[at : at + len(group)]) == group
            at += len(group)
    assert len(orders) == 2


def test_who_did_not_qualify_but_sits_in_the_next_stage_is_noted_and_scored() -> None:
    final = stage("final", {"tables": [{"seats": ["e4", "e8", "e1"], "totals": [-30, 3, 27]}]})
    answer = scored(9, PRELIM, SEMIFINAL, final)
    assert reasons(answer, "final") == [
        "e1没有从上一阶段晋级，却坐在本阶段；成绩照记，请核对。",
        "e9已晋级本阶段，但没有座位，请核对。",
    ]
    assert answer["placings"][0]["entrant"] == "e1"


def test_a_final_at_two_tables_is_noted_and_scored() -> None:
    second = {"seats": ["e1", "e5", "e6"], "totals": [60, 0, -60]}
    answer = scored(9, PRELIM, SEMIFINAL, stage("final", {"tables": [FINAL_TABLE, second]}))
    assert reasons(answer, "final")[0].startswith("决赛只有一桌，这里有2桌")
    assert answer["placings"][0]["entrant"] == "e1"


def test_a_needless_play_off_is_noted_and_changes_nothing() -> None:
    playoff = stage("playoff", {"tables": [{"seats": ["e1", "e2", "e3"], "deals": ["2L3", "2L3", "2L3"]}]})
    answer = scored(9, PRELIM, SEMIFINAL, FINAL, playoff)
    assert reasons(answer, "playoff") == ["加赛第1轮第1桌不属于任何需要加赛的并列，没有改变名次。"]
    assert answer["stages"][-1]["playoffs"][0]["places"] == 0
    assert answer["placings"] == scored(9, PRELIM, SEMIFINAL, FINAL)["placings"]


def test_a_play_off_that_a_tie_asked_for_is_not_noted() -> None:
    playoff = stage("playoff", {"tables": [{"seats": ["e6", "e2", "e5"], "deals": ["0L3", "0L3", "-"]}]})
    assert reasons(scored(12, TIED, playoff), "playoff") == []


THREE = st.tuples(st.integers(-3, 3), st.integers(-3, 3)).map(lambda two: [*two, -sum(two)])


@settings(max_examples=100, deadline=None)
@given(
    totals=st.lists(THREE, min_size=7, max_size=7),
    sits=st.permutations([f"e{number}" for number in range(1, 10)]),
    played=st.integers(1, 3),
)
def test_at_every_point_of_an_event_ranks_follow_the_last_stage_each_has_a_score_in(
    totals: list[list[int]], sits: list[str], played: int
) -> None:
    tables: list[list[dict[str, Any]]] = [
        [{"seats": sits[first : first + 3], "totals": totals[first // 3]} for first in (0, 3, 6)],
        [{"seats": sits[first::3], "totals": totals[3 + first]} for first in (0, 1, 2)],
        [{"seats": sits[:3], "totals": totals[6]}],
    ]
    codes = ("prelim", "semifinal", "final")[:played]
    answer = scored(9, *(stage(code, {"tables": each}) for code, each in zip(codes, tables, strict=False)))
    last: dict[str, tuple[int, int]] = {}
    for number, each in enumerate(tables[:played]):
        for table in each:
            last |= {
                seat: (number, total) for seat, total in zip(table["seats"], table["totals"], strict=True)
            }
    ranks = {seat: 1 + sum(other > own for other in last.values()) for seat, own in last.items()}
    assert {placing["entrant"]: placing["rank"] for placing in answer["placings"]} == ranks
    for placing in answer["placings"]:
        assert placing["shared"] == (list(ranks.values()).count(placing["rank"]) > 1)


def of_totals(totals: list[list[int]], byes: list[str]) -> dict[str, Any]:
    """A prelim: e1, e2 and e3 at the first table, and so on."""
    tables = [
        {"seats": [f"e{3 * index + seat}" for seat in (1, 2, 3)], "totals": three}
        for index, three in enumerate(totals)
    ]
    return stage("prelim", {"tables": tables, "byes": byes})


@settings(max_examples=150, deadline=None)
@given(totals=st.lists(THREE, min_size=4, max_size=6), byes=st.integers(0, 2))
@example(totals=[[60, -12, -48], [54, -12, -42], [15, -6, -9], [19, -8, -11]], byes=0)
@example(totals=[[30, 6, -36], [24, 6, -30], [9, 6, -15], [12, 6, -18]], byes=2)
@example(totals=[[30, 0, -30]] * 4, byes=1)
def test_who_is_sure_to_go_on_does_so_however_the_play_off_ends(totals: list[list[int]], byes: int) -> None:
    """Sure is who has fewer others level with him or ahead than there are places."""
    count = 3 * len(totals) + byes
    direct = [f"e{number}" for number in range(count, count - byes, -1)]
    prelim = of_totals(totals, direct)
    answer = scored(count, prelim)
    own = {f"e{index + 1}": total for index, total in enumerate(chain.from_iterable(totals))}
    rivals = {one: sum(total >= own[one] for total in own.values()) - 1 for one in own}
    part = answer["stages"][0]
    assert set(part["advance"]) == {one for one in own if rivals[one] < 9 - byes}
    assert [own[one] for one in part["advance"]] == sorted(
        (own[one] for one in part["advance"]), reverse=True
    )
    assert part["complete"] == (len(part["advance"]) == 9 - byes)
    if part["complete"]:
        assert part["playoffs"] == []
        return
    assert bool(part["playoffs"]) != bool(part["needs_ruling"])
    assert answer["next"]["step"] == ("playoff" if part["playoffs"] else "ruling")
    for playoff in part["playoffs"]:
        for order in permutations(playoff["entrants"]):
            table = {"seats": order, "totals": [9, 0, -9]}
            settled = scored(count, prelim, stage("playoff", {"tables": [table]}))["stages"][0]
            assert settled["complete"]
            assert settled["playoffs"][0]["winners"] == list(order[: playoff["places"]])
            assert settled["advance"] == part["advance"] + list(order[: playoff["places"]])


@settings(max_examples=60, deadline=None)
@given(totals=st.lists(THREE, min_size=4, max_size=6), open_table=st.integers(0, 5))
def test_nobody_is_sure_to_go_on_while_a_sheet_of_the_stage_is_open(
    totals: list[list[int]], open_table: int
) -> None:
    prelim = of_totals(totals, [])
    table = prelim["rounds"][0]["tables"][open_table % len(totals)]
    del table["game_points"]
    part = scored(3 * len(totals), prelim)["stages"][0]
    assert (part["advance"], part["complete"], part["playoffs"]) == ([], False, [])


def test_no_semifinal_of_those_sure_to_go_on_passes_for_the_draw_while_the_tie_is_open() -> None:
    """Six are clear of a tie of six for three places: two tables would be full without them."""
    totals = [[30, 27, -57], [24, 21, -45], [18, 15, -33], [0, 0, 0], [0, 0, 0]]
    prelim = of_totals(totals, [])
    answer = scored(15, prelim)
    sure = ["e1", "e2", "e4", "e5", "e7", "e8"]
    assert answer["stages"][0]["advance"] == sure
    assert answer["next"]["step"] == "ruling"
    assert event_file.pair(event(15, [prelim]), RULES, b"\x01")["tables"] == []
    draw = {"stage": "semifinal", "seed": "01", "entrants": sure, "tables": [sure[:3], sure[3:]]}
    document = event(15, [prelim], draws=[draw])
    assert [each.path for each in event_file.verify(document, RULES)] == ["$.draws[0].tables"]
