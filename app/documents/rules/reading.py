"""The text check (文字核对): what a machine read on a document, beside what was typed. Pure; it marks, it never decides.

| compared | agreement | doubt | not found |
|---|---|---|---|
| the holder's name | the name stands there | another name stands behind 姓名, or one character differs | neither |
| the ID number | it stands there | another number of 18 digits stands there; only its last four are told | neither |
| each typed date | that day stands there | other days stand there; the likeliest is told | no day |

Not read: what hands wrote, seals, signatures, and texts such as the issuer's name.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from app.documents.rules.fields import DocumentField, FieldType, Role
from app.documents.rules.states import HOLDER
from app.text import T

ID_NUMBER = "id_number"

_DAY = re.compile(
    r"(?<!\d)((?:19|20)\d{2})(?:\s*[-/.年]\s*)(\d{1,2})(?:\s*[-/.月]\s*)(\d{1,2})(?!\d)", re.ASCII
)
_ID = re.compile(r"(?<!\d)\d{17}[\dX](?!\d)", re.ASCII)
_NAMED = re.compile(
    r"(?:姓名|姓\s*名|受检者|被保险人|接种者|承诺人|持卡人|Name)[:\s]*([一-鿿·]{2,8}?)(?=性别|年龄|民族|[^一-鿿·]|$)"
)

_LABELS: Mapping[Role, tuple[str, ...]] = {
    Role.ISSUED: ("出具", "采样", "采集", "签发", "检查日期", "体检日期", "接种", "报告日期", "签署", "日期"),
    Role.VALID_FROM: ("生效", "起保", "自", "保险期间", "起"),
    Role.VALID_TO: ("至", "止", "终止", "有效期"),
}
"""Words on a page near which the day of a role usually stands, the surest first."""


class Agreement(StrEnum):
    AGREES = "agrees"
    DOUBT = "doubt"
    NOT_FOUND = "not_found"


class ReadingState(StrEnum):
    READING = "reading"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found about one place of a document. ``read``: what stands there instead, where that is doubted."""

    agreement: Agreement
    read: str = ""

    @property
    def words(self) -> T:
        match self.agreement:
            case Agreement.AGREES:
                return T("与填写一致")
            case Agreement.DOUBT:
                return T("可能不一致：读到 %(read)s", read=self.read)
            case _:
                return T("没有读到")


def compare(
    lines: Sequence[str],
    *,
    name: str | None,
    id_number: str | None,
    fields: Sequence[DocumentField],
    values: Mapping[str, str],
) -> dict[str, Finding]:
    """What each place of the document looks like against the lines that were read, from top to bottom.

    ``name`` and ``id_number`` are None where there is none to compare (a unit's document, a deleted number).
    """
    read = [_plain(line) for line in lines]
    found: dict[str, Finding] = {}
    if name:
        found[HOLDER] = _name(read, _plain(name))
    if id_number:
        found[ID_NUMBER] = _id_number(read, _plain(id_number).upper())
    days = _days(read, id_number)
    for each in fields:
        if each.type is FieldType.DATE and each.name in values:
            found[each.name] = _date(days, date.fromisoformat(values[each.name]), each.role)
    return found


def packed(found: Mapping[str, Finding]) -> str:
    return json.dumps(
        {place: [each.agreement.value, each.read] for place, each in found.items()}, ensure_ascii=False
    )


def unpacked(stored: str | None) -> dict[str, Finding]:
    """The findings of a stored reading, by place; empty where there are none."""
    found = json.loads(stored) if stored else {}
    return {place: Finding(Agreement(code), read) for place, (code, read) in found.items()}


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text)


def _name(lines: Sequence[str], name: str) -> Finding:
    wanted = re.sub(r"[\s·•.]", "", name)
    joined = [re.sub(r"[\s·•.]", "", line) for line in lines]
    if any(wanted in line for line in joined):
        return Finding(Agreement.AGREES)
    named = [match for line in lines for match in _NAMED.findall(line)]
    if named:
        return Finding(Agreement.DOUBT, named[0])
    for line in joined:
        for begin in range(len(line) - len(wanted) + 1):
            part = line[begin : begin + len(wanted)]
            apart = sum(one != other for one, other in zip(part, wanted, strict=True))
            if len(wanted) > 2 and apart == 1:
                return Finding(Agreement.DOUBT, part)
    return Finding(Agreement.NOT_FOUND)


def _id_number(lines: Sequence[str], wanted: str) -> Finding:
    numbers = [each for line in lines for each in _ID.findall(re.sub(r"\s", "", line).upper())]
    if wanted in numbers:
        return Finding(Agreement.AGREES)
    if numbers:
        return Finding(Agreement.DOUBT, f"…{numbers[0][-4:]}")
    return Finding(Agreement.NOT_FOUND)


def _days(lines: Sequence[str], id_number: str | None) -> list[tuple[date, str]]:
    """Every day that was read, with what stands before it: its own line up to it, and the line above."""
    born = id_number[6:14] if id_number else ""
    found: list[tuple[date, str]] = []
    above = ""
    for line in lines:
        last = 0
        for match in _DAY.finditer(line):
            try:
                day = date(*map(int, match.groups()))
            except ValueError:
                continue
            if day.strftime("%Y%m%d") != born:
                found.append((day, line[last : match.start()] or above))
            last = match.end()
        above = line
    return found


def _date(days: Sequence[tuple[date, str]], typed: date, role: Role | None) -> Finding:
    if any(day == typed for day, _ in days):
        return Finding(Agreement.AGREES)
    if not days:
        return Finding(Agreement.NOT_FOUND)
    for label in _LABELS.get(role, ()) if role is not None else ():
        for day, before in days:
            if label in before:
                return Finding(Agreement.DOUBT, day.isoformat())
    nearest = min(days, key=lambda each: (abs((each[0] - typed).days), each[0]))
    return Finding(Agreement.DOUBT, nearest[0].isoformat())
