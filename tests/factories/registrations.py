from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime
from typing import Any

from app.actors import Actor, Role
from app.commands import command
from app.competitions import queries as competitions
from app.competitions import service as competitions_service
from app.competitions.queries import CompetitionView
from app.registrations import queries, service
from app.registrations.rules import Decision, DecisionKind, EntryId, MemberId, UnitId
from app.text import BEIJING
from tests.factories import accounts, people

OPEN = datetime(2021, 10, 25, 12, 0, tzinfo=BEIJING)
DECLARED = frozenset({"healthy", "not_in_region", "residence_days"})
ORGANISER = 9001
"""Phone serial of the organiser, who is also on the committee; leaders take small serials."""


def competition(slug: str = "beach") -> CompetitionView:
    """Regulation A with its own dates: entries are open at ``NOON``. Needs an application context.

    It was created then at the latest, however far the caller's clock has gone.
    """
    organiser = accounts.user(ORGANISER, Role.ORGANISER)
    with command(organiser) as ctx:
        made = competitions_service.create_competition(
            replace(ctx, now=min(ctx.now, OPEN)),
            regulation="beach-games-landlord-2021",
            place="三亚",
            slug=slug,
        )
    return competitions.competition_by_id(made)


def committee(slug: str = "beach") -> Actor:
    """The competition's organiser, who holds the committee's role too."""
    return accounts.user(ORGANISER, Role.COMMITTEE, competition_id=competitions.competition_id(slug))


def unit_form(serial: int = 1, **changes: str) -> dict[str, str]:
    form = {
        "name": f"第{serial}机械厂",
        "credit_code": people.credit_code(serial),
        "contact_name": people.person_name(serial),
        "contact_phone": people.phone(serial),
    }
    return form | changes


def member_form(serial: int = 1, born: date = date(1985, 6, 15), **changes: Any) -> dict[str, Any]:
    """One player, as the service takes them; everything declared that a text for single players asks."""
    form = {
        "name": people.person_name(serial),
        "id_number": people.id_number(serial, born),
        "phone": people.phone(1000 + serial),
        "employment": "full_time",
        "declared": DECLARED,
    }
    return form | changes


def member_posted(serial: int = 1, **changes: Any) -> dict[str, str]:
    """The same as a page sends it."""
    form = member_form(serial, **changes)
    return {**{f"declared-{rule}": "1" for rule in form.pop("declared")}, **form}


def member_json(serial: int = 1, **changes: Any) -> dict[str, Any]:
    """The same as the API takes it."""
    form = member_form(serial, **changes)
    return form | {"declared": dict.fromkeys(form["declared"], True)}


def leader(serial: int = 1, slug: str = "beach", *, with_unit: bool = True) -> Actor:
    """A signed-in leader who agreed to the privacy notice and, unless told not to, has a unit."""
    person = accounts.user(serial)
    with command(person) as ctx:
        service.agree_to_privacy_notice(ctx, slug=slug)
    if with_unit:
        unit(person, serial, slug)
    return person


def unit(person: Actor, serial: int = 1, slug: str = "beach", **changes: str) -> UnitId:
    with command(person) as ctx:
        return service.save_unit(ctx, slug=slug, **unit_form(serial, **changes))


def member(person: Actor, serial: int = 1, slug: str = "beach", **changes: Any) -> MemberId:
    with command(person) as ctx:
        return service.add_member(ctx, slug=slug, **member_form(serial, **changes))


def submission(person: Actor, slug: str = "beach", key: str = "key-00000001") -> None:
    with command(person) as ctx:
        service.submit(ctx, slug=slug, idempotency_key=key)


def submitted(serial: int = 1, members: int = 1, slug: str = "beach") -> Actor:
    """A leader whose unit with ``members`` members is handed in. Members' serials follow the leader's."""
    person = leader(serial, slug)
    for number in range(members):
        member(person, serial * 100 + number, slug)
    submission(person, slug)
    return person


def decision(
    person: Actor, entry_id: int, kind: str = "approve", reason: str = "", slug: str = "beach"
) -> None:
    with command(person) as ctx:
        service.decide(ctx, slug=slug, decisions=[Decision(EntryId(entry_id), DecisionKind(kind), reason)])


def approved(serial: int = 1, members: int = 1, slug: str = "beach") -> Actor:
    """As ``submitted``, and approved by the committee. Returns the leader."""
    person = submitted(serial, members, slug)
    event = competitions.competition(slug).event
    waiting = [view.entry_id for view in queries.review_list(event) if view.state == "submitted"]
    with command(committee(slug)) as ctx:
        service.decide(ctx, slug=slug, decisions=[Decision(each, DecisionKind.APPROVE) for each in waiting])
    return person
