"""`describe()`: every key of a regulation document has a name, help and its allowed values, in both languages."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from app.regulations import library
from app.regulations.rules import ELIGIBILITY_RULES
from app.regulations.rules.texts import Bilingual
from app.regulations.schemas import FieldHelp, Kind, describe, format_of, help_at
from app.regulations.schemas.engine_tables import FORMATS
from app.regulations.schemas.helps import HELPS
from app.text import T
from scoring_engine.rules import PAIRING_KEYS
from scoring_engine.rules.games import GAMES
from scoring_engine.rules.scoring_parts import _BOARD_POINTS, _ROUND_KEYS
from scoring_engine.tie_breaks import CRITERIA
from scoring_engine.tractor import bottom, lateness, levels, penalties
from scoring_engine.tractor.matches import formats

ALL = tuple(describe().walk())
HAN = re.compile(r"[\u4e00-\u9fff]")


def english(text: T) -> str:
    return text.en if isinstance(text, Bilingual) else text.render()


@pytest.mark.parametrize("each", ALL, ids=lambda each: f"{each.path} {each.when.values if each.when else ''}")
def test_every_key_is_named_and_explained_in_both_languages(each: FieldHelp) -> None:
    for text in (each.label, each.help):
        assert isinstance(text, Bilingual)
        assert HAN.search(text.zh)
        assert text.en.strip()
    assert english(each.help) != english(each.label)
    if each.kind in (Kind.CHOICE, Kind.CHOICES):
        assert each.allowed
    for value in each.allowed:
        assert str(value.label).strip(), value
    if each.kind in (Kind.TABLE, Kind.ROWS, Kind.MAP):
        assert each.inside or each.path == "calendar"


def test_no_help_is_left_over() -> None:
    paths = {each.path for each in ALL}
    keys = {each.key for each in ALL if each.path not in HELPS}
    assert [path for path in HELPS if path not in paths and path.removeprefix("..") not in keys] == []


def keys_of(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    items: Any = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, inner in items:
        here = (*path, str(key))
        if not isinstance(inner, dict) or set(inner) != {"option"}:
            yield from keys_of(inner, here)
        yield here


@pytest.mark.parametrize("regulation_id", library.shipped())
def test_every_key_of_a_shipped_file_is_described_for_its_format(regulation_id: str) -> None:
    document = library.load(regulation_id).document
    format_ = format_of(document)
    assert format_ in FORMATS
    values = (Kind.WORDS, Kind.SPAN, Kind.NUMBERS, Kind.POINT_LIST, Kind.CHOICES, Kind.VALUES)
    for path in keys_of(document):
        around = help_at(path[:-1], format_)
        if around is not None and around.kind in values:
            continue
        found = help_at(path, format_)
        assert found is not None, path
        assert found.when is None or found.when.key != "format" or format_ in found.when.values, path


def keys_at(path: str, format_: str) -> set[str]:
    found = help_at(path, format_)
    assert found is not None
    return {each.key for each in found.inside if each.applies({"format": format_})} | {
        each.key for each in found.inside if each.when is not None and each.when.key != "format"
    }


@pytest.mark.parametrize(
    ("format_", "path", "read"),
    [
        ("landlord_knock_out", "scoring", ("bids", "doublings", "clauses", "clause")),
        ("landlord_swiss", "scoring", ("bids", "doublings", "clauses", "clause", *_ROUND_KEYS)),
        *((code, "scoring", (*_BOARD_POINTS, "byes", "whole_byes", "clause")) for code in ("go", "xiangqi")),
        *((code, "scoring", formats._SCORING_KEYS) for code in ("tractor", "eighty")),
        ("tractor", "scoring.match", formats._MATCH_KEYS),
        ("tractor", "scoring.match.points", formats._POINT_KEYS),
        ("tractor", "scoring.levels.rows.0", levels._ROW_KEYS),
        ("tractor", "scoring.bottom.rows.0", bottom._ROW_KEYS),
        ("tractor", "lateness.rows.0", lateness._LATE_KEYS),
        *((code, "pairing", (*keys, "clause")) for code, keys in PAIRING_KEYS.items() if code in FORMATS),
        ("landlord_swiss", "pairing", (*PAIRING_KEYS["landlord"], "clause")),
    ],
)
def test_the_keys_of_a_table_are_those_the_engine_reads(
    format_: str, path: str, read: tuple[str, ...]
) -> None:
    assert keys_at(path, format_) == set(read)


def test_penalties_of_matches_have_every_key_the_engine_reads() -> None:
    assert set(penalties._ROW_KEYS) <= keys_at("penalties.0", "eighty")


@pytest.mark.parametrize("format_", FORMATS)
def test_the_effects_of_penalties_are_those_of_the_game(format_: str) -> None:
    game, played = FORMATS[format_]
    effects = GAMES[game][played].effects or tuple(penalties.Effect)
    found = help_at("penalties.0.effect", format_)
    assert found is not None
    assert [each.value for each in found.allowed] == [str(effect) for effect in effects]


def test_the_parameters_of_a_rule_and_the_options_of_a_criterion_stand_under_their_condition() -> None:
    rows = help_at("eligibility")
    options = help_at("ranking.0.options")
    assert rows is not None
    assert options is not None
    for rule, kind in ELIGIBILITY_RULES.items():
        shown = {each.key for each in rows.inside if each.when and each.applies({"rule": rule})}
        assert shown == set(kind.parameters)
    for code, criterion in CRITERIA.items():
        shown = {each.key for each in options.inside if each.applies({"criterion": code})}
        assert shown == set(criterion.options)


def test_rows_say_whether_each_names_its_clause() -> None:
    by_path = {each.path: each.clause_required for each in ALL if each.kind in (Kind.ROWS, Kind.TABLE)}
    parts = [each.path for each in describe().inside if each.kind in (Kind.ROWS, Kind.TABLE)]
    assert [path for path in parts if not by_path[path]] == ["calendar"]
    assert by_path["calendar.check_in"]
    assert not by_path["scoring.levels.rows"]


@pytest.mark.parametrize(
    ("game", "stages", "found"),
    [
        ("landlord", [{"kind": "drawn"}], "landlord_knock_out"),
        ("landlord", [{"kind": "swiss"}], "landlord_swiss"),
        ("eighty", [], "eighty"),
        ("go", [{"kind": "final"}], "go"),
        ("landlord", [{}], "landlord_knock_out"),
        ("poker", [{"kind": "swiss"}], None),
        (None, None, None),
        ("landlord", ["x"], "landlord_knock_out"),
        ("landlord", [{"kind": []}], "landlord_knock_out"),
    ],
)
def test_the_format_of_a_document_is_read_from_game_and_stage_however_broken(
    game: Any, stages: Any, found: str | None
) -> None:
    assert format_of({"game": game, "stages": stages}) == found


@pytest.mark.parametrize("path", ["nonsense", "entry.nonsense", "entry.shape.x", "eligibility.x"])
def test_no_help_is_given_where_no_key_is(path: str) -> None:
    assert help_at(path) is None
