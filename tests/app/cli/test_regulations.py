"""`saishi regulations list | show | check`."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from app.cli import cli
from app.regulations import library
from app.regulations.library import FOLDER

SHIPPED = FOLDER / "2021" / "beach-games-landlord.toml"


def regulations(*arguments: str, text: str | None = None) -> Result:
    return CliRunner().invoke(cli, ["regulations", *arguments], input=text)


def test_the_list_names_every_shipped_regulation_with_its_hash() -> None:
    listed = json.loads(regulations("list").stdout)["regulations"]
    assert [each["id"] for each in listed] == list(library.shipped())
    assert listed[0]["sha256"] == library.load(listed[0]["id"]).sha256


def test_what_show_prints_passes_check() -> None:
    shown = regulations("show", "beach-games-landlord-2021")
    assert shown.exit_code == 0
    checked = regulations("check", "-", text=shown.stdout)
    assert checked.exit_code == 0, checked.stderr
    assert json.loads(checked.stdout)["sha256"] == library.load("beach-games-landlord-2021").sha256


def test_an_unknown_id_is_refused_with_the_known_ones() -> None:
    result = regulations("show", "nobody-2021")
    assert result.exit_code == 2
    assert "beach-games-landlord-2021" in result.stderr


def test_the_shipped_file_itself_passes() -> None:
    assert regulations("check", str(SHIPPED)).exit_code == 0


def test_a_broken_file_is_refused_line_by_line_with_file_key_and_clause(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    text = SHIPPED.read_text(encoding="utf-8")
    path.write_text(
        text.replace("seal = true", "seal = 1").replace("minutes = 5", "minutes = 0"), encoding="utf-8"
    )
    result = regulations("check", str(path))
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        "mine.toml: $.objections.seal（三(四)1）: 应为 true 或 false。",
        "mine.toml: $.windows[1].minutes（四(二)8(十)）: 应为 1 至 1440 的整数。",
    ]


def test_every_line_about_a_wrong_file_is_path_and_sentence() -> None:
    result = regulations("check", "-", text='{"bid": 4, "ranking": [{"foo": 1}], "calendar": {"at": 1}}')
    assert result.exit_code == 2
    lines = result.stderr.splitlines()
    assert any(
        line.startswith("-: $.bid: 没有这个键；可用的有：format、version、id、game、") for line in lines
    )
    assert (
        "-: $.ranking[0].foo: 没有这个键；可用的有：criterion、direction、options、label、clause。" in lines
    )
    assert [line for line in lines if not re.fullmatch(r"-: \$[\w.\[\]]*: [\u4e00-\u9fff].*。", line)] == []


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{"id": 1,\n "id": 2}', "-: $.id: 这个键写了两次。"),
        ('{"id": }', "-: $: 不是正确的 JSON：第1行第8列（Expecting value）。"),
        ('{"id": NaN}', "-: $: 不是正确的 JSON：JSON 没有 NaN 这个数。"),
    ],
)
def test_json_that_cannot_be_read_is_one_line(text: str, line: str) -> None:
    result = regulations("check", "-", text=text)
    assert (result.exit_code, result.stderr.splitlines()) == (2, [line])


def test_toml_is_read_from_standard_input_too() -> None:
    assert regulations("check", "-", text=SHIPPED.read_text(encoding="utf-8")).exit_code == 0
    assert regulations("check", "-", text="[calendar").exit_code == 2


def test_a_file_that_is_missing_is_status_2() -> None:
    assert regulations("check", "missing.toml").exit_code == 2
