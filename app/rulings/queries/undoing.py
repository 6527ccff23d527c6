"""What a score sheet says once a ruling that stands on it is taken out again."""

from __future__ import annotations

from sqlalchemy import select

from app.extensions import db
from app.results.models import Sheet, SheetRevision
from app.results.queries import SheetView, as_deals
from app.results.rules import Content
from app.rulings.queries import RulingView
from app.rulings.rules import NothingPlayedError, RulingKind, SheetMovedError
from app.rulings.rules.contents import Played, without_ruling


def sheet_key(key: str) -> str:
    """The idempotency key of the revision that a ruling with this key wrote."""
    return f"ruling-{key}"[:80]


def undone(view: SheetView, given: RulingView) -> Content:
    """The sheet without this ruling: as it was before where nothing was written since, else with just that taken out.

    Of a ruling whose mark is no longer there, because somebody took it off the sheet, the sheet as it is. Raises ``SheetMovedError`` where
    it is not known what would stand in its place, ``NothingPlayedError`` where nothing would.
    """
    made = db.session.execute(
        select(SheetRevision.number, SheetRevision.sheet_id)
        .join(Sheet, Sheet.id == SheetRevision.sheet_id)
        .where(Sheet.table_id == view.table.id, SheetRevision.idempotency_key == sheet_key(given.key))
    ).one_or_none()
    if made is not None and made.number == view.revision:
        return _before(view, made.sheet_id, made.number)
    played = Played(view.names, view.rules)
    if given.kind is RulingKind.FORFEIT:
        if given.entrant not in view.content.forfeits:
            return view.content
        raise SheetMovedError(given.clause)
    content = without_ruling(view.content, given.wanted, given.entrant, played)
    return view.content if content is None else content


def _before(view: SheetView, sheet_id: int, number: int) -> Content:
    found = db.session.execute(
        select(SheetRevision.deals, SheetRevision.outcome).where(
            SheetRevision.sheet_id == sheet_id, SheetRevision.number == number - 1
        )
    ).one_or_none()
    content = Content() if found is None else Content(as_deals(found.deals), found.outcome)
    counts = view.confirmed_revision is not None or view.published_revision is not None
    if counts and not view.game.complete(content, view.deals_wanted, view.rules):
        raise NothingPlayedError(view.stage.clause)
    return content
