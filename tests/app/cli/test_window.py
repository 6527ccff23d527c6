"""`saishi window`: publication windows in official working days (golden rows "Windows")."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from app.cli import cli
from app.workdays.official import official_calendar


def window(closes: str, workdays: str = "5", *options: str) -> Result:
    return CliRunner().invoke(cli, ["window", "--closes", closes, "--workdays", workdays, *options])


def test_the_window_of_regulation_a() -> None:
    result = window("2021-10-31T18:00")
    assert result.exit_code == 0
    assert json.loads(result.stdout) == {
        "first_day": "2021-11-01",
        "last_day": "2021-11-05",
        "ends": "2021-11-06T00:00:00+08:00",
        "days": ["2021-11-01", "2021-11-02", "2021-11-03", "2021-11-04", "2021-11-05"],
    }


@pytest.mark.parametrize(
    ("closes", "last_day"),
    [
        ("2021-09-30T18:00", "2021-10-13"),
        ("2021-04-30T18:00", "2021-05-11"),
        ("2021-02-09T18:00", "2021-02-22"),
        ("2023-10-18T17:00", "2023-10-25"),
        ("2024-12-31T18:00", "2025-01-08"),
        ("2021-10-31", "2021-11-05"),
        ("2021-10-31T24:00", "2021-11-05"),
        ("2021-10-31T10:00:00+00:00", "2021-11-05"),
        ("2021-10-31T16:00:00Z", "2021-11-08"),  # Monday in Beijing already
    ],
)
def test_deadlines_as_people_write_them(closes: str, last_day: str) -> None:
    assert json.loads(window(closes).stdout)["last_day"] == last_day


def test_the_deadline_day_can_be_counted() -> None:
    assert json.loads(window("2021-11-05T18:00", "1", "--count-deadline-day").stdout)["days"] == [
        "2021-11-05"
    ]


def test_an_unknown_year_is_named_with_the_page_to_enter_it() -> None:
    last = max(official_calendar().years)
    result = window(f"{last}-12-31T18:00")
    assert result.exit_code == 2
    assert str(last + 1) in result.stderr
    assert "/staff/workdays" in result.stderr
    assert result.stdout == ""


def entered(path: Path, *years: dict[str, Any]) -> str:
    file = path / "years.json"
    file.write_text(json.dumps({"years": years}, ensure_ascii=False), encoding="utf-8")
    return str(file)


def test_years_that_a_committee_entered_are_counted_as_the_site_counts_them(tmp_path: Path) -> None:
    year = max(official_calendar().years) + 1
    fixed = [f"{year}-01-01", f"{year}-05-01", f"{year}-10-01..{year}-10-03"]
    first = [date(year, 1, day) for day in range(1, 15)]
    off = next(day for day in first[1:] if day.weekday() < 5)
    worked = next(day for day in first if day.weekday() == 5)
    file = entered(
        tmp_path,
        {
            "year": year,
            "kind": "entered",
            "holidays": [*fixed, off.isoformat()],
            "makeup_workdays": [worked.isoformat()],
        },
    )
    result = window(f"{year - 1}-12-31T18:00", "8", "--years", file)
    days = json.loads(result.stdout)["days"]
    assert f"{year}-01-01" not in days
    assert off.isoformat() not in days
    assert worked.isoformat() in days


def test_what_is_official_stands_whatever_a_file_says(tmp_path: Path) -> None:
    file = entered(tmp_path, {"year": 2021, "kind": "official", "holidays": ["2021-11-01"]})
    assert json.loads(window("2021-10-31T18:00", "5", "--years", file).stdout)["last_day"] == "2021-11-05"


@pytest.mark.parametrize(
    ("years", "says"),
    [
        ([{"year": 2031, "holidays": ["2031-01-01"]}], "$.years[0].holidays: 缺少法定节假日 2031-05-01"),
        ([{"year": "2031"}], "$.years[0].year"),
        ([{"year": 2031, "holidays": "2031-01-01"}], "$.years[0].holidays: 应为日期的列表"),
        ([{"year": 2031, "holidays": ["soon"]}], "第 1 行“soon”不是日期"),
        (["2031"], "$.years[0].year"),
    ],
)
def test_a_year_that_is_no_notice_is_refused_at_its_place(tmp_path: Path, years: Any, says: str) -> None:
    result = window("2021-10-31T18:00", "5", "--years", entered(tmp_path, *years))
    assert (result.exit_code, result.stdout) == (2, "")
    assert says in result.stderr


@pytest.mark.parametrize("text", ["[]", "{", '{"years": {}}'])
def test_a_file_that_holds_no_years_is_a_sentence(tmp_path: Path, text: str) -> None:
    file = tmp_path / "years.json"
    file.write_text(text, encoding="utf-8")
    result = window("2021-10-31T18:00", "5", "--years", str(file))
    assert result.exit_code == 2
    assert "--years" in result.stderr


@pytest.mark.parametrize("closes", ["tomorrow", "2021-02-30T18:00", "2021-13-01", "", "9999-12-31T18:00"])
def test_a_deadline_that_is_no_known_time_is_a_sentence(closes: str) -> None:
    result = window(closes)
    assert result.exit_code == 2
    assert result.stderr.strip()
    assert "Traceback" not in result.output


@pytest.mark.parametrize("workdays", ["0", "-1", "five", "1.5"])
def test_the_number_of_days_is_a_positive_whole_number(workdays: str) -> None:
    assert window("2021-10-31T18:00", workdays).exit_code == 2
