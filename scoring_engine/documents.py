"""Reading JSON-shaped documents: every problem is kept with its JSON path, none stops the reading.

A reader asks for a typed value at a path; where the value has the wrong type it notes a problem and answers None,
so that one pass over a document reports everything that is wrong with it.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any, NoReturn

from scoring_engine.values import Text

_TYPE_NAMES = {
    dict: Text("对象", "an object"),
    list: Text("列表", "a list"),
    str: Text("文字", "a text"),
    bool: Text("true 或 false", "true or false"),
    int: Text("整数", "a whole number"),
}


_LONGEST = 1000
"""Digits of a whole number that is read; no score, id or amount needs more."""
_SHOWN = 20
_HALF = re.compile("[\ud800-\udfff]")
"""Half of a surrogate pair (`"\\ud800"` in JSON): no character, and no encoding can write it."""
_NO_TEXT = Text(
    "这里含有不是文字的编码（不成对的 \\ud800…）。", "This holds half a surrogate pair, which is no text."
)


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a document: where (`$.stages[0].rounds[0]…`) and a sentence in both languages."""

    path: str
    zh: str
    en: str

    def __str__(self) -> str:
        return f"{self.path}: {self.zh}"


class DocumentError(ValueError):
    """A document that cannot be used. Holds **all** its problems, in document order."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))

    @property
    def path(self) -> str:
        """The JSON path of the first problem."""
        return self.problems[0].path

    @property
    def message(self) -> str:
        """The Chinese sentence of the first problem."""
        return self.problems[0].zh


class _Object(dict[str, Any]):
    """A JSON object that remembers which keys were written twice."""

    repeated: tuple[str, ...] = ()


def _object(pairs: list[tuple[str, Any]]) -> _Object:
    found = _Object(pairs)
    if len(found) != len(pairs):
        times = Counter(key for key, _ in pairs)
        found.repeated = tuple(key for key, count in times.items() if count > 1)
    return found


class _NoNumberError(ValueError):
    """A number that JSON does not have, or that nothing could be computed with."""

    def __init__(self, text: Text) -> None:
        self.text = text
        super().__init__(text.en)


def _refuse_constant(name: str) -> NoReturn:
    raise _NoNumberError(Text(f"JSON 没有 {name} 这个数", f"JSON has no number {name}"))


def _decimal(written: str) -> Decimal:
    try:
        return Decimal(written)
    except InvalidOperation:  # an exponent beyond all bounds
        raise _NoNumberError(
            Text(f"{written[:_SHOWN]} 不是可用的数", f"{written[:_SHOWN]} is no number to compute with")
        ) from None


def _whole(written: str) -> int:
    if len(written) > _LONGEST:
        raise _NoNumberError(
            Text(f"{written[:_SHOWN]}… 位数过多", f"{written[:_SHOWN]}… has too many digits")
        )
    return int(written)


def parse_json(text: str | bytes) -> Any:
    """The JSON value of a text; decimal fractions are read as Decimal, so nothing passes through a float.

    Raises DocumentError: at `$` for text that is no JSON, with its line and column, or holds NaN, Infinity or a number
    too long to compute with; at its path for half a surrogate pair, and for a key written twice, because a reader that
    keeps the last one and a reader that keeps the first would recompute different results.
    """
    try:
        document = json.loads(
            text,
            parse_float=_decimal,
            parse_int=_whole,
            parse_constant=_refuse_constant,
            object_pairs_hook=_object,
        )
        faults = list(_faults(document, "$"))
    except json.JSONDecodeError as error:
        raise _no_json(
            f"第{error.lineno}行第{error.colno}列（{error.msg}）",
            f"line {error.lineno}, column {error.colno} ({error.msg})",
        ) from None
    except RecursionError:
        raise _no_json("嵌套过深", "it is nested too deeply") from None
    except _NoNumberError as error:
        raise _no_json(error.text.zh, error.text.en) from None
    except UnicodeDecodeError as error:
        byte = error.start + 1
        raise _no_json(f"第{byte}字节起不是 UTF-8 文本", f"byte {byte} is not UTF-8") from None
    if faults:
        raise DocumentError([Problem(path, text.zh, text.en) for path, text in faults])
    return document


def _no_json(zh: str, en: str) -> DocumentError:
    return DocumentError([Problem("$", f"不是正确的 JSON：{zh}。", f"This is no valid JSON: {en}.")])


_TWICE = Text("这个键写了两次。", "This key is written twice.")


def _faults(node: Any, path: str) -> Iterator[tuple[str, Text]]:
    """What a JSON reader lets pass and no event can mean, with its path."""
    if isinstance(node, _Object):
        yield from ((key_path(path, key), _TWICE) for key in node.repeated)
        for key, inner in node.items():
            if _HALF.search(key):
                yield path, _NO_TEXT
            else:
                yield from _faults(inner, key_path(path, key))
    elif isinstance(node, list):
        for index, inner in enumerate(node):
            yield from _faults(inner, f"{path}[{index}]")
    elif isinstance(node, str) and _HALF.search(node):
        yield path, _NO_TEXT


@dataclass(slots=True)
class Problems:
    """Collects problems while a document is read."""

    found: list[Problem] = field(default_factory=list)

    def add(self, path: str, zh: str, en: str) -> None:
        """Note a problem; the same sentence at the same path is noted once."""
        problem = Problem(path, zh, en)
        if problem not in self.found:
            self.found.append(problem)

    def wrong_type(self, path: str, wanted: type) -> None:
        """Note that the value at `path` is missing or not of the wanted JSON type."""
        name = _TYPE_NAMES[wanted]
        self.add(path, f"这里应为{name.zh}。", f"This must be {name.en}.")

    def __bool__(self) -> bool:
        return bool(self.found)


def key_path(path: str, key: str) -> str:
    """`$.options` + `rematch` -> `$.options.rematch`; a key that is no plain word is quoted: `$.late['e 1']`."""
    return f"{path}.{key}" if key.isidentifier() else f"{path}[{key!r}]"


class Node:
    """A JSON object being read at a path; each getter notes a problem instead of raising."""

    def __init__(self, value: Mapping[str, Any], path: str, problems: Problems) -> None:
        self.value = value
        self.path = path
        self.problems = problems

    def at(self, key: str) -> str:
        """The JSON path of a key of this object."""
        return key_path(self.path, key)

    def has(self, key: str) -> bool:
        """Whether the key stands here with a value; null counts as absent."""
        return self.value.get(key) is not None

    def text(self, key: str) -> str | None:
        """A text that is not blank."""
        value = self.value.get(key)
        if not isinstance(value, str):
            self.problems.wrong_type(self.at(key), str)
            return None
        if not value.strip():
            self.problems.add(self.at(key), "这里不能为空。", "This must not be empty.")
            return None
        if _HALF.search(value):
            self.problems.add(self.at(key), _NO_TEXT.zh, _NO_TEXT.en)
            return None
        return value

    def optional_text(self, key: str) -> str | None:
        """A text, or None where the key is absent or null."""
        return self.text(key) if self.has(key) else None

    def label(self, key: str) -> Text | None:
        """A text for readers: a Chinese string or `{"zh", "en"}`."""
        value = self.value.get(key)
        if isinstance(value, str) and value.strip():
            return Text(value, value)
        if isinstance(value, Mapping) and isinstance(value.get("zh"), str):
            english = value.get("en", value["zh"])
            if isinstance(english, str):
                return Text(value["zh"], english)
        self.problems.add(
            self.at(key),
            '这里应为文字，或 {"zh": …, "en": …}。',
            'This must be a text or {"zh": …, "en": …}.',
        )
        return None

    def integer(self, key: str, low: int | None = None, high: int | None = None) -> int | None:
        """A whole number in low…high; JSON true and 3.0 are no whole numbers."""
        value = self.value.get(key)
        if isinstance(value, bool) or not isinstance(value, int):
            self.problems.wrong_type(self.at(key), int)
            return None
        if (low is not None and value < low) or (high is not None and value > high):
            bounds = f"{'' if low is None else low}…{'' if high is None else high}"
            self.problems.add(
                self.at(key), f"{value} 不在允许范围 {bounds} 内。", f"{value} is outside {bounds}."
            )
            return None
        return value

    def flag(self, key: str) -> bool | None:
        """true or false; absent is false."""
        value = self.value.get(key, False)
        if not isinstance(value, bool):
            self.problems.wrong_type(self.at(key), bool)
            return None
        return value

    def choice(self, key: str, allowed: Sequence[str]) -> str | None:
        """One of the allowed words."""
        value = self.value.get(key)
        if not isinstance(value, str) or value not in allowed:
            shown = "、".join(allowed)
            self.problems.add(
                self.at(key), f"这里应为：{shown}。", f"This must be one of: {', '.join(allowed)}."
            )
            return None
        return value

    def node(self, key: str) -> "Node | None":
        """An object."""
        value = self.value.get(key)
        if not isinstance(value, Mapping):
            self.problems.wrong_type(self.at(key), dict)
            return None
        return Node(value, self.at(key), self.problems)

    def items(self, key: str, *, required: bool = False) -> list[tuple[str, Any]]:
        """The (path, value) pairs of a list; absent is an empty list unless required."""
        value = self.value.get(key)
        if value is None and not required:
            return []
        if not isinstance(value, list | tuple):
            self.problems.wrong_type(self.at(key), list)
            return []
        return [(f"{self.at(key)}[{index}]", item) for index, item in enumerate(value)]

    def nodes(self, key: str, *, required: bool = False) -> Iterator["Node"]:
        """The objects of a list; an element that is none is a problem and is left out."""
        for path, item in self.items(key, required=required):
            if isinstance(item, Mapping):
                yield Node(item, path, self.problems)
            else:
                self.problems.wrong_type(path, dict)


_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
_MOST_DIGITS = 30


def exact_number(value: object) -> Fraction | None:
    """The exact value of a JSON number or decimal string (`-3`, `"5.5"`), or None where it is no finite number.

    A text is a number only in the digits 0-9, without spaces or exponent. A float read by a plain JSON reader is taken
    by the digits it is written with (5.5 is 11/2).
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return Fraction(value)
    if isinstance(value, str) and not _NUMBER.fullmatch(value):
        return None
    if not isinstance(value, float | Decimal | str):
        return None
    number = Decimal(repr(value) if isinstance(value, float) else value)
    # An exponent of thousands would make a number of as many digits; no score needs one.
    if not number.is_finite() or abs(number.adjusted()) > _MOST_DIGITS:
        return None
    exact = Fraction(number)
    return exact if 10**_MOST_DIGITS % exact.denominator == 0 else None
