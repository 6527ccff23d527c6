"""Every form of the product, sent empty: the server's sentence stands beside each required field, in both languages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.actors import SYSTEM, Actor, Role
from app.commands import command
from app.competitions import queries as competitions
from app.documents.queries import deletions as deletion_queries
from app.documents.service import deletions
from app.draws.queries import TableView
from app.registrations import queries as registrations_queries
from app.regulations import library
from app.results import service
from app.standings import service as standings
from tests.app.appeals import conftest as appeals
from tests.factories import (
    accounts,
    announcements,
    documents,
    floor,
    mail,
    people,
    publications,
    registrations,
    results,
)
from tests.factories import appeals as made_appeals
from tests.regulations.test_completeness import cited as clauses_of

Travel = Callable[[datetime], None]
Build = Callable[[Travel], tuple[Actor | None, str]]
ENTRIES_CLOSED = datetime(2021, 11, 1, 1, tzinfo=UTC)
CHINESE = re.compile("[一-鿿]")
CLAUSES = set(clauses_of(library.load("beach-games-landlord-2021").document))
"""As the regulation numbers them; nothing else of an English page is marked as Chinese beside a field."""


@dataclass
class Form:
    """One form of a page: where it goes, and its fields by name."""

    action: str
    attributes: dict[str, str | None]
    shown: set[str] = field(default_factory=set)
    hidden: dict[str, str] = field(default_factory=dict)
    required: set[str] = field(default_factory=set)
    invalid: dict[str, str] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)


class Page(HTMLParser):
    """The forms of a page, and the text of every element with an id; the numbers of clauses, which the regulation writes in
    Chinese, apart from it where they are marked so."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.texts: dict[str, str] = {}
        self.clauses: list[str] = []
        self.inside: str | None = None
        self.in_clause = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag == "form":
            self.forms.append(Form(found.get("action") or "", found))
        if (name := found.get("id")) and name.endswith("-error"):
            self.inside = name
            self.texts[name] = ""
        if self.inside and tag == "span" and found.get("lang") == "zh":
            self.in_clause = True
        if not self.forms:
            return
        form = self.forms[-1]
        if tag == "fieldset" and "aria-invalid" in found:
            form.invalid[(found.get("id") or "").removeprefix("f-")] = found.get("aria-describedby") or ""
        if tag not in {"input", "textarea", "select"} or not (name := found.get("name")):
            return
        if found.get("type") == "hidden":
            form.hidden[name] = found.get("value") or ""
            return
        if found.get("type") not in {"checkbox", "radio"} and tag != "select":
            form.values[name] = found.get("value") or ""
        form.shown.add(name)
        if "required" in found:
            form.required.add(name)
        if "aria-invalid" in found:
            form.invalid[name] = found.get("aria-describedby") or ""
        if tag == "textarea":
            self.inside = f"value of {name}"
            self.texts[self.inside] = ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea" and self.inside:
            name = self.inside.removeprefix("value of ")
            self.forms[-1].values[name] = self.texts[self.inside]
        if tag == "span":
            self.in_clause = False
        if tag in {"p", "textarea"}:
            self.inside = None

    def handle_data(self, data: str) -> None:
        if self.in_clause:
            self.clauses.append(data)
        elif self.inside:
            self.texts[self.inside] += data


def _competition() -> None:
    registrations.competition()


def _organiser() -> Actor:
    return accounts.user(registrations.ORGANISER, Role.ORGANISER)


def _table(travel: Travel) -> tuple[TableView, str]:
    table = results.prelim(travel).tables[0]
    return table, f"/c/beach/t/{table.token}"


def letter_form(_: Travel) -> tuple[Actor | None, str]:
    """A letter that nobody could place."""
    _competition()
    sorter = _organiser()
    return sorter, f"/staff/mail/{mail.processed(mail.letter(text='你好'))}"


def email_form(_: Travel) -> tuple[Actor | None, str]:
    return _organiser(), "/me/email"


def phone_form(_: Travel) -> tuple[Actor | None, str]:
    _competition()
    return None, "/sign-in"


