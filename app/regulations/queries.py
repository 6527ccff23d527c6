"""Reading frozen regulations, and the public rules page of any regulation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import select

from app.actors import Actor, Role
from app.database import once
from app.errors import NotFoundError
from app.extensions import db
from app.regulations.models import RegulationDraft, RegulationEdition, RegulationVersion
from app.regulations.rules import Regulation, RulesPage
from app.regulations.rules import rules_page as page_of
from app.regulations.rules.drafts import UnknownDraftError, UnknownEditionError, require_may_draft
from app.regulations.rules.preview import Preview, preview
from app.workdays import queries as workdays
from app.workdays.rules import UnknownWorkdayYearError, Window, publication_window

__all__ = [
    "DraftView",
    "EditionView",
    "FrozenVersion",
    "RulesPage",
    "draft",
    "draft_for",
    "drafts_of",
    "edition",
    "editions",
    "frozen_version",
    "frozen_versions",
    "open_draft",
    "previewed",
    "rules_page",
    "version",
]


class AlteredVersionError(RuntimeError):
    """A frozen regulation no longer has the hash it was frozen with: the database was changed by hand."""


@dataclass(frozen=True, slots=True)
class FrozenVersion:
    """What is on record about a version beside its text."""

    id: int
    regulation_id: str
    number: int
    sha256: str
    frozen_at: datetime


def rules_page(regulation: Regulation) -> RulesPage:
    """The public page of any regulation, with the days of its publication where the calendar of workdays has them."""
    return page_of(regulation, _list_days(regulation))


def _list_days(regulation: Regulation) -> Window | UnknownWorkdayYearError | None:
    """The days of a list that comes out at the deadline, or the year that is not known; None where there is no list."""
    if not regulation.has("publication"):
        return None
    terms = regulation.publication
    try:
        return publication_window(
            regulation.calendar.registration_closes,
            terms.workdays,
            workdays.calendar(),
            terms.count_deadline_day,
        )
    except UnknownWorkdayYearError as error:
        return error


def version(version_id: int) -> Regulation:
    """The frozen regulation with this version id; a document read once stays in memory under its hash."""
    return once(db.session(), ("regulation version", version_id), lambda: _version(version_id))


def _version(version_id: int) -> Regulation:
    sha256 = db.session.scalar(select(RegulationVersion.sha256).where(RegulationVersion.id == version_id))
    if sha256 is None:
        raise NotFoundError
    return _read(version_id, sha256)


@lru_cache(maxsize=64)
def _read(version_id: int, sha256: str) -> Regulation:
    document = db.session.scalars(
        select(RegulationVersion.document).where(RegulationVersion.id == version_id)
    ).one()
    regulation = Regulation.from_document(document)
    if regulation.sha256 != sha256:
        raise AlteredVersionError(
            f"regulation version {version_id} is {regulation.sha256}, was frozen as {sha256}"
        )
    return regulation


def frozen_version(version_id: int) -> FrozenVersion:
    """Number, hash and time of a version."""
    row = db.session.get(RegulationVersion, version_id)
    if row is None:
        raise NotFoundError
    return FrozenVersion(row.id, row.regulation_id, row.number, row.sha256, row.frozen_at)


def frozen_versions() -> tuple[FrozenVersion, ...]:
    """Every frozen regulation, the newest first: what a past event was held by can be copied."""
    rows = db.session.scalars(select(RegulationVersion).order_by(RegulationVersion.id.desc()))
    return tuple(
        FrozenVersion(row.id, row.regulation_id, row.number, row.sha256, row.frozen_at) for row in rows
    )


def previewed(regulation: Regulation, entrants: int) -> Preview:
    """What the regulation comes to for so many entrants, with the days of the published list by the known calendar."""
    days = _list_days(regulation)
    if isinstance(days, UnknownWorkdayYearError):
        return preview(regulation, entrants, None, days.text)
    return preview(regulation, entrants, days, None)


@dataclass(frozen=True, slots=True)
class EditionView:
    """One version (第 n 版) of an event's regulation; ``reason``, ``impact`` and ``published_as`` are None of the first.

    ``impact`` is the document of ``amendments.rules.impact``, as it was computed when the version was published.
    """

    id: int
    event_id: int
    competition_id: int
    number: int
    regulation_version_id: int
    sha256: str
    reason: str | None
    ruling: bool
    impact: Mapping[str, Any] | None
    published_at: datetime
    published_as: Role | None
    in_force_from: datetime

    @property
    def regulation(self) -> Regulation:
        return version(self.regulation_version_id)

    def in_force(self, now: datetime) -> bool:
        """Whether the event runs by it, or by a later one, at ``now``. An event never runs by nothing: the first version
        holds even where a demonstration's clock was set back to before the event was created.
        """
        return self.number == 1 or self.in_force_from <= now


@dataclass(frozen=True, slots=True)
class DraftView:
    """A regulation that is being written; ``document`` is what was typed last and may be wrong.

    ``event_id`` and ``competition_id`` are None of a draft for a competition that is not created yet; ``edition_id`` is
    the version it was published as.
    """

    id: int
    event_id: int | None
    competition_id: int | None
    base_sha256: str
    document: dict[str, Any]
    revision: int
    started_at: datetime
    started_by_id: int | None
    saved_at: datetime
    saved_by_id: int | None
    closed_at: datetime | None
    edition_id: int | None

    @property
    def open(self) -> bool:
        return self.closed_at is None


def editions(event_id: int) -> tuple[EditionView, ...]:
    """Every version of an event's regulation, the first one first."""
    rows = db.session.execute(
        select(RegulationEdition, RegulationVersion.sha256)
        .join(RegulationVersion, RegulationVersion.id == RegulationEdition.regulation_version_id)
        .where(RegulationEdition.event_id == event_id)
        .order_by(RegulationEdition.number)
    )
    return tuple(_edition(row, sha256) for row, sha256 in rows)


