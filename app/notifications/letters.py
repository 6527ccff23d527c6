"""Letters (信件): every kind of letter in one table, and what a kind looks like in words and as HTML.

A kind has two templates, ``templates/emails/<kind>.txt`` (with a block ``subject``) and ``<kind>.html``, which extend
``_letter``. A sentence stands there once, in Chinese, and is translated by the catalogue of the pages. What goes in is plain:
text, numbers, moments, ``T``, ``Address``, and lists or dicts of these. No web framework: a worker writes letters too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from babel.support import NullTranslations, Translations
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from app.notifications import links, samples
from app.notifications.links import Address
from app.notifications.rules import one_line
from app.sentences import in_templates
from app.text import BEIJING, T, chinese_moment, english_moment, until

__all__ = ["LETTERS", "Address", "Letter", "LetterKind", "Rendered", "render", "sample"]
ROOT = Path(__file__).parents[2]
LANGUAGES = ("zh", "en")
REPEAT_PLACE = "<!-- repeat -->"
"""Where the HTML of a letter says that it may have come before."""


class LetterKind(StrEnum):
    """Every kind of letter; the value is stored, and names its templates."""

    CONFIRM_EMAIL = "confirm_email"
    MAIL_RECEIVED = "mail_received"
    OBJECTION_RECEIVED = "objection_received"
    OBJECTION_ACCEPTED = "objection_accepted"
    OBJECTION_REFUSED = "objection_refused"
    OBJECTION_DECIDED = "objection_decided"
    OBJECTION_DECIDED_OTHER_SIDE = "objection_decided_other_side"
    OBJECTION_TO_COMMITTEE = "objection_to_committee"
    HEARING_ASKED = "hearing_asked"
    APPEAL_RECEIVED = "appeal_received"
    APPEAL_TO_COMMITTEE = "appeal_to_committee"
    APPEAL_HEARING = "appeal_hearing"
    APPEAL_ENDED = "appeal_ended"
    APPEAL_DECIDED = "appeal_decided"
    EXPULSION = "expulsion"
    CHANGE_DECIDED = "change_decided"
    ENTRY_REPLACED = "entry_replaced"
    DIGEST = "digest"
    LIST_PUBLISHED = "list_published"
    ENTRY_DECIDED = "entry_decided"
    ROUND_RESULTS = "round_results"
    FINAL_REPORT = "final_report"


@dataclass(frozen=True, slots=True)
class Letter:
    """A kind of letter. ``essential``: it belongs to something its reader does here, and cannot be unsubscribed from.

    ``sample`` is a made-up context, for the preview and for the test that renders every kind. ``confidential``: not even the staff
    learns to whom it went, so no outbox lists it.
    """

    name: T
    audience: T
    essential: bool
    sample: Mapping[str, Any] = field(default_factory=dict)
    confidential: bool = False


_MOMENT = datetime(2026, 11, 6, tzinfo=BEIJING)
_CASE = {
    "competition": "示例赛",
    "number": "YY2026-0003",
    "address": Address("/"),
}
_DECIDED = {
    "state": "upheld",
    "decision": "经核实，该选手不是该单位的正式员工。",
    "summary": "一名选手不符合用工要求，取消参赛资格。",
    "new_list": 2,
    "lists": Address("/"),
}

_APPEAL = {
    "competition": "示例赛",
    "number": "SS2026-0003",
    "entry": "赵试一",
    "address": Address("/"),
}

LETTERS: dict[LetterKind, Letter] = {
    LetterKind.CONFIRM_EMAIL: Letter(
        name=T("确认邮箱"),
        audience=T("填写邮箱的本人"),
        essential=True,
        sample={"link_to": Address("/me/email/confirm/sample"), "hours": 24},
    ),
    LetterKind.MAIL_RECEIVED: Letter(
        name=T("来信已收到"),
        audience=T("来信的发件人"),
        essential=True,
        confidential=True,
        sample={
            "number": "LX-000012",
            "is_case": False,
            "too_large": False,
            "refused_files": 1,
            "received_at": datetime(2021, 11, 3, 1, 30, tzinfo=UTC),
        },
    ),
    LetterKind.OBJECTION_RECEIVED: Letter(
        name=T("异议：已收到"),
        audience=T("提出人"),
        essential=True,
        confidential=True,
        sample=_CASE
        | {
            "lacking": T("加盖公章的书面材料"),
            "ends_at": _MOMENT,
            "clause": "三(四)1",
            "due_at": _MOMENT,
            "again": False,
            "reason": None,
        },
    ),
    LetterKind.OBJECTION_ACCEPTED: Letter(
        name=T("异议：已受理"),
        audience=T("提出人"),
        essential=True,
        confidential=True,
        sample=_CASE | {"due_at": _MOMENT},
    ),
    LetterKind.OBJECTION_REFUSED: Letter(
        name=T("异议：不予受理"),
        audience=T("提出人"),
        essential=True,
        confidential=True,
        sample=_CASE | {"what": T("加盖公章的书面材料"), "clause": "三(四)1", "reason": "印章看不清。"},
    ),
    LetterKind.OBJECTION_DECIDED: Letter(
        name=T("异议：决定"), audience=T("提出人"), essential=True, confidential=True, sample=_CASE | _DECIDED
    ),
    LetterKind.OBJECTION_DECIDED_OTHER_SIDE: Letter(
        name=T("异议：决定（被提出异议的单位）"),
        audience=T("被提出异议的单位的领队"),
        essential=True,
        sample=_CASE | _DECIDED | {"entries": ["赵试一"]},
    ),
    LetterKind.OBJECTION_TO_COMMITTEE: Letter(
        name=T("异议：等待办理"),
        audience=T("办理的组委会成员"),
        essential=True,
        sample=_CASE | {"assigned": False, "nobody": False, "due_at": _MOMENT},
    ),
    LetterKind.HEARING_ASKED: Letter(
        name=T("异议：征求意见"),
        audience=T("被提出异议的单位的领队"),
        essential=True,
        sample=_CASE | {"question": "请说明该选手的用工关系。", "due_at": _MOMENT, "entries": ["赵试一"]},
    ),
    LetterKind.APPEAL_RECEIVED: Letter(
        name=T("申诉：已登记"),
        audience=T("申诉选手的领队"),
        essential=True,
        sample=_APPEAL
        | {"oral": True, "written_until": _MOMENT, "said_at": _MOMENT, "clause": "四(二)8(十)", "fee": "500"},
    ),
    LetterKind.APPEAL_TO_COMMITTEE: Letter(
        name=T("申诉：等待办理"),
        audience=T("办理的仲裁委员会成员"),
        essential=True,
        sample=_APPEAL | {"nobody": False},
    ),
    LetterKind.APPEAL_HEARING: Letter(
        name=T("申诉：听证"),
        audience=T("双方"),
        essential=True,
        sample=_APPEAL | {"appeals": True, "at": _MOMENT, "place": "竞赛办公室", "round": T("初赛")},
    ),
    LetterKind.APPEAL_ENDED: Letter(
        name=T("申诉：没有听证就结束"),
        audience=T("申诉选手的领队"),
        essential=True,
        sample=_APPEAL
        | {
            "state": "refused",
            "reason": "没有口头提出。",
            "clause": "四(二)8(十)",
            "fee": "500",
            "fee_back": True,
        },
    ),
    LetterKind.APPEAL_DECIDED: Letter(
        name=T("申诉：裁定"),
        audience=T("双方"),
        essential=True,
        sample=_APPEAL
        | {
            "appeals": True,
            "upheld": True,
            "round": T("初赛"),
            "decision": "记分表第 3 副的胜方记反了。",
            "done": ["成绩已更正（记分表第 3 次修订）。"],
            "standings": Address("/"),
            "fee": "500",
            "fee_back": True,
        },
    ),
    LetterKind.EXPULSION: Letter(
        name=T("取消参赛资格"),
        audience=T("被取消资格的选手的领队"),
        essential=True,
        sample={
            "competition": "示例赛",
            "withdrawn": False,
            "clause": "四(二)8(十二)",
            "place": T("初赛"),
            "page": Address("/c/sample/rulings"),
        },
    ),
    LetterKind.CHANGE_DECIDED: Letter(
        name=T("变更申请的答复"),
        audience=T("申请变更的领队"),
        essential=True,
        sample={
            "competition": "示例赛事",
            "number": 3,
            "change": T("换人"),
            "granted": True,
            "to_be_published": True,
            "page": Address("/c/sample/my/changes/3"),
        },
    ),
    LetterKind.ENTRY_REPLACED: Letter(
        name=T("报名被较新的一份取代"),
        audience=T("被取代的报名的领队"),
        essential=True,
        sample={
            "competition": "示例赛事",
            "clause": "三(二)",
            "page": Address("/c/sample/my"),
        },
    ),
    LetterKind.DIGEST: Letter(
        name=T("每日摘要"),
        audience=T("组委会成员，工作日 8:30"),
        essential=False,
        sample=samples.DIGEST,
    ),
    LetterKind.LIST_PUBLISHED: Letter(
        name=T("名单公示"),
        audience=T("有队员在名单上的领队"),
        essential=True,
        sample=samples.LIST_PUBLISHED,
    ),
    LetterKind.ENTRY_DECIDED: Letter(
        name=T("报名审核结果"),
        audience=T("报名的领队"),
        essential=True,
        sample=samples.ENTRY_DECIDED,
    ),
    LetterKind.ROUND_RESULTS: Letter(
        name=T("本轮成绩"),
        audience=T("有队员参加这一轮的领队"),
        essential=False,
        sample=samples.ROUND_RESULTS,
    ),
    LetterKind.FINAL_REPORT: Letter(
        name=T("赛事总结报告"),
        audience=T("主办方"),
        essential=False,
        sample=samples.FINAL_REPORT,
    ),
}


@dataclass(frozen=True, slots=True)
class Rendered:
    """A letter as it is stored and sent."""

    subject: str
    text: str
    html: str


@dataclass(frozen=True, slots=True)
class Link:
    """An ``Address`` in a template: the whole ``url``, or None where only the ``path`` is known."""

    path: str
    url: str | None


def render(
    kind: LetterKind,
    language: str,
    context: Mapping[str, Any],
    *,
    stop: Address | None = None,
    reply_to: bool = False,
) -> Rendered:
    """One kind of letter in ``language`` (``zh`` or ``en``).

    ``stop`` is where its reader unsubscribes; ``reply_to``: an answer to it is read. Raises ``UndefinedError`` for a value
    that the templates want and ``context`` lacks.
    """
    language = language if language in LANGUAGES else "zh"
    environment = _environment(language)
    values = {name: _inner(value, language) for name, value in context.items()}
    values |= {"stop": _plain(stop, language), "answered": reply_to, "language": language}
    text = environment.get_template(f"{kind.value}.txt")
    subject = "".join(text.blocks["subject"](text.new_context(values)))
    html = environment.get_template(f"{kind.value}.html").render({**values, "subject": one_line(subject)})
    return Rendered(one_line(subject), _tidy(text.render(values)), html.strip() + "\n")


def sample(kind: LetterKind, language: str) -> Rendered:
    """The letter of the preview, from its made-up context; its link to stop such mail leads nowhere."""
    stop = None if LETTERS[kind].essential else Address("/mail/sample")
    return render(kind, language, LETTERS[kind].sample, stop=stop, reply_to=links.is_answered())


def confidential_kinds() -> tuple[str, ...]:
    """Stored kinds that no outbox lists."""
    return tuple(kind.value for kind, letter in LETTERS.items() if letter.confidential)


def is_essential(kind: str) -> bool:
    """Whether a stored kind cannot be stopped; a message of no kind in the table cannot."""
    return kind not in set(LetterKind) or LETTERS[LetterKind(kind)].essential


def translate(text: T, language: str) -> str:
    """A sentence in ``language``, its moments in Beijing time."""
    return text.render(_translations(language).gettext, _moments(language))


@cache
def _translations(language: str) -> NullTranslations:
    return Translations.load(ROOT / "app" / "translations", [language])


def _moments(language: str) -> Callable[[date], str]:
    return chinese_moment if language == "zh" else english_moment


@cache
def _environment(language: str) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(ROOT / "templates" / "emails"),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
        finalize=lambda value: _plain(value, language) if isinstance(value, T | date) else value,
    )
    environment.install_gettext_translations(_translations(language), newstyle=True)  # type: ignore[attr-defined]  # of the extension
    environment.globals["gettext"] = in_templates(_translations(language).gettext)
    environment.filters |= {
        "t": lambda value: _plain(value, language) if isinstance(value, T) else value,
        "beijing": _moments(language),
        "until": lambda value: translate(until(value), language),
    }
    return environment


def _plain(value: Any, language: str) -> Any:
    """Sentences and moments in the reader's language, addresses as links; deep in lists and dicts too.

    Moments stay what they are in a context: a template says whether one is an end (``until``).
    """
    if isinstance(value, T):
        return translate(value, language)
    if isinstance(value, date):
        return _moments(language)(value)
    if isinstance(value, Address):
        return Link(value.path, links.full(value.path))
    if isinstance(value, Mapping):
        return {name: _inner(each, language) for name, each in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [_inner(each, language) for each in value]
    return value


def _inner(value: Any, language: str) -> Any:
    return value if isinstance(value, date) else _plain(value, language)


def _tidy(text: str) -> str:
    """At most one empty line in a row, no spaces at the ends of lines."""
    lines = "\n".join(line.rstrip() for line in text.strip().splitlines())
    return re.sub(r"\n{3,}", "\n\n", lines) + "\n"
