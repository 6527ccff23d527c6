"""Files that are no regulations (`broken/*.toml`): each is refused with just the lines that stand beside it.

Every file is one of `small/` with the fault its first line tells. `NAME.expected` holds what `saishi regulations check` says:
file, key, clause and what is allowed, a line for each fault.
"""

import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from app.cli import cli
from app.regulations import library
from app.regulations.rules import RegulationFileError

FOLDER = Path(__file__).parent / "broken"
SMALL = sorted((Path(__file__).parent / "small").glob("*.toml"))
BROKEN = sorted(FOLDER.glob("*.toml"))
LINE = re.compile(
    r"(?P<file>[a-z0-9-]+\.toml): (?P<key>\$[\w.\[\]]*)(?:（(?P<clause>.+?)）)?: .*[\u4e00-\u9fff].*。"
)


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_a_small_regulation_without_a_fault_is_accepted(path: Path) -> None:
    assert library.parse_toml(path.read_text(encoding="utf-8"), path.name).id == f"small-{path.stem}".replace(
        "_", "-"
    )


def test_there_are_many_files_and_some_with_several_faults() -> None:
    assert len(BROKEN) >= 100
    assert {path.stem for path in BROKEN} == {path.stem for path in FOLDER.glob("*.expected")}
    several = [path for path in BROKEN if path.stem.startswith("several-")]
    assert len(several) >= 12
    assert all(len(expected(path)) >= 2 for path in several)


def expected(path: Path) -> list[str]:
    return path.with_suffix(".expected").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_a_broken_file_is_refused_with_every_line_that_stands_beside_it(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(FOLDER)
    result = CliRunner().invoke(cli, ["regulations", "check", path.name])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.splitlines() == expected(path)


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_the_site_says_the_same_as_the_command(path: Path) -> None:
    with pytest.raises(RegulationFileError) as refused:
        library.parse_toml(path.read_text(encoding="utf-8"), path.name)
    said = [str(problem.message) for problem in refused.value.problems]
    assert [line.split(": ", 2)[2] for line in expected(path)] == said
    assert [str(text) for text in refused.value.fields.values()] == said


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_every_line_names_file_and_key_and_the_clause_of_the_row(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert re.match(r"# Wrong: .+\.\n", text)
    for line in expected(path):
        found = LINE.fullmatch(line)
        assert found, line
        assert found["file"] == path.name
        # a row that has a clause is named by it; what is missing altogether has none, nor has the head of the file
        row = re.match(r"\$\.(\w+)", found["key"])
        headless = {"format", "version", "id", "game", "lunch", "options", "interpretations", "chess"}
        if found["clause"] is None and row and row[1] not in headless:
            assert found["key"].endswith(".clause") or "缺少" in line or "应为一组键和值" in line, line


def problems(**changes: Any) -> list[str]:
    document = library.parse_toml(SMALL[0].read_text(encoding="utf-8"), "small.toml").document
    for key, value in changes.items():
        document[key] = value
    with pytest.raises(RegulationFileError) as refused:
        library.parse_document(document, "small.json")
    return [problem.path for problem in refused.value.problems]


def test_faults_of_many_parts_are_told_together_however_many() -> None:
    found = problems(
        name="x",
        event={"zh": "", "en": "x", "clause": "一"},
        calendar={"registration_closes": {"at": "soon", "clause": "二"}},
        eligibility=[{"rule": "sexes", "allowed": [], "clause": "四"}],
        windows=[{"code": "tea", "minutes": 5, "from": "round_ended", "clause": "十"}],
        prizes=[{"prize": "p", "label": {"zh": "奖", "en": "p"}, "ranks": [0, 1], "clause": "十一"}],
        stages=7,
        options={"lunch": 1},
    )
    assert {
        "name",
        "event.zh",
        "calendar.registration_closes.at",
        "eligibility.0.allowed",
        "windows.0.code",
        "prizes.0.ranks",
        "stages",
        "options.lunch",
    } == set(found)
