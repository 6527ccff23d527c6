"""The judge's answers are the engine's: every golden value, asked as the page asks it, by the shipped regulations."""

from __future__ import annotations

from typing import Any

import pytest

from app.errors import InvalidError, NotFoundError
from app.judge.rules.keypad import DIGITS, keypad, pressed
from app.judge.rules.questions import OTHERS, QUESTIONS, question_of
from app.judge.rules.verdicts import Verdict, verdict
from app.judge.schemas import QuestionSchema
from app.regulations import library
from app.regulations.rules import Regulation
from app.web.forms import load
from tests.scoring_engine.events import golden

IDS = {"A": "beach-games-landlord-2021", "C": "baiyun-tractor-2016", "D": "siming-eighty-2023"}
PLAYS, TRICKS, LEVELS = golden("plays"), golden("trick_questions"), golden("tractor_levels")


def regulation(text: str, options: dict[str, Any] | None = None) -> Regulation:
    found = library.load(IDS[text])
    return found.with_changes(options=options) if options else found


def asked(text: str, code: str, options: dict[str, Any] | None = None, **values: Any) -> Verdict:
    """The verdict on a form with these fields."""
    by = regulation(text, options)
    return verdict(by, question_of(by.game, code), load(QuestionSchema, values))


def wrong(text: str, code: str, **values: Any) -> dict[str, str]:
    """The sentence beside each field of a form that cannot be judged."""
    with pytest.raises(InvalidError) as refused:
        asked(text, code, **values)
    return {name: str(said) for name, said in refused.value.fields.items()}


@pytest.mark.parametrize("case", PLAYS["legal"], ids=lambda case: case["play"])
def test_every_golden_combination_is_legal_with_its_clause(case: dict[str, Any]) -> None:
    found = asked("A", "play", play=case["play"])
    assert (found.tone, found.clauses) == ("yes", (case["clause"],))
    assert str(found.headline).startswith("合法：")
    if "kind" in case:
        assert found.answer["kind"] == case["kind"]


@pytest.mark.parametrize("case", PLAYS["illegal"], ids=lambda case: case["play"])
def test_every_golden_play_that_is_none_says_why(case: dict[str, Any]) -> None:
    if case["clause"] is None:  # no cards of one pack: that stands beside the row
        assert case["says"] in wrong("A", "play", play=case["play"])["play"]
        return
    found = asked("A", "play", play=case["play"])
    assert (found.tone, str(found.headline), found.clauses) == ("no", "不是合法牌型", (case["clause"],))
    assert case["says"] in str(found.reason)


@pytest.mark.parametrize("case", PLAYS["beats"], ids=lambda case: f"{case['play']} > {case['other']}")
def test_every_golden_comparison(case: dict[str, Any]) -> None:
    found = asked("A", "play", play=case["play"], other=case["other"])
    assert found.tone == ("yes" if case["beats"] else "no")
    assert str(found.headline).startswith("管得上：" if case["beats"] else "管不上")
    assert found.clauses == (case["clause"],)


def test_a_play_against_no_combination_says_which_row_it_is() -> None:
    found = asked("A", "play", play="55", other="333444+BR")
    assert (found.tone, str(found.headline), found.interpretation) == ("no", "要管的牌不是合法牌型", "I-A-7")


def test_chinese_names_of_the_jokers_are_read() -> None:
    assert asked("A", "play", play="大王 小王", other="2222").answer["kind"] == "rocket"
    assert str(asked("A", "play", play="大王", other="小王").headline) == "管得上：单牌"


def test_cards_that_are_none_are_said_beside_their_row() -> None:
    assert wrong("A", "play", other="44") == {"play": "请先点牌。"}
    assert set(wrong("A", "play", play="33333", other="x")) == {"play", "other"}
    assert "一副牌只有4张" in wrong("A", "play", play="33333")["play"]


def form(question: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """A golden question as the fields of the page."""
    values = {key: value for key, value in question.items() if key not in ("others", "follows")}
    for key in ("others", "follows"):
        values |= dict(zip(OTHERS, question.get(key, ()), strict=False))
    for key in ("play", "lead"):
        if isinstance(values.get(key), list):
            values[key] = " / ".join(map(str, values[key]))
    if "follows" in question:
        return "trick", values
    if "lead" in question:
        return ("follow" if "play" in question else "duty"), values
    return "lead", values


@pytest.mark.parametrize("case", TRICKS["questions"], ids=lambda case: case["name"])
def test_every_golden_question_about_a_trick(case: dict[str, Any]) -> None:
    code, values = form(case["question"])
    found = asked(case["text"], code, case.get("options"), **values)
    assert {key: found.answer[key] for key in case["answer"]} == case["answer"]
    assert found.tone == {True: "yes", False: "no", None: "says"}[found.answer["legal"]]
    assert "、".join(found.clauses) == found.answer["clause"]
    assert str(found.headline)


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("没有问什么", {"play"}),
        ("拖拉机没有降级的规定", {"lowered"}),
        ("降级时须说明问的是哪一家", {"player"}),
        ("读不出的牌", {"hand"}),
        ("没有写牌", {"play"}),
        ("领出的牌本身不合规", {"lead"}),
        ("手牌比领出的少", {"hand"}),
        ("主花色、级数都读不出", {"trump", "level"}),
        ("三副牌没有四张黑桃A", set()),
    ],
)
def test_what_cannot_be_judged_of_a_trick_stands_beside_its_field(name: str, fields: set[str]) -> None:
    (case,) = (case for case in TRICKS["refused"] if case["name"] == name)
    code, values = form(case["question"])
    assert set(wrong(case["text"], code, **values)) == fields


