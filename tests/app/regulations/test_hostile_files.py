"""Files that nobody wrote by hand: too deep, too long, numbers without end. Each is refused in a sentence, and soon."""

import pytest
from click.testing import CliRunner

from app.cli import cli
from app.regulations import library
from app.regulations.rules import RegulationFileError, plain
from app.regulations.schemas.places import Told

TOO_DEEP = "嵌套过深，无法读取。"
TOO_LONG = "有一个数位数过多，无法读取。"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = " + "[" * 5000 + "]" * 5000, TOO_DEEP),
        (".".join(["a"] * 3000) + " = 1", TOO_DEEP),
        ("a = " + "9" * 5000, TOO_LONG),
        ("a = 1e9999999999999999999999", TOO_LONG),
    ],
    ids=["nested-lists", "nested-keys", "thousands-of-digits", "exponent-beyond-all-bounds"],
)
def test_what_python_itself_cannot_read_is_refused_in_one_sentence(text: str, said: str) -> None:
    result = CliRunner().invoke(cli, ["regulations", "check", "-"], input=text)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.splitlines() == [f"-: $: {said}"]


def test_a_number_of_a_thousand_million_digits_is_never_written_out() -> None:
    with pytest.raises(RegulationFileError) as refused:
        library.parse_toml("version = 1e999999999", "long.toml")
    said = {problem.path: str(problem.message) for problem in refused.value.problems}
    assert said["version"] == "应为以下之一：1。"


def test_a_decimal_of_usual_length_is_written_in_full() -> None:
    document = library.tomllib.loads("a = 1.50\nb = 2e3\nc = -0.000001", parse_float=library.Decimal)
    assert plain(document) == {"a": "1.50", "b": "2000", "c": "-0.000001"}


def test_every_fault_of_ten_thousand_rows_is_told() -> None:
    """Each row costs as much as the first: what is said of the others is not gone through again."""
    shipped = (library.FOLDER / "2021" / "beach-games-landlord.toml").read_text(encoding="utf-8")
    rows = "".join(f'[[fees]]\ncode = "f{number}"\n' for number in range(10_000))
    with pytest.raises(RegulationFileError) as refused:
        library.parse_toml(f"{shipped}\n{rows}", "rows.toml")
    assert len(refused.value.problems) == 40_000


def test_of_a_place_only_the_first_sentence_is_kept_and_none_of_what_is_inside_it() -> None:
    told = Told({})
    told.add("stages.0", library.T("一"))
    told.add("stages.0", library.T("二"))
    told.add("stages.0.deals", library.T("三"))
    told.add("stages.01", library.T("四"))
    assert [problem.path for problem in told.problems] == ["stages.0", "stages.01"]
    assert [told.sound(path) for path in ("stages", "stages.0", "stages.0.deals.1", "stages.1", "stage")] == [
        *(False, False, False, True, True)
    ]


@pytest.mark.parametrize(
    "written", ["\\u0000", "\\u0007", "\\u202e"], ids=["nul", "bell", "right-to-left-override"]
)
def test_a_text_of_characters_nobody_sees_is_refused_where_it_stands(written: str) -> None:
    shipped = (library.FOLDER / "2021" / "beach-games-landlord.toml").read_text(encoding="utf-8")
    with pytest.raises(RegulationFileError) as refused:
        library.parse_toml(shipped.replace("2021（第二届）", written, 1), "unseen.toml")
    ((path, said),) = [(problem.path, str(problem.message)) for problem in refused.value.problems]
    assert (path, said) == ("name.zh", "含有看不见的控制字符，请重新输入。")
