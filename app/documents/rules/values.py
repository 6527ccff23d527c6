"""What was typed beside a document, against the kind's fields and the rules of every event: all problems at once."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import date

from app.documents.rules.fields import DocumentField, FieldType, Role, fields_of
from app.registrations.rules.refusals import with_clause
from app.regulations.rules import Calendar, DocumentRule
from app.regulations.rules.calendar import FIRST_YEAR, LAST_YEAR
from app.text import T

OLDEST = 1950
"""A document issued before this year is a slip of the hand."""
LONGEST = 60

_DAY = re.compile(r"(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?", re.ASCII)

Demand = tuple[DocumentRule, Calendar]
"""What one event asks: the rule and the dates by which it is read."""


def asked_fields(demands: Sequence[Demand]) -> tuple[DocumentField, ...]:
    """The fields of a document that these events ask for, each once."""
    found: dict[str, DocumentField] = {}
    for rule, _ in demands:
        for each in fields_of(rule):
            found.setdefault(each.name, each)
    return tuple(found.values())


def read_day(written: str) -> date | None:
    """A day as people write it: 2021-11-27, 2021/11/27, 2021年11月27日; None where it is none."""
    found = _DAY.fullmatch(unicodedata.normalize("NFKC", written).strip())
    try:
        return date(*map(int, found.groups())) if found else None
    except ValueError:
        return None


def check_values(
    demands: Sequence[Demand], typed: Mapping[str, str], today: date
) -> tuple[dict[str, str], dict[str, T]]:
    """The values as they are stored (dates as 2021-11-27), and what is wrong, by field. ``today`` is Beijing's day.

    Where several events ask for the document, one that the strictest takes will do for all of them.
    """
    asked = asked_fields(demands)
    problems = {name: T("没有这一项。") for name in typed if name not in {each.name for each in asked}}
    values: dict[str, str] = {}
    for each in asked:
        value, problem = _read(each, typed.get(each.name, "").strip(), today, demands[0][0].clause)
        if problem is not None:
            problems[each.name] = problem
        elif value:
            values[each.name] = value
    days = {each.role: each.name for each in asked if each.role is not None and each.name in values}
    first, last = days.get(Role.VALID_FROM), days.get(Role.VALID_TO)
    if first and last and values[last] < values[first]:
        problems[last] = T("不能早于生效日期。")
    for name, problem in rule_problems(demands, values).items():
        problems.setdefault(name, problem)
    return values, problems


def rule_problems(demands: Sequence[Demand], values: Mapping[str, str]) -> dict[str, T]:
    """What the rules of the events say against these values, by field, each with its clause.

    A date that was not typed well is not judged: that is said already.
    """
    dates = {
        each.role: (each.name, date.fromisoformat(values[each.name]))
        for each in asked_fields(demands)
        if each.role is not None and each.name in values
    }
    problems: dict[str, T] = {}
    for rule, calendar in demands:
        for role, judge in (
            (Role.ISSUED, rule.too_old),
            (Role.VALID_FROM, rule.too_late),
            (Role.VALID_TO, rule.too_short),
        ):
            if role not in dates:
                continue
            name, day = dates[role]
            problem = judge(calendar, day)
            if problem is not None:
                problems.setdefault(name, with_clause(problem, rule.clause))
    return problems


def valid_until(demands: Sequence[Demand], values: Mapping[str, str]) -> date | None:
    """The last day on which the document is valid, where it says so."""
    for each in asked_fields(demands):
        if each.role is Role.VALID_TO and each.name in values:
            return date.fromisoformat(values[each.name])
    return None


def _read(asked: DocumentField, written: str, today: date, clause: str) -> tuple[str, T | None]:
    if not written:
        return "", T("请填写。") if asked.required else None
    if asked.type is FieldType.DATE:
        return _date(asked, written, today)
    if asked.type is FieldType.CHOICE:
        if written not in asked.choices:
            return "", T("请选择。")
        if asked.wanted is not None and written != asked.wanted:
            wanted = T("须为%(wanted)s。", wanted=asked.choices[asked.wanted])
            return "", with_clause(wanted, clause)
        return written, None
    text = " ".join(written.split())
    if len(text) > LONGEST:
        return "", T("最多 %(high)s 个字。", high=LONGEST)
    if not text.isprintable():
        return "", T("含有看不见的控制字符，请重新输入。")
    return text, None


def _date(asked: DocumentField, written: str, today: date) -> tuple[str, T | None]:
    day = read_day(written)
    if day is None:
        return "", T("日期应写作 2026-01-31。")
    if asked.role is Role.ISSUED and day > today:
        return "", T("不能晚于今天。")
    oldest = OLDEST if asked.role is not Role.VALID_TO else FIRST_YEAR
    if not oldest <= day.year <= LAST_YEAR:
        return "", T("年份应在 %(first)s 至 %(last)s 之间。", first=str(oldest), last=str(LAST_YEAR))
    return day.isoformat(), None
