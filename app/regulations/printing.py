"""A regulation on paper (规程 PDF): the rules page's own sentences, in the reader's language, as data for the template."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from app.regulations.queries import EditionView
from app.regulations.rules import InterpretationRow, RuleRow, RuleSection, RulesPage
from app.regulations.rules.rows import RuleBlock
from app.text import T
from app.web.i18n import language, show
from app.web.printing import Sheet, sheet

TEMPLATE = "regulations/rules.typ"


def rules_sheet(
    page: RulesPage, *, competition: str | None = None, editions: Sequence[EditionView] = ()
) -> Sheet:
    """The PDF of a rules page: of a shipped regulation, or of an event's version, the last of ``editions``."""
    version = editions[-1] if editions else None
    data = {
        "lang": language(),
        "title": show(page.title),
        "event": show(page.event),
        "competition": competition or "",
        "version": "" if version is None else show(T("第 %(number)s 版", number=version.number)),
        "in_force": "" if version is None else show(T("%(at)s起执行", at=version.in_force_from)),
        "sha256": page.sha256,
        "notices": [_notice(each) for each in editions if each.reason],
        "sections": [_section(each) for each in page.sections],
        "interpretations": [_interpretation(each) for each in page.interpretations],
        "words": {
            "clause": show(T("出处")),
            "colon": show(T("：")),
            "interpretations": show(T("条文解释")),
            "interpretations_lead": show(T("原文没有写明、有误或互相矛盾之处，本赛事按下列解释执行。")),
            "this_event": show(T("本赛事")),
            "chosen": show(T("本赛事另选")),
            "others": show(T("其他读法")),
            "semicolon": show(T("；")),
            "notices": show(T("版本和公告")),
            "fingerprint": show(T("规程版本指纹（SHA-256）")),
            "beijing": show(T("时间均为北京时间。")),
        },
    }
    return sheet(TEMPLATE, data)


def _notice(edition: EditionView) -> dict[str, str]:
    return {
        "version": show(T("第 %(number)s 版", number=edition.number)),
        "at": show(T("%(at)s", at=edition.published_at)),
        "reason": edition.reason or "",
    }


def _section(section: RuleSection) -> dict[str, Any]:
    return {
        "title": show(section.title),
        "lead": show(section.lead),
        "columns": [show(each) for each in section.columns or ()],
        "rows": [_row(row) for row in section.rows] if section.columns else [],
        "blocks": [] if section.columns else [_block(each) for each in section.blocks],
        "tables": [
            {
                "title": show(table.title),
                "columns": [show(each) for each in table.columns],
                "rows": [[*(show(cell) for cell in cells), clause] for cells, clause in table.rows],
            }
            for table in section.tables
        ],
    }


def _row(row: RuleRow) -> dict[str, Any]:
    return {
        "label": show(row.label),
        "text": show(row.text),
        "note": show(row.note),
        "clause": row.clause,
        "readings": list(row.interpretations),
    }


def _block(block: RuleBlock) -> dict[str, Any]:
    """The sentences of one clause; a label that is the one before it is not said again."""
    labels = ["", *(show(row.label) for row in block.rows)]
    rows = [
        _row(row) | {"label": "" if label == before else label}
        for row, (before, label) in zip(block.rows, pairwise(labels), strict=True)
    ]
    return {"clause": block.clause, "readings": list(block.interpretations), "rows": rows}


def _interpretation(each: InterpretationRow) -> dict[str, Any]:
    return {
        "id": each.id,
        "text": show(each.text),
        "meaning": show(each.meaning),
        "changed": each.changed,
        "others": [show(other) for other in each.alternatives],
        "clause": each.clause,
    }
