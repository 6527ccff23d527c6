"""The checklist (材料清单): which documents one person, or a unit, hands in, by when, and where each stands today.

Pure: the texts of the events, what is known of the person, what was handed in, and Beijing's moment. Where a person enters
several events the strictest demand decides, and each event's own stands beside it.

| shown | when |
|---|---|
| missing | nothing was handed in, or it was withdrawn |
| uploaded, needs_changes, accepted, rejected | as the review left it |
| expired | it was taken, and the rules do not take it any more: its last day is over before the competition is, or the dates of the event were moved |

Not decided here: whether what was typed stands on the paper. A reviewer looks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from enum import StrEnum
from functools import cached_property

from app.clock import beijing_date
from app.documents.rules.fields import DocumentField
from app.documents.rules.states import DONE, PAGES, ChecklistState, DocumentState, HandedIn, Reason
from app.documents.rules.values import asked_fields, rule_problems, valid_until
from app.regulations.rules import DOCUMENT_KINDS, Bilingual, Calendar, CalendarKey, Deadline, DocumentRule
from app.regulations.rules.eligibility import Employment
from app.text import T, until

WARN_DAYS = 7
"""How many days before something ends it is warned of, where the settings do not say otherwise."""


class NextStep(StrEnum):
    HAND_IN = "hand_in"
    CORRECT = "correct"
    HAND_IN_AGAIN = "hand_in_again"
    WAIT = "wait"
    NOTHING = "nothing"
    ASK_COMMITTEE = "ask_committee"


class WarningKind(StrEnum):
    """Stored with each message that was sent for one."""

    DUE_SOON = "due_soon"
    OVERDUE = "overdue"
    EXPIRES = "expires"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class Warned:
    """One warning: what ends on ``day``, and the sentence."""

    kind: WarningKind
    day: date
    text: T


@dataclass(frozen=True, slots=True)
class Due:
    """By when: a moment of the calendar, or the end (24:00) of a day. ``clause`` says where it stands."""

    day: date
    clause: str
    at: datetime | None = None

    def accepts(self, now: datetime) -> bool:
        if self.at is not None:
            return Deadline(self.at, self.clause).accepts(now)
        return beijing_date(now) <= self.day

    def describe(self) -> T:
        return until(self.at) if self.at is not None else T("%(day)s24:00", day=self.day)


@dataclass(frozen=True, slots=True)
class EventDemand:
    """One document that one event asks for."""

    event_id: int
    event: Bilingual
    rule: DocumentRule
    calendar: Calendar

    @property
    def due(self) -> Due | None:
        """Until when the text wants it; None where it leaves that to the committee."""
        if self.rule.due == "registration":
            deadline = self.calendar.registration_deadline
            return Due(beijing_date(deadline.at), deadline.clause, deadline.at)
        if self.rule.due == "check_in" and CalendarKey.CHECK_IN in self.calendar.dates:
            return Due(self.calendar.check_in, self.calendar.clause(CalendarKey.CHECK_IN))
        return None

    @property
    def needed_on(self) -> date | None:
        """The first day on which the text looks at it, where it names one."""
        held = self.rule.must_hold(self.calendar)
        if held is not None:
            return held[0]
        if self.rule.within_days is not None and self.rule.before in self.calendar.dates:
            return self.calendar.day(self.rule.before)
        return None

    @property
    def open_until(self) -> Due:
        """Until when the leader hands it in unasked: it is due, or entries close, or its own day comes, whichever is last."""
        deadline = self.calendar.registration_deadline
        closing = Due(beijing_date(deadline.at), deadline.clause, deadline.at)
        if self.due is not None:
            return self.due if self.due.day >= closing.day else closing
        if self.needed_on is not None and self.needed_on > closing.day:
            return Due(self.needed_on, self.rule.clause)
        return closing

    @property
    def last_day(self) -> date:
        """The last day of the competition, after which nothing is asked any more."""
        known = [key for key in (CalendarKey.PLAY_TO, CalendarKey.PLAY_FROM) if key in self.calendar.dates]
        return self.calendar.day(known[0] if known else CalendarKey.REGISTRATION_CLOSES)


@dataclass(frozen=True, slots=True)
class Asked:
    """The committee asked for a document (组委会要求补交) until the end of ``until``, which is Beijing's day."""

    until: date


Changed = Callable[[str, Sequence[EventDemand]], T | None]
"""Of a kind and the events that ask for it: why what was signed has to be signed again, None where it stands."""


