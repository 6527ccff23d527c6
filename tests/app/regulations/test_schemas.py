"""Files that are not regulations: each is refused with file, key, clause and what is allowed."""

import copy
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.regulations import library
from app.regulations.library import FOLDER
from app.regulations.rules import RegulationFileError

TEXT = (FOLDER / "2021" / "beach-games-landlord.toml").read_text(encoding="utf-8")
DOCUMENT = library.load("beach-games-landlord-2021").document


def problems_of(text: str) -> dict[str, str]:
    with pytest.raises(RegulationFileError) as refused:
        library.parse_toml(text, "mine.toml")
    assert all(sentence.startswith("mine.toml: ") for sentence in refused.value.sentences())
    return {problem.path: str(problem) for problem in refused.value.problems}


BROKEN = [
    # (what is replaced, by what, where the problem is, what its sentence says)
    ("version = 1", "version = 2", "version", "应为以下之一：1"),
    ("version = 1", "version = true", "version", "应为以下之一：1"),
    ('format = "saishi-regulation"', 'format = "other"', "format", "saishi-regulation"),
    ('id = "beach-games-landlord-2021"', 'id = "Beach Games"', "id", "beach-games-landlord-2021"),
    ('game = "landlord"', 'game = "poker"', "game", "应为以下之一：landlord"),
    ('timezone = "Asia/Shanghai"', 'timezone = "Europe/Paris"', "timezone", "Asia/Shanghai"),
    ('timezone = "Asia/Shanghai"', "", "timezone", "缺少这一项"),
    ('timezone = "Asia/Shanghai"', 'timezone = "Asia/Shanghai"\ncolour = "red"', "colour", "没有这个键"),
    ('zh = "公开个人赛"', 'zh = ""', "event.zh", "应为非空文字"),
    ('shape = "single"', 'shape = "trio"', "entry.shape", "single"),
    (
        "at = 2021-10-31T18:00:00+08:00",
        "at = 2021-10-31T18:00:00",
        "calendar.registration_closes.at",
        "日期和时刻",
    ),
    ("at = 2021-10-31T18:00:00+08:00", "at = 2021-10-31", "calendar.registration_closes.at", "（三(三)1）"),
    (
        "at = 2021-10-31T18:00:00+08:00",
        "at = 2021-10-21T18:00:00+08:00",
        "calendar.registration_closes.at",
        "不能早于",
    ),
    ("play_to = { at = 2021-12-05", "play_to = { at = 9999-12-31", "calendar.play_to.at", "2000 至 2100"),
    ("notice = { at = 2021-10-22", "notice = { at = 1999-12-31", "calendar.notice.at", "2000 至 2100"),
    ("check_in = {", "chek_in = {", "calendar.chek_in", "check_in"),
    ("play_to = {", "# play_to = {", "calendar.play_to", "缺少这一项"),
    ('rule = "born_on_or_before"', 'rule = "born_before"', "eligibility.0.rule", "born_on_or_before"),
    ('date = "2003-12-31"', 'date = "2003-02-30"', "eligibility.0.date", "（三(一)1）"),
    ('date = "2003-12-31"\n', "", "eligibility.0.date", "缺少这一项"),
    ('date = "2003-12-31"', 'date = "2003-12-31"\nage = 18', "eligibility.0.age", "没有这个键"),
    (
        'date = "2003-12-31"\nclause = "三(一)1"',
        'date = "2003-12-31"',
        "eligibility.0.clause",
        "缺少出处 clause",
    ),
    (
        '"dispatched", "seconded"]',
        '"retired"]',
        "eligibility.2.kinds",
        "full_time、part_time、dispatched、seconded",
    ),
    ('kinds = ["part_time",', 'kinds = ["part_time", "part_time",', "eligibility.2.kinds", "不重复"),
    ('kind = "health_code"', 'kind = "photo"', "documents.4.kind", "health_code"),
    ('limit = "unlimited"', "limit = 0", "registration.entries_per_unit.limit", "正整数"),
    ("workdays = 5\n", "workdays = 5.0\n", "publication.workdays", "1 至 60 的整数"),
    ("workdays = 5\n", "workdays = 0\n", "publication.workdays", "（三(四)1）"),
    ('option = "deadline_day" }', 'option = "deadline" }', "publication.deadline_day", "没有选项“deadline”"),
    ('option = "deadline_day" }', 'option = "zero_score" }', "publication.deadline_day", "excluded、counted"),
    ("seal = true", 'seal = "yes"', "objections.seal", "true 或 false"),
    ("minutes = 5\n", "minutes = -5\n", "windows.1.minutes", "1 至 1440"),
    ('code = "appeal_oral"', 'code = "correction"', "windows.1.code", "重复"),
    ('fee = "appeal"', 'fee = "entry"', "windows.2.fee", "appeal"),
    ("amount = 500", 'amount = "500"', "fees.0.amount", "整数"),
    ('criterion = "total_points"', 'criterion = "luck"', "ranking.0.criterion", "total_points"),
    ('criterion = "deals_won"', 'criterion = "total_points"', "ranking.1.criterion", "重复"),
    ('code = "prelim"\n', "", "stages.0.code", "缺少这一项"),
    ("places = 9", "places = 8", "stages.0.places", "3 的倍数"),
    ("places = 9", "seats = 9", "stages.0.seats", "没有这个键"),
    ('effect = "zero_round"', 'effect = "shame"', "penalties.3.effect", "（四(二)8(七)）"),
    ("points = -3\n", "points = 3\n", "penalties.1.points", "-1"),
    ("ranks = [4, 9]", "ranks = [9, 4]", "prizes.3.ranks", "[起, 止]"),
    ("bids = [1, 2, 3]", "bids = [3, 2, 1]", "scoring.bids", "由小到大"),
    ("default = 10", "default = 0", "interpretations.0.default", "1–100"),
    ('default = "counts"', 'default = "maybe"', "interpretations.1.default", "counts、replay"),
    ('option = "forfeits"', 'option = "zero_score"', "interpretations.19.option", "重复"),
    ('id = "I-A-1"\n', 'id = "A1"\n', "interpretations.0.id", "I-A-1"),
    (
        "allowed = { min = 1, max = 100 }",
        "allowed = { min = 9, max = 1 }",
        "interpretations.0.allowed.min",
        "不能大于",
    ),
    ("shared = {", "divided = {", "interpretations.17.words", "缺少取值“shared”的说明"),
]


