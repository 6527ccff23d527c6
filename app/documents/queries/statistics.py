"""How far the documents of a competition are, for the committee: by kind and by unit, and how long they waited."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from statistics import median

from sqlalchemy import func, select

from app.competitions.queries import CompetitionView, EventView
from app.documents.models import Document, DocumentDecision, DocumentRevision, Signature
from app.documents.queries.lists import unit_lists
from app.documents.queries.review import Filter, narrowed
from app.documents.rules import ChecklistState, DocumentState
from app.documents.rules.review import REVIEWERS, DecisionKind
from app.documents.rules.undertaking import SHEET_TRIES
from app.extensions import db
from app.regulations.rules import DOCUMENT_KINDS
from app.text import T
from app.waiting import Waiting, age


@dataclass(frozen=True, slots=True)
class Tally:
    """How many documents of a kind, or of a unit, stand where. ``median_wait``: from handing in to the decision.

    ``oldest``: since when the oldest waits that is not decided.
    """

    key: str
    name: T | str
    states: Mapping[ChecklistState, int] = field(default_factory=dict)
    median_wait: timedelta | None = None
    oldest: datetime | None = None

    @property
    def asked(self) -> int:
        return sum(self.states.values())


@dataclass(frozen=True, slots=True)
class Statistics:
    whole: Tally
    kinds: tuple[Tally, ...]
    units: tuple[Tally, ...]


def statistics(competition: CompetitionView, now: datetime) -> Statistics:
    """What the checklists of every unit say, added up. A document that nobody asks for is not counted."""
    by_kind: dict[str, Counter[ChecklistState]] = defaultdict(Counter)
    by_unit: dict[int, Counter[ChecklistState]] = defaultdict(Counter)
    names: dict[int, str] = {}
    for unit in unit_lists(competition, now):
        names[unit.unit_id] = unit.unit_name
        for row in (row for each in unit.lists for row in each.rows if row.required):
            by_kind[row.kind][row.state] += 1
            by_unit[unit.unit_id][row.state] += 1
    waits, oldest = _waits(competition.id), _oldest(competition.id)
    whole: Counter[ChecklistState] = sum(by_kind.values(), Counter())
    kinds = [kind for kind in DOCUMENT_KINDS if kind in by_kind]
    return Statistics(
        whole=Tally(
            "all",
            T("全部"),
            _every(whole),
            _median([wait for _, _, wait in waits]),
            min((at for _, _, at in oldest), default=None),
        ),
        kinds=tuple(
            Tally(
                kind,
                DOCUMENT_KINDS[kind],
                _every(by_kind[kind]),
                _median([wait for each, _, wait in waits if each == kind]),
                min((at for each, _, at in oldest if each == kind), default=None),
            )
            for kind in kinds
        ),
        units=tuple(
            Tally(
                str(unit_id),
                names[unit_id],
                _every(counted),
                _median([wait for _, each, wait in waits if each == unit_id]),
                min((at for _, each, at in oldest if each == unit_id), default=None),
            )
            for unit_id, counted in by_unit.items()
        ),
    )


def waiting(event: EventView, now: datetime) -> tuple[Waiting, ...]:
    """Documents of an event that nobody decided yet, and for how long the oldest has waited."""
    count, oldest = db.session.execute(
        narrowed(
            select(func.count(), func.min(Document.handed_in_at)),
            Filter(event_id=event.id, state=DocumentState.UPLOADED),
            event.competition_id,
        )
    ).one()
    if oldest is None:
        return ()
    text = T("%(count)s 份材料等待审核（最早：%(age)s前）", count=count, age=age(now - oldest))
    return (Waiting(text, T("去审核材料"), "documents.review_queue", REVIEWERS),)


def failed_sheets(event: EventView, now: datetime) -> tuple[Waiting, ...]:
    """Signatures that wait for a decision and whose sheet was given up: nobody can look at them, so they are sent back."""
    ids = db.session.scalars(
        narrowed(
            select(Document.id),
            Filter(event_id=event.id, state=DocumentState.UPLOADED),
            event.competition_id,
        )
        .join(
            DocumentRevision,
            (DocumentRevision.document_id == Document.id) & (DocumentRevision.number == Document.revision),
        )
        .join(Signature, Signature.revision_id == DocumentRevision.id)
        .where(Signature.pdf_id.is_(None), Signature.sheet_tries > SHEET_TRIES)
        .order_by(Document.id)
    ).all()
    if not ids:
        return ()
    text = T("%(count)s 份手机签名的签名页没有做成，要请本人重新签署", count=len(ids))
    return (Waiting(text, T("去看"), "documents.review_desk", REVIEWERS, values={"document_id": ids[0]}),)


def _every(counted: Mapping[ChecklistState, int]) -> dict[ChecklistState, int]:
    return {state: counted.get(state, 0) for state in ChecklistState}


def _median(waits: Sequence[timedelta]) -> timedelta | None:
    return timedelta(seconds=median(int(wait.total_seconds()) for wait in waits)) if waits else None


def _waits(competition_id: int) -> list[tuple[str, int, timedelta]]:
    """Kind, unit, and how long each decided handing-in had waited for its first decision."""
    rows = db.session.execute(
        select(
            Document.kind,
            Document.unit_id,
            DocumentRevision.handed_in_at,
            func.min(DocumentDecision.decided_at),
        )
        .join(DocumentRevision, DocumentRevision.document_id == Document.id)
        .join(DocumentDecision, DocumentDecision.revision_id == DocumentRevision.id)
        .where(
            Document.competition_id == competition_id,
            DocumentDecision.kind != DecisionKind.TAKEN_BACK.value,
        )
        .group_by(DocumentRevision.id, Document.kind, Document.unit_id, DocumentRevision.handed_in_at)
    )
    return [(kind, unit_id, decided_at - handed_in_at) for kind, unit_id, handed_in_at, decided_at in rows]


def _oldest(competition_id: int) -> list[tuple[str, int, datetime]]:
    rows = db.session.execute(
        narrowed(
            select(Document.kind, Document.unit_id, func.min(Document.handed_in_at)),
            Filter(state=DocumentState.UPLOADED),
            competition_id,
        ).group_by(Document.kind, Document.unit_id)
    )
    return [(kind, unit_id, at) for kind, unit_id, at in rows]
