"""The undertaking (承诺书): its text, made from the regulation and a name, and what counts as a signature under it. Pure.

The text is the plain text that stands on the screen, line by line; ``sha256`` is of its UTF-8 bytes. Its last line is a number
that nobody can guess, so that the hash alone does not tell whether a person whose name one knows has signed. The wording is
kept here in both languages, apart from the catalogue of translations: a sentence that is mended there must not change what
somebody signed. Whoever changes a sentence here raises ``WORDING``.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise
from typing import Any, NamedTuple

from app.documents.rules.checklist import EventDemand
from app.documents.rules.refusals import TextChangedError, UnsignedError
from app.regulations.rules import Bilingual, CalendarKey
from app.regulations.rules.texts import day_in_words
from app.text import T

WORDING = 1
LANGUAGES = ("zh", "en")

TITLE = Bilingual("参赛免责和防疫承诺书", "Waiver and epidemic-prevention undertaking")
NUMBER = Bilingual("编号：", "Number: ")

_GENERAL: tuple[Bilingual, ...] = (
    Bilingual(
        "我自愿参加上述比赛，已读过比赛规程，愿意遵守规程和赛场的规定。",
        "I take part of my own free will. I have read the regulation and will keep to it and to the rules of the venue.",
    ),
    Bilingual(
        "我确认自己的身体状况适合参赛。隐瞒病情或不听从现场安排造成的后果由我自己承担；法律规定不能免除的责任除外。",
        "I am in a state of health fit to take part. What comes of a concealed illness, or of not following instructions at "
        "the venue, I answer for myself, except where the law does not allow a liability to be waived.",
    ),
    Bilingual(
        "我如实提供报名信息和规程要求的各项材料。",
        "What I state with the entry, and the documents that the regulation asks for, are true.",
    ),
    Bilingual(
        "我遵守当地和赛场的防疫规定；有发热、咳嗽等症状，或到过疫情风险地区的，立即如实报告并听从安排。",
        "I keep to the epidemic rules of the place and the venue. Should I have fever, a cough or the like, or have been in an "
        "area of risk, I report it truthfully at once and follow the instructions given.",
    ),
    Bilingual(
        "我知道组委会为办理参赛手续使用我的姓名和签名，比赛结束后按规定的期限删除。",
        "I know that the committee uses my name and signature to admit me, and deletes them when their time after the "
        "competition is over.",
    ),
)

SIGN_AGAIN = T("承诺书的内容在签名之后有变，请重新签署。")

SHEET_TRIES = 5
"""How often a worker begins to make the sheet of a signature before it is given up, and people have to go another way."""

# --- a signature: strokes on a field of 1000 × 400 ---

WIDTH, HEIGHT = 1000, 400
MOST_STROKES, MOST_POINTS, MOST_LETTERS = 100, 4000, 60_000
LEAST_INK = 120
"""Length of all strokes together, so that a touch by mistake is no signature."""

Stroke = tuple[tuple[int, int], ...]
Strokes = tuple[Stroke, ...]


@dataclass(frozen=True, slots=True)
class Undertaking:
    """A text to sign, in one language; ``name`` stands in it."""

    language: str
    title: str
    name: str
    lines: tuple[str, ...]
    """What stands under the title, without the number."""
    number: str

    @property
    def number_line(self) -> str:
        return f"{NUMBER.in_language(self.language)}{self.number}"

    @property
    def text(self) -> str:
        return canonical("\n".join((self.title, *self.lines, self.number_line)))

    @property
    def sha256(self) -> str:
        return text_sha256(self.text)


class Over(NamedTuple):
    """What a signing link signs over: the revision that stood when it was made (0: none), and how often the document had been
    deleted by then; one that was deleted begins at revision 0 again, and no old link may sign it a second time."""

    revision: int
    deletions: int


NOTHING = Over(0, 0)


@dataclass(frozen=True, slots=True)
class SignedUnder:
    """What a signature stands under: the text itself where it was signed on the phone, else only its ``wording_sha256``."""

    text: str | None = field(repr=False)
    wording_sha256: str | None


def canonical(text: str) -> str:
    """A text as it is hashed: lines that end with LF, composed characters, no space at either end of a line."""
    lines = unicodedata.normalize("NFC", text).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(line.strip() for line in lines).strip("\n")


def text_sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def undertaking(
    demands: Sequence[EventDemand],
    *,
    competition: str,
    place: str,
    name: str,
    unit: str | None,
    number: str,
    language: str,
) -> Undertaking:
    """The text for one person: whose, of what, when and where, what is promised, and by which clauses it is asked.

    ``unit`` is None where players enter for themselves. Dates that are not announced yet are left out.
    """

    def say(zh: str, en: str) -> str:
        return en if language == "en" else zh

    events = list(dict.fromkeys(each.event.in_language(language) for each in demands))
    lines = [
        say("承诺人：", "Signed by: ") + name,
        *([say("参赛单位：", "For: ") + unit] if unit and unit != name else []),
        say("比赛：", "Competition: ")
        + say(f"{competition}（{'、'.join(events)}）", f"{competition} ({', '.join(events)})"),
        *([say("时间：", "When: ") + days] if (days := _days(demands, language)) else []),
        *([say("地点：", "Where: ") + place] if place else []),
    ]
    own = list(dict.fromkeys(each.rule.statement for each in demands if each.rule.statement is not None))
    if own:
        lines += [line for text in own for line in text.in_language(language).splitlines() if line.strip()]
    if not own or any(each.rule.statement is None for each in demands):
        lines += [f"{count}. {text.in_language(language)}" for count, text in enumerate(_GENERAL, 1)]
    clauses = list(dict.fromkeys(each.rule.clause for each in demands))
    lines.append(
        say(
            f"依据规程{'、'.join(clauses)}签署。",
            f"Signed as the regulation asks, clause {', '.join(clauses)}.",
        )
    )
    title = TITLE.in_language(language)
    return Undertaking(language, title, name, tuple(canonical(line) for line in lines), number)


def _days(demands: Sequence[EventDemand], language: str) -> str:
    found: list[date] = [
        each.calendar.day(key)
        for each in demands
        for key in (CalendarKey.PLAY_FROM, CalendarKey.PLAY_TO)
        if key in each.calendar.dates
    ]
    if not found:
        return ""
    first, last = (day_in_words(day).in_language(language) for day in (min(found), max(found)))
    if first == last:
        return first
    return f"{first} – {last}" if language == "en" else f"{first}至{last}"


def still_says(signed: str, now: Sequence[Undertaking]) -> bool:
    """Whether a signed text says what one of these (the languages it is offered in) says today, whatever its number."""
    return _body(signed) in {_body(each.text) for each in now}


def wording_sha256(now: Iterable[Undertaking]) -> str:
    """Of what a text says in all the languages it is offered in, whatever its number: for one that was printed, of which nobody
    typed in which language."""
    return text_sha256("\n\n".join(_body(each.text) for each in sorted(now, key=lambda each: each.language)))


def stands(signed: SignedUnder, now: Collection[Undertaking]) -> bool:
    """Whether what was signed says what is asked today. Where nothing is known of what it said, it stands."""
    if signed.text is not None:
        return still_says(signed.text, list(now))
    return signed.wording_sha256 in {None, wording_sha256(now)}


def _body(text: str) -> str:
    head, _, last = text.rpartition("\n")
    return head if last.startswith((NUMBER.zh, NUMBER.en)) else text


def require_same(shown: str, now: Undertaking) -> None:
    """Refuse a signature under a text that is not the one of today. Raises ``TextChangedError`` with what changed."""
    shown = canonical(shown)
    if shown == now.text:
        return
    before, after = shown.split("\n")[:200], now.text.split("\n")
    changes = [line for line in difflib.ndiff(before, after) if line[:2] in {"- ", "+ "}]
    raise TextChangedError(
        gone=[line[2:] for line in changes if line[0] == "-"][:20],
        new=[line[2:] for line in changes if line[0] == "+"],
    )


def read_strokes(written: str) -> Strokes:
    """Strokes as the signing field sends them: JSON, a list of lines, each a list of [x, y], 0 ≤ x ≤ 1000, 0 ≤ y ≤ 400.

    Raises ``UnsignedError`` for anything else, and where there is too little ink to be a name.
    """
    if not written.strip() or written.strip() == "[]":
        raise UnsignedError(T("请用手指在方框里签名。"))
    if len(written) > MOST_LETTERS:
        raise UnsignedError(T("签名的笔画太多，请清除后重签。"))
    try:
        strokes = _strokes(json.loads(written))
    except (ValueError, TypeError, RecursionError) as error:
        raise UnsignedError(T("签名没有完整传到，请清除后重签。")) from error
    if len(strokes) > MOST_STROKES or sum(map(len, strokes)) > MOST_POINTS:
        raise UnsignedError(T("签名的笔画太多，请清除后重签。"))
    if _ink(strokes) < LEAST_INK:
        raise UnsignedError(T("签名太短，请签全名。"))
    return strokes


def _strokes(read: Any) -> Strokes:
    if not isinstance(read, list):
        raise TypeError
    strokes = []
    for line in read:
        points = []
        for x, y in line:
            if type(x) is not int or type(y) is not int or not (0 <= x <= WIDTH and 0 <= y <= HEIGHT):
                raise ValueError
            points.append((x, y))
        if points:
            strokes.append(tuple(points))
    return tuple(strokes)


def _ink(strokes: Strokes) -> int:
    """The length of all strokes, each step by its longer side: whole numbers are enough to tell a name from a touch."""
    return sum(
        max(abs(x - before_x), abs(y - before_y))
        for line in strokes
        for (before_x, before_y), (x, y) in pairwise(line)
    )


def packed(strokes: Strokes) -> str:
    return json.dumps(strokes, separators=(",", ":"))


def drawing(strokes: Strokes) -> str:
    """The signature as an SVG picture; the same strokes give the same bytes."""
    lines = []
    for line in strokes:
        points = line if len(line) > 1 else (line[0], line[0])  # a dot is drawn by its round ends
        path = " ".join(f"{'L' if place else 'M'}{x} {y}" for place, (x, y) in enumerate(points))
        lines.append(f'<path d="{path}"/>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">'
        '<g fill="none" stroke="#111" stroke-width="7" stroke-linecap="round" stroke-linejoin="round">'
        f"{''.join(lines)}</g></svg>"
    )