@pytest.mark.parametrize(("found", "broken", "path", "says"), BROKEN)
def test_a_broken_file_is_refused_at_its_key_with_what_is_allowed(
    found: str, broken: str, path: str, says: str
) -> None:
    assert found in TEXT
    problems = problems_of(TEXT.replace(found, broken, 1))
    assert path in problems, problems
    assert says in problems[path]


def test_every_problem_is_reported_at_once_each_with_the_clause_of_its_row() -> None:
    text = TEXT.replace("seal = true", "seal = 1").replace("minutes = 5", "minutes = 0")
    text = text.replace("default = 10", "default = 0")
    problems = problems_of(text)
    assert set(problems) == {"objections.seal", "windows.1.minutes", "interpretations.0.default"}
    assert "（三(四)1）" in problems["objections.seal"]
    assert "（四(二)8(十)）" in problems["windows.1.minutes"]


def test_broken_toml_says_where() -> None:
    problems = problems_of(TEXT.replace("[calendar]", "[calendar", 1))
    assert re.search(r"TOML 语法错误：第 \d+ 行第 \d+ 列（.+）。", problems[""])


def test_a_key_written_twice_is_refused() -> None:
    assert "TOML" in problems_of(TEXT.replace("workdays = 5", "workdays = 5\nworkdays = 6"))[""]


def test_a_file_with_a_byte_order_mark_is_read() -> None:
    assert library.parse_toml("\ufeff" + TEXT, "mine.toml").id == "beach-games-landlord-2021"


Change = Callable[[dict[str, Any]], Any]


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (lambda d: d.update(eligibility=[]), "eligibility"),
        (lambda d: d.update(eligibility={}), "eligibility"),
        (lambda d: d.update(eligibility=["x"]), "eligibility.0"),
        (lambda d: d.update(calendar=[]), "calendar"),
        (lambda d: d.update(publication=5), "publication"),
        (lambda d: d.update(stages=None), "stages"),
        (lambda d: d.update(options=[1]), "options"),
        (lambda d: d.update(options={"lunch": "late"}), "options.lunch"),
        (lambda d: d.update(options={"zero_score": "lenient"}), "options.zero_score"),
        (lambda d: d["interpretations"][1].update(words=[]), "interpretations.1.words"),
        (lambda d: d["interpretations"][1]["words"]["counts"].pop("en"), "interpretations.1.words.counts.en"),
        (lambda d: d["interpretations"][1].update(allowed=[]), "interpretations.1.allowed"),
        (lambda d: d["interpretations"][1].update(default=1.5), "interpretations.1.default"),
        (lambda d: d["eligibility"][0].update(rule=["x"]), "eligibility.0.rule"),
        (lambda d: d["ranking"][0].update(criterion=None), "ranking.0.criterion"),
        (lambda d: d["calendar"]["check_in"].update(at=20211202), "calendar.check_in.at"),
        (lambda d: d["notices"][0].update(clause="一 二"), "notices.0.clause"),
    ],
)
def test_json_of_a_wrong_shape_is_refused_at_its_key(change: Change, path: str) -> None:
    document = copy.deepcopy(DOCUMENT)
    change(document)
    with pytest.raises(RegulationFileError) as refused:
        library.parse_document(document, "event.json")
    assert path in {problem.path for problem in refused.value.problems}
    assert path in refused.value.fields


