"""Sentences for people (文案), kept apart from the language they are shown in.

A rule or a service says *what* it has to say as a ``T``: the Chinese sentence and its values. The web layer turns
it into the reader's language when it is shown, so a refusal raised deep in a rule reads right on every page.
``pybabel extract -k T`` finds these sentences.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

if TYPE_CHECKING:
    from collections.abc import Callable

BEIJING = ZoneInfo("Asia/Shanghai")
WEEKDAYS = "一二三四五六日"
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")

_LONG_NUMBER = re.compile(r"\d{11}")
_BETWEEN_DIGITS = re.compile(r"(?<=\d)[\s\-\u2010-\u2015\uff0d]+(?=\d)")


_FORMS = re.compile(r"\{(\w+):([^{}|]*)\|([^{}|]*)\}")


def counted(sentence: str, values: Mapping[str, Any]) -> str:
    """A translation with the form that goes with each of its numbers (单复数); the values themselves are put in afterwards.

    Chinese has one form. An English sentence may hold ``{count:letter|letters}``: what stands before the bar where ``count`` is 1,
    else what stands after it. Whoever writes the Chinese sentence needs to know nothing of that.
    """
    if "{" not in sentence:
        return sentence
    return _FORMS.sub(lambda found: found[2 if str(values.get(found[1])) == "1" else 3], sentence)


class T:
    """One sentence: a Chinese msgid with ``%(name)s`` places and the values that go there.

    A value may itself be a ``T``, a number, a string, a date or an aware datetime (shown in Beijing time).
    """

    __slots__ = ("msgid", "params")

    def __init__(self, msgid: str, /, **params: Any) -> None:
        self.msgid = msgid
        self.params: Mapping[str, Any] = params

    def render(
        self,
        translate: Callable[[str], str] = lambda msgid: msgid,
        show_moment: Callable[[date], str] | None = None,
    ) -> str:
        """The sentence in the language ``translate`` leads to; moments through ``show_moment``."""
        sentence = counted(translate(self.msgid), self.params)
        if not self.params:
            return sentence.replace("%%", "%")
        shown = {}
        for name, value in self.params.items():
            if isinstance(value, T):
                shown[name] = value.render(translate, show_moment)
            elif isinstance(value, date):
                shown[name] = (show_moment or chinese_moment)(value)
            else:
                shown[name] = value
        return sentence % shown

    def __str__(self) -> str:
        return self.render()

    def __repr__(self) -> str:
        return f"T({self.render()!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, T) and (self.msgid, dict(self.params)) == (other.msgid, dict(other.params))

    def __hash__(self) -> int:
        return hash((self.msgid, tuple(sorted((name, str(value)) for name, value in self.params.items()))))


_WITH_CLAUSE = T("%(sentence)s（规程 %(clause)s）")


class Cited(T):
    """A sentence with the clause it rests on, for places that can make a link of it (``web.problems.cited``)."""

    __slots__ = ("clause", "sentence")

    def __init__(self, sentence: T, clause: str) -> None:
        super().__init__(_WITH_CLAUSE.msgid, sentence=sentence, clause=clause)
        self.sentence = sentence
        self.clause = clause


def shortened(text: str, longest: int) -> str:
    """A text of at most so many characters; "…" says that some were left out."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def holds_long_number(written: str) -> bool:
    """Whether a text holds a number as long as a phone's or an ID card's, also where it is written in parts."""
    return bool(_LONG_NUMBER.search(_BETWEEN_DIGITS.sub("", written)))


def until(ends_at: datetime) -> T:
    """The end of a window: midnight is written as 24:00 of the day before, as the regulations write it."""
    local = ends_at.astimezone(BEIJING)
    if local.time() == time():
        return T("%(day)s24:00", day=local.date() - timedelta(days=1))
    return T("%(moment)s", moment=ends_at)


def chinese_moment(value: date) -> str:
    """``10月31日（周日）18:00`` of an aware datetime, in Beijing time; a date without the hour."""
    if isinstance(value, datetime):
        local = value.astimezone(BEIJING)
        clock = f"{local:%H:%M:%S}" if local.second else f"{local:%H:%M}"
        return f"{local.year}年{local.month}月{local.day}日（周{WEEKDAYS[local.weekday()]}）{clock}"
    return f"{value.year}年{value.month}月{value.day}日（周{WEEKDAYS[value.weekday()]}）"


def english_moment(value: date) -> str:
    """``Sun 31 Oct 2021, 18:00 (Beijing time)`` of an aware datetime; a date without the hour."""
    if isinstance(value, datetime):
        local = value.astimezone(BEIJING)
        clock = f"{local:%H:%M:%S}" if local.second else f"{local:%H:%M}"
        return f"{_english_day(local)}, {clock} (Beijing time)"
    return _english_day(value)


def _english_day(day: date) -> str:
    return f"{DAYS[day.weekday()]} {day.day} {MONTHS[day.month - 1]} {day.year}"
