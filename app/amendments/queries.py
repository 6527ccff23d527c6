"""What publishing a draft would do: the parts that differ, whether it is a ruling, and everything it affects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import select

from app.amendments.rules import (
    DeadlineFixedError,
    DeadlinePastError,
    NothingChangedError,
    NotScoreableError,
    VersionPendingError,
    require_same_regulation,
)
from app.amendments.rules.impact import affects_nobody, moved_windows
from app.amendments.rules.parts import changed_parts, makes_results
from app.amendments.rules.sentences import Names
from app.competitions.queries import EventView
from app.competitions.rules import (
    list_window,
    require_list_days,
    require_runs_here,
    require_time_for_the_list,
)
from app.draws import queries as draws
from app.errors import SaishiError
from app.extensions import db
from app.publications import queries as publications
from app.registrations import queries as registrations
from app.registrations.rules import EntryId, EntryState
from app.regulations import library
from app.regulations import queries as regulations
from app.regulations.queries import DraftView, EditionView
from app.regulations.rules import Bilingual, Problem, Regulation, RegulationFileError
from app.regulations.rules.differences import Change, compare
from app.results.models import Sheet, SheetRevision
from app.standings import queries as standings
from app.standings.rules.impact import scores_compared
from app.workdays import queries as workdays
from app.workdays.rules import UnknownWorkdayYearError, Window
from scoring_engine import event_file
from scoring_engine.documents import DocumentError


@dataclass(frozen=True, slots=True)
class Prospect:
    """A draft as it would be published now."""

    draft: DraftView
    before: EditionView
    regulation: Regulation
    parts: tuple[str, ...]
    ruling: bool
    impact: Mapping[str, Any]

    @property
    def affects_nobody(self) -> bool:
        return affects_nobody(self.impact)

    @property
    def differences(self) -> tuple[Change, ...]:
        return compare(self.before.regulation, self.regulation)


@dataclass(frozen=True, slots=True)
class Review:
    """What the page before publishing shows: what would be published, or why that is refused."""

    draft: DraftView
    prospect: Prospect | None
    refusal: SaishiError | None


def review(event: EventView, draft: DraftView, now: datetime) -> Review:
    """``prospect``, with its refusal in place of an exception."""
    try:
        return Review(draft, prospect(event, draft, now), None)
    except SaishiError as error:
        return Review(draft, None, error)


def prospect(event: EventView, draft: DraftView, now: datetime) -> Prospect:
    """What publishing this draft as the event's next version would do.

    Raises ``RegulationFileError`` with every problem of the draft, ``NothingChangedError``, ``VersionPendingError``,
    ``AnotherRegulationError``, ``DeadlineFixedError``, ``DeadlinePastError``, ``NotScoreableError``, and what
    ``competitions.service.create_competition`` refuses of a calendar.
    """
    last = regulations.editions(event.id)[-1]
    if not last.in_force(now):
        raise VersionPendingError(last.number, last.in_force_from)
    before, after = last.regulation, _judged(draft)
    if before.sha256 == after.sha256:
        raise NothingChangedError
    require_same_regulation(before, after)
    require_runs_here(after)
    _require_stages_held(event, before, after)
    _require_deadline_ahead(before, after, now)
    lists = _list_windows(event, before, after)
    parts = changed_parts(before, after)
    ruling = makes_results(parts) and any_result(event.id)
    impact = {
        "changed": list(parts),
        "windows": moved_windows(before, after, lists),
        "entries": _entries(event, before, after),
        "tables": [],
        "draws": [],
        "placings": [],
        "teams": [],
        "members": [],
        "advance": [],
        "prizes": [],
        "points": [],
        **_scores(event, before, after),
    }
    return Prospect(draft, last, after, parts, ruling, impact)


def pending(event_id: int, now: datetime) -> EditionView | None:
    """The version that was published and is not in force yet, if there is one."""
    last = regulations.editions(event_id)[-1]
    return None if last.in_force(now) else last


def any_result(event_id: int) -> bool:
    """Whether a result was ever recorded in the event, in a round that was taken back too."""
    return (
        db.session.scalar(
            select(SheetRevision.id)
            .join(Sheet, Sheet.id == SheetRevision.sheet_id)
            .where(Sheet.event_id == event_id)
            .limit(1)
        )
        is not None
    )


def _judged(draft: DraftView) -> Regulation:
    name = draft.document.get("id")
    return library.parse_document(draft.document, name if isinstance(name, str) else "")


def _require_stages_held(event: EventView, before: Regulation, after: Regulation) -> None:
    """Rounds that were drawn belong to stages: those stay what they are."""
    if not draws.rounds(event.id):
        return
    old, new = ([(stage.code, stage.kind) for stage in each.stages] for each in (before, after))
    if old != new:
        text = Bilingual(
            "已经编排过轮次，各阶段的名称和赛制不能再改。",
            "Rounds were drawn: the stages and their formats can no longer be changed.",
        )
        raise NotScoreableError([("stages", text)])


def _require_deadline_ahead(before: Regulation, after: Regulation, now: datetime) -> None:
    deadline = after.calendar.registration_deadline
    if before.calendar.registration_closes != deadline.at and not deadline.accepts(now):
        raise DeadlinePastError(deadline.clause)


def _list_windows(
    event: EventView, before: Regulation, after: Regulation
) -> tuple[Window | None, Window | None]:
    """The days of the publication under both. Once the list is public its own days stay, and so does the deadline."""
    if publications.latest(event.id) is not None:
        if before.calendar.registration_closes != after.calendar.registration_closes:
            raise DeadlineFixedError(after.calendar.registration_deadline.clause)
        return None, None
    calendar = workdays.calendar()
    window = require_list_days(after, calendar)
    if window is not None:
        require_time_for_the_list(after, window)
    try:
        return list_window(before, calendar), window
    except UnknownWorkdayYearError:
        return None, window


def _entries(event: EventView, before: Regulation, after: Regulation) -> dict[str, Any]:
    field = (EntryState.SUBMITTED, EntryState.APPROVED)
    was = {
        each.entry_id: each.broken
        for each in registrations.review_list(replace(event, regulation=before))
        if each.state in field
    }
    now = [
        each for each in registrations.review_list(replace(event, regulation=after)) if each.state in field
    ]
    limit, in_all = after.registration.entries_per_unit, after.registration.entries_in_all
    units = Counter(each.unit_id for each in now)
    return {
        "ineligible": [
            {"entry": each.entry_id, "state": each.state.value, "clause": each.broken.clause}
            for each in now
            if each.broken is not None and was[each.entry_id] is None
        ],
        "unjudged": sum(any(player.age is None for player in each.players) for each in now),
        "over_quota": [
            {"unit": unit, "entries": count, "limit": limit}
            for unit, count in sorted(units.items())
            if limit is not None and count > limit
        ],
        "over_limit": None
        if in_all is None or len(now) <= in_all
        else {"entries": len(now), "limit": in_all, "clause": after.registration.in_all_clause},
    }


def _scores(event: EventView, before: Regulation, after: Regulation) -> dict[str, Any]:
    """The same results by both versions. Raises ``NotScoreableError`` where the new one cannot read them."""
    if not draws.rounds(event.id):
        return {}
    old = event_file.score(standings.event_file(event.id, before), before.scoring_rules())
    document = standings.event_file(event.id, after)
    try:
        new = event_file.score(document, after.scoring_rules())
    except DocumentError as error:
        raise NotScoreableError(
            [(each.path.removeprefix("$."), Bilingual(each.zh, each.en)) for each in error.problems]
        ) from error
    return scores_compared(old, new) | {"draws": _other_draws(event, document, after)}


def _other_draws(event: EventView, document: Mapping[str, Any], after: Regulation) -> list[dict[str, Any]]:
    return [
        {"stage": each.stage, "round": each.number}
        for each in draws.rounds(event.id)
        if event_file.verify_draw(document, after.scoring_rules(), each.stage, each.number)
    ]


def problems(draft: DraftView) -> tuple[Problem, ...]:
    """Everything that is wrong with a draft by itself; empty where it could be published."""
    try:
        _judged(draft)
    except RegulationFileError as error:
        return error.problems
    return ()


def in_force(event_id: int, now: datetime) -> EditionView:
    """The version the event runs by at ``now``."""
    return [each for each in regulations.editions(event_id) if each.in_force(now)][-1]


def differences(edition: EditionView) -> tuple[Change, ...]:
    """What a version says otherwise than the one before; nothing of the first."""
    if edition.number == 1:
        return ()
    return compare(regulations.edition(edition.event_id, edition.number - 1).regulation, edition.regulation)


def public_names(event_id: int) -> Names:
    """The names of an impact as everybody may read them: who plays, not whose entry is in doubt."""
    people = standings.people(event_id)
    units = {f"u{each.unit_id}": each.unit_name for each in people.values()}
    return Names(
        entrant=lambda each: people[each].name if each in people else each,
        team=lambda each: units.get(each, each),
    )


def staff_names(event_id: int) -> Names:
    """The names of an impact for the committee."""
    entries = registrations.entrants(event_id)
    units = {each.unit_id: each.unit_name for each in entries.values()}

    def entry(number: int) -> str:
        found = entries.get(EntryId(number))
        return f"{found.name}（{found.unit_name}）" if found else str(number)

    return replace(public_names(event_id), entry=entry, unit=lambda each: units.get(each, str(each)))
