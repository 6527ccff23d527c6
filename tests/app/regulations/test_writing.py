"""A regulation written as TOML and read again is the same regulation (`dump_toml`)."""

import tomllib
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.regulations import library
from app.regulations.library import FOLDER
from app.regulations.library.writing import dump_toml
from app.regulations.rules.canonical import plain

FILES = sorted(FOLDER.glob("*/*.toml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_shipped_file_survives_being_read_written_and_read(path: Any) -> None:
    read = library.parse_toml(path.read_text(encoding="utf-8"), path.name)
    text = dump_toml(read.document)
    again = library.parse_toml(text, path.name)
    assert again == read
    assert again.document == read.document
    assert dump_toml(again.document) == text


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_document_may_come_straight_from_the_file(path: Any) -> None:
    document = tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
    assert library.parse_toml(dump_toml(document), path.name).document == plain(document)


def test_dates_are_written_as_dates_and_rows_one_a_line() -> None:
    text = dump_toml(library.load("baiyun-tractor-2016").document)
    assert 'registration_closes = {at = 2016-05-18T23:59:59+08:00, clause = "十一"}' in text
    assert '\n    {from = -55, to = 0, side = "banker", levels = 3},\n' in text
    assert text.startswith('format = "saishi-regulation"\nversion = 1\nid = "baiyun-tractor-2016"\n')


def test_chosen_options_are_written_too() -> None:
    changed = library.load("beach-games-landlord-2021").with_changes(
        calendar={"check_in": "2021-12-01"}, options={"deals_per_stage": 4}
    )
    assert library.parse_toml(dump_toml(changed.document), "mine.toml") == changed


VALUES: st.SearchStrategy[Any] = st.recursive(
    st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
    | st.sampled_from(["2021-12-03", "2021-10-31T18:00:00+08:00", "18:00", "1.5"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=20,
)


@settings(max_examples=150, deadline=None)
@given(
    document=st.dictionaries(
        st.sampled_from(["id", "game", "calendar", "scoring", "penalties", "options"]) | st.text(max_size=6),
        VALUES,
        max_size=6,
    )
)
def test_any_document_is_read_back_as_it_was_written_broken_ones_too(document: dict[str, Any]) -> None:
    assert plain(tomllib.loads(dump_toml(document))) == document
