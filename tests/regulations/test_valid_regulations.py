"""Whatever a committee sets within what a regulation allows: it is accepted, its page is written, events are scored by it."""

from __future__ import annotations

import json
import random
import tomllib
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.regulations import library
from app.regulations.library.writing import dump_toml
from app.regulations.rules import Regulation, RulesPage, anchor, rules_page
from app.regulations.rules.canonical import plain
from scoring_engine import event_file
from tests.regulations.valid import DOCUMENTS, played, valid_documents

SLOW = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def accepted(document: dict[str, Any]) -> Regulation:
    return library.parse_document(document, "mine.json")


def texts_of(page: RulesPage) -> list[Any]:
    rows = [row for section in page.sections for row in section.rows]
    return [
        page.title,
        page.event,
        *(section.title for section in page.sections),
        *(row.text for row in rows),
    ]


@SLOW
@given(document=valid_documents())
def test_a_valid_regulation_is_accepted_and_is_itself(document: dict[str, Any]) -> None:
    regulation = accepted(document)
    assert regulation.document == plain(document)
    assert accepted(regulation.document) == regulation


@SLOW
@given(document=valid_documents())
def test_a_valid_regulation_written_as_toml_is_read_back_to_the_last_character(
    document: dict[str, Any],
) -> None:
    regulation = accepted(document)
    text = dump_toml(regulation.document)
    assert library.parse_toml(text, "mine.toml").canonical == regulation.canonical
    assert dump_toml(tomllib.loads(text)) == text


@SLOW
@given(document=valid_documents())
def test_a_valid_regulation_has_a_rules_page_in_both_languages(document: dict[str, Any]) -> None:
    regulation = accepted(document)
    page = rules_page(regulation)
    english = {"zh": "en"}
    for text in texts_of(page):
        assert str(text).strip()
        assert text.render(lambda msgid: english.get(msgid, msgid)).strip()
    rows = [row for section in page.sections for row in section.rows]
    anchors = [row.anchor for row in rows if row.anchor] + [
        each.anchor for each in page.interpretations if each.anchor
    ]
    clauses = {row.clause for row in rows} | {each.clause for each in page.interpretations}
    assert sorted(anchors) == sorted(anchor(clause) for clause in clauses)
    assert page.changed == len(
        {
            name
            for name, value in regulation.document.get("options", {}).items()
            if value != _default(regulation, name)
        }
    )


def _default(regulation: Regulation, option: str) -> object:
    (found,) = [each.default for each in regulation.interpretations if each.option == option]
    return found


@SLOW
@given(document=valid_documents(), entrants=st.sampled_from([9, 13, 24]), seed=st.integers(0, 2**32))
def test_events_are_drawn_and_scored_by_a_valid_regulation(
    document: dict[str, Any], entrants: int, seed: int
) -> None:
    rules = accepted(document).scoring_rules()
    event = played(rules, entrants, random.Random(seed))
    scored = event_file.score(event, rules)
    json.dumps(scored)
    assert len(scored["placings"]) == entrants or any(stage["needs_ruling"] for stage in scored["stages"])
    assert [each["prize"] for each in scored["prizes"]] == [
        each["prize"] for each in document.get("prizes", [])
    ]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document["id"])
def test_an_event_of_each_file_is_played_to_its_end(document: dict[str, Any]) -> None:
    rules = accepted(document).scoring_rules()
    event = played(rules, 24, random.Random(5))
    scored = event_file.score(event, rules)
    assert [stage["code"] for stage in event["stages"] if stage["code"] != "playoff"] == [
        stage.code for stage in rules.stages
    ]
    assert sorted(placing["entrant"] for placing in scored["placings"]) == sorted(
        each["id"] for each in event["entrants"]
    )
    ranks = [placing["rank"] for placing in scored["placings"]]
    assert ranks == sorted(ranks)
    assert ranks[0] == 1
