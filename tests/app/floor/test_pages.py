"""Pages of the floor: the chief referee's round, calls, arrivals, cards, and the player's own page that is told to nobody."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from pypdf import PdfReader

from app import clock
from app.actors import Role
from app.competitions import queries as competitions
from app.draws.queries import RoundView
from app.extensions import limiter
from app.floor import queries
from app.floor.queries import CardView
from app.text import BEIJING
from tests.factories import accounts, floor, publications, registrations, results
from tests.factories import competitions as competitions_factory

Travel = Callable[[datetime], None]

PLAYING = datetime(2021, 12, 3, 9, 0, tzinfo=BEIJING)


def holds(page: str, pin: str) -> bool:
    """Whether a page shows a PIN; the same digits within a seed or a token are none."""
    return re.search(rf"(?<!\w){pin}(?!\w)", page) is not None


class Hall:
    """A drawn prelim of nine on the first day of play, everybody with a card."""

    def __init__(self, app: Flask, client: FlaskClient, travel: Travel) -> None:
        self.app, self.client, self.travel = app, client, travel
        with app.app_context():
            self.drawn: RoundView = results.prelim(travel)
            travel(PLAYING)
            self.cards: dict[int, CardView] = floor.keys()
            self.people = {
                "chief": results.chief(),
                "referee": results.referee(),
                "committee": registrations.committee(),
            }
        self.table = self.drawn.tables[0]
        self.player = self.cards[self.table.seats[0].entry_id]

    def sign_in(self, who: str) -> None:
        accounts.sign_in(self.client, self.people[who])

    def sign_out(self) -> None:
        with self.client.session_transaction() as cookies:
            cookies.clear()

    @property
    def own(self) -> str:
        return f"/c/beach/p/{self.player.token}"

    def post(self, path: str, **form: Any) -> Any:
        return self.client.post(path, data=form)

    def act(self, name: str, **form: Any) -> Any:
        return self.post(f"/staff/c/beach/floor/prelim/1/{name}", **form)

    def calls(self) -> tuple[queries.CallView, ...]:
        with self.app.app_context():
            return queries.open_calls(self.drawn.event_id)

    def run(self) -> queries.RunView:
        with self.app.app_context():
            return queries.run(self.drawn.id)


@pytest.fixture
def hall(app: Flask, client: FlaskClient, travel: Travel) -> Hall:
    return Hall(app, client, travel)


def test_the_chief_referee_runs_a_round_from_its_page(hall: Hall) -> None:
    hall.sign_in("committee")
    terms = hall.post(
        "/staff/c/beach/floor/terms",
        confirmation="at_table",
        publication="at_once",
        round_minutes="60",
        call_minutes="10",
    )
    assert terms.status_code == 303
    hall.sign_in("chief")
    assert "开赛并计时 60 分钟" in hall.client.get("/staff/c/beach/floor").text
    assert hall.act("schedule", scheduled_at="2021-12-03T09:30").status_code == 303
    assert hall.run().moments.scheduled_at == PLAYING + timedelta(minutes=30)
    assert 'value="2021-12-03T09:30"' in hall.client.get("/staff/c/beach/floor").text
    assert hall.act("clock").status_code == 303
    early = hall.act("call")
    assert early.status_code == 409
    assert "还没有到最后 10 分钟" in early.text
    hall.travel(PLAYING + timedelta(minutes=50))
    assert hall.act("call").status_code == 303
    assert hall.act("end").status_code == 303
    page = hall.client.get("/staff/c/beach/floor").text
    assert 'data-run="ended"' in page
    locked = hall.act("lock")
    assert locked.status_code == 409
    assert "还没有全部公布" in locked.text


def test_what_was_typed_stays_when_a_form_of_the_floor_is_refused(hall: Hall) -> None:
    hall.sign_in("chief")
    refused = hall.post(
        "/staff/c/beach/floor/notices", text="请拨 13800000001", text_en="Call us", idempotency_key="k" * 12
    )
    assert refused.status_code == 422
    assert 'id="f-text-error"' in refused.text
    assert 'value="Call us"' in refused.text
    hall.sign_in("committee")
    refused = hall.post(
        "/staff/c/beach/floor/terms", confirmation="players", publication="at_once", round_minutes="9999"
    )
    assert refused.status_code == 422
    assert 'id="f-round_minutes-error"' in refused.text
    assert 'value="9999"' in refused.text


def test_referees_are_spread_added_and_released(hall: Hall) -> None:
    hall.sign_in("chief")
    assert hall.act("referees/spread").status_code == 303
    referee = hall.people["referee"].user_id
    with hall.app.app_context():
        assert set(queries.referees(table.id for table in hall.drawn.tables).values()) == {(referee,)}
    assert hall.act("referees/release", table=2, user_id=referee).status_code == 303
    assert hall.act("referees", table=1, user_id=hall.people["chief"].user_id).status_code == 303
    with hall.app.app_context():
        found = queries.referees(table.id for table in hall.drawn.tables)
    assert found[hall.table.id] == (referee, hall.people["chief"].user_id)
    assert hall.drawn.tables[1].id not in found
    assert hall.act("referees", table=1).status_code == 422
    hall.sign_in("referee")
    mine = hall.client.get("/staff/c/beach/floor/mine").text
    assert f"/c/beach/t/{hall.table.token}" in mine
    assert f"/c/beach/t/{hall.drawn.tables[1].token}" not in mine


def test_a_player_calls_a_referee_and_sees_that_he_is_coming(hall: Hall) -> None:
    page = hall.client.get(hall.own).text
    assert 'data-table="1"' in page
    key = re.search(r'name="idempotency_key" value="([^"]+)"', page)
    assert key is not None
    for _ in range(2):
        sent = hall.post(f"{hall.own}/calls", kind="referee", note="对方看牌", idempotency_key=key[1])
        assert sent.status_code == 303
    (call,) = hall.calls()
    assert (call.note, call.caller) == ("对方看牌", hall.player.entrant.name)
    assert "等裁判接单" in hall.client.get(hall.own).text
    hall.sign_in("referee")
    assert "对方看牌" in hall.client.get("/staff/c/beach/floor/calls").text
    assert hall.post(f"/staff/c/beach/floor/calls/{call.id}/take").status_code == 303
    hall.sign_out()
    assert "裁判在路上" in hall.client.get(hall.own).text
    hall.sign_in("referee")
    refused = hall.post(f"/staff/c/beach/floor/calls/{call.id}/close", outcome="电话 13800000001")
    assert refused.status_code == 422
    assert "13800000001" in refused.text
    assert hall.post(f"/staff/c/beach/floor/calls/{call.id}/close", outcome="已解释").status_code == 303
    assert hall.calls() == ()


def test_a_referee_calls_the_chief_referee_to_his_table(hall: Hall) -> None:
    hall.sign_in("chief")
    hall.act("referees/spread")
    hall.sign_in("referee")
    assert "请裁判长到 1 号桌" in hall.client.get("/staff/c/beach/floor/mine").text
    path = f"/staff/c/beach/floor/tables/{hall.table.token}/calls"
    assert hall.post(path, kind="chief", idempotency_key="k" * 12).status_code == 303
    (call,) = hall.calls()
    assert (call.kind, call.caller) == ("chief", None)
    assert hall.post(f"/staff/c/beach/floor/calls/{call.id}/take").status_code == 403
    unknown = f"/staff/c/beach/floor/tables/{'x' * 32}/calls"
    assert hall.post(unknown, kind="chief", idempotency_key="k" * 12).status_code == 404


def test_a_player_takes_his_call_back(hall: Hall) -> None:
    hall.post(f"{hall.own}/calls", kind="chief", idempotency_key="k" * 12)
    (call,) = hall.calls()
    assert hall.post(f"{hall.own}/calls/{call.id}/withdrawal").status_code == 303
    assert hall.calls() == ()


def test_a_player_says_he_is_there_and_a_referee_who_scans_the_card_notes_it(hall: Hall) -> None:
    assert "我到了" in hall.client.get(hall.own).text
    assert hall.post(f"{hall.own}/arrival").status_code == 303
    second = hall.cards[hall.table.seats[1].entry_id]
    hall.sign_in("referee")
    assert "裁判：登记到场" in hall.client.get(f"/c/beach/p/{second.token}").text
    assert hall.post(f"/c/beach/p/{second.token}/arrival").status_code == 303
    third = hall.table.seats[2].entry_id
    assert hall.act("arrivals", entrant=f"e{third}").status_code == 303
    with hall.app.app_context():
        ways = [queries.arrival_views(hall.drawn.id)[seat.entry_id].way for seat in hall.table.seats]
    assert ways == ["own", "card", "referee"]
    page = hall.client.get("/staff/c/beach/floor/arrivals").text
    assert 'data-table="1"' not in page
    assert 'data-table="2"' in page
    assert "本人报到" in hall.client.get("/staff/c/beach/floor/arrivals?view=all").text
    assert hall.act("arrivals/withdrawal", entrant=f"e{third}").status_code == 303
    assert 'data-table="1"' in hall.client.get("/staff/c/beach/floor/arrivals").text


def test_a_players_page_is_told_to_nobody(hall: Hall) -> None:
    for answer in (
        hall.client.get(hall.own),
        hall.client.get("/c/beach/p"),
        hall.post(f"{hall.own}/arrival"),
        hall.post("/c/beach/p", number="1", pin="000000"),
    ):
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["X-Robots-Tag"] == "noindex, nofollow"
        assert answer.headers["Cache-Control"] == "no-store"
        assert not holds(answer.text, hall.player.pin)
    assert 'name="referrer" content="no-referrer"' in hall.client.get(hall.own).text


def test_no_public_page_holds_a_key_of_a_player(hall: Hall) -> None:
    for path in (
        "",
        "/pairings",
        "/pairings?order=name",
        "/draws",
        "/standings",
        f"/pairings/e{hall.table.seats[0].entry_id}",
        "/strip",
    ):
        page = hall.client.get(f"/c/beach{path}")
        assert page.status_code == 200, path
        for card in hall.cards.values():
            assert card.token not in page.text
            assert not holds(page.text, card.pin)


def test_a_card_of_another_competition_or_a_made_up_one_opens_nothing(hall: Hall) -> None:
    with hall.app.app_context():
        hall.travel(datetime(2021, 10, 25, 12, 0, tzinfo=BEIJING))
        competitions_factory.competition(slug="other", name="另一个赛事")
        hall.travel(PLAYING)
    for path in (
        "/c/beach/p/" + "x" * 32,
        f"/c/other/p/{hall.player.token}",
        f"/c/nowhere/p/{hall.player.token}",
    ):
        assert hall.client.get(path).status_code == 404
        assert hall.post(f"{path}/arrival").status_code == 404


def test_the_page_opens_by_number_and_pin_and_is_blocked_after_five_wrong_ones(hall: Hall) -> None:
    number, pin = hall.player.number, hall.player.pin
    opened = hall.post("/c/beach/p", number=number, pin=pin)
    assert opened.status_code == 303
    assert opened.headers["Location"].endswith(f"/p/{hall.player.token}")
    wrong = f"{(int(pin) + 1) % 10**6:06d}"
    answers = [hall.post("/c/beach/p", number=number, pin=wrong).status_code for _ in range(6)]
    assert answers == [422, 422, 422, 422, 429, 429]
    assert hall.post("/c/beach/p", number=number, pin=pin).status_code == 429
    unknown = hall.post("/c/beach/p", number=999, pin=pin)
    assert unknown.status_code == 422
    assert not holds(unknown.text, pin)
    assert 'value="999"' in unknown.text


def test_one_address_tries_pins_ten_times_a_minute(hall: Hall) -> None:
    limiter.enabled = True
    try:
        limiter.reset()
        answers = [hall.post("/c/beach/p", number=900 + each, pin="000000").status_code for each in range(11)]
    finally:
        limiter.reset()
        limiter.enabled = False
    assert answers == [422] * 10 + [429]


def test_cards_are_made_printed_and_renewed(hall: Hall) -> None:
    hall.sign_in("committee")
    page = hall.client.get("/staff/c/beach/floor/cards")
    assert page.status_code == 200
    for card in hall.cards.values():
        assert card.token not in page.text
    printed = hall.post("/staff/c/beach/floor/cards/print")
    assert printed.mimetype == "application/pdf"
    assert printed.headers["Cache-Control"] == "no-store"
    read = PdfReader(io.BytesIO(printed.data))
    words = "".join(page.extract_text() for page in read.pages)
    for card in hall.cards.values():
        assert card.entrant.name in words
        assert f"{card.pin[:3]} {card.pin[3:]}" in words
    units = {card.entrant.unit_id for card in hall.cards.values()}
    assert len(read.pages) == len(units)
    one = PdfReader(io.BytesIO(hall.post("/staff/c/beach/floor/cards/print", number=hall.player.number).data))
    assert hall.player.entrant.name in one.pages[0].extract_text()
    assert len(one.pages) == 1
    assert hall.post("/staff/c/beach/floor/cards/renewal", number=hall.player.number).status_code == 303
    assert hall.client.get(hall.own).status_code == 404
    assert hall.post("/staff/c/beach/floor/cards/renewal", number=999).status_code == 404
    assert hall.post("/staff/c/beach/floor/cards/print", unit=999_999).status_code == 409
    hall.sign_in("referee")
    assert hall.post("/staff/c/beach/floor/cards/print").status_code == 403


def test_the_strip_tells_every_phone_and_is_not_sent_again_while_nothing_changes(hall: Hall) -> None:
    assert 'data-strip="/c/beach/strip"' in hall.client.get("/c/beach/pairings").text
    empty = hall.client.get("/c/beach/strip")
    assert empty.text.strip() == ""
    hall.sign_in("chief")
    hall.post(
        "/staff/c/beach/floor/notices", text="午餐 12:00", text_en="Lunch at noon", idempotency_key="k" * 12
    )
    hall.sign_out()
    told = hall.client.get("/c/beach/strip")
    assert datetime.fromisoformat(told.headers["X-Saishi-Now"]) == PLAYING
    assert "午餐 12:00" in told.text
    assert "Lunch at noon" in hall.client.get("/c/beach/strip?lang=en").text
    hall.client.delete_cookie("lang")
    hall.travel(PLAYING + timedelta(seconds=10))
    again = hall.client.get("/c/beach/strip", headers={"If-None-Match": told.headers["ETag"]})
    assert again.status_code == 304
    hall.travel(PLAYING + timedelta(days=5))
    assert "data-strip" not in hall.client.get("/c/beach/pairings").text


def test_the_strip_shows_the_clock_and_the_words_of_the_last_minutes(hall: Hall) -> None:
    with hall.app.app_context():
        floor.set_terms(round_minutes=60, call_minutes=10)
        floor.act("start_clock", hall.drawn)
    ends_at = (PLAYING + timedelta(minutes=60)).astimezone(clock.now().tzinfo).isoformat()
    assert f'data-countdown="{ends_at}"' in hall.client.get("/c/beach/strip").text
    hall.travel(PLAYING + timedelta(minutes=50))
    with hall.app.app_context():
        floor.act("call_time", hall.drawn)
    assert hall.client.get("/c/beach/strip").text.count("本轮还剩 10 分钟。") == 1
    with hall.app.app_context():
        floor.act("end_round", hall.drawn)
    assert "data-countdown" not in hall.client.get("/c/beach/strip").text


def test_who_may_open_the_pages_of_the_floor(hall: Hall) -> None:
    pages = ["", "/mine", "/calls", "/arrivals", "/cards", "/terms"]

    def answers() -> list[int]:
        return [hall.client.get(f"/staff/c/beach/floor{page}").status_code for page in pages]

    assert set(answers()) == {401}
    hall.sign_in("referee")
    assert answers() == [403, 200, 200, 200, 403, 403]
    hall.sign_in("chief")
    assert answers() == [200] * 6
    assert "由组委会决定" in hall.client.get("/staff/c/beach/floor/terms").text
    assert (
        hall.post("/staff/c/beach/floor/terms", confirmation="players", publication="at_once").status_code
        == 403
    )
    with hall.app.app_context():
        organiser = accounts.user(9400, Role.ARBITRATION, competition_id=competitions.competition_id("beach"))
    accounts.sign_in(hall.client, organiser)
    assert answers() == [403] * 6


def test_before_the_first_draw_the_pages_say_what_to_do(
    app: Flask, client: FlaskClient, travel: Travel
) -> None:
    with app.app_context():
        publications.published_field(travel)
        people = {"chief": results.chief(), "committee": registrations.committee()}
    for who, paths in {"chief": ["", "/mine", "/calls", "/arrivals"], "committee": ["/cards"]}.items():
        accounts.sign_in(client, people[who])
        for path in paths:
            assert client.get(f"/staff/c/beach/floor{path}").status_code == 200
