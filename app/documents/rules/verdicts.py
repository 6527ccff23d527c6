"""What the regulation says about the data of a document, counted out for whoever compares them with the picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from app.documents.rules.fields import DocumentField, Role
from app.documents.rules.values import Demand, asked_fields
from app.regulations.rules import DocumentRule
from app.regulations.rules.calendar import CALENDAR_KEYS, Calendar
from app.text import T


@dataclass(frozen=True, slots=True)
class Verdict:
    """One document under its rule. ``steps`` show how it was counted, ``refusal`` why it does not do."""

    rule: T
    clause: str
    steps: tuple[T, ...] = ()
    refusal: T | None = None

    @property
    def met(self) -> bool:
        return self.refusal is None


def judge(demands: Sequence[Demand], values: Mapping[str, str]) -> tuple[Verdict, ...]:
    """What each event that asks for the document says; one sentence twice is said once."""
    fields = asked_fields(demands)
    return tuple(dict.fromkeys(verdict(rule, calendar, fields, values) for rule, calendar in demands))


def first_broken(verdicts: Sequence[Verdict]) -> Verdict | None:
    return next((each for each in verdicts if each.refusal is not None), None)


def verdict(
    rule: DocumentRule, calendar: Calendar, fields: Sequence[DocumentField], values: Mapping[str, str]
) -> Verdict:
    """The rule applied to what was typed: 采样日期 10-27, 报到 11-01, 5 days apart, in time (三(一)5, I-A-17)."""
    typed = {each.role: (each, _day(values.get(each.name))) for each in fields if each.role is not None}
    steps = []
    issued, valid_from, valid_to = (
        typed.get(role, (None, None))[1] for role in (Role.ISSUED, Role.VALID_FROM, Role.VALID_TO)
    )
    if rule.within_days is not None and issued is not None and rule.before in calendar.dates:
        day = calendar.day(rule.before)
        apart = (day - issued).days
        steps.append(
            T(
                "%(field)s %(issued)s，%(what)s %(day)s：相隔 %(apart)s 天（须在 %(within)s 天内），%(result)s",
                field=typed[Role.ISSUED][0].label,
                issued=issued.isoformat(),
                what=CALENDAR_KEYS[rule.before],
                day=day.isoformat(),
                apart=apart,
                within=rule.within_days,
                result=T("符合") if apart <= rule.within_days else T("不符合"),
            )
        )
    days = sorted(
        (calendar.day(key), place) for place, key in enumerate(rule.valid_at) if key in calendar.dates
    )
    for role, at, moment in ((Role.VALID_FROM, valid_from, 0), (Role.VALID_TO, valid_to, -1)):
        if days and at is not None:
            day, place = days[moment]
            held = at <= day if role is Role.VALID_FROM else at >= day
            steps.append(
                T(
                    "%(field)s %(at)s，%(what)s %(day)s：%(result)s",
                    field=typed[role][0].label,
                    at=at.isoformat(),
                    what=CALENDAR_KEYS[rule.valid_at[place]],
                    day=day.isoformat(),
                    result=T("届时有效") if held else T("届时无效"),
                )
            )
    refusal = (
        rule.too_old(calendar, issued)
        or rule.too_short(calendar, valid_to)
        or rule.too_late(calendar, valid_from)
        or _unwanted(fields, values)
    )
    return Verdict(rule.describe(), rule.clause, tuple(steps), refusal)


def _unwanted(fields: Sequence[DocumentField], values: Mapping[str, str]) -> T | None:
    """A typed choice that is not the one asked for: a positive test."""
    for each in fields:
        chosen = values.get(each.name)
        if each.wanted is not None and chosen and chosen != each.wanted:
            return T(
                "%(field)s须为%(wanted)s，填写的是%(chosen)s。",
                field=each.label,
                wanted=each.choices[each.wanted],
                chosen=each.choices.get(chosen, chosen),
            )
    return None


def _day(written: str | None) -> date | None:
    """A typed date; what cannot be read is as good as not typed, and the reviewer sees it as it stands."""
    try:
        return date.fromisoformat(written) if written else None
    except ValueError:
        return None
