"""`saishi score`: reading files as they come, and naming what is wrong with them."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from app.cli import cli
from app.regulations import library
from tests.factories import event_files


def score(document: Any) -> Result:
    text = document if isinstance(document, str | bytes) else json.dumps(document, ensure_ascii=False)
    return CliRunner().invoke(cli, ["score", "-"], input=text)


def refused(document: Any) -> str:
    result = score(document)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    return result.stderr


def test_an_event_is_scored_as_one_json_document() -> None:
    result = score(event_files.played())
    assert result.exit_code == 0, result.stderr
    answer = json.loads(result.stdout)
    assert (answer["format"], answer["version"]) == ("saishi-score", 1)
    assert answer["tables"][0]["entrants"]["e1"]["game_points"] == "20"
    assert len(answer["placings"]) == 12


def test_a_file_is_read_like_standard_input(tmp_path: Path) -> None:
    path = tmp_path / "赛事.json"
    path.write_text(json.dumps(event_files.played(), ensure_ascii=False), encoding="utf-8")
    result = CliRunner().invoke(cli, ["score", str(path)])
    assert result.stdout == score(event_files.played()).stdout


def test_a_byte_order_mark_is_skipped() -> None:
    assert score(b"\xef\xbb\xbf" + json.dumps(event_files.event()).encode()).exit_code == 0


def test_options_of_the_file_override_the_defaults() -> None:
    document = event_files.played()
    document["stages"][0]["rounds"][0]["tables"][0]["deals"] = [event_files.deal("e1")] * 4
    for table in document["stages"][0]["rounds"][0]["tables"][1:]:
        table["deals"] = table["deals"][:4]
    document["options"] = {"deals_per_stage": 4}
    result = score(document)
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["options"]["deals_per_stage"] == 4


def test_a_whole_regulation_may_stand_in_the_file() -> None:
    regulation = library.load(event_files.REGULATION).document
    by_id, whole = score(event_files.played()), score(event_files.played() | {"regulation": regulation})
    assert whole.exit_code == 0, whole.stderr
    assert json.loads(whole.stdout)["placings"] == json.loads(by_id.stdout)["placings"]


def test_a_broken_regulation_in_the_file_is_named_under_its_path() -> None:
    regulation = library.load(event_files.REGULATION).document
    regulation["publication"]["workdays"] = 0
    says = refused(event_files.event(regulation=regulation))
    assert "$.regulation.publication.workdays（三(四)1）: 应为 1 至 60 的整数。" in says


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"regulation": "nobody-2021"}, "$.regulation: 没有规程“nobody-2021”。可用的规程有："),
        ({"regulation": 7}, "$.regulation: 应为规程 id"),
        ({"version": 2}, "$.version: 不认识的版本"),
        ({"version": True}, "$.version: 不认识的版本"),
        ({"format": "saishi-score"}, "$.format: "),
        (
            {"options": {"rematch": "soft"}},
            "$.options.rematch: 本规程没有选项 rematch；有：deals_per_stage、",
        ),
        (
            {"options": {"deals_per_stage": 0}},
            "$.options.deals_per_stage: 选项 deals_per_stage（I-A-1）只能取：1…100。",
        ),
        ({"options": []}, "$.options: 这里应为对象。"),
    ],
)
def test_a_wrong_head_of_the_file_is_refused_with_its_path(changes: dict[str, Any], says: str) -> None:
    assert says in refused(event_files.event(**changes))


@pytest.mark.parametrize(
    ("deal", "place"),
    [
        (event_files.deal("e1", bid=4), "$.stages[0].rounds[0].tables[0].deals[0].bid"),
        (event_files.deal("e9"), "$.stages[0].rounds[0].tables[0].deals[0].landlord"),
    ],
)
def test_an_impossible_deal_is_refused_with_its_path(deal: dict[str, Any], place: str) -> None:
    document = event_files.played()
    document["stages"][0]["rounds"][0]["tables"][0]["deals"][0] = deal
    assert place in refused(document)


def test_every_problem_has_its_own_line() -> None:
    document = event_files.played()
    document["stages"][0]["rounds"][0]["tables"][0]["deals"][0] = event_files.deal("e1", bid=4)
    document["stages"][0]["rounds"][0]["tables"][1]["deals"][0] = event_files.deal("e1")
    lines = refused(document).strip().splitlines()
    assert len(lines) >= 2
    assert all(line.startswith("$.") for line in lines)


def test_broken_json_names_line_and_column() -> None:
    assert "$: 不是正确的 JSON：第2行第7列" in refused('{"format": "saishi-event",\n "x": }')


def test_a_key_written_twice_is_refused_with_its_path() -> None:
    assert "$.entrants[0].id: 这个键写了两次。" in refused('{"entrants": [{"id": "e1", "id": "e2"}]}')


@pytest.mark.parametrize("text", ['{"x": NaN}', "[" * 100_000, '{"x": ' + "9" * 5000 + "}", "", "[]", "null"])
def test_what_is_no_exact_json_object_is_a_sentence(text: str) -> None:
    says = refused(text)
    assert says.strip()
    assert "Traceback" not in says


def test_text_that_is_not_utf_8_is_a_sentence() -> None:
    assert "不是 UTF-8" in refused('{"name": "张三"}'.encode("gb18030"))


@pytest.mark.parametrize("name", ["missing.json", "."])
def test_a_file_that_cannot_be_read_is_a_sentence(name: str) -> None:
    result = CliRunner().invoke(cli, ["score", name])
    assert result.exit_code == 2
    assert "无法读取" in result.stderr


def test_the_locale_does_not_matter_and_no_web_stack_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "event.json"
    path.write_bytes(json.dumps(event_files.played(), ensure_ascii=False).encode())
    script = (
        "import sys\nfrom app.cli import main\n"
        "try:\n    main(['score', sys.argv[1]])\n"
        "finally:\n    print(sorted({'flask', 'sqlalchemy', 'celery'} & set(sys.modules)), file=sys.stderr)"
    )
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)], capture_output=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    assert json.loads(done.stdout.decode("utf-8"))["format"] == "saishi-score"
    assert done.stderr.decode().strip() == "[]"
