"""A paper as a spreadsheet (xlsx): a page for each table, numbers as numbers, the head row fixed.

Every text is written as text, so a name that begins with ``=``, ``+``, ``-`` or ``@`` is a name and no formula.
"""

from __future__ import annotations

import re
from datetime import UTC
from functools import partial
from io import BytesIO

from xlsxwriter import Workbook
from xlsxwriter.worksheet import Worksheet

from app.notifications.letters import translate
from app.reports.paper import Cell, Figure, Paper, Say, Table, shown
from app.text import T

LONGEST_NAME = 31
"""Characters of the name of a page."""

NARROWEST, WIDEST = 6, 60


def xlsx(paper: Paper, language: str) -> bytes:
    """The spreadsheet in ``zh`` or ``en``; the same paper gives the same bytes."""
    say = partial(translate, language=language)
    out = BytesIO()
    book = Workbook(
        out,
        {
            "in_memory": True,
            "strings_to_formulas": False,
            "strings_to_numbers": False,
            "strings_to_urls": False,
        },
    )
    book.set_properties(
        {"title": say(paper.title), "created": paper.made_at.astimezone(UTC).replace(tzinfo=None)}
    )
    bold = book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "vcenter"})
    plain = book.add_format({"valign": "top"})
    names: set[str] = set()
    for table in paper.tables:
        page = book.add_worksheet(_name(say(table.title), names))
        _fill(page, table, say, bold, plain)
    facts = book.add_worksheet(_name(say(T("报告说明")), names))
    for row, (label, cell) in enumerate(((T("标题"), paper.title), *paper.facts)):
        facts.write_string(row, 0, say(label), plain)
        _write(facts, (row, 1), cell, say, plain)
    facts.set_column(0, 0, 24)
    facts.set_column(1, 1, WIDEST)
    book.close()
    return out.getvalue()


def _fill(page: Worksheet, table: Table, say: Say, bold: object, plain: object) -> None:
    for column, title in enumerate(table.head):
        page.write_string(0, column, say(title), bold)
        widths = [_width(say(title)), *(_width(shown(row[column], say)) for row in table.rows)]
        page.set_column(column, column, min(max(NARROWEST, *widths) + 2, WIDEST))
    for place, row in enumerate(table.rows, start=1):
        for column, cell in enumerate(row):
            _write(page, (place, column), cell, say, plain)
    page.freeze_panes(1, 0)
    page.repeat_rows(0)
    page.set_paper(9)  # A4
    page.fit_to_pages(1, 0)
    if len(table.head) > 8:
        page.set_landscape()


def _write(page: Worksheet, place: tuple[int, int], cell: Cell, say: Say, style: object) -> None:
    number = cell if isinstance(cell, int) else cell.number if isinstance(cell, Figure) else None
    if number is not None:
        page.write_number(*place, number, style)
    elif cell is not None:
        page.write_string(*place, shown(cell, say), style)


def _width(text: str) -> int:
    """Columns of a text: a Chinese character takes two."""
    return sum(2 if ord(each) > 0x2E80 else 1 for each in text)


def _name(title: str, taken: set[str]) -> str:
    """A name for a page: without the characters that none may have, and no other page's."""
    clean = re.sub(r"[\[\]:*?/\\']", " ", title).strip()[:LONGEST_NAME] or "1"
    name, number = clean, 2
    while name.casefold() in taken:
        name = f"{clean[: LONGEST_NAME - len(str(number)) - 1]} {number}"
        number += 1
    taken.add(name.casefold())
    return name
