"""The pages of the judge without JavaScript, in both languages: each tap is a request, and nothing typed is lost."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from flask.testing import FlaskClient

from app.judge.schemas import LONGEST_ROW
from app.regulations import library
from tests.app.judge.conftest import Held
from tests.html_forms import Form, forms

A, C, D = "beach-games-landlord-2021", "baiyun-tractor-2016", "siming-eighty-2023"
BOARD = ["dongcheng-go-2021", "dongcheng-xiangqi-2021"]
PAGE = "/c/judged/judge"
CHINESE = re.compile("[一-鿿]")


def judge_form(text: str) -> Form:
    (form,) = (form for form in forms(text) if ("press", "ask") in form.buttons)
    return form


class Phone:
    """A browser without JavaScript: it presses the buttons of the form it was shown."""

    def __init__(self, client: FlaskClient, address: str) -> None:
        self.client = client
        self.open(address)

    def open(self, address: str) -> None:
        answer = self.client.get(address)
        self.status, self.text = answer.status_code, answer.text
        self.form = judge_form(self.text)

    def press(self, key: str, **changes: str) -> None:
        assert ("press", key) in self.form.buttons
        answer = self.client.get(self.form.action, query_string=self.form.sent(**changes) | {"press": [key]})
        self.status, self.text = answer.status_code, answer.text
        self.form = judge_form(self.text)

    def field(self, name: str) -> str:
        return dict(self.form.fields)[name]

    @property
    def words(self) -> str:
        """The big words of the answer."""
        (found,) = re.findall(r'judge-verdict__words">([^<]*)<', self.text)
        return unescape(found)

    @property
    def clauses(self) -> set[str]:
        verdict = self.text.partition("data-verdict")[2].partition("</section>")[0]
        return {unquote(each) for each in re.findall(r'/c/judged/regulation#(clause-[^"]+)', verdict)}

    @property
    def errors(self) -> dict[str, str]:
        return dict(re.findall(r'id="f-(\w+)-error">([^<]*)<', self.text))


def test_cards_are_tapped_one_by_one_and_judged(client: FlaskClient, held: Held) -> None:
    held(A)
    phone = Phone(client, PAGE)
    for card in ("3", "3", "3", "4"):
        phone.press(f"card:{card}")
    assert phone.field("play") == "3 3 3 4"
    phone.press("ask")
    assert (phone.status, phone.words) == (200, "合法：三带单")
    assert phone.clauses == {"clause-四(二)比赛通则4"}
    for card in ("10", "10", "10", "K", "K"):
        phone.press(f"card:{card}", active="other")
    phone.press("undo", active="other")
    assert (phone.field("play"), phone.field("other")) == ("3 3 3 4", "10 10 10 K")
    phone.press("ask")
    assert phone.words == "管不上"
    phone.press("clear", active="other")
    assert (phone.field("play"), phone.field("other")) == ("3 3 3 4", "")


def test_no_more_of_a_card_than_the_pack_has(client: FlaskClient, held: Held) -> None:
    held(A)
    phone = Phone(client, f"{PAGE}?play=3 3 3 3&active=play")
    phone.press("card:3")
    assert (phone.status, phone.field("play")) == (422, "3 3 3 3")
    assert "只有 4 张" in phone.errors["play"]


def test_each_clause_that_is_linked_stands_on_the_rules_page(client: FlaskClient, held: Held) -> None:
    held(C)
    ids = set(re.findall(r'id="([^"]+)"', client.get("/c/judged/regulation").text))
    asked = "trump=♠&level=7&press=ask"
    found: set[str] = set()
    for question in (
        "ask=lead&play=♥5566",
        "ask=lead&play=♥5 ♦5",
        "ask=lead&play=♥55/♥6&next=♥77&partner=♦3&before=♦4",
        "ask=duty&lead=♥5566&hand=♥334488 ♦9",
        "ask=follow&lead=♥5566&hand=♥334488 ♦9&play=♥3388",
        "ask=trick&lead=♥55&next=♥66&partner=♠33&before=♦44&banker=0&bottom=♥10 ♥K ♦5 ♣346",
        "ask=levels&banker_level=2&defenders_level=2&points=70&unit=pair_run&size=2&bottom_points=20",
    ):
        phone = Phone(client, f"{PAGE}?{question}&{asked}")
        assert phone.status == 200, question
        assert phone.clauses
        found |= phone.clauses
    assert found <= {unescape(each) for each in ids}
    assert len(found) > 5


def test_cards_of_tricks_take_the_chosen_suit(client: FlaskClient, held: Held) -> None:
    held(C)
    phone = Phone(client, f"{PAGE}?ask=duty&active=lead&trump=♠&level=7&suit=♥")
    for card in ("5", "5", "6", "6"):
        phone.press(f"card:{card}")
    assert phone.field("lead") == "♥5 ♥5 ♥6 ♥6"
    phone.press("card:大王", active="hand")
    assert phone.field("hand") == "大王"
    phone.press("ask", hand="♥334488 ♦9")
    assert phone.words == "须跟红桃4张，其中须有二连对"
    assert phone.clauses == {"clause-八(十九)", "clause-八(十二)"}


def test_another_question_takes_the_cards_along(client: FlaskClient, held: Held) -> None:
    held(D)
    phone = Phone(client, f"{PAGE}?ask=follow&trump=♠&level=7&lead=♥55&hand=♥334 ♦9&play=♥34&press=ask")
    assert phone.words == "跟错：有对子未跟"
    links = [unescape(each) for each in re.findall(r'<a href="([^"]+)" data-question', phone.text)]
    (duty,) = (link for link in links if "ask=duty" in link)
    sent = parse_qs(urlsplit(duty).query)
    assert (sent["lead"], sent["hand"], sent["play"], sent["trump"]) == (["♥55"], ["♥334 ♦9"], ["♥34"], ["♠"])
    phone.open(duty)
    assert "data-verdict" not in phone.text
    phone.press("ask")
    assert phone.words == "须跟红桃2张，其中须有对子"
    assert phone.field("play") == "♥34"


def test_levels_are_asked_with_digits(client: FlaskClient, held: Held) -> None:
    held(D)
    phone = Phone(client, f"{PAGE}?ask=levels&banker_level=2&defenders_level=5&unit=pair")
    for digit in ("7", "0"):
        phone.press(f"card:{digit}", active="points")
    for digit in ("1", "0"):
        phone.press(f"card:{digit}", active="bottom_points")
    phone.press("ask")
    assert phone.words == "旁家上台，升 2 级，打 7"
    assert "旁家 110 分（70，挖底 +40）" in phone.text
    assert "下一副由旁家坐庄：庄家的下家" in phone.text
    assert phone.clauses == {"clause-五13", "clause-五15"}


@pytest.mark.parametrize(
    "case",
    [
        (A, {}, {"play"}),
        (A, {"play": "xx", "other": "3 3 3 3 3"}, {"play", "other"}),
        (A, {"play": "3" * (LONGEST_ROW + 1)}, {"play"}),
        (C, {}, {"play", "trump", "level"}),
        (C, {"ask": "lead", "trump": "大王", "level": "1", "play": "♥5"}, {"trump", "level"}),
        (C, {"ask": "trick", "trump": "♠", "level": "7", "lead": "♥5", "next": "♥6"}, {"partner", "before"}),
        (C, {"ask": "levels"}, {"banker_level", "defenders_level", "points"}),
        (C, {"ask": "levels", "banker_level": "2", "defenders_level": "2", "points": "x"}, {"points"}),
        (C, {"ask": "levels", "banker_level": "2", "defenders_level": "2", "points": "7"}, {"points"}),
        (
            D,
            {"ask": "duty", "trump": "♠", "level": "7", "lead": "♥5", "hand": "♥6", "lowered": "0"},
            {"player"},
        ),
    ],
)
@pytest.mark.parametrize("language", ["zh", "en"])
def test_what_cannot_be_judged_stands_beside_its_field_with_what_was_typed(
    client: FlaskClient, held: Held, case: tuple[str, dict[str, str], set[str]], language: str
) -> None:
    regulation, query, fields = case
    held(regulation)
    answer = client.get(PAGE, query_string=query | {"press": "ask", "lang": language})
    assert answer.status_code == 422
    phone = Phone(client, PAGE)
    phone.text = answer.text
    assert set(phone.errors) == fields
    if language == "en":
        assert not any(map(CHINESE.search, phone.errors.values()))
    kept = judge_form(answer.text)
    typed = {
        name: text for name, text in query.items() if name in {"play", "other", "lead", "points", "next"}
    }
    assert {name: dict(kept.fields)[name] for name in typed} == typed


def test_more_cards_than_the_packs_have_is_said_of_the_whole(client: FlaskClient, held: Held) -> None:
    held(D)
    trick = {
        "ask": "trick",
        "trump": "♥",
        "level": "2",
        "lead": "♠AA",
        "next": "♠AK",
        "partner": "♦33",
        "before": "♦44",
    }
    answer = client.get(PAGE, query_string=trick | {"press": "ask"})
    assert answer.status_code == 422
    assert "2副牌没有这么多：♠A" in answer.text


@pytest.mark.parametrize(
    ("regulation", "query", "said"),
    [
        (A, "play=333444%2B69", ("Legal: a plane with singles", "")),
        (A, "play=444555%2B37&other=333444%2B69", ("Beats it: a plane with singles", "higher main part")),
        (A, "play=333444%2BBR", ("No combination", "both jokers")),
        (A, "play=R&other=B", ("Beats it: a single", "")),
        (
            C,
            "ask=lead&trump=♥&level=2&play=♠KK/♠Q&next=♠AA4&partner=♦345&before=♠A R ♦6",
            ("The throw does not stand", "chooses"),
        ),
        (
            D,
            "ask=follow&trump=♠&level=7&lead=♥55&hand=♥334 ♦9&play=♥34",
            ("Wrong follow: a pair was not followed", "A pair is missing"),
        ),
        (
            D,
            "ask=trick&trump=♠&level=7&lead=♥5&next=♥6&partner=♥8&before=♥9",
            ("Wins: player before", "single"),
        ),
        (
            D,
            "ask=levels&banker_level=2&defenders_level=5&points=95",
            ("Defenders take the bank and go up 1, to level 6", "Defenders 95 points"),
        ),
    ],
)
def test_answers_are_english_for_english_readers(
    client: FlaskClient, held: Held, regulation: str, query: str, said: tuple[str, str]
) -> None:
    words, reason = said
    held(regulation)
    phone = Phone(client, f"{PAGE}?{query}&press=ask&lang=en")
    assert phone.words == words
    verdict = phone.text.partition("data-verdict")[2].partition("judge-verdict__clauses")[0]
    assert reason in verdict
    assert not CHINESE.search(re.sub(r"<a .*?</a>", "", verdict))


@pytest.mark.parametrize("regulation", BOARD)
@pytest.mark.parametrize(("language", "words"), [("zh", "没有牌可判"), ("en", "There are no cards to judge")])
def test_a_board_game_leads_to_its_rules_and_penalties(
    client: FlaskClient, held: Held, regulation: str, language: str, words: str
) -> None:
    held(regulation)
    page = client.get(PAGE, query_string={"lang": language}).text
    assert words in page
    assert 'href="/c/judged/regulation"' in page
    assert 'href="/c/judged/regulation#rules-penalties"' in page
    assert 'id="rules-penalties"' in client.get("/c/judged/regulation").text


def test_the_competitions_own_options_are_used(client: FlaskClient, held: Held) -> None:
    held(A, four_with_equal_singles="barred")
    phone = Phone(client, f"{PAGE}?play=5555%2B33&press=ask")
    assert phone.words == "不是合法牌型"
    assert "#interpretation-I-A-10" in phone.text
    shipped = client.get(f"/regulations/{A}/judge?play=5555%2B33&press=ask").text
    assert "合法：" in shipped
    assert f"/regulations/{A}#clause-" in shipped


def test_the_list_leads_to_every_card_game_there_is(client: FlaskClient, held: Held) -> None:
    held(D)
    page = client.get("/judge").text
    assert "/c/judged/judge?event=" in page
    for regulation_id in library.shipped():
        link = f"/regulations/{regulation_id}/judge"
        assert (link in page) == (regulation_id not in BOARD)
        assert client.get(link).status_code == 200
    for link in re.findall(r'href="(/c/judged/judge[^"]*)"', page):
        assert client.get(unescape(link)).status_code == 200


def test_a_competition_of_board_games_is_not_listed(client: FlaskClient, held: Held) -> None:
    held(BOARD[0])
    assert "/c/judged/judge" not in client.get("/judge").text


def test_what_does_not_exist_is_not_found(client: FlaskClient, held: Held) -> None:
    held(A)
    for address in (
        "/c/nobody/judge",
        f"{PAGE}?event=nobody",
        f"{PAGE}?ask=levels",
        "/regulations/nobody/judge",
    ):
        answer = client.get(address)
        assert (answer.status_code, "data-problem" in answer.text) == (404, True), address


def test_a_key_that_is_none_changes_nothing(client: FlaskClient, held: Held) -> None:
    held(A)
    answer = client.get(PAGE, query_string={"play": "3", "active": "play", "press": "card:1"})
    assert answer.status_code == 422
    assert dict(judge_form(answer.text).fields)["play"] == "3"


@pytest.mark.parametrize(("language", "name"), [("zh", "判牌"), ("en", "Rules judge")])
def test_the_home_page_leads_here(client: FlaskClient, held: Held, language: str, name: str) -> None:
    held(A)
    page = client.get("/c/judged", query_string={"lang": language}).text
    assert re.search(rf'href="/c/judged/judge"[^>]*><span>{name}<', page)


def test_a_page_for_everybody_sets_no_cookie(client: FlaskClient, held: Held) -> None:
    held(A)
    assert "Set-Cookie" not in client.get(f"{PAGE}?play=3&press=ask").headers


def test_every_field_and_key_has_a_name_for_those_who_cannot_see(client: FlaskClient, held: Held) -> None:
    held(C)
    page = client.get(f"{PAGE}?ask=trick").text
    assert re.findall(r"<textarea(?![^>]*aria-label=)[^>]*>", page) == []
    assert re.findall(r'<button[^>]*data-sign(?![^>]*aria-label=")[^>]*>', page) == []
    for suit in ("黑桃", "红桃", "梅花", "方块"):
        assert f'aria-label="{suit}"' in page


def test_the_api_answers_as_the_page_does(client: FlaskClient, held: Held) -> None:
    code = held(D).event.code
    query = {
        "ask": "levels",
        "banker_level": "2",
        "defenders_level": "5",
        "points": "70",
        "unit": "pair",
        "bottom_points": "10",
    }
    answer = client.get("/api/v1/competitions/judged/judge", query_string=query)
    assert answer.status_code == 200
    found = answer.get_json()
    assert (found["verdict"], found["headline"]) == ("says", "旁家上台，升 2 级，打 7")
    assert found["answer"]["standing"] == {"banker": "2", "defenders": "7"}
    assert [unquote(each["url"]) for each in found["clauses"]] == [
        "/c/judged/regulation#clause-五13",
        "/c/judged/regulation#clause-五15",
    ]
    same = client.get("/api/v1/competitions/judged/judge", query_string=query | {"event": code})
    assert same.get_json() == found


def test_the_api_prints_a_play_as_the_command_does(client: FlaskClient, held: Held) -> None:
    held(A)
    found = client.get("/api/v1/competitions/judged/judge", query_string={"play": "333444+69"}).get_json()
    assert found["answer"] == {
        "play": "333444+69",
        "legal": True,
        "kind": "plane_with_singles",
        "beats": None,
        "clause": "四(二)比赛通则4",
    }


def test_the_api_says_which_field_is_wrong(client: FlaskClient, held: Held) -> None:
    held(C)
    answer = client.get(
        "/api/v1/competitions/judged/judge", query_string={"ask": "duty", "lead": "♥5", "hand": "♥6"}
    )
    assert (answer.status_code, answer.mimetype) == (422, "application/problem+json")
    assert {each["pointer"] for each in answer.get_json()["errors"]} == {"/trump", "/level"}


def test_the_api_has_no_cards_of_a_board_game(client: FlaskClient, held: Held) -> None:
    held(BOARD[0])
    answer = client.get("/api/v1/competitions/judged/judge", query_string={"play": "3"})
    assert (answer.status_code, "没有牌可判" in answer.get_json()["detail"]) == (404, True)
