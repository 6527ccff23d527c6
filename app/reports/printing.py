"""A paper as a PDF, set by Typst in the font that comes with the program: the same on every worker."""

from __future__ import annotations

from functools import partial

from app.notifications.letters import translate
from app.reports.paper import Figure, Paper, shown
from app.text import T
from app.web.printing import OWN_FONT, sheet

TEMPLATE = "reports/report.typ"
WIDE = 8
"""Columns that fit an upright page; a paper with more of them lies on its side."""


def pdf(paper: Paper, language: str) -> bytes:
    """The PDF in ``zh`` or ``en``; nothing in a name is read as markup."""
    say = partial(translate, language=language)
    data = {
        "lang": language,
        "title": say(paper.title),
        "wide": any(len(table.head) > WIDE for table in paper.tables),
        "facts": [[say(label), shown(cell, say)] for label, cell in paper.facts],
        "tables": [
            {
                "title": say(table.title),
                "head": [say(each) for each in table.head],
                "numeric": [
                    any(isinstance(row[place], Figure | int) for row in table.rows)
                    for place in range(len(table.head))
                ],
                "rows": [[shown(cell, say) for cell in row] for row in table.rows],
            }
            for table in paper.tables
        ],
        "words": {"beijing": say(T("时间均为北京时间。"))},
    }
    return sheet(TEMPLATE, data, font=OWN_FONT).content
