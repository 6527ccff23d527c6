"""What each possible decision would change (影响): every earlier score of the sheet, every ruling withdrawn, before anybody decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import select

from app.appeals.models import Appeal
from app.appeals.queries import cases
from app.appeals.rules.handling import Correction
from app.draws import queries as draws
from app.errors import SaishiError
from app.extensions import db
from app.results import queries as results
from app.results.models import Sheet
from app.results.queries import RevisionView, SheetView
from app.results.rules import Content
from app.rulings import queries as rulings
from app.rulings.queries import RulingView
from app.rulings.queries.undoing import undone
from app.rulings.rules import RulingKind
from app.standings.queries import impact as standings
from app.standings.queries.impact import Impact
from app.standings.rules.impact_words import Lines
from app.text import T


@dataclass(frozen=True, slots=True)
class Effect:
    """One possible decision and what it would change; ``refusal`` where the results would be impossible.

    ``revision`` or ``ruling_id`` says which choice of the form it belongs to.
    """

    name: T
    lines: tuple[Lines, ...]
    document: Mapping[str, Any] | None
    refusal: T | None = None
    revision: int | None = None
    ruling_id: int | None = None


@dataclass(frozen=True, slots=True)
class History:
    """The sheet of the table with every revision of it, the oldest first; ``in_force`` is the one that counts."""

    sheet: SheetView
    revisions: tuple[RevisionView, ...]
    in_force: int | None

    @property
    def choices(self) -> tuple[RevisionView, ...]:
        """Handed-in revisions that are not the one in force, the newest first; of equal ones the newest."""
        current = next((each for each in self.revisions if each.number == self.in_force), None)
        seen = [(current.deals, current.outcome)] if current else []
        found = []
        for each in reversed(self.revisions):
            if each.handed_in and (each.deals, each.outcome) not in seen:
                seen.append((each.deals, each.outcome))
                found.append(each)
        return tuple(found)


def history(appeal_id: int) -> History | None:
    """None where the appeal has no table, or nothing was entered there."""
    row = db.session.get_one(Appeal, appeal_id)
    if row.table_id is None:
        return None
    sheet = db.session.scalar(select(Sheet).where(Sheet.table_id == row.table_id))
    if sheet is None:
        return None
    token = draws.table(row.table_id).token
    return History(results.sheet(token), results.revisions(token), sheet.published_revision)


def effects(appeal_id: int) -> tuple[Effect, ...]:
    """What withdrawing each ruling, and each earlier score, would change."""
    row = db.session.get_one(Appeal, appeal_id)
    found = [
        _effect(
            row,
            T("撤销对 %(name)s 的判罚（%(clause)s）", name=each.name, clause=each.clause),
            withdrawn=[each.id],
            ruling_id=each.id,
        )
        for each in cases.rulings_of(row)
        if not each.withdrawn
    ]
    told = history(appeal_id)
    for each in told.choices if told else ():
        content = Content(each.deals, each.outcome)
        name = T("以记分表第 %(number)s 次修订为准", number=each.number)
        found.append(_effect(row, name, content=content, revision=each.number))
    return tuple(found)


def effect_of(appeal_id: int, *, correction: Correction | None, withdrawn: Sequence[int]) -> Effect:
    """What a decision that is being written would change."""
    row = db.session.get_one(Appeal, appeal_id)
    content = content_of(appeal_id, correction) if correction is not None else None
    return _effect(row, T("按填写的裁定"), content=content, withdrawn=withdrawn)


def content_of(appeal_id: int, correction: Correction) -> Content:
    """What the sheet would say."""
    told = history(appeal_id)
    if correction.revision is not None and told is not None:
        for each in told.revisions:
            if each.number == correction.revision:
                return Content(each.deals, each.outcome)
    return Content(tuple(dict(each) for each in correction.deals), correction.outcome)


def _effect(
    row: Appeal,
    name: T,
    *,
    content: Content | None = None,
    withdrawn: Sequence[int] = (),
    revision: int | None = None,
    ruling_id: int | None = None,
) -> Effect:
    try:
        found = _impact(row, content, [rulings.ruling(row.event_id, each) for each in withdrawn])
    except SaishiError as error:
        return Effect(name, (), None, error.text, revision, ruling_id)
    lines = found.lines(standings.names(row.event_id))
    return Effect(name, lines, found.document, None, revision, ruling_id)


def _impact(row: Appeal, content: Content | None, lifted: Sequence[RulingView]) -> Impact:
    """A corrected score is the whole of its sheet; without one, rulings that stand on a sheet are taken out of it."""
    contents: dict[int, Content | None] = {}
    for each in sorted(lifted, key=lambda ruling: ruling.id, reverse=True):
        view = rulings.sheet_of(each) if each.on_sheet else None
        if view is None:
            continue
        so_far = contents.get(view.table.id)
        if so_far is not None:
            view = replace(view, deals=so_far.deals, outcome=so_far.outcome)
        contents[view.table.id] = undone(view, each)
    if content is not None and row.table_id is not None:
        contents[row.table_id] = content
    apart = [each.adjustment_id for each in lifted if not each.on_sheet and each.kind is RulingKind.PENALTY]
    return standings.impact(row.event_id, contents=contents, without_adjustments=apart)