def test_a_throw_is_checked_against_three_hands_or_none() -> None:
    given = {"trump": "♥", "level": "2", "play": "♠AA / ♠K"}
    assert str(asked("C", "lead", **given).headline) == "可以甩出，三家未核对"
    assert set(wrong("C", "lead", next="♠34", **given)) == {"partner", "before"}
    unreadable = wrong("C", "lead", next="♠34", partner="♦3", before="zz", **given)
    assert set(unreadable) == {"before"}


def test_the_bottom_of_the_last_trick_needs_the_banker_and_its_cards() -> None:
    trick = {"trump": "♥", "level": "2", "lead": "♠5", "next": "♠6", "partner": "♠7", "before": "♠8"}
    assert str(asked("C", "trick", **trick).headline) == "上家大"
    assert set(wrong("C", "trick", bottom="♠3", **trick)) == {"banker"}
    assert set(wrong("C", "trick", banker=0, **trick)) == {"bottom"}
    assert "6张" in wrong("C", "trick", banker=0, bottom="♠3", **trick)["bottom"]
    assert "第" in wrong("C", "trick", **trick | {"partner": "x"})["partner"]
    dug = asked("C", "trick", banker=0, bottom="♠10 ♠K ♦5 ♣346", **trick)
    assert str(dug.headline) == "上家大，抠底 2 倍：50 分"


@pytest.mark.parametrize("case", LEVELS["results"], ids=lambda case: f"{case['text']} {case['name']}")
def test_every_golden_row_of_the_level_tables(case: dict[str, Any]) -> None:
    found = asked(case["text"], "levels", banker_level="3", defenders_level="4", points=case["points"])
    assert found.answer["levels"] == case["levels"]
    assert found.answer["clause"] == case["clause"] or case["clause"].startswith("I-")
    side = case["side"]
    assert found.answer["up"] == (side if case["levels"] else None)
    assert found.answer["bank"] == side


POSSIBLE = [case for case in LEVELS["bottoms"] if "total" in case]


@pytest.mark.parametrize("case", POSSIBLE, ids=lambda case: f"{case['text']} {case['name']}")
def test_every_golden_bottom_is_added_to_the_points(case: dict[str, Any]) -> None:
    values = {"points": case["taken"], "bottom_points": case["points"]} | {
        key: case[key] for key in ("unit", "size") if key in case
    }
    found = asked(case["text"], "levels", banker_level="3", defenders_level="4", **values)
    assert found.answer["defenders_points"] == str(case["total"])


IMPOSSIBLE = [
    case for case in LEVELS["bottoms"] if case.get("fault") in ("points", "unit") and case["points"] >= 0
]


@pytest.mark.parametrize("case", IMPOSSIBLE, ids=lambda case: f"{case['text']} {case['name']}")
def test_every_golden_bottom_that_cannot_be_stands_beside_its_field(case: dict[str, Any]) -> None:
    values = {"points": case["taken"], "bottom_points": case["points"], "unit": case["unit"]}
    field = {"points": "bottom_points", "unit": "unit"}[case["fault"]]
    assert field in wrong(case["text"], "levels", banker_level="3", defenders_level="4", **values)


@pytest.mark.parametrize(
    ("text", "values", "words"),
    [
        ("C", {"points": 115}, "庄家升 1 级，打 3"),
        ("C", {"points": 120}, "防家上台，不升级"),
        ("C", {"points": 180}, "防家上台，升 1 级，打 6"),
        ("C", {"points": 70, "unit": "pair_run", "bottom_points": 10, "size": 2}, "防家上台，不升级"),
        (
            "C",
            {"points": 60, "unit": "triple_run", "bottom_points": 20, "size": 3},
            "防家上台，升 1 级，打 6",
        ),
        ("D", {"points": 70, "unit": "pair", "bottom_points": 10}, "旁家上台，升 2 级，打 7"),
        ("D", {"points": 40, "unit": "single", "bottom_points": 15}, "庄家升 1 级，打 3"),
        ("D", {"points": 0}, "庄家升 6 级，打 8"),
        ("D", {"points": 260}, "旁家上台，升 8 级，打 K"),
        ("D", {"points": -40}, "庄家升 6 级，打 8"),
    ],
)
def test_levels_are_said_in_words(text: str, values: dict[str, Any], words: str) -> None:
    found = asked(text, "levels", banker_level="2", defenders_level="5", **values)
    assert str(found.headline) == words


