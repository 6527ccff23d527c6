"""What may be handed in now, and which of its fields may be changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from app.documents.rules.checklist import Row
from app.documents.rules.refusals import DayRefusedError, HandInClosedError
from app.documents.rules.states import HOLDER, PAGES
from app.documents.rules.values import check_values, rule_problems
from app.text import T
from app.uploads.rules import Purpose, purpose

PURPOSE = "proof"
"""For what the files of a document are uploaded (`app.uploads.rules.PURPOSES`)."""


def accepts(row: Row) -> Purpose:
    """What the files of a document may be: a text may allow less than every proof may have."""
    return purpose(PURPOSE).within(megabytes=row.max_megabytes, pages=row.max_pages)


def require_until(until: date, today: date, last_day: date) -> None:
    """Refuse to ask for a document until a day that is over, or after the competition. Raises ``DayRefusedError``."""
    if not today <= until <= last_day:
        raise DayRefusedError(today, last_day)


def require_open(row: Row) -> None:
    """Refuse a document whose time is over, unless it was sent back, has expired or was asked for."""
    if not row.open:
        due = row.open_until
        raise HandInClosedError(row.name, due.describe(), due.clause)


def open_places(row: Row) -> frozenset[str]:
    """The fields that may be typed now, and ``pages`` where new pictures may be sent.

    After 需补正 only what was flagged, and what the rules no longer take: the rest was looked at and stands. A paper that
    bears another person's name is another paper.
    """
    everything = frozenset({PAGES, *(each.name for each in row.fields)})
    if not row.reasons or row.handed_in is None:
        return everything
    flagged = set(row.reasons) | set(rule_problems(row.judged_by, row.handed_in.values))
    flagged |= {each.name for each in row.fields if each.required and each.name not in row.handed_in.values}
    if HOLDER in flagged:
        flagged.add(PAGES)
    return frozenset(flagged & everything) or everything


def check(
    row: Row, typed: Mapping[str, str], tokens: Sequence[str], today: date
) -> tuple[dict[str, str], dict[str, T]]:
    """The values to store, and what is wrong by field: what was typed over what stands, each against the rules."""
    places = open_places(row)
    standing = {} if row.handed_in is None or not row.reasons else dict(row.handed_in.values)
    known = {each.name for each in row.fields}
    locked = {
        name: T("这一项没有要求修改。")
        for name, value in typed.items()
        if name in known - places and value.strip() and value.strip() != standing.get(name)
    }
    merged = {name: value for name, value in standing.items() if name in known} | {
        name: value for name, value in typed.items() if name not in known - places
    }
    values, problems = check_values(row.judged_by, merged, today)
    problems |= locked
    if PAGES in places:
        if not tokens and not (row.reasons and PAGES not in row.reasons and HOLDER not in row.reasons):
            problems[PAGES] = T("请先拍照或选择文件。")
        elif len(set(tokens)) != len(tokens):
            problems[PAGES] = T("同一个文件不能提交两次。")
        elif len(tokens) > row.max_pages:
            problems[PAGES] = T("最多 %(limit)s 个文件。", limit=row.max_pages)
    elif tokens:
        problems[PAGES] = T("这一项没有要求修改。")
    return values, problems
