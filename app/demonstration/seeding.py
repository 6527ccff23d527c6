"""Writes the demonstration: people, and competitions in three phases, through the services that people use.

Everything happens in the caller's one transaction, so an interrupted start leaves nothing half-made. Each act is done
by the person whose act it is and at the moment it would have been done; the audit chain says who really wrote it,
and when: the system, at the first start.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from app.accounts import service as accounts
from app.actors import Actor, Role
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions import service as competitions_service
from app.competitions.rules import list_window
from app.demonstration import deals, notices, people, rules
from app.demonstration.queries import CAST_PHONES, ROLES, Cast
from app.demonstration.rules import Dates, Past
from app.draws import queries as draws
from app.draws import service as draws_service
from app.draws.rules import entrant_of
from app.objections import service as objections
from app.publications import queries as published_lists
from app.publications import service as publications
from app.registrations import queries as registrations
from app.registrations import service as registrations_service
from app.registrations.rules import Decision, DecisionKind, EntryId
from app.regulations import library
from app.regulations.rules import Employment, Regulation
from app.results import queries as results
from app.results import service as results_service
from app.results.service import Sent
from app.standings import service as standings
from app.workdays import queries as workdays
from app.workdays.rules import UnknownWorkdayYearError

REGULATION = "beach-games-landlord-2021"
WITHOUT_A_LIST = "dongcheng-landlord-2021"
ENDING_KIND = "health_code"
"""The kind of document that ends soon in the competition whose entries are open."""

MEMBERS = 34
FREE_TABLES = 2
"""Tables without a sheet, for the visitor to play referee at."""

SEED = bytes(range(1, 33)).hex()
"""The seed of the demonstration's draw."""

OBJECTION = "据了解，该选手是临时借调人员，不是该单位的正式员工，请核实。"
"""What the leader of the cast wrote; made up, like the player."""

OTHER_LEADERS = 20
"""Serial number of the first leader's phone who is not of the cast; members' numbers begin at ten times that."""


EMAILS = {Cast.LEADER: "leader@example.cn", Cast.COMMITTEE: "committee@example.cn"}
"""Who has a mailbox; what is written to it is on the outbox pages, the others get text messages."""


@dataclass(frozen=True, slots=True)
class _Company:
    """Everyone who acts."""

    cast: dict[Cast, Actor]
    leaders: tuple[Actor, ...]
    """The leader of the cast, then one for each other unit."""


def write(ctx: CommandContext) -> None:
    """Write all of it."""
    company = _hire(ctx)
    terms = library.load(REGULATION).publication
    known = workdays.calendar()
    _write_played(ctx, company, rules.played(ctx.now, known, terms.workdays))
    listed = rules.in_publication(ctx.now, known, terms.workdays)
    if listed is not None:
        _write_listed(ctx, company, listed)
    _write_open(ctx, company, rules.open_calendar(ctx.now))


def _hire(ctx: CommandContext) -> _Company:
    cast: dict[Cast, Actor] = {}
    for part, phone in CAST_PHONES.items():
        user_id = accounts.ensure_user(ctx, phone=phone)
        role = ROLES.get(part)
        if role is not None:
            # everywhere, so that the sign-in links also work in a competition that a visitor creates
            accounts.give_role(ctx, user_id=user_id, role=role, competition_id=None)
        cast[part] = Actor("person", user_id, frozenset({(None, role)} if role else ()))
        if part in EMAILS:
            accounts.give_email(_as(ctx, cast[part], ctx.now), email=EMAILS[part])
            accounts.confirm_email(ctx, token=accounts.confirmation_token(user_id, EMAILS[part], ctx.now))
    others = (
        Actor("person", accounts.ensure_user(ctx, phone=people.phone(OTHER_LEADERS + number)))
        for number in range(1, len(people.UNIT_NAMES))
    )
    return _Company(cast, (cast[Cast.LEADER], *others))


def _write_played(ctx: CommandContext, company: _Company, past: Past) -> None:
    """34 members of 12 units, the first round drawn, all but a few tables handed in, standings computed."""
    event_id = _create(ctx, company, rules.PLAYED_SLUG, "演示：正在比赛", past.calendar)
    sizes = people.sizes_of_units(MEMBERS)
    _enter(ctx, company, rules.PLAYED_SLUG, sizes, past.submitted_at, submitted=len(sizes))
    _publish(ctx, company, rules.PLAYED_SLUG, event_id, past)
    committee = _as(ctx, company.cast[Cast.COMMITTEE], past.drawn_at)
    draws_service.draw(committee, event_id, "prelim", SEED)
    tables = draws.tables(event_id)
    for number, table in enumerate(tables[: len(tables) - FREE_TABLES]):
        referee = _as(ctx, company.cast[Cast.REFEREE], past.sheets_at + timedelta(minutes=number))
        seats = [entrant_of(seat.entry_id) for seat in table.seats]
        results_service.record_sheet(
            referee,
            table.token,
            deals=deals.sheet(seats, results.sheet(table.token).deals_wanted, f"demonstration {number}"),
            handed_in=True,
            sent=Sent(base_revision=0, idempotency_key=f"demonstration-{number}"),
        )
    standings.recompute(ctx, event_id)


