"""The two regulations of 升级 (拖拉机 2016, 八十分 2023) against what their texts say, from the files alone."""

import json
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient

from app.cli import cli
from app.regulations import library
from app.regulations.library import FOLDER
from app.regulations.rules import Person, rules_page
from app.text import BEIJING
from scoring_engine.tractor.matches import OPTIONS
from scoring_engine.tractor.tricks.formats import OPTIONS as TRICK_OPTIONS
from tests.scoring_engine.tractor.regulations import match_format

TRACTOR, EIGHTY = "baiyun-tractor-2016", "siming-eighty-2023"
FILES = {TRACTOR: FOLDER / "2016" / "baiyun-tractor.toml", EIGHTY: FOLDER / "2023" / "siming-eighty.toml"}


def sentences(regulation_id: str, code: str) -> list[str]:
    (section,) = [each for each in rules_page(library.load(regulation_id)).sections if each.code == code]
    return [f"{row.label}：{row.text}" if row.label else str(row.text) for row in section.rows]


def test_the_deadline_of_eighty_includes_its_last_second() -> None:
    regulation = library.load(EIGHTY)
    deadline = regulation.calendar.registration_deadline
    assert deadline.accepts(datetime(2023, 10, 18, 17, 0, 0, tzinfo=BEIJING))
    assert not deadline.accepts(datetime(2023, 10, 18, 17, 0, 1, tzinfo=BEIJING))
    assert (deadline.clause, regulation.season) == ("六2", 2023)
    assert regulation.calendar["notice"] == date(2023, 10, 7)
    assert regulation.calendar.play_from == regulation.calendar.play_to == date(2023, 10, 29)


def test_tractor_has_no_day_of_play_and_says_so() -> None:
    regulation = library.load(TRACTOR)
    assert "play_from" not in regulation.calendar.dates
    assert regulation.season == 2016
    assert regulation.calendar.registration_deadline.accepts(
        datetime(2016, 5, 18, 23, 59, 59, 999_999, tzinfo=BEIJING)
    )
    assert not regulation.calendar.registration_deadline.accepts(datetime(2016, 5, 19, tzinfo=BEIJING))
    assert any("没有写比赛日期" in text for text in sentences(TRACTOR, "notices"))
    assert regulation.options["play_days"] == "not_stated"


def test_tractor_players_are_18_on_the_day_of_the_deadline() -> None:
    regulation = library.load(TRACTOR)
    healthy = frozenset({"healthy"})
    assert regulation.judge(Person(birth_date=date(1998, 5, 18), declared=healthy)) == ()
    (refusal,) = regulation.judge(Person(birth_date=date(1998, 5, 19), declared=healthy))
    assert (refusal.clause, refusal.field) == ("七", "birth_date")
    # the organiser's own deadline moves the day, and the other reading asks for the first day of play
    later = regulation.with_changes(
        calendar={
            "registration_closes": "2016-05-20T18:00:00+08:00",
            "play_from": "2016-06-01",
            "play_to": "2016-06-01",
        }
    )
    assert later.judge(Person(birth_date=date(1998, 5, 20), declared=healthy)) == ()
    assert later.judge(Person(birth_date=date(1998, 5, 21), declared=healthy))
    played = later.with_changes(options={"age_day": "first_day_of_play"})
    assert played.judge(Person(birth_date=date(1998, 6, 1), declared=healthy)) == ()


def test_what_a_player_declares_is_asked_with_the_clause() -> None:
    born = date(1985, 1, 1)
    for regulation_id, rule, clause in ((TRACTOR, "healthy", "七"), (EIGHTY, "union_members", "四")):
        regulation = library.load(regulation_id)
        assert [each.rule for each in regulation.declared_rules] == [rule]
        (refusal,) = regulation.judge(Person(birth_date=born))
        assert (refusal.field, refusal.clause) == (f"declared.{rule}", clause)
        assert regulation.judge(Person(birth_date=born, declared=frozenset({rule}))) == ()


def test_pairs_enter_and_the_latest_form_counts() -> None:
    for regulation_id in FILES:
        assert library.load(regulation_id).entry.shape == "pair"
    assert library.load(TRACTOR).entry.resubmission is None
    entry = library.load(EIGHTY).entry
    assert (entry.complete, entry.resubmission) == (True, ("latest_per_person", "六1"))
    other = library.load(EIGHTY).with_changes(options={"resubmission": "latest_per_pair"})
    assert other.entry.resubmission == ("latest_per_pair", "六1")
    assert sentences(EIGHTY, "registration")[0] == "扫描二维码填写报名表报名。"
    assert sentences(EIGHTY, "eligibility") == ["本区的全体工会会员均可参赛。", "男女不限。"]


