"""The final report (总结报告) of an event that is over: placings, prizes, counts, and what anyone can check them by."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from app.competitions.queries import CompetitionView, EventView
from app.draws import queries as draws
from app.notifications.letters import LetterKind
from app.publications import queries as publications
from app.publications.rules import KIND_NAMES
from app.registrations import queries as registrations
from app.registrations.rules import EntryState
from app.reports import queries
from app.reports.paper import Cell, Paper, Table
from app.reports.queries.cases import cases_by_state
from app.reports.queries.tables import (
    penalties_table,
    placings_table,
    points_table,
    prizes_table,
    teams_table,
)
from app.reports.rules import LOOK_BACK, NoFinalReportError
from app.results import queries as results
from app.standings import queries as standings
from app.standings.queries import SnapshotView
from app.text import T

ENTRY_COUNTS: dict[EntryState, T] = {
    EntryState.APPROVED: T("审核通过的报名"),
    EntryState.REJECTED: T("审核未通过的报名"),
    EntryState.WITHDRAWN: T("退赛的报名"),
}


@dataclass(frozen=True, slots=True)
class FinalReport:
    """``corrected``: the organiser has an earlier one that says something else."""

    competition: CompetitionView
    event: EventView
    snapshot: SnapshotView
    corrected: bool = False

    @property
    def name(self) -> str:
        """The name of the occasion."""
        return f"{self.event.id}-v{self.snapshot.results_version}"

    @property
    def title(self) -> T:
        return T("%(competition)s 总结报告", competition=self.competition.name)

    @property
    def counts(self) -> tuple[tuple[T, int], ...]:
        """How many entries, lists, objections, rounds, tables and penalties there were."""
        event_id = self.event.id
        entries = registrations.counts(event_id)
        rounds = draws.rounds(event_id)
        return (
            *((name, entries[state]) for state, name in ENTRY_COUNTS.items()),
            (T("公示名单份数"), len(publications.numbers(event_id))),
            *(
                tuple((T("异议：%(state)s", state=state), count) for state, count in cases_by_state(event_id))
                or ((T("异议"), 0),)
            ),
            (T("轮数"), len(rounds)),
            (T("桌次"), sum(len(each.tables) for each in rounds)),
            (T("处罚次数"), len(self.snapshot.result["adjustments"])),
            (T("名次表人数"), len(self.snapshot.result["placings"])),
        )

    @property
    def winners(self) -> list[tuple[int, str, str]]:
        """The first three, for the letter."""
        people = standings.people(self.event.id)
        return [
            (each["rank"], people[each["entrant"]].name, people[each["entrant"]].unit_name)
            for each in self.snapshot.result["placings"][:3]
        ]

    @property
    def paper(self) -> Paper:
        snapshot, event = self.snapshot, self.event
        people, result = standings.people(event.id), snapshot.result
        facts: tuple[tuple[T, Cell], ...] = (
            (T("项目"), event.title),
            (T("地点"), self.competition.place),
            (T("计算时间"), snapshot.computed_at),
            (T("成绩版本"), snapshot.results_version),
            (T("规程版本"), snapshot.regulation_number),
            (T("规程版本指纹（SHA-256）"), event.regulation.sha256),
            (T("赛事文件 SHA-256"), snapshot.input_sha256),
            *self.counts,
        )
        tables = (
            placings_table(event, result["placings"], people),
            teams_table(event, result, people),
            prizes_table(result, people),
            points_table(result, people),
            penalties_table(result, people),
            _lists_table(event.id),
        )
        return Paper(self.title, snapshot.computed_at, facts, tuple(each for each in tables if each.rows))


def final_report(competition: CompetitionView, event: EventView) -> FinalReport | None:
    """The report of an event as it stands; None while it is not over, or the newest results are not computed yet."""
    snapshot = standings.latest(event.id)
    if snapshot is None or snapshot.results_version < event.results_version:
        return None
    if not snapshot.result["complete"] or results.progress(event.id).provisional:
        return None
    return FinalReport(competition, event, snapshot)


def require_final_report(competition: CompetitionView, event: EventView) -> FinalReport:
    """As ``final_report``; raises ``NoFinalReportError``."""
    found = final_report(competition, event)
    if found is None:
        raise NoFinalReportError
    return found


def due_final(
    competition: CompetitionView, event: EventView, now: datetime, *, apart: timedelta | None
) -> FinalReport | None:
    """The report, if the organiser has none or one that no longer holds. ``apart`` as of ``due_rounds``."""
    found = final_report(competition, event)
    if found is None or found.snapshot.computed_at <= now - LOOK_BACK:
        return None
    earlier = queries.told(LetterKind.FINAL_REPORT, event_id=event.id)
    if not earlier:
        return found
    last = earlier[-1]
    if last.details["sha256"] == found.snapshot.input_sha256:
        return None
    if apart is not None and now < last.at + apart:
        return None
    return FinalReport(competition, event, found.snapshot, corrected=True)


def _lists_table(event_id: int) -> Table:
    rows = tuple(
        (
            each.number,
            KIND_NAMES[each.kind],
            len(each.entries),
            each.published_at,
            each.final_at,
            each.superseded_by,
            each.sha256,
        )
        for each in reversed(publications.publications(event_id))
    )
    head = (T("名单"), T("种类"), T("人数"), T("发布于"), T("确认时间"), T("取代它的名单"), T("SHA-256"))
    return Table(T("公示名单"), head, rows)