def code_form(_: Travel) -> tuple[Actor | None, str]:
    _competition()
    return None, "/sign-in/code"


def notice_form(_: Travel) -> tuple[Actor | None, str]:
    _competition()
    return accounts.user(1), "/c/beach/enter/notice"


def unit_form(_: Travel) -> tuple[Actor | None, str]:
    _competition()
    return registrations.leader(with_unit=False), "/c/beach/enter/unit"


def member_form(_: Travel) -> tuple[Actor | None, str]:
    _competition()
    return registrations.leader(), "/c/beach/enter/members/new"


def change_member_form(_: Travel) -> tuple[Actor | None, str]:
    _competition()
    leader = registrations.leader()
    return leader, f"/c/beach/enter/members/{registrations.member(leader)}"


def decision_form(_: Travel) -> tuple[Actor | None, str]:
    _competition()
    registrations.submitted()
    entry = registrations_queries.review_list(competitions.competition("beach").event)[0]
    return registrations.committee(), f"/staff/c/beach/entries/{entry.entry_id}"


def people_form(_: Travel) -> tuple[Actor | None, str]:
    _competition()
    return _organiser(), "/staff/c/beach/people"


def competition_form(_: Travel) -> tuple[Actor | None, str]:
    return _organiser(), "/staff/competitions/new?regulation=beach-games-landlord-2021"


def workdays_form(_: Travel) -> tuple[Actor | None, str]:
    return _organiser(), "/staff/workdays"


def clock_form(_: Travel) -> tuple[Actor | None, str]:
    return _organiser(), "/demo"


def draw_form(travel: Travel) -> tuple[Actor | None, str]:
    publications.published_field(travel)
    travel(publications.WINDOW_OVER)
    return registrations.committee(), "/staff/c/beach/draws"


def next_stage_form(travel: Travel) -> tuple[Actor | None, str]:
    table, _ = _table(travel)
    results.all_confirmed(table.event_id)
    with command(SYSTEM) as ctx:
        standings.recompute(ctx, table.event_id)
    return results.chief(), "/staff/c/beach/stages"


def hand_in_form(travel: Travel) -> tuple[Actor | None, str]:
    table, page = _table(travel)
    results.recorded(table, results.deals(table))
    return results.referee(), page


def reopen_form(travel: Travel) -> tuple[Actor | None, str]:
    table, page = _table(travel)
    results.confirmed(table)
    return results.chief(), page


def restore_form(travel: Travel) -> tuple[Actor | None, str]:
    table, page = _table(travel)
    results.confirmed(table)
    with command(results.chief()) as ctx:
        service.reopen(ctx, table.token, reason="第三副叫分记错", sent=results.sent(table))
    return results.chief(), page


def hold_form(_: Travel) -> tuple[Actor | None, str]:
    _competition()
    return _organiser(), "/staff/c/beach/privacy"


def deletion_answer_form(travel: Travel) -> tuple[Actor | None, str]:
    """A request that the committee answers, because entries have closed."""
    _competition()
    leader = registrations.submitted()
    travel(ENTRIES_CLOSED)
    with command(leader) as ctx:
        deletions.ask(
            ctx,
            slug="beach",
            member_id=documents.first_member(leader),
            document_id=None,
            published=lambda _: {},
        )
    [asked] = deletion_queries.requests(competitions.competition("beach"))
    return registrations.committee(), f"/staff/c/beach/privacy/requests/{asked.id}"


def request_form(_: Travel) -> tuple[Actor | None, str]:
    _competition()
    return registrations.committee(), "/staff/c/beach/documents/requests"


def document_form(_: Travel) -> tuple[Actor | None, str]:
    _competition()
    leader = registrations.submitted()
    return leader, f"/c/beach/my/documents/m{documents.first_member(leader)}/accident_insurance"


def signing_page(_: Travel) -> tuple[Actor | None, str]:
    _competition()
    leader = registrations.submitted()
    return leader, f"/c/beach/my/documents/m{documents.first_member(leader)}/waiver/sign"


def announcement_form(_: Travel) -> tuple[Actor | None, str]:
    _competition()
    return registrations.committee(), "/staff/c/beach/announcements/new"


