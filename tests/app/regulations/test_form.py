"""The form of a regulation: rendered and sent back as it is, it gives the same document; what was typed is never lost."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from flask import Flask, render_template_string
from hypothesis import given, settings
from hypothesis import strategies as st

from app import create_app
from app.regulations import library
from app.regulations.library.writing import dump_toml
from app.regulations.schemas import describe
from app.regulations.schemas.form import (
    SECTIONS,
    UNTOUCHED,
    Act,
    Posted,
    UnknownActError,
    read_section,
    view_section,
)
from app.text import T
from tests.conftest import make_settings
from tests.html_forms import forms

PAGE = """{% from "regulations/_fields.html" import inside %}
<form action="here">{{ inside(views, none, "here") }}</form>"""
A = library.load("beach-games-landlord-2021").document


def rendered(document: dict[str, Any], section: str, errors: dict[str, T] | None = None) -> str:
    views, _ = view_section(SECTIONS[section], document, errors or {})
    return render_template_string(PAGE, views=views)


def sent(page: str, **changes: str) -> Posted:
    return Posted.of(forms(page)[0].sent(**changes).items())


def through_every_page(document: dict[str, Any]) -> dict[str, Any]:
    """The document after each page was opened and saved without touching anything."""
    now = document
    for code, section in SECTIONS.items():
        now = read_section(section, sent(rendered(now, code)), now)
    return now


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """An application whose templates render; it needs no database."""
    folder = tmp_path_factory.mktemp("pages")
    return create_app(make_settings(folder, f"sqlite:///{folder / 'unused.db'}"))


@pytest.fixture
def page(pages: Flask) -> Any:
    with pages.test_request_context("/"):
        yield


@pytest.mark.parametrize("regulation_id", library.shipped())
def test_a_library_file_goes_through_every_page_and_out_as_the_same_toml(
    page: None, regulation_id: str
) -> None:
    document = library.load(regulation_id).document
    back = through_every_page(document)
    assert json.dumps(back) == json.dumps(document)
    assert dump_toml(back) == dump_toml(document)


@pytest.mark.parametrize("regulation_id", library.shipped())
def test_no_field_of_a_library_file_needs_to_be_read_as_json(page: None, regulation_id: str) -> None:
    document = library.load(regulation_id).document
    carried = [
        name
        for code in SECTIONS
        for name, _ in forms(rendered(document, code))[0].fields
        if name.endswith("-raw")
    ]
    assert carried == []


def test_every_part_of_the_schema_has_its_page() -> None:
    on_pages = [part for section in SECTIONS.values() for part in section.parts]
    assert sorted(set(on_pages)) == sorted(on_pages)
    assert {each.key for each in describe().inside} - set(on_pages) - set(UNTOUCHED) == set()


TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=6)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**6), 10**6) | TEXTS
    | st.sampled_from(["2", "1.5", "2021-10-31T10:00:00Z", "2021-10-31T18:00:01+08:00", "zeile\nzeile", " 2 ", "true"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["zh", "en", "option", "clause", "x-y", ""]), inner, max_size=3),
    max_leaves=5,
)  # fmt: skip


def same(left: Any, right: Any) -> bool:
    """Equal to the last type, whatever the order of keys."""
    return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [each for key, inner in inside for each in ((*path, key), *places(inner, (*path, key)))]


PLACES = [
    (regulation_id, path)
    for regulation_id in library.shipped()
    for path in places(library.load(regulation_id).document)
    if path[0] not in UNTOUCHED and path != ("options",) and path[0] != "options"
]


@settings(max_examples=60, deadline=None)
@given(place=st.sampled_from(PLACES), value=VALUES)
def test_whatever_stands_in_a_draft_comes_back_from_its_page(
    pages: Flask, place: tuple[str, tuple[Any, ...]], value: Any
) -> None:
    regulation_id, path = place
    document = copy.deepcopy(library.load(regulation_id).document)
    node: Any = document
    for key in path[:-1]:
        node = node[key]
    node[path[-1]] = value
    section = next(each for each in SECTIONS.values() if path[0] in each.parts)
    with pages.test_request_context("/"):
        back = read_section(section, sent(rendered(document, section.code)), document)
    assert same(back.get(path[0], {}), document[path[0]]) or (
        path[0] not in back and document[path[0]] in ([], {})
    )


@settings(max_examples=30, deadline=None)
@given(data=st.data(), regulation_id=st.sampled_from(library.shipped()))
def test_readings_come_back_as_they_were_chosen_defaults_written_out_too(
    pages: Flask, data: st.DataObject, regulation_id: str
) -> None:
    regulation = library.load(regulation_id)
    chosen = {
        each.option: data.draw(
            st.sampled_from([choice.value for choice in each.choices])
            if each.choices
            else st.integers(each.least, each.most)
        )
        for each in regulation.interpretations
        if data.draw(st.booleans())
    }
    document = regulation.document | {"options": chosen}
    with pages.test_request_context("/"):
        back = read_section(SECTIONS["options"], sent(rendered(document, "options")), document)
    assert same(back.get("options", {}), chosen)


def test_dates_are_shown_in_beijing_time_and_kept_to_the_second(page: None) -> None:
    document = copy.deepcopy(A)
    document["calendar"]["registration_closes"]["at"] = "2021-10-31T10:00:01Z"
    shown = dict(forms(rendered(document, "calendar"))[0].fields)
    assert shown["calendar-registration_closes-at"] == "2021-10-31T18:00:01"
    assert read_section(SECTIONS["calendar"], sent(rendered(document, "calendar")), document) == document
    later = sent(rendered(document, "calendar"), **{"calendar-registration_closes-at": "2021-11-02T17:30"})
    changed = read_section(SECTIONS["calendar"], later, document)
    assert changed["calendar"]["registration_closes"]["at"] == "2021-11-02T17:30:00+08:00"


@pytest.mark.parametrize(
    ("typed", "kept"), [("７", 7), ("−7", -7), (" 7 ", 7), ("seven", "seven"), ("7.5", "7.5")]
)
def test_a_number_is_read_however_it_was_typed_and_kept_when_it_is_none(
    page: None, typed: str, kept: Any
) -> None:
    name = "penalties-1-points"
    back = read_section(SECTIONS["penalties"], sent(rendered(A, "penalties"), **{name: typed}), A)
    assert back["penalties"][1]["points"] == kept


def test_an_emptied_part_leaves_the_document(page: None) -> None:
    emptied = {
        name: "" for name, _ in forms(rendered(A, "publication"))[0].fields if name.startswith("publication")
    }
    back = read_section(SECTIONS["publication"], sent(rendered(A, "publication"), **emptied), A)
    assert "publication" not in back
    assert back["objections"] == A["objections"]


def test_every_error_stands_beside_its_field_or_at_the_part_around_it(page: None) -> None:
    errors = {
        "penalties.1.points": T("甲"),
        "penalties.2": T("乙"),
        "lateness": T("丙"),
        "penalties.1.nothing": T("丁"),
    }
    text = rendered(A, "penalties", errors)
    assert 'id="f-penalties-1-points-error">甲' in text
    assert text.index("乙") > text.index('id="f-penalties-2"')
    assert all(word in text for word in "丙丁")


def act(document: dict[str, Any], *what: Any, kind: str = "") -> tuple[dict[str, Any], int | None]:
    return Act.of(json.dumps(what)).done(document, kind)


def test_a_row_is_added_moved_and_taken_out() -> None:
    added, opened = act(A, "add", "penalties", "effect", kind="points")
    assert (added["penalties"][-1], opened) == ({"effect": "points"}, 8)
    moved, opened = act(A, "up", "ranking", 1)
    assert ([row["criterion"] for row in moved["ranking"]][:2], opened) == (["deals_won", "total_points"], 0)
    assert act(A, "up", "ranking", 0)[0] == A
    assert act(A, "down", "ranking", 2)[0] == A
    gone, opened = act(A, "remove", "penalties", 7)
    assert (len(gone["penalties"]), opened) == (7, 6)


def test_a_list_without_rows_leaves_the_document_and_begins_again() -> None:
    document = {key: value for key, value in A.items() if key != "fees"} | {"fees": A["fees"][:1]}
    without, opened = act(document, "remove", "fees", 0)
    assert ("fees" in without, opened) == (False, None)
    assert act(without, "add", "fees", "code", kind="appeal")[0]["fees"] == [{"code": "appeal"}]
    assert act({}, "add", "scoring", "levels", "rows", "side", kind="banker")[0] == {
        "scoring": {"levels": {"rows": [{"side": "banker"}]}}
    }


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", '["add"]', '["sell", "ranking", 1]', '["up", "ranking"]', '["up", 1.5]']
)
def test_a_button_that_no_page_has_is_refused(text: str) -> None:
    with pytest.raises(UnknownActError):
        Act.of(text)


def test_a_row_cannot_be_added_where_something_else_stands() -> None:
    with pytest.raises(UnknownActError):
        act(A, "add", "name", "zh", "x")