@dataclass(frozen=True)
class Row:
    """One document of one person or unit. ``demands`` of every event that asks for it; ``required``: of this person."""

    kind: str
    demands: tuple[EventDemand, ...]
    required: bool
    state: ChecklistState
    now: datetime
    handed_in: HandedIn | None = None
    asked: Asked | None = None
    broken: Mapping[str, T] | None = None
    warnings: tuple[Warned, ...] = ()
    late: bool = False
    """Of somebody who came after the deadline: its time was over before he could hand it in."""

    @property
    def name(self) -> T:
        return DOCUMENT_KINDS[self.kind]

    @cached_property
    def judged_by(self) -> tuple[tuple[DocumentRule, Calendar], ...]:
        return tuple((each.rule, each.calendar) for each in self.demands)

    @cached_property
    def fields(self) -> tuple[DocumentField, ...]:
        return asked_fields(self.judged_by)

    @property
    def strictest(self) -> EventDemand:
        """The event that wants it first; of those that name no day, the first of the competition."""
        return min(self.demands, key=lambda each: each.due.day if each.due else date.max)

    @property
    def clause(self) -> str:
        return self.strictest.rule.clause

    @property
    def signable(self) -> bool:
        """Whether it may be signed on the phone."""
        return all(each.rule.signable for each in self.demands)

    @property
    def description(self) -> T:
        return self.strictest.rule.describe()

    @property
    def max_pages(self) -> int:
        return min(each.rule.max_pages for each in self.demands)

    @property
    def max_megabytes(self) -> int:
        return min(each.rule.max_megabytes for each in self.demands)

    @property
    def due(self) -> Due | None:
        """By when; what the committee asked for beside the text goes by the day it said."""
        if self.asked is not None:
            return Due(self.asked.until, self.clause)
        return self.strictest.due

    @property
    def needed_on(self) -> date | None:
        return min((each.needed_on for each in self.demands if each.needed_on is not None), default=None)

    @property
    def earliest(self) -> date | None:
        """The first day on which it may be issued, of the strictest event."""
        found = [day for rule, calendar in self.judged_by if (day := rule.earliest(calendar)) is not None]
        return max(found, default=None)

    @property
    def sampled(self) -> bool:
        """Whether its age counts from the day of the sample."""
        return self.strictest.rule.sampled

    @property
    def must_hold(self) -> tuple[date, date] | None:
        """The first and last day on which it has to be valid, over all events."""
        found = [held for rule, calendar in self.judged_by if (held := rule.must_hold(calendar)) is not None]
        return (min(first for first, _ in found), max(last for _, last in found)) if found else None

    @property
    def valid_until(self) -> date | None:
        return valid_until(self.judged_by, self.handed_in.values) if self.handed_in else None

    @property
    def ends_early(self) -> bool:
        """Whether it was taken and ends before the competition does, on days that the text does not name as enough."""
        last, held = self.valid_until, self.must_hold
        if last is None or self.state not in {*DONE, ChecklistState.EXPIRED}:
            return False
        return last < self.last_day and not (held is not None and last >= held[1])

    @property
    def open_until(self) -> Due:
        return max((each.open_until for each in self.demands), key=lambda due: due.day)

    @property
    def last_day(self) -> date:
        return max(each.last_day for each in self.demands)

    @property
    def open(self) -> bool:
        """Whether the leader may hand it in now.

        After its time only what was sent back, asked for, has expired or will before the end, or is of somebody who came late,
        and only while the competition lasts.
        """
        today = beijing_date(self.now)
        if today > self.last_day:
            return False
        if (
            self.late
            or self.state in {ChecklistState.NEEDS_CHANGES, ChecklistState.EXPIRED}
            or self.ends_early
        ):
            return True
        if self.asked is not None and today <= self.asked.until:
            return True
        return self.open_until.accepts(self.now)

    @property
    def next_step(self) -> NextStep:
        if self.state is ChecklistState.UPLOADED:
            return NextStep.WAIT
        if self.state is ChecklistState.ACCEPTED or not self.required:
            return NextStep.NOTHING
        if not self.open:
            return NextStep.ASK_COMMITTEE
        if self.state is ChecklistState.NEEDS_CHANGES:
            return NextStep.CORRECT
        if self.state is ChecklistState.MISSING:
            return NextStep.HAND_IN
        return NextStep.HAND_IN_AGAIN

    @property
    def to_do(self) -> bool:
        """Whether the leader has to do something that he can do now."""
        step = self.next_step
        return step is NextStep.CORRECT or (
            step in {NextStep.HAND_IN, NextStep.HAND_IN_AGAIN} and not self.too_early
        )

    @property
    def too_early(self) -> bool:
        """Whether none that was issued by today would do, as where a sample may be taken from a later day on."""
        return self.earliest is not None and beijing_date(self.now) < self.earliest

    @property
    def done(self) -> bool:
        return self.state in DONE or not self.required

    @property
    def due_with_entry(self) -> bool:
        """Whether an event wants it with the entry (报名时提交)."""
        return self.required and any(each.rule.due == "registration" for each in self.demands)

    @property
    def reasons(self) -> Mapping[str, Reason]:
        sent_back = self.state is ChecklistState.NEEDS_CHANGES and self.handed_in is not None
        return self.handed_in.reasons if sent_back and self.handed_in else {}


