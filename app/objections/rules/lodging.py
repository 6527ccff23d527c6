"""Who may object, against what, until when, and what an objection must carry: pure decisions.

| rule (三(四)1 of regulation A) | implemented |
|---|---|
| 任何参赛单位: a unit whose registration was handed in | `require_standing`; by another text's `objections.by`, anybody |
| within the publication: its first second counts, its end does not | `require_window` |
| in writing, with the unit's seal and verifiable evidence | `lacking_of`, as `objections.seal` and `.evidence` of the text say |
| with a real name (实名) | `NAME`: a name of at least two characters |
| what is lacking may be completed while the window runs | `CaseState.INCOMPLETE`, then refused by the sweep |
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.objections.rules.refusals import (
    LEFT_THE_LIST,
    OTHER_LIST,
    OWN_ENTRY,
    NoObjectionsError,
    NoStandingError,
    ObjectionRefusedError,
    WindowClosedError,
)
from app.objections.rules.states import CaseState, FileRole, Requirement
from app.publications.rules import window_open
from app.publications.rules.windows import Timed
from app.regulations.rules import Objections, Regulation
from app.text import T

LONGEST_TEXT = 3000
LONGEST_NAME = 30
MOST_ENTRIES = 20
COMMANDS_END = timedelta(minutes=1)
"""What began within the window is through by then, however long it waited for a lock: nothing runs out before."""

DEFAULT_WORKDAYS = 5
"""Working days within which a case is decided, where the text is silent (I-A-24)."""


@dataclass(frozen=True, slots=True)
class Lodger:
    """Who objects: an account, and the unit it leads in this competition, if that unit takes part."""

    user_id: int | None
    unit_id: int | None
    unit_name: str | None
    takes_part: bool


@dataclass(frozen=True, slots=True)
class ListedEntry:
    """An entry as the form names it: on which lists in force it stands (ids of publications), and whose it is."""

    entry_id: int
    unit_id: int
    publication_id: int | None


def terms_of(regulation: Regulation) -> Objections:
    """Raises ``NoObjectionsError`` where the text knows none."""
    if not regulation.has("objections"):
        raise NoObjectionsError
    return regulation.objections


def workdays_of(regulation: Regulation) -> int:
    """Option `objection_workdays`: within how many working days of its receipt a case is decided."""
    value = regulation.options.get("objection_workdays", DEFAULT_WORKDAYS)
    return value if isinstance(value, int) else DEFAULT_WORKDAYS


def appeal_clause(regulation: Regulation) -> str | None:
    """The clause of the appeals that remain once the list is final; None where the text has none."""
    return next((each.clause for code, each in regulation.windows.items() if code.startswith("appeal")), None)


def has_standing(terms: Objections, lodger: Lodger) -> bool:
    return terms.by == "anybody" or (lodger.unit_id is not None and lodger.takes_part)


def require_standing(terms: Objections, lodger: Lodger) -> None:
    """三(四)1: 任何参赛单位. Raises ``NoStandingError``, which says who may."""
    if not has_standing(terms, lodger):
        raise NoStandingError(terms.by, terms.clause)


def require_window(
    regulation: Regulation,
    *,
    against: Timed,
    number: int,
    final: bool,
    now: datetime,
) -> None:
    """The moment of publication counts, the end does not. Raises ``WindowClosedError``, which says what remains.

    Only the clock decides: what came in time while the list was being made final is in time.
    """
    if not window_open(against, now):
        raise WindowClosedError(
            number,
            against.ends_at,
            regulation.objections.clause,
            final=final,
            appeal=appeal_clause(regulation),
        )


def entry_problems(
    entries: Sequence[ListedEntry | None],
    *,
    names: Mapping[int, str],
    number: int,
    publication_id: int,
    own_unit: int | None,
) -> dict[str, T]:
    """What is wrong with the named entries, by place (``entries.0``); None stands for one that nobody knows."""
    if not entries:
        return {"entries": T("请选择名单上的选手。")}
    if len(entries) > MOST_ENTRIES:
        return {"entries": T("一件异议最多涉及 %(most)s 名选手，请分几件提出。", most=MOST_ENTRIES)}
    problems: dict[str, T] = {}
    for place, each in enumerate(entries):
        path = f"entries.{place}"
        if each is None:
            problems[path] = T("名单上没有这名选手。")
        elif each.unit_id == own_unit:
            problems[path] = OWN_ENTRY
        elif each.publication_id is None:
            problems[path] = _named(names.get(each.entry_id, ""), LEFT_THE_LIST)
        elif each.publication_id != publication_id:
            problems[path] = _named(names.get(each.entry_id, ""), T(OTHER_LIST.msgid, number=number))
    return problems


def _named(name: str, sentence: T) -> T:
    return T("%(name)s：%(sentence)s", name=name, sentence=sentence)


def check_texts(*, text: str, reporter_name: str) -> dict[str, T]:
    """What a form must say whatever the regulation; by field."""
    problems: dict[str, T] = {}
    if not text.strip():
        problems["text"] = T("请写明异议的内容和理由。")
    elif len(text) > LONGEST_TEXT:
        problems["text"] = T("最多 %(high)s 个字。", high=LONGEST_TEXT)
    if len(reporter_name) > LONGEST_NAME:
        problems["reporter_name"] = T("最多 %(high)s 个字。", high=LONGEST_NAME)
    elif len(reporter_name.strip()) < 2:
        problems["reporter_name"] = T("请写真实姓名：异议须实名提出，只有办理的组委会成员看得到。")
    return problems


def lacking_of(
    terms: Objections, *, files: Collection[FileRole], reporter_name: str | None, standing: bool
) -> tuple[Requirement, ...]:
    """What an objection lacks that may still come. Attachments of a letter may be either: the committee looks."""
    lacking = []
    if not standing:
        lacking.append(Requirement.STANDING)
    if not (reporter_name or "").strip():
        lacking.append(Requirement.NAME)
    if terms.seal and not {FileRole.LETTER, FileRole.ATTACHED} & set(files):
        lacking.append(Requirement.SEAL)
    if terms.evidence and not {FileRole.EVIDENCE, FileRole.ATTACHED} & set(files):
        lacking.append(Requirement.EVIDENCE)
    return tuple(lacking)


def first_state(lacking: Sequence[Requirement]) -> CaseState:
    return CaseState.INCOMPLETE if lacking else CaseState.RECEIVED


def require_no_problems(problems: Mapping[str, T], clause: str) -> None:
    if problems:
        raise ObjectionRefusedError(problems, clause)