def edition_number(event_id: int, version_id: int, at: datetime) -> int:
    """The number (第 n 版) under which an event ran by a frozen version at a moment; the same text may come back later."""
    same = [each for each in editions(event_id) if each.regulation_version_id == version_id]
    return next((each.number for each in reversed(same) if each.in_force_from <= at), same[0].number)


def edition(event_id: int, number: int) -> EditionView:
    """Raises ``UnknownEditionError``."""
    found = next((each for each in editions(event_id) if each.number == number), None)
    if found is None:
        raise UnknownEditionError
    return found


def draft(draft_id: int) -> DraftView:
    """Raises ``UnknownDraftError``."""
    row = db.session.get(RegulationDraft, draft_id)
    if row is None:
        raise UnknownDraftError
    return _draft(row)


def draft_for(actor: Actor, draft_id: int) -> DraftView:
    """The draft, if this person may write on it. Raises ``UnknownDraftError``, or refuses."""
    found = draft(draft_id)
    require_may_draft(actor, found.competition_id)
    return found


def open_draft(event_id: int) -> DraftView | None:
    """The draft of the next version that is being written, if one is."""
    row = db.session.scalar(
        select(RegulationDraft).where(
            RegulationDraft.event_id == event_id, RegulationDraft.closed_at.is_(None)
        )
    )
    return None if row is None else _draft(row)


def drafts_of(user_id: int) -> tuple[DraftView, ...]:
    """The open drafts this person began for competitions that are not created yet, the newest first."""
    rows = db.session.scalars(
        select(RegulationDraft)
        .where(
            RegulationDraft.event_id.is_(None),
            RegulationDraft.closed_at.is_(None),
            RegulationDraft.started_by_id == user_id,
        )
        .order_by(RegulationDraft.id.desc())
    )
    return tuple(_draft(row) for row in rows)


def _edition(row: RegulationEdition, sha256: str) -> EditionView:
    return EditionView(
        id=row.id,
        event_id=row.event_id,
        competition_id=row.competition_id,
        number=row.number,
        regulation_version_id=row.regulation_version_id,
        sha256=sha256,
        reason=row.reason,
        ruling=row.ruling,
        impact=row.impact,
        published_at=row.published_at,
        published_as=Role(row.published_as) if row.published_as else None,
        in_force_from=row.in_force_from,
    )


def _draft(row: RegulationDraft) -> DraftView:
    return DraftView(
        id=row.id,
        event_id=row.event_id,
        competition_id=row.competition_id,
        base_sha256=row.base_sha256,
        document=row.document,
        revision=row.revision,
        started_at=row.started_at,
        started_by_id=row.started_by_id,
        saved_at=row.saved_at,
        saved_by_id=row.saved_by_id,
        closed_at=row.closed_at,
        edition_id=row.edition_id,
    )
