from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Select, select

from app.competitions.queries import EventView
from app.corrections.models import CorrectionRequest
from app.corrections.rules import DECIDERS, RequestState, UnknownRequestError
from app.draws import queries as draws
from app.draws.models import STANDS, Round, Seat, Table
from app.extensions import db
from app.regulations.rules import canonical_json
from app.results import queries as results
from app.results.models import Sheet
from app.results.queries import SheetView
from app.results.rules import Content
from app.standings.queries import impact as impacts
from app.standings.queries.impact import Impact
from app.text import T
from app.waiting import Waiting


@dataclass(frozen=True, slots=True)
class RequestView:
    """One request for a correction; ``proposal`` is the content asked for, None where it was only described."""

    id: int
    event_id: int
    token: str
    """Of the table: the secret of its QR code, for staff."""
    stage: str
    round_number: int
    table_number: int
    state: RequestState
    base_revision: int
    text: str
    proposal: Content | None
    asked_as: str
    asked_by_entry_id: int | None
    asked_at: datetime
    decided_at: datetime | None
    decision_reason: str | None
    impact: dict[str, object] | None
    granted_revision: int | None


def request(event_id: int, request_id: int) -> RequestView:
    """Raises ``UnknownRequestError``, also for a request of another event."""
    found = _views(select(CorrectionRequest).where(CorrectionRequest.id == request_id))
    if not found or found[0].event_id != event_id:
        raise UnknownRequestError
    return found[0]


def requests(event_id: int) -> tuple[RequestView, ...]:
    """Every request of an event: the open ones first, each kind with the oldest first."""
    found = _views(
        select(CorrectionRequest)
        .where(CorrectionRequest.event_id == event_id)
        .order_by(CorrectionRequest.asked_at, CorrectionRequest.id)
    )
    return tuple(sorted(found, key=lambda each: each.state is not RequestState.OPEN))


def requests_of_table(table_id: int) -> tuple[RequestView, ...]:
    """Every request about one table's sheet, the newest first."""
    return _views(
        select(CorrectionRequest)
        .join(Sheet, Sheet.id == CorrectionRequest.sheet_id)
        .where(Sheet.table_id == table_id)
        .order_by(CorrectionRequest.id.desc())
    )


def open_requests(event_id: int) -> tuple[RequestView, ...]:
    """Those that wait for the chief referee."""
    return tuple(each for each in requests(event_id) if each.state is RequestState.OPEN)


def tables_of_player(entry_id: int) -> tuple[str, ...]:
    """The tokens of the tables of a player whose results are public, the newest round first."""
    found = db.session.scalars(
        select(Table.token)
        .join(Seat, Seat.table_id == Table.id)
        .join(Round, Round.id == Table.round_id)
        .join(Sheet, Sheet.table_id == Table.id)
        .where(Seat.entry_id == entry_id, STANDS, Sheet.published_revision.is_not(None))
        .order_by(Round.id.desc())
    )
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Preview:
    """What a correction would change; ``fingerprint`` says which impact it was that somebody looked at."""

    content: Content
    impact: Impact
    fingerprint: str


def preview(sheet: SheetView, content: Content) -> Preview:
    """Raises ``standings.rules.impact.CannotBeScoredError``."""
    found = impacts.impact(sheet.event.id, contents={sheet.table.id: content})
    said = {"deals": list(content.deals), "outcome": content.outcome, "impact": found.document}
    return Preview(content, found, hashlib.sha256(canonical_json(said).encode()).hexdigest())


def waiting(event: EventView, _now: datetime) -> tuple[Waiting, ...]:
    """Requests the chief referee has not decided."""
    count = len(open_requests(event.id))
    if not count:
        return ()
    text = T("%(count)s 份更正申请等裁判长决定", count=count)
    return (Waiting(text, T("看更正申请"), "corrections.staff_requests", DECIDERS),)


def sheet_of(view: RequestView) -> SheetView:
    return results.sheet(view.token)


def _views(wanted: Select[CorrectionRequest]) -> tuple[RequestView, ...]:
    rows = db.session.scalars(wanted).all()
    sheets = {row.sheet_id for row in rows}
    places = {
        sheet_id: draws.table_by_token(token)
        for sheet_id, token in db.session.execute(
            select(Sheet.id, Table.token).join(Table, Table.id == Sheet.table_id).where(Sheet.id.in_(sheets))
        )
    }
    return tuple(
        RequestView(
            id=row.id,
            event_id=row.event_id,
            token=places[row.sheet_id].token,
            stage=places[row.sheet_id].stage,
            round_number=places[row.sheet_id].round_number,
            table_number=places[row.sheet_id].number,
            state=RequestState(row.state),
            base_revision=row.base_revision,
            text=row.text,
            proposal=None
            if row.deals is None and row.outcome is None
            else Content(results.as_deals(row.deals or []), row.outcome),
            asked_as=row.asked_as,
            asked_by_entry_id=row.asked_by_entry_id,
            asked_at=row.asked_at,
            decided_at=row.decided_at,
            decision_reason=row.decision_reason,
            impact=row.impact,
            granted_revision=row.granted_revision,
        )
        for row in rows
    )