def test_who_banks_next_follows_the_text() -> None:
    def told(text: str, points: int) -> str:
        found = asked(text, "levels", banker_level="5", defenders_level="7", points=points)
        return str(found.notes[0][0])

    assert told("C", 0) == "下一副由庄家一方坐庄：庄家的对家接庄"
    assert told("D", 0) == "下一副由庄家一方坐庄：同一人连庄"
    assert told("C", 120) == "下一副由防家坐庄：庄家的下家"
    assert told("D", 80) == "下一副由旁家坐庄：庄家的下家"


def test_a_level_that_must_be_played_holds_the_defenders_back() -> None:
    found = asked("D", "levels", banker_level="5", defenders_level="2", points=95)
    assert (found.answer["levels"], found.answer["up"], found.answer["bank"]) == (0, None, "defenders")
    assert "必打" in str(found.headline)
    free = asked("D", "levels", {"must_play": "free"}, banker_level="5", defenders_level="2", points=95)
    assert free.answer["levels"] == 1


def test_passing_a_ends_the_match() -> None:
    found = asked("C", "levels", banker_level="A", defenders_level="7", points=0)
    assert found.answer["past_a"] is True
    assert str(found.notes[0][0]) == "打过 A，比赛结束。"


def test_points_that_only_penalties_explain_are_judged_with_a_note() -> None:
    found = asked("C", "levels", banker_level="2", defenders_level="2", points=-20)
    assert (found.answer["up"], found.answer["levels"]) == ("banker", 3)
    assert any("请核对记分表" in str(text) for text, _ in found.notes)


@pytest.mark.parametrize(
    ("values", "fields"),
    [
        ({}, {"banker_level", "defenders_level", "points"}),
        ({"points": 7}, {"points"}),
        ({"points": 9000}, {"points"}),
        ({"points": 70, "unit": "pair"}, {"bottom_points"}),
        ({"points": 70, "unit": "pair_run"}, {"bottom_points", "size"}),
        ({"points": 70, "unit": "pair", "bottom_points": 500}, {"bottom_points"}),
        ({"points": 70, "unit": "pair_run", "bottom_points": 10, "size": 40}, {"size"}),
    ],
)
def test_a_deal_that_cannot_be_is_said_beside_its_field(values: dict[str, Any], fields: set[str]) -> None:
    stands = {"banker_level": "2", "defenders_level": "2"} if values else {}
    assert set(wrong("C", "levels", **stands, **values)) == fields


def test_two_packs_have_no_triples_to_dig_with() -> None:
    stands = {"banker_level": "2", "defenders_level": "2", "points": 70, "bottom_points": 10}
    assert "2副牌没有刻子" in wrong("D", "levels", unit="triple", **stands)["unit"]


def test_board_games_have_no_question() -> None:
    for game in ("go", "xiangqi"):
        assert game not in QUESTIONS
        with pytest.raises(NotFoundError, match="没有牌可判"):
            question_of(game, None)
    with pytest.raises(NotFoundError):
        question_of("landlord", "levels")


def test_keys_write_cards_and_take_them_back() -> None:
    pad = keypad(3, suited=True, language="zh")

    def after(*keys: str, text: str = "", suit: str = "♥") -> str:
        for key in keys:
            text = pressed(text, key, pad, suit=suit, row="play")
        return text

    assert after("card:10", "card:10", "unit", "card:大王") == "♥10 ♥10 / 大王"
    assert after("undo", "undo", "undo", "undo", text="♥10 ♥10 / 大王") == ""
    assert after("clear", text="♥10") == ""
    assert after("undo", text="♠444") == "♠44"
    with pytest.raises(InvalidError, match="只有 3 张 ♥5"):
        after(*["card:5"] * 4)
    for key, suit in (("card:1", "♥"), ("card:5", "x"), ("minus", "♥"), ("?", "♥")):
        with pytest.raises(InvalidError):
            after(key, suit=suit)


def test_a_rank_of_one_pack_is_tapped_four_times_and_a_joker_once() -> None:
    pad = keypad(1, suited=False, language="en")
    with pytest.raises(InvalidError):
        pressed("3 3 3 3", "card:3", pad, suit="", row="play")
    with pytest.raises(InvalidError):
        pressed("R", "card:R", pad, suit="", row="play")


def test_digits_make_a_number_with_a_sign() -> None:
    text = ""
    for key in ("card:1", "card:2", "card:0", "minus"):
        text = pressed(text, key, DIGITS, suit="", row="points")
    assert text == "-120"
    assert pressed(text, "minus", DIGITS, suit="", row="points") == "120"
    assert pressed("110", "undo", DIGITS, suit="", row="points") == "11"
    assert pressed("99999", "card:1", DIGITS, suit="", row="points") == "99999"