def announcement_change_form(_: Travel) -> tuple[Actor | None, str]:
    _competition()
    committee = registrations.committee()
    view = announcements.announce(committee, "beach")
    return committee, f"/staff/c/beach/announcements/{view.id}"


def floor_form(travel: Travel) -> tuple[Actor | None, str]:
    _table(travel)
    return results.chief(), "/staff/c/beach/floor"


def cards_form(travel: Travel) -> tuple[Actor | None, str]:
    _table(travel)
    floor.keys()
    return registrations.committee(), "/staff/c/beach/floor/cards"


def appeal_form(travel: Travel) -> tuple[Actor | None, str]:
    return appeals.set_scene(travel).leader(), "/c/beach/appeals/new"


def oral_appeal_form(travel: Travel) -> tuple[Actor | None, str]:
    appeals.set_scene(travel)
    return results.referee(), "/staff/c/beach/appeals"


def _appeal(travel: Travel) -> tuple[str, Actor]:
    """An appeal that was handed in and paid for; its number, and who hears it."""
    scene = appeals.set_scene(travel)
    return made_appeals.received(scene.table, appeals.END, scene.leader()), scene.arbiter


def hearing_form(travel: Travel) -> tuple[Actor | None, str]:
    number, arbiter = _appeal(travel)
    return arbiter, f"/staff/c/beach/appeals/{number}"


def decision_on_appeal_form(travel: Travel) -> tuple[Actor | None, str]:
    number, arbiter = _appeal(travel)
    made_appeals.heard(number, arbiter)
    return arbiter, f"/staff/c/beach/appeals/{number}"


def ledger_form(travel: Travel) -> tuple[Actor | None, str]:
    _appeal(travel)
    return results.chief(), "/staff/c/beach/appeal-fees"


def player_form(travel: Travel) -> tuple[Actor | None, str]:
    _table(travel)
    return None, "/c/beach/p"


FRESH = {"csrf_token": ""}
"""A page may carry another one each second."""

GIVEN = {"role"}
"""A list with something chosen from the start cannot be left empty."""

FORMS: dict[str, tuple[Build, str, dict[str, str]]] = {
    # name: builder, the action's end, what is typed though some of it is wrong
    "phone": (phone_form, "/sign-in/code", {"phone": "123"}),
    "code": (code_form, "/sign-in", {}),
    "notice": (notice_form, "/enter/notice", {}),
    "unit": (unit_form, "/enter/unit", {"name": "第一机械厂", "credit_code": "9"}),
    "member": (member_form, "/members/new", {"name": people.person_name(1), "id_number": "1"}),
    "change member": (change_member_form, r"/members/\d+", {"name": people.person_name(2), "id_number": "1"}),
    "decision": (decision_form, r"/entries/\d+", {}),
    "people": (people_form, "/people", {"phone": "123"}),
    "competition": (competition_form, "/staff/competitions", {"place": "三亚", "name": "x"}),
    "workdays": (workdays_form, "/staff/workdays", {"year": "2030", "holidays": "x"}),
    "clock": (clock_form, "/demo/clock", {"moment": "x"}),
    "draw": (draw_form, "/draws", {"seed": "x"}),
    "next stage": (next_stage_form, "/stages/next", {"seed": "x"}),
    "hand-in": (hand_in_form, "/hand-in", {}),
    "reopen": (reopen_form, "/reopen", {"reason": "x"}),
    "hold": (hold_form, "/privacy/hold", {"until": "2021-02-30", "reason": "申诉尚未答复"}),
    "deletion answer": (deletion_answer_form, r"/requests/\d+", {"grant": "0"}),
    "document request": (request_form, "/documents/requests", {"until": "x"}),
    "document": (document_form, "/accident_insurance", {"values-number": "P-1", "values-valid_to": "x"}),
    "email": (email_form, "/me/email", {"email": "x"}),
    "letter given": (letter_form, "/assign", {"case_number": "YY2021-0001"}),
    "letter set aside": (letter_form, "/set-aside", {}),
    "letters": (email_form, "/me/letters", {}),
    "announcement": (announcement_form, "/announcements/new", {"title": "赛前须知", "publish_at": "x"}),
    "change an announcement": (announcement_change_form, r"/announcements/\d+", {"title_en": "Title"}),
    "withdraw an announcement": (announcement_change_form, "/withdraw", {}),
    "floor announcement": (floor_form, "/floor/notices", {"text_en": "Lunch"}),
    "new card": (cards_form, "/cards/renewal", {"number": "x"}),
    "player's page": (player_form, "/c/beach/p", {"number": "x"}),
    "appeal": (appeal_form, "/appeals/new", {"text": "", "oral_at": "x"}),
    "oral appeal": (oral_appeal_form, "/staff/c/beach/appeals", {"text": "第 3 副"}),
    "hearing": (hearing_form, "/hearing", {"place": "竞赛办公室"}),
    "minutes": (hearing_form, "/minutes", {}),
    "decision on an appeal": (decision_on_appeal_form, "/decision", {"reasons": "经查属实。"}),
    "reversal": (ledger_form, "/reversal", {}),
    "restore": (restore_form, "/restore", {"reason": "x"}),
}


