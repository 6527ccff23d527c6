"""Which rounds are to be told now, and what of them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import func, select

from app.competitions.queries import CompetitionView, EventView
from app.draws import queries as draws
from app.draws.queries import RoundView
from app.draws.rules import entrant_of, round_name, stage_name
from app.extensions import db
from app.notifications.letters import LetterKind
from app.reports import queries
from app.reports.paper import Paper
from app.reports.queries.tables import People, placings_of, placings_table, round_table
from app.reports.rules import LOOK_BACK, RoundPrint
from app.results import queries as results
from app.results.models import Sheet
from app.standings import queries as standings
from app.standings.queries import SnapshotView
from app.text import T


@dataclass(frozen=True, slots=True)
class DueRound:
    """A round whose results are complete and not told, or told otherwise; ``told`` is what was computed then."""

    competition: CompetitionView
    event: EventView
    round: RoundView
    snapshot: SnapshotView
    fingerprint: RoundPrint
    told: SnapshotView | None
    corrected: bool
    newest: bool
    people: People

    @property
    def name(self) -> str:
        """The name of the occasion: the round, and the version of the results that is told of it."""
        return f"{self.event.id}-r{self.round.id}-v{self.fingerprint.version}"

    @property
    def title(self) -> T:
        return title_of(self.round)

    @property
    def paper(self) -> Paper:
        """The results of the round and the whole table after it."""
        snapshot = self.snapshot
        return Paper(
            title=T("%(competition)s %(round)s成绩", competition=self.competition.name, round=self.title),
            made_at=snapshot.computed_at,
            facts=(
                (T("项目"), self.event.title),
                (T("计算时间"), snapshot.computed_at),
                (T("成绩版本"), snapshot.results_version),
                (T("赛事文件 SHA-256"), snapshot.input_sha256),
            ),
            tables=(
                placings_table(self.event, placings_of(snapshot, self.round.stage), self.people),
                round_table(self.round, snapshot.result, self.people),
            ),
        )


def title_of(round_: RoundView) -> T:
    """A round in words; a stage of one round by the stage alone."""
    return (
        round_name(round_.stage, round_.number)
        if round_.head.in_rounds or round_.number > 1
        else stage_name(round_.stage)
    )


def due_rounds(
    competition: CompetitionView, event: EventView, now: datetime, *, apart: timedelta | None
) -> tuple[DueRound, ...]:
    """The rounds to tell at ``now``. ``apart``: how long after a letter a correction waits; None: not at all."""
    snapshot = standings.latest(event.id)
    if (
        snapshot is None
        or snapshot.computed_at <= now - LOOK_BACK
        or snapshot.results_version < event.results_version
    ):
        return ()
    rounds = draws.rounds(event.id)
    open_ = {
        (each.table.stage, each.table.round_number)
        for each in results.table_states(event.id)
        if not each.in_force
    }
    told = {each.details["round"]: each for each in queries.told(LetterKind.ROUND_RESULTS, event_id=event.id)}
    people = standings.people(event.id)
    found = []
    for round_ in rounds:
        if not round_.tables or round_.repairing or (round_.stage, round_.number) in open_:
            continue
        fingerprint = RoundPrint.of(
            snapshot.result,
            snapshot.results_version,
            round_.stage,
            round_.number,
            placings_of(snapshot, round_.stage),
        )
        newest, last = round_.id == rounds[-1].id, told.get(round_.id)
        if last is None:
            confirmed_at = _confirmed_at([table.id for table in round_.tables])
            if confirmed_at is None or confirmed_at <= now - LOOK_BACK:
                continue
        else:
            if not fingerprint.differs(RoundPrint.read(last.details), newest=newest):
                continue
            if apart is not None and now < last.at + apart:
                continue
        before = None if last is None else standings.at_version(event.id, last.details["version"])
        found.append(
            DueRound(
                competition,
                event,
                round_,
                snapshot,
                fingerprint,
                before,
                corrected=last is not None,
                newest=newest,
                people=people,
            )
        )
    return tuple(found)


def entrants_of(round_: RoundView) -> frozenset[str]:
    """Who sits at a table of the round or has a bye in it, by the event file's ids."""
    seated = [seat.entry_id for table in round_.tables for seat in table.seats]
    return frozenset(entrant_of(each) for each in [*seated, *(each.entry_id for each in round_.direct)])


def _confirmed_at(table_ids: Collection[int]) -> datetime | None:
    """When the last of these tables was confirmed for the first time."""
    return db.session.scalar(select(func.max(Sheet.published_at)).where(Sheet.table_id.in_(table_ids)))
