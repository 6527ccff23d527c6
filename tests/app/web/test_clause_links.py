"""Every refusal that rests on a clause leads to it: the clause of each rule has a place on the rules page, the sentence of a
refusal carries a link there, and no page shows a refusal without its clause."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from datetime import timedelta
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.errors import RefusedError
from app.regulations import library
from app.text import Cited, T
from app.web.problems import cited, clause_url, problem_document
from tests.conftest import ROOT
from tests.factories import accounts, pairs, registrations
from tests.factories import competitions as factory
from tests.factories.publications import Travel
from tests.regulations.test_completeness import cited as clauses_of

SLUG = "linked"


class Anchors(HTMLParser):
    """The ids of a page, and the addresses its links lead to."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.ids.add(given.get("id") or "")
        if tag == "a":
            self.links.append(given.get("href") or "")


def made(travel: Travel, regulation_id: str) -> None:
    """A competition of the shipped text, while its entries are open."""
    closes = library.load(regulation_id).calendar.registration_closes
    travel(closes - timedelta(days=3))
    days = pairs.DAYS_OF_PLAY.get(regulation_id, {})
    factory.competition(regulation=regulation_id, slug=SLUG, calendar=days)


@pytest.mark.parametrize("regulation_id", library.shipped())
def test_a_refusal_for_any_rule_of_a_text_leads_to_its_place_on_the_rules_page(
    app: Flask, client: FlaskClient, travel: Travel, regulation_id: str
) -> None:
    with app.app_context():
        made(travel, regulation_id)
    rules = Anchors(client.get(f"/c/{SLUG}/regulation").text)
    clauses = set(clauses_of(library.load(regulation_id).document))
    assert len(clauses) > 10
    lost = []
    with app.test_request_context(f"/c/{SLUG}/enter"):
        for clause in sorted(clauses):
            refused = RefusedError(T("不行。"), clause=clause, fields={"name": Cited(T("也不行。"), clause)})
            problem = problem_document(refused)
            places = {clause_url(refused), problem["clause_url"], problem["errors"][0]["clause_url"]}
            places |= set(Anchors(str(cited(refused.fields["name"]))).links)
            (place,) = places
            parts = urlsplit(str(place))
            if parts.path != f"/c/{SLUG}/regulation" or unquote(parts.fragment) not in rules.ids:
                lost.append(clause)
    assert lost == []


def test_a_refused_form_links_the_clause_of_each_field_and_of_the_whole(
    app: Flask, client: FlaskClient, travel: Travel
) -> None:
    with app.app_context():
        made(travel, "beach-games-landlord-2021")
        person = registrations.leader(1, SLUG)
    accounts.sign_in(client, person)
    form = registrations.member_posted(1, employment="seconded", declared=["healthy"])
    page = client.post(f"/c/{SLUG}/enter/members/new", data=form)
    assert page.status_code == 422
    rules = Anchors(client.get(f"/c/{SLUG}/regulation").text)
    fragments = [unquote(link.partition("#")[2]) for link in Anchors(page.text).links if "#clause-" in link]
    assert {"clause-三(一)3", "clause-三(一)5"} <= set(fragments) <= rules.ids
    answer = client.post(
        f"/api/v1/competitions/{SLUG}/members",
        json=registrations.member_json(1, employment="seconded"),
        headers=accounts.bearer(app, person),
    )
    (fault,) = answer.get_json()["errors"]
    assert (fault["pointer"], fault["clause"]) == ("/employment", "三(一)3")
    assert unquote(fault["clause_url"]) == f"/c/{SLUG}/regulation#clause-三(一)3"


def clauses_in_code() -> Iterator[tuple[str, str]]:
    """Texts that a call in the program gives as `clause`."""
    for path in sorted((ROOT / "app").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                for keyword in node.keywords:
                    if keyword.arg == "clause" and isinstance(keyword.value, ast.Constant):
                        yield str(path.relative_to(ROOT)), str(keyword.value.value)


def test_the_program_names_no_clause_of_its_own() -> None:
    """A refusal cites what the regulation in force says, so its place is on that regulation's page."""
    assert [found for found in clauses_in_code() if re.search(r"[\u4e00-\u9fff]", found[1])] == []


SHOWN = re.compile(r"\b(refusal|problem|shown|error|first_refusal|refused)\.text\|t")
WITHOUT_A_CLAUSE = {
    "errors/not_found.html": "nothing was found, so no competition and no rule",
    "errors/server_error.html": "no rule refused anything",
    "regulations/drafts.html": "a file that is no regulation; each fault names its clause itself",
    "results/conflict.html": "two devices, no rule",
    "uploads/mine.html": "a file that cannot be read, whatever it is for",
    "demonstration/show.html": "several competitions on one page, none of which refused the reader anything",
}


def test_no_page_shows_a_refusal_without_its_clause() -> None:
    folder = ROOT / "templates"
    silent = []
    for path in sorted(folder.rglob("*.html")):
        text = path.read_text(encoding="utf-8")
        silent += [
            (str(path.relative_to(folder)), name)
            for name in sorted(set(SHOWN.findall(text)))
            if f"{name}.clause" not in text and f"clause_of({name})" not in text
        ]
    assert [each for each in silent if each[0] not in WITHOUT_A_CLAUSE] == []
    assert {each[0] for each in silent} == set(WITHOUT_A_CLAUSE)
