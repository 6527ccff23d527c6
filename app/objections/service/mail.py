"""A letter that came by mail becomes a case, or is added to one (来信提出异议). What is not certain is left to people."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select

from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions import service as competitions_service
from app.competitions.queries import CompetitionView, EventView
from app.extensions import db
from app.mailbox import queries as mailbox
from app.mailbox.rules import Letter, Taken
from app.objections.models import Objection, ObjectionStep
from app.objections.queries import lists, people
from app.objections.queries.lists import ListInForce
from app.objections.rules import lodging as rules
from app.objections.rules.refusals import WindowClosedError
from app.objections.rules.secrecy import folded
from app.objections.rules.states import OPEN, CaseState, Channel, FileRole, Requirement, StepKind
from app.objections.service import letters
from app.objections.service.cases import note, relocked
from app.objections.service.lodging import add, attach, key_of, new_case, require_in_time
from app.publications import service as publications
from app.publications.rules import window_open
from app.registrations import queries as registrations
from app.registrations.queries import LedUnit
from app.uploads.rules import UploadId

SHORTEST_NAME = 2
UNVERIFIED = "unverified"
MOST_OF_A_LETTER = 20_000


class CaseLetters:
    """What the mailbox asks of letters (``app.mailbox.rules.Letters``)."""

    def units(self, competition_id: int) -> Sequence[tuple[int, str]]:
        """The units of a competition, id and name."""
        return [(each.id, each.name) for each in registrations.led_units(competition_id)]

    def led_by(self, user_id: int) -> frozenset[int]:
        """The competitions in which this person leads a unit."""
        return people.led_by(user_id)

    def place(self, letter: Letter) -> int | None:
        """The competition a letter is about: a case's number, a letter of ours that it answers, the sender's unit, names."""
        for number in letter.case_numbers:
            found = _by_number(number)
            if found is not None:
                return int(found.competition_id)
        if letter.answers:
            return letter.answers[0]
        running = [each for each in competitions.competitions() if _lists(each.event)]
        named = [each for each in running if _says(letter, each.slug) or _says(letter, each.name)]
        own = [
            each
            for each in running
            if any(registrations.led_units(each.id, user_id=user) for user in letter.user_ids)
        ]
        about = [each for each in running if _entries(letter, each.event, _lists(each.event), None)]
        for some in (named, own, about):
            if len(some) == 1:
                return some[0].id
        return None

    def take(self, ctx: CommandContext, incoming_id: int) -> Taken | None:
        """Make a letter a case, or add it to its sender's; None where people must say which case, unit or player it is about."""
        known = _known(ctx, incoming_id)
        if known is not None:
            return Taken(known, answered=True)
        letter = mailbox.letter(incoming_id)
        if letter.competition_id is None:
            return None
        competition = competitions.competition_by_id(letter.competition_id)
        for number in letter.case_numbers:
            row = _by_number(number)
            if row is not None and row.competition_id == competition.id:
                return _added(ctx, row, letter)
        return _lodged(ctx, competition, letter)


def _known(ctx: CommandContext, incoming_id: int) -> str | None:
    """The case that has this letter already."""
    made = ctx.session.scalar(select(Objection.number).where(Objection.incoming_id == incoming_id))
    if made is not None:
        return str(made)
    return ctx.session.scalar(
        select(Objection.number)
        .join(ObjectionStep, ObjectionStep.objection_id == Objection.id)
        .where(ObjectionStep.incoming_id == incoming_id)
    )


def _added(ctx: CommandContext, row: Objection, letter: Letter) -> Taken | None:
    """A further letter of whoever lodged an open case, or one that the staff gave to it; of anybody else, or too late, it is left to people.

    One that only its sender's address speaks for is added as unverified.
    """
    row = relocked(ctx, row.id)
    by_hand = letter.given_case == row.number
    if row.state not in OPEN or not (by_hand or _is_reporter(row, letter)):
        return None
    event = competitions.event(row.event_id)
    if row.state == CaseState.INCOMPLETE:
        try:
            require_in_time(ctx, row, event)
        except WindowClosedError:
            return None
    given = _attached(ctx, row, letter)
    # an address is written by whoever writes it: unless he has read our letter, or somebody asked him, nobody knows that it is the unit's word
    details = {} if by_hand or letter.proven else {UNVERIFIED: True}
    add(ctx, row, event, given=given, text=_text(letter), details=details, incoming_id=letter.id)
    return Taken(row.number, answered=True)