@pytest.mark.parametrize(("regulation_id", "letter"), [(TRACTOR, "C"), (EIGHTY, "D")])
def test_the_engine_is_tested_with_the_rules_that_are_shipped(regulation_id: str, letter: str) -> None:
    shipped, golden = library.load(regulation_id).scoring_rules().match, match_format(letter)
    for part in ("deck", "bottom", "lateness", "start", "must_play", "points", "time_up", "further_deals"):
        assert getattr(shipped, part) == getattr(golden, part), part
    for part in ("banker_rotation", "equal_levels", "past_a", "given_up_levels"):
        assert getattr(shipped, part) == getattr(golden, part), part
    for points in range(-300, 601, 5):
        assert shipped.levels.result(points) == golden.levels.result(points)
    assert set(shipped.penalties.rules) == set(golden.penalties.rules)
    for name, rule in golden.penalties.rules.items():
        ours = shipped.penalties.rules[name]
        assert (ours.effect, ours.points, ours.per, ours.by, ours.most, ours.clause) == (
            *(rule.effect, rule.points, rule.per, rule.by, rule.most),
            rule.clause,
        )


@pytest.mark.parametrize(("regulation_id", "letter"), [(TRACTOR, "C"), (EIGHTY, "D")])
def test_every_option_stands_under_the_interpretation_the_engine_names(
    regulation_id: str, letter: str
) -> None:
    found = {each.option: each for each in library.load(regulation_id).interpretations}
    for option, (read_as, _) in OPTIONS.items():
        if letter in read_as:
            assert found[option].id == read_as[letter], option
    numbers = {name: number for number, name in enumerate(tuple(TRICK_OPTIONS)[:-1], start=21)}
    for option, number in {**numbers, "throw_digs": 12}.items():
        if letter == "D" and option == "triple_run_fill":
            continue  # two packs have no triples
        assert found[option].id == f"I-{letter}-{number}"


@pytest.mark.parametrize(
    ("regulation_id", "rows"),
    [
        (
            TRACTOR,
            {"−60 及以下": "庄家升 4 级，防家每少得 60 分再多升一级", "120 至 175": "防家上台，不升级"},
        ),
        (
            EIGHTY,
            {"0 及以下": "庄家升 6 级", "80 至 90": "防家上台，不升级", "200 及以上": "防家上台，升 8 级"},
        ),
    ],
)
def test_the_level_table_is_a_table_on_the_page(
    regulation_id: str, rows: dict[str, str], client: FlaskClient
) -> None:
    (section,) = [each for each in rules_page(library.load(regulation_id)).sections if each.code == "scoring"]
    shown = {str(cells[0]): str(cells[1]) for cells, _ in section.tables[0].rows}
    assert rows.items() <= shown.items()
    assert all(clause for table in section.tables for _, clause in table.rows)
    chinese = client.get(f"/regulations/{regulation_id}").text
    english = client.get(f"/regulations/{regulation_id}?lang=en").text
    assert "<caption>升降级表</caption>" in chinese
    assert "<caption>Levels</caption>" in english
    assert "Defenders take the bank, no level" in english


BROKEN = [
    (TRACTOR, "from = -55, to = 0", "from = -50, to = 0", "scoring.levels.rows[1].from", "空缺", "八(七)"),
    (TRACTOR, "from = 5, to = 55", "from = 0, to = 55", "scoring.levels.rows[2].from", "两行", "八(七)"),
    (TRACTOR, "every = 60", "every = 62", "scoring.levels.rows[0].every", "5的倍数", "八(七)"),
    (
        TRACTOR,
        'unit = "pair", factor = 3',
        'unit = "pair", factor = 1',
        "scoring.bottom.rows",
        "倍数",
        "八(十八)",
    ),
    (TRACTOR, "points = -60", "points = 60", "penalties[0].points", "-5", "八(十九)"),
    (TRACTOR, "{ to = 10,", "{ to = 4,", "lateness.rows[1].to", "递增", "十(二)"),
    (EIGHTY, "from = 95, to = 105", "from = 95, to = 115", "scoring.levels.rows[8].from", "重叠", "五13"),
    (EIGHTY, "passed = 3", "passed = 4", "prizes[0].passed", "3", "七"),
    (EIGHTY, 'kind = "bracket"', 'kind = "final"', "stages[0].kind", "bracket", "五3"),
    (
        EIGHTY,
        'criterion = "round_reached"',
        'criterion = "match_points"',
        "ranking[0].criterion",
        "round_reached",
        "五3",
    ),
]


@pytest.mark.parametrize("case", BROKEN, ids=lambda case: f"{case[0]} {case[3]}")
def test_a_broken_table_is_shown_by_check_with_its_path_and_clause(
    case: tuple[str, ...], tmp_path: Path
) -> None:
    regulation_id, found, broken, path, says, clause = case
    text = FILES[regulation_id].read_text(encoding="utf-8")
    assert found in text
    file = tmp_path / "mine.toml"
    file.write_text(text.replace(found, broken, 1), encoding="utf-8")
    result = CliRunner().invoke(cli, ["regulations", "check", str(file)])
    assert result.exit_code == 2
    place = f"$.{path}（{clause}）: "
    assert any(place in line and says in line for line in result.output.splitlines()), result.output


def test_both_are_listed_and_shown() -> None:
    listed: Any = json.loads(CliRunner().invoke(cli, ["regulations", "list"]).output)
    assert set(FILES) <= {each["id"] for each in listed["regulations"]}
    for regulation_id in FILES:
        shown = CliRunner().invoke(cli, ["regulations", "show", regulation_id])
        assert shown.exit_code == 0
        assert regulation_id in shown.output
