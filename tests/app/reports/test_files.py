"""Papers as spreadsheets and PDFs: numbers as numbers, names as names, the same bytes for the same paper."""

from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO

import pytest
from openpyxl import load_workbook
from pypdf import PdfReader

from app.reports.paper import Figure, Paper, Table
from app.reports.printing import pdf
from app.reports.spreadsheet import xlsx
from app.text import T

DANGEROUS = (
    "=1+1",
    "+1",
    "-1+2",
    "@SUM(A1)",
    '=HYPERLINK("http://x.example")',
    "http://x.example",
    "#set text(red)",
    "{=1}",
)


def paper(*rows: tuple[object, ...]) -> Paper:
    head = (T("名次"), T("选手"), T("积分"))
    return Paper(
        T("%(competition)s 总结报告", competition="演练赛"),
        datetime(2021, 6, 12, 4, tzinfo=UTC),
        ((T("地点"), "东城"),),
        (Table(T("名次"), head, rows), Table(T("名次"), head, rows)),  # type: ignore[arg-type]  # cells of tests
    )


@pytest.mark.parametrize("name", DANGEROUS)
def test_a_name_is_text_however_it_begins(name: str) -> None:
    made = paper((1, name, Figure("2")))
    cell = load_workbook(BytesIO(xlsx(made, "zh")))["名次"]["B2"]
    assert (cell.value, cell.data_type, cell.hyperlink) == (name, "s", None)
    assert name.replace(" ", "") in "".join(
        page.extract_text() for page in PdfReader(BytesIO(pdf(made, "zh"))).pages
    ).replace(" ", "").replace("\n", "")


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("7", 7),
        ("-3", -3),
        ("1.5", 1.5),
        ("0.25", 0.25),
        ("4/3", "4/3"),  # no decimal: text, not a number that is nearly it
        ("0.1", "0.1"),
        ("12345678901234567", "12345678901234567"),
    ],
)
def test_numbers_are_numbers_where_they_stay_exact(written: str, read: object) -> None:
    cell = load_workbook(BytesIO(xlsx(paper((1, "赵一", Figure(written))), "zh")))["名次"]["C2"]
    assert cell.value == read
    assert isinstance(cell.value, type(read))


def test_the_head_row_stays_and_no_two_pages_have_one_name() -> None:
    book = load_workbook(BytesIO(xlsx(paper((1, "赵一", Figure("2"))), "en")))
    assert len(book.sheetnames) == 3
    assert len(set(book.sheetnames)) == 3
    assert book.worksheets[0].freeze_panes == "A2"
    assert book.worksheets[0]["A1"].value == "Ranking"


@pytest.mark.parametrize("make", [pdf, xlsx])
def test_the_same_paper_gives_the_same_bytes(make: object) -> None:
    made = paper((1, "赵一", Figure("2")))
    assert make(made, "zh") == make(made, "zh")  # type: ignore[operator]  # one of the two functions


def test_no_fingerprint_is_parted_by_the_end_of_a_page() -> None:
    sha256 = "0123456789abcdef" * 4
    for lines in range(37, 42):  # over the end of the first page
        rows = [(number, f"选手{number}", None) for number in range(lines)]
        table = Table(T("名次"), (T("名次"), T("选手"), T("SHA-256")), (*rows, (lines, "最后", sha256)))
        made = Paper(T("名次"), datetime(2021, 6, 12, 4, tzinfo=UTC), ((T("地点"), "东城"),), (table,))
        pages = [page.extract_text() for page in PdfReader(BytesIO(pdf(made, "zh"))).pages]
        assert sorted(page.count("0123456789abcdef") for page in pages)[-1] == 4, lines