def _write_listed(ctx: CommandContext, company: _Company, past: Past) -> None:
    """Four units whose list is in public today, in the place of one that was corrected."""
    event_id = _create(ctx, company, rules.PUBLISHED_SLUG, "演示：名单公示中", past.calendar)
    _enter(ctx, company, rules.PUBLISHED_SLUG, (3, 3, 3, 3), past.submitted_at, submitted=4)
    _publish(ctx, company, rules.PUBLISHED_SLUG, event_id, past)
    _object(ctx, company, event_id, past)
    listed = published_lists.publication(event_id, 1)
    publications.supersede(
        _as(ctx, company.cast[Cast.COMMITTEE], ctx.now),
        event_id,
        listed.number,
        reason="演示：经复核，一名选手不是参赛单位的在册职工，不符合参赛资格。",
        left_out=[EntryId(listed.entries[-1].entry_id)],
    )


def _object(ctx: CommandContext, company: _Company, event_id: int, past: Past) -> None:
    """The leader of the cast has objected to an entry of the next unit, and may still add the sealed letter and evidence."""
    entries = registrations.approved_entries(event_id)
    own = entries[0].unit_id
    objected = next(each for each in entries if each.unit_id != own)
    objections.lodge(
        _as(ctx, company.cast[Cast.LEADER], past.published_at + timedelta(hours=1)),
        slug=rules.PUBLISHED_SLUG,
        list_number=None,
        entries=[objected.entry_id],
        text=OBJECTION,
        reporter_name=people.person_name(900),
        files=objections.Files(),
        idempotency_key="demonstration-objection",
        language="zh",
    )


def _write_open(ctx: CommandContext, company: _Company, calendar: Dates) -> None:
    """Three units have handed in; the leader of the cast has begun and not handed in yet."""
    text = _asking_for_no_day(_text(calendar), ENDING_KIND)
    _create(ctx, company, rules.OPEN_SLUG, "演示：正在报名", calendar, text=text)
    _enter(ctx, company, rules.OPEN_SLUG, (2, 3, 3, 2), ctx.now, submitted=3)
    notices.welcome(_as(ctx, company.cast[Cast.COMMITTEE], ctx.now))


def _text(calendar: Dates) -> Regulation:
    """The regulation of a competition with these dates. Where the days of its list cannot be counted yet, nobody could create
    it: then a text that publishes no list."""
    text = library.load(REGULATION)
    try:
        list_window(text.with_changes(calendar=calendar), workdays.calendar())
    except UnknownWorkdayYearError:
        return library.load(WITHOUT_A_LIST)
    return text


def _asking_for_no_day(text: Regulation, kind: str) -> Regulation:
    """The text without the day on which documents of this kind have to be valid, so that one may end before the event does."""
    document = text.document
    for row in document.get("documents", ()):
        if row["kind"] == kind:
            row.pop("valid_at", None)
    return Regulation.from_document(document)


def _create(
    ctx: CommandContext,
    company: _Company,
    slug: str,
    name: str,
    calendar: Dates,
    *,
    text: Regulation | None = None,
) -> int:
    chosen = text or _text(calendar)
    opens = calendar["registration_opens"]
    assert isinstance(opens, datetime)
    organiser = _as(ctx, company.cast[Cast.ORGANISER], opens)
    competition_id = competitions_service.create_competition(
        organiser,
        regulation=chosen,
        name=name,
        slug=slug,
        place="示例市体育馆",
        calendar={key: at for key, at in calendar.items() if key in chosen.calendar.dates},
    )
    for part in (Cast.COMMITTEE, Cast.CHIEF_REFEREE, Cast.REFEREE, Cast.ARBITRATION):
        # also here by name, so that the staff page of the competition is not empty
        accounts.grant_role(
            organiser, phone=CAST_PHONES[part], role=Role(part.value), competition_id=competition_id
        )
    return competitions.competition_by_id(competition_id).event.id


def _enter(
    ctx: CommandContext,
    company: _Company,
    slug: str,
    sizes: Sequence[int],
    moment: datetime,
    *,
    submitted: int,
) -> None:
    """One unit after another; the last ``submitted`` of them hand in, so the cast's leader is the one who may not."""
    serial = 0
    regulation = competitions.competition(slug).event.regulation
    declared = [rule.rule for rule in regulation.declared_rules]
    for number, size in enumerate(sizes):
        leader = _as(ctx, company.leaders[number], moment)
        registrations_service.agree_to_privacy_notice(leader, slug=slug)
        registrations_service.save_unit(
            leader,
            slug=slug,
            name=people.UNIT_NAMES[number],
            credit_code=people.credit_code(number + 1),
            contact_name=people.person_name(900 + number),
        )
        for _ in range(size):
            serial += 1
            registrations_service.add_member(
                leader,
                slug=slug,
                name=people.person_name(serial),
                id_number=people.id_number(serial),
                phone=people.phone(10 * OTHER_LEADERS + serial),
                employment=Employment.FULL_TIME.value,
                declared=declared,
            )
        if number >= len(sizes) - submitted:
            registrations_service.submit(leader, slug=slug, idempotency_key=f"demonstration-{number}")


def _publish(ctx: CommandContext, company: _Company, slug: str, event_id: int, past: Past) -> None:
    committee = company.cast[Cast.COMMITTEE]
    waiting = registrations.entrants(event_id)
    registrations_service.decide(
        _as(ctx, committee, past.decided_at),
        slug=slug,
        decisions=[Decision(EntryId(entry_id), DecisionKind.APPROVE) for entry_id in waiting],
    )
    publications.publish(_as(ctx, committee, past.published_at), event_id)


def _as(ctx: CommandContext, actor: Actor, moment: datetime) -> CommandContext:
    """The same transaction, its records and its jobs, in the hands of ``actor`` at ``moment``."""
    return replace(ctx, actor=actor, now=moment)