def checklist(
    demands: Iterable[EventDemand],
    *,
    of_unit: bool,
    documents: Mapping[str, HandedIn],
    now: datetime,
    employment: Employment | None = None,
    asked: Mapping[str, Asked] | None = None,
    takes_part: bool = True,
    warn_days: int = WARN_DAYS,
    changed: Changed | None = None,
    late: bool = False,
) -> tuple[Row, ...]:
    """The rows of one person (or, ``of_unit``, of one unit), in the order of the texts.

    ``documents``: what was handed in, by kind. A kind that no event asks of this person is listed only where one was
    handed in; of who does not take part any more (``takes_part``) nothing is asked. ``changed`` says of an undertaking
    that it has to be signed again, and why. ``late``: the person came after the deadline.
    """
    by_kind: dict[str, list[EventDemand]] = {}
    for each in demands:
        if each.rule.of_unit is of_unit:
            by_kind.setdefault(each.rule.kind, []).append(each)
    rows = []
    for kind, found in by_kind.items():
        concerned = [each for each in found if takes_part and (of_unit or each.rule.concerns(employment))]
        handed_in = documents.get(kind)
        if handed_in is not None and handed_in.state is DocumentState.WITHDRAWN:
            handed_in = None
        if not concerned and handed_in is None:
            continue
        row = Row(
            kind=kind,
            demands=tuple(concerned or found),
            required=bool(concerned),
            state=ChecklistState.MISSING,
            now=now,
            handed_in=handed_in,
            asked=(asked or {}).get(kind),
            late=late,
        )
        row = _with_state(row, changed)
        rows.append(replace(row, warnings=tuple(_warnings(row, warn_days))))
    return tuple(rows)


def next_missing(rows: Sequence[Row]) -> Row | None:
    """What the leader should do first: the earliest day, of equal ones the first in the list."""
    waiting = [row for row in rows if row.to_do]
    return min(waiting, key=lambda row: _deadline(row) or date.max, default=None)


def _with_state(row: Row, changed: Changed | None) -> Row:
    if row.handed_in is None:
        return row
    state = ChecklistState(row.handed_in.state.value)
    if state not in DONE:
        return replace(row, state=state)
    today = beijing_date(row.now)
    broken = rule_problems(row.judged_by, row.handed_in.values) if today <= row.last_day else {}
    if (
        changed is not None
        and today <= row.last_day
        and (again := changed(row.kind, row.demands)) is not None
    ):
        broken[PAGES] = again
    row = replace(row, state=state, broken=broken)
    last = row.valid_until
    over = row.ends_early and last is not None and last < today <= row.last_day
    return replace(row, state=ChecklistState.EXPIRED) if broken or over else row


def _deadline(row: Row) -> date | None:
    """The day by which it has to be there: what the text or the committee says, else the day on which it is looked at."""
    if row.due is not None:
        return row.due.day
    return row.needed_on


def _warnings(row: Row, warn_days: int) -> Iterable[Warned]:
    today = beijing_date(row.now)
    if not row.required or today > row.last_day:
        return
    soon = today + timedelta(days=warn_days)
    last = row.valid_until
    if row.state is ChecklistState.EXPIRED:
        ended, broken = last or today, next(iter((row.broken or {}).values()), None)
        yield Warned(WarningKind.EXPIRED, ended, broken or T("已于%(day)s到期，请提交新的一份。", day=ended))
    elif row.ends_early and last is not None and last <= soon:
        yield Warned(WarningKind.EXPIRES, last, T("将于%(day)s到期，比赛还没有结束。", day=last))
    day = _deadline(row)
    if day is None or row.state in DONE:
        return
    passed = today > day if row.due is None else not row.due.accepts(row.now)
    if passed:
        yield Warned(WarningKind.OVERDUE, day, T("应于%(day)s前提交，已过期限。", day=day))
    elif day <= soon:
        yield Warned(WarningKind.DUE_SOON, day, T("请于%(day)s前提交。", day=day))
