"""What of the lists waits for the committee, for the staff board."""

from __future__ import annotations

from datetime import datetime

from app.actors import Role
from app.clock import beijing_date
from app.competitions import queries as competitions
from app.competitions.queries import EventView
from app.errors import RefusedError
from app.mailbox import queries as mailbox
from app.mailbox.rules import why_failing
from app.mailbox.rules.telling import QUIET
from app.publications import rules
from app.publications.queries.planning import plan
from app.publications.queries.views import PublicationView
from app.publications.rules import PublicationState
from app.registrations import queries as registrations
from app.registrations.rules import EntryState
from app.text import T, until
from app.waiting import Urgency, Waiting
from app.workdays import queries as workdays
from app.workdays.rules import UnknownWorkdayYearError

COMMITTEE = (Role.COMMITTEE,)
READERS = (Role.ORGANISER, Role.COMMITTEE, Role.CHIEF_REFEREE)


def waiting(event: EventView, now: datetime) -> tuple[Waiting, ...]:
    """After the deadline: the list that could come out; then how far each window is, who is on no list, and which list no
    longer agrees with the entries. Entries under review come first."""
    if not event.regulation.has("publication"):
        return ()
    planned = plan(event)
    if not planned.lists:
        return _first(event, now)
    lines = []
    for each in planned.lists:
        line = _window(each, now)
        if line is not None:
            lines.append(line)
    if not event.entries_closed:
        lines += [
            Waiting(
                T(
                    "第 %(number)s 号名单上有 %(count)s 处与现在的报名不一致，需要发布更正名单",
                    number=each.number,
                    count=len(stale.left_out) + len(stale.changed),
                ),
                T("去更正名单"),
                "publications.staff_publication",
                COMMITTEE,
            )
            for each, stale in planned.stale
        ]
        if planned.unlisted:
            lines.append(
                Waiting(
                    T("%(count)s 份审核通过的报名不在公示名单上，需要补充公示", count=len(planned.unlisted)),
                    T("去补充公示"),
                    "publications.staff_publication",
                    COMMITTEE,
                )
            )
    return tuple(lines)


def _first(event: EventView, now: datetime) -> tuple[Waiting, ...]:
    if event.regulation.calendar.registration_deadline.accepts(now):
        return ()
    counts = registrations.counts(event.id)
    if counts[EntryState.SUBMITTED] or not counts[EntryState.APPROVED]:
        return ()
    try:
        rules.window_of(event.regulation, workdays.calendar(), now)
    except UnknownWorkdayYearError as problem:
        return (competitions.missing_year(problem),)
    except RefusedError as refusal:
        text: T = refusal.text
    else:
        text = T("报名已截止，%(count)s 人的名单还没有公示", count=counts[EntryState.APPROVED])
    return (Waiting(text, T("去公示名单"), "publications.staff_publication", COMMITTEE),)


def _window(view: PublicationView, now: datetime) -> Waiting | None:
    status = view.status(now)
    if status.state is PublicationState.OBJECTED:
        return Waiting(
            T("第 %(number)s 号名单公示期满，还有异议没有处理，不能确认", number=view.number),
            T("看公示页"),
            "publications.show",
            READERS,
        )
    if status.state is PublicationState.AWAITING_MAIL:
        return _mail(view, now)
    if not status.running:
        return None
    end = until(status.ends_at)
    today = rules.last_day_of(status.ends_at) == beijing_date(now)
    if today:
        text = T("第 %(number)s 号名单今天公示期满：%(end)s", number=view.number, end=end)
    elif status.day:
        text = T(
            "第 %(number)s 号名单公示第 %(day)s 天 / 共 %(of)s 天，%(end)s 结束",
            number=view.number,
            day=status.day,
            of=status.of,
            end=end,
        )
    else:
        text = T("第 %(number)s 号名单公示中，%(end)s 结束", number=view.number, end=end)
    return Waiting(
        text,
        T("看公示页"),
        "publications.show",
        READERS,
        Urgency.TODAY if today else Urgency.RUNS,
    )


def _mail(view: PublicationView, now: datetime) -> Waiting:
    """What of the mail holds a list, and what to do about it. A mailbox that fails holds none silently."""
    urgency = Urgency.ACT
    if view.mail.letters or view.mail.unplaced:
        text = T(
            "第 %(number)s 号名单公示期满，公示期内的 %(count)s 封来信还没有分拣，分拣后才能确认",
            number=view.number,
            count=view.mail.letters + view.mail.unplaced,
        )
    elif now - view.ends_at <= QUIET:
        text = T("第 %(number)s 号名单公示期满，正在查收期末的来信，随后自动确认", number=view.number)
        urgency = Urgency.RUNS
    else:
        state = mailbox.health()
        text = T(
            "第 %(number)s 号名单公示期满，收信邮箱读不出（%(why)s），不能确认：请修复，或写明理由手工确认",
            number=view.number,
            why=why_failing(state.error) if state is not None and state.error else T("后台程序没有收信"),
        )
    return Waiting(text, T("看名单怎样确认"), "publications.staff_publication", COMMITTEE, urgency)