@pytest.mark.parametrize("document", [None, [], "x", 1, {}])
def test_what_is_no_table_is_no_regulation(document: object) -> None:
    with pytest.raises(RegulationFileError):
        library.parse_document(document, "event.json")


def _every_path(value: Any, prefix: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    items: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    return [path for key, inner in items for path in [(*prefix, key), *_every_path(inner, (*prefix, key))]]


@settings(max_examples=200, deadline=None)
@given(
    path=st.sampled_from(_every_path(DOCUMENT)),
    value=st.sampled_from(
        [None, 4, "x", True, [], {}, [{"foo": 1}], [["x"]], {"foo": {"bar": []}}, {"option": []}]
    ),
)
def test_whatever_stands_anywhere_the_sentences_are_for_people(path: tuple[Any, ...], value: Any) -> None:
    document = copy.deepcopy(DOCUMENT)
    place: Any = document
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    try:
        library.parse_document(document, "event.json")
    except RegulationFileError as refused:
        for problem in refused.problems:
            assert not re.search(r"T\(|[\[{]'|\b(None|True|False)\b|<", str(problem)), str(problem)


def test_an_option_chosen_in_the_document_is_in_force() -> None:
    chosen = library.parse_document({**DOCUMENT, "options": {"deals_per_stage": 6}}, "event.json")
    assert [stage.deals for stage in chosen.stages] == [6, 6, 6]


def test_a_missing_interpretation_the_engine_needs_is_named() -> None:
    rows = [row for row in DOCUMENT["interpretations"] if row["option"] != "forfeits"]
    with pytest.raises(RegulationFileError, match="1 处错误") as refused:
        library.parse_document({**DOCUMENT, "interpretations": rows}, "event.json")
    assert "forfeits" in str(refused.value.problems[0])


@pytest.mark.parametrize(
    ("table", "key", "path"),
    [
        ("publication", None, "publication"),
        ("objections", None, "objections"),
        ("registration", "changes", "registration.changes"),
        ("calendar", "registration_opens", "calendar.registration_opens"),
    ],
)
def test_a_competition_that_is_held_here_needs_what_another_text_may_leave_out(
    table: str, key: str | None, path: str
) -> None:
    document = copy.deepcopy(DOCUMENT)
    if key is None:
        del document[table]
    else:
        del document[table][key]
    with pytest.raises(RegulationFileError) as refused:
        library.parse_document(document, "mine.json")
    [problem] = refused.value.problems
    assert problem.path == path
    assert re.fullmatch(r"缺少这一项（.+）：.+。", str(problem.message))


@pytest.mark.parametrize(
    ("table", "key", "given", "path"),
    [
        ("scoring", "bids", [1, 2, 3], "scoring.bids"),
        ("scoring", "win", 0, "scoring.win"),
        ("scoring", "win", "two", "scoring.win"),
        ("scoring", "byes", {"absent": 0}, "scoring.byes.bye"),
        ("scoring", "byes", {"bye": 2, "absent": 0, "nap": 1}, "scoring.byes.nap"),
        ("scoring", "draw", {"option": "nobody"}, "scoring.draw"),
        ("stages", "kind", "seeded", "stages.0.kind"),
        ("stages", "rounds", 0, "stages.0.rounds"),
        ("stages", "group", [32, 20], "stages.0.group"),
        ("ranking", "options", {"colour": "red"}, "ranking.0.options.colour"),
        ("penalties", "effect", "points", "penalties.0.effect"),
    ],
)
def test_a_board_game_that_cannot_be_scored_is_refused_with_its_place(
    table: str, key: str, given: Any, path: str
) -> None:
    document = copy.deepcopy(library.load("dongcheng-go-2021").document)
    row = document[table][0] if isinstance(document[table], list) else document[table]
    row[key] = given
    with pytest.raises(RegulationFileError) as refused:
        library.parse_document(document, "mine.json")
    assert path in [each.path for each in refused.value.problems]
