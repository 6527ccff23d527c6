"""Single values of a regulation as fields: how each is written into the page, and read back exactly.

What a field shows must come back as it was: where the text of a field alone does not say what the document holds (the
text `"2"` where a number could stand, a moment of another time zone), the field carries the value itself beside it
(``was``), which counts as long as the text is not touched. What cannot be read stays as it was typed; the check of the
whole document then says what is wrong with it.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from app.regulations.rules.terms import same
from app.regulations.rules.texts import Bilingual
from app.regulations.schemas.form.posted import Posted
from app.regulations.schemas.form.views import FieldView, OptionName
from app.text import BEIJING, T


class _Absent:
    def __bool__(self) -> bool:
        return False


ABSENT: Any = _Absent()
"""A field that was left empty: the key does not stand in the document."""

Choices = Sequence[tuple[str, T]]

ONE_LINE = 16
"""Characters that a phone shows in one line of a form."""

_WHOLE = re.compile(r"[+-]?\d{1,18}", re.ASCII)
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?", re.ASCII)
_SEPARATORS = re.compile(r"[,，、\s]+")


def exactly(left: Any, right: Any) -> bool:
    """Equal to the last type: `1` is neither `true` nor `"1"`."""
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(exactly, left, right))
    return same(left, right)


def whole_or_text(text: str) -> Any:
    """`12` as a number, however it was typed; anything else as it stands."""
    plain = unicodedata.normalize("NFKC", text).strip().replace("−", "-")
    return int(plain) if _WHOLE.fullmatch(plain) else text


@dataclass(frozen=True, slots=True)
class Leaf:
    """One kind of value. show: its text, None where the field cannot show it; read: from the text of a field."""

    widget: str
    show: Callable[[Any], str | None]
    read: Callable[[str], Any]
    choices: Choices = ()
    option: bool = False
    bare: bool = False
    """Whether an option stands here by its name alone, not as `{ option = "name" }`."""

    def decided(self) -> "Leaf":
        """The same, where an interpretation may decide the value."""
        return replace(self, option=True)

    def option_of(self, value: Any, options: Sequence[OptionName]) -> str | None:
        """The option that decides a value, if one does."""
        if isinstance(value, dict) and set(value) == {"option"}:
            name = value["option"]
            return name if isinstance(name, str) and name != "" else None
        if self.bare and isinstance(value, str) and any(value == name for name, _ in options):
            return value
        return None

    def view(self, value: Any, shown: FieldView) -> FieldView:
        """The field of a value; ABSENT is an empty one."""
        if value is ABSENT:
            return replace(shown, widget=self.widget, choices=self.choices)
        decided = self.option_of(value, shown.options)
        if decided is not None and (self.bare or not isinstance(value, str)):
            return replace(shown, widget=self.widget, choices=self.choices, option=decided)
        texts = self.texts(value)
        if texts is None:
            raw = json.dumps(value, ensure_ascii=False)
            return replace(shown, widget="raw", texts=(raw,))
        choices = (*self.choices, *((text, Bilingual(text, text)) for text in self.strangers(texts)))
        back = self.read_texts(list(texts))
        was = None if exactly(back, value) or self._settles(back) else json.dumps(value, ensure_ascii=False)
        return replace(shown, widget=self.seen_as(value), texts=texts, choices=choices, was=was, present=True)

    def seen_as(self, value: Any) -> str:
        """The widget of this value: a text of several lines needs the tall one."""
        text = str(value)
        several = self.widget in ("text", "clause", "number", "exact") and "\n" in text
        return "long" if several or (self.widget == "text" and len(text) > ONE_LINE) else self.widget

    def _settles(self, back: Any) -> bool:
        """Whether a wrong type may be put right by sending the form as it is."""
        return self is WHOLE and type(back) is int

    def strangers(self, texts: Sequence[str]) -> list[str]:
        """What the document holds and the choices do not know: it stays, and the check says that it is wrong."""
        known = {text for text, _ in self.choices}
        return [text for text in texts if known and text not in known]

    def texts(self, value: Any) -> tuple[str, ...] | None:
        text = self.show(value)
        return None if text is None else (text,)

    def read_texts(self, texts: list[str]) -> Any:
        return self.read(texts[0]) if texts and texts[0] != "" else ABSENT

    def read_posted(self, posted: Posted) -> Any:
        """The value of the field as it was sent."""
        if posted.at("raw").values:
            return _json(posted.text or "")
        by = posted.at("by").text
        if by:
            return by if self.bare else {"option": by}
        texts = [text.replace("\r\n", "\n") for text in posted.values]
        was = posted.at("was").text
        if was is not None:
            value = _json(was)
            shown = self.texts(value)
            if shown is not None and self.unchanged(texts, shown):
                return value
        return self.read_texts(texts)

    def unchanged(self, texts: list[str], shown: Sequence[str]) -> bool:
        return texts == list(shown)


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _as_text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _as_number(value: Any) -> str | None:
    return str(value) if type(value) is int else _as_text(value)


def _as_flag(value: Any) -> str | None:
    return json.dumps(value) if type(value) is bool else None


def _read_flag(text: str) -> Any:
    return {"true": True, "false": False}.get(text, text)


TEXT = Leaf("text", _as_text, str)
LONG = Leaf("long", _as_text, str)
CLAUSE = Leaf("clause", _as_text, str)
WHOLE = Leaf("number", _as_number, whole_or_text)
EXACT = Leaf("exact", _as_number, whole_or_text)
"""A number that may have decimals, which a document holds as text: exact, never a float."""
SCALAR = Leaf("text", _as_number, whole_or_text)
COUNT = Leaf("number", _as_number, whole_or_text, option=True, bare=True)
"""A whole number, or the name of an option that is one."""
FLAG = Leaf(
    "select", _as_flag, _read_flag, (("true", Bilingual("是", "Yes")), ("false", Bilingual("否", "No")))
)


def code(choices: Choices) -> Leaf:
    """One of a few codes, shown in words."""
    return Leaf("select", _as_text, str, choices)


@dataclass(frozen=True, slots=True)
class _When(Leaf):
    """A day, or a moment in Beijing time; what is neither is shown as text, so that it can be put right."""

    def seen_as(self, value: Any) -> str:
        try:
            datetime.fromisoformat(value) if self.widget == "moment" else date.fromisoformat(value)
        except (TypeError, ValueError):
            return "text"
        return self.widget


def _as_moment(value: Any) -> str | None:
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value)
        if moment.tzinfo is None or len(value) <= len("2021-10-31"):
            return value
        local = moment.astimezone(BEIJING)
    except (ValueError, OverflowError):
        return value
    return local.strftime("%Y-%m-%dT%H:%M:%S") if local.second else local.strftime("%Y-%m-%dT%H:%M")


def _read_moment(text: str) -> Any:
    """`2021-10-31T18:00` as a moment of Beijing; anything else as it was typed."""
    found = _MOMENT.fullmatch(text.strip())
    if found is None:
        return text
    day, clock, seconds = found.groups()
    return f"{day}T{clock}{seconds or ':00'}+08:00"


DAY = _When("date", _as_text, str)
MOMENT = _When("moment", _as_moment, _read_moment)


@dataclass(frozen=True, slots=True)
class _Many(Leaf):
    """A list of codes, each with its own box."""

    def texts(self, value: Any) -> tuple[str, ...] | None:
        good = isinstance(value, list) and all(isinstance(each, str) for each in value)
        return tuple(value) if good and len(set(value)) == len(value) else None

    def read_texts(self, texts: list[str]) -> Any:
        return [text for text in texts if text]

    def read_posted(self, posted: Posted) -> Any:
        value = Leaf.read_posted(self, posted)
        return ABSENT if value == [] and not posted.at("is").values else value

    def unchanged(self, texts: list[str], shown: Sequence[str]) -> bool:
        return sorted(texts) == sorted(shown)


def many(choices: Choices) -> Leaf:
    """Several of a few codes."""
    return _Many("checks", _as_text, str, choices)


@dataclass(frozen=True, slots=True)
class _Listed(Leaf):
    """A short list in one line, its parts set off by commas."""

    def texts(self, value: Any) -> tuple[str, ...] | None:
        if not isinstance(value, list) or not value or not all(type(each) in (int, str) for each in value):
            return None
        parts = [str(each) for each in value]
        return None if any(part == "" or _SEPARATORS.search(part) for part in parts) else (", ".join(parts),)

    def read_texts(self, texts: list[str]) -> Any:
        parts = [part for part in _SEPARATORS.split(texts[0] if texts else "") if part]
        return [whole_or_text(part) for part in parts] if parts else ABSENT


NUMBERS = _Listed("text", _as_text, str)


@dataclass(frozen=True, slots=True)
class _Order(Leaf):
    """A list that is one of a few orders."""

    def texts(self, value: Any) -> tuple[str, ...] | None:
        text = json.dumps(value, ensure_ascii=False)
        return (text,) if isinstance(value, list) else None

    def read_texts(self, texts: list[str]) -> Any:
        return _json(texts[0]) if texts and texts[0] else ABSENT


def order(choices: Sequence[tuple[Sequence[str], T]]) -> Leaf:
    """One of a few orders of the same codes."""
    written = tuple((json.dumps(list(codes), ensure_ascii=False), text) for codes, text in choices)
    return _Order("select", _as_text, str, written)