@pytest.fixture
def demonstration(app: Flask) -> Iterator[None]:
    settings = app.config["SAISHI"]
    app.config["SAISHI"] = replace(settings, demo=True)
    yield
    app.config["SAISHI"] = settings


@pytest.mark.parametrize("name", FORMS)
def test_an_empty_form_comes_back_with_a_sentence_beside_each_required_field(
    app: Flask, client: FlaskClient, travel: Travel, demonstration: None, name: str
) -> None:
    build, action, typed = FORMS[name]
    with app.app_context():
        person, path = build(travel)
    if person:
        accounts.sign_in(client, person)
    elif name == "code":
        client.post("/sign-in/code", data={"phone": people.phone(1)})
    for language in ("zh", "en"):
        client.set_cookie("lang", language)
        form = chosen(client.get(path).text, action)
        assert "novalidate" in form.attributes
        empty = form.hidden | dict.fromkeys(form.values, "")
        if form.required:
            refused = returned(client.post(form.action, data=empty), action, language)
            assert form.required - GIVEN <= refused.invalid.keys()
        if typed:
            refused = returned(client.post(form.action, data=empty | typed), action, language)
            assert {name: refused.values.get(name, value) for name, value in typed.items()} == typed


def test_a_signature_sent_without_a_stroke_comes_back_with_a_sentence(
    app: Flask, client: FlaskClient, travel: Travel
) -> None:
    with app.app_context():
        person, path = signing_page(travel)
        assert person is not None
        accounts.sign_in(client, person)
    for language in ("zh", "en"):
        client.set_cookie("lang", language)
        [form] = [each for each in Page(client.get(path).text).forms if each.action.endswith("/sign")]
        for strokes in ("", "[]", "[[[1,1]]]", "[[", "9" * 100):
            answer = client.post(form.action, data=form.hidden | {"strokes": strokes})
            assert answer.status_code == 422
            [sentence] = re.findall(r"data-problem>([^<]+)<", answer.text)
            assert bool(CHINESE.search(sentence)) is (language == "zh")
            [again] = [each for each in Page(answer.text).forms if each.action.endswith("/sign")]
            assert again.hidden | FRESH == form.hidden | {"strokes": strokes} | FRESH


def chosen(text: str, action: str) -> Form:
    """The form of the page that a person types into."""
    fitting = [form for form in Page(text).forms if re.search(action + "$", form.action) and form.shown]
    assert len(fitting) == 1, [form.action for form in Page(text).forms]
    return fitting[0]


def returned(answer: Any, action: str, language: str) -> Form:
    """The form as it came back; each wrong field has its sentence, in the reader's language."""
    assert answer.status_code == 422
    form = chosen(answer.text, action)
    assert form.invalid
    page = Page(answer.text)
    texts = page.texts
    assert set(page.clauses) <= CLAUSES
    for described in form.invalid.values():
        sentence = texts[described.split()[0]].strip()
        assert sentence
        assert bool(CHINESE.search(sentence)) is (language == "zh"), sentence
    return form