def _lodged(ctx: CommandContext, competition: CompetitionView, letter: Letter) -> Taken | None:
    event = competition.event
    if not event.regulation.has("objections"):
        return None
    competitions_service.lock_event(ctx, event.id)
    terms = event.regulation.objections
    found = lists.in_force(event.id)
    unit = _unit(letter, competition)
    entries = _entries(letter, event, found, unit)
    if not entries:
        return None
    against = next(each for each in found if lists.places(found)[entries[0]] == each.id)
    entries = [each for each in entries if lists.places(found)[each] == against.id]
    name = people.contact_name(unit.leader_user_id, competition.id) if unit and letter.user_ids else ""
    name = name or letter.sender_name
    attached = {FileRole.ATTACHED} if any(each.upload_id for each in letter.files) else set()
    standing = terms.by == "anybody" or (unit is not None and _takes_part(unit, event))
    lacking = rules.lacking_of(terms, files=attached, reporter_name=name, standing=standing)
    row = new_case(
        ctx,
        event,
        against,
        channel=Channel.MAIL,
        key=key_of("letter", str(letter.id)),
        language="zh",
        text=_text(letter),
        lacking=lacking,
        entries=entries,
    )
    row.incoming_id, row.reporter_email, row.reporter_name = letter.id, letter.sender or None, name or None
    if unit is not None:
        row.unit_id, row.unit_name = unit.id, unit.name
    _attached(ctx, row, letter)
    note(
        ctx,
        row,
        StepKind.LODGED,
        incoming_id=letter.id,
        said={"channel": row.channel, "lacking": row.lacking, "entries": len(entries)},
    )
    if not window_open(against.view, letter.received_at):
        _refuse_late(ctx, row, event)
    else:
        publications.reopen(ctx, against.id)
        letters.received(ctx, row, event)
    return Taken(row.number, answered=True)


def _refuse_late(ctx: CommandContext, row: Objection, event: EventView) -> None:
    """A letter that came outside of the window is a case that is not taken up, with the clause."""
    row.clause = event.regulation.objections.clause
    codes = [Requirement.WINDOW.value]
    note(
        ctx,
        row,
        StepKind.REFUSED,
        to=CaseState.REFUSED,
        details={"requirements": codes},
        said={"clause": row.clause, "requirements": codes},
    )
    letters.refused(ctx, row, event, requirements=[Requirement.WINDOW])


def _attached(ctx: CommandContext, row: Objection, letter: Letter) -> set[FileRole]:
    ids = [UploadId(each.upload_id) for each in letter.files if each.upload_id is not None]
    attach(ctx, row, ids, FileRole.ATTACHED)
    return {FileRole.ATTACHED} if ids else set()


def _unit(letter: Letter, competition: CompetitionView) -> LedUnit | None:
    """The unit that writes: what the staff said, the one whose leader confirmed the sender's address, else the only one named in the letter
    none of whose players is.
    """
    if letter.unit_id is not None:
        return next(
            (each for each in registrations.led_units(competition.id) if each.id == letter.unit_id), None
        )
    own = [each for user in letter.user_ids for each in registrations.led_units(competition.id, user_id=user)]
    if own:
        return own[0] if len(own) == 1 else None
    found = lists.in_force(competition.event.id)
    objected = {
        each.unit_id
        for each in people.units_of_entries(_entries(letter, competition.event, found, None)).values()
    }
    named = [
        each
        for each in registrations.led_units(competition.id)
        if _says(letter, each.name) and each.id not in objected
    ]
    return named[0] if len(named) == 1 else None


def _entries(
    letter: Letter, event: EventView, found: tuple[ListInForce, ...], unit: LedUnit | None
) -> list[int]:
    """The lines of the lists in force that a letter names; of two with one name only that whose unit it names too."""
    lines = [line for each in found for line in each.view.entries if _says(letter, line.name)]
    alike: dict[str, int] = {}
    for line in lines:
        alike[line.name] = alike.get(line.name, 0) + 1
    chosen = [line.entry_id for line in lines if alike[line.name] == 1 or _says(letter, line.unit)]
    if unit is None:
        return chosen
    units = people.units_of_entries(chosen)
    return [each for each in chosen if each in units and units[each].unit_id != unit.id]


def _lists(event: EventView) -> tuple[ListInForce, ...]:
    return lists.in_force(event.id) if event.regulation.has("objections") else ()


def _takes_part(unit: LedUnit, event: EventView) -> bool:
    return people.lodger_of(unit.leader_user_id, unit.competition_id, event.id).takes_part


def _is_reporter(row: Objection, letter: Letter) -> bool:
    """Whether the sender's address is the reporter's: the one he wrote from, or the confirmed one of his account."""
    if row.user_id is not None:
        return row.user_id in letter.user_ids
    return row.reporter_email is not None and folded(row.reporter_email) == folded(letter.sender)


def _says(letter: Letter, name: str) -> bool:
    wanted = folded(name)
    return len(wanted) >= SHORTEST_NAME and wanted in folded(f"{letter.subject}\n{letter.text}")


def _text(letter: Letter) -> str:
    return f"{letter.subject}\n\n{letter.text}".strip()[:MOST_OF_A_LETTER]


def _by_number(number: str) -> Objection | None:
    found: Objection | None = db.session.scalar(select(Objection).where(Objection.number == number))
    return found
