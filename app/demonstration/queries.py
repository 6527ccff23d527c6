from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time, timedelta
from enum import StrEnum

from sqlalchemy import select

from app.accounts.models import User
from app.accounts.rules import masked_phone, normal_phone
from app.actors import ROLE_NAMES, Role
from app.competitions import queries as competitions
from app.competitions.queries import CompetitionView
from app.competitions.rules import UnknownCompetitionError
from app.database import person_hash
from app.demonstration import people, rules
from app.errors import SaishiError
from app.extensions import db
from app.notifications import queries as notifications
from app.publications import queries as publications
from app.text import BEIJING, T


class Cast(StrEnum):
    """The people of the demonstration, one per role (角色)."""

    ORGANISER = "organiser"
    COMMITTEE = "committee"
    CHIEF_REFEREE = "chief_referee"
    REFEREE = "referee"
    LEADER = "leader"
    ARBITRATION = "arbitration"


CAST_NAMES: dict[Cast, T] = {Cast(role.value): name for role, name in ROLE_NAMES.items()} | {
    Cast.LEADER: T("领队")
}
CAST_PHONES: dict[Cast, str] = {each: people.phone(serial) for serial, each in enumerate(Cast, start=1)}


@dataclass(frozen=True, slots=True)
class CastMember:
    """One of them, with what the page says about them."""

    part: Cast
    name: T
    phone: str
    user_id: int


@dataclass(frozen=True, slots=True)
class Leap:
    """A moment the clock can be moved to, and what it is (拨到)."""

    label: T
    moment: datetime


@dataclass(frozen=True, slots=True)
class Leaps:
    """The interesting moments of one competition; ``refusal`` says why one of them cannot be computed."""

    competition: CompetitionView
    leaps: tuple[Leap, ...]
    refusal: SaishiError | None


@dataclass(frozen=True, slots=True)
class SentMessage:
    """A message of the outbox (发件箱), its recipient masked: a visitor may have typed a real number."""

    recipient: str
    subject: str
    body: str
    state: str
    queued_at: datetime


def is_seeded() -> bool:
    """Whether the demonstration was written into this database."""
    return _exists(rules.PLAYED_SLUG)


def holds_other_data() -> bool:
    """Whether somebody else's competitions are here: a demonstration never mixes with them."""
    return not is_seeded() and bool(competitions.competitions())


def cast() -> tuple[CastMember, ...]:
    """Who can be signed in as, in the order of the work."""
    hashes = {each: person_hash(normal_phone(phone)) for each, phone in CAST_PHONES.items()}
    rows = db.session.execute(select(User.phone_hash, User.id).where(User.phone_hash.in_(hashes.values())))
    ids: dict[str, int] = {row.phone_hash: row.id for row in rows}
    return tuple(
        CastMember(each, CAST_NAMES[each], CAST_PHONES[each], ids[digest])
        for each, digest in hashes.items()
        if digest in ids
    )


def user_of(part: Cast) -> int:
    """The user who plays ``part``; the demonstration must be seeded."""
    return next(each.user_id for each in cast() if each.part is part)


def seeded_at() -> datetime:
    """When the demonstration was written."""
    found: datetime = db.session.get_one(User, user_of(Cast.COMMITTEE)).created_at
    return found


def leaps(now: datetime) -> tuple[Leaps, ...]:
    """The moments worth moving to, of the newest competitions."""
    return tuple(_leaps(each, now) for each in competitions.competitions()[:8])


def outbox() -> tuple[SentMessage, ...]:
    """The newest messages first."""
    return tuple(
        SentMessage(_masked(each.recipient), each.subject, each.body, each.state, each.queued_at)
        for each in notifications.latest_messages()
    )


def _exists(slug: str) -> bool:
    try:
        competitions.competition_id(slug)
    except UnknownCompetitionError:
        return False
    return True


def _leaps(competition: CompetitionView, now: datetime) -> Leaps:
    event = competition.event
    calendar = event.regulation.calendar
    second = timedelta(seconds=1)
    found = [Leap(T("报名截止后 1 秒"), calendar.registration_closes + second)]
    refusal: SaishiError | None = None
    published = publications.latest(event.id)
    if published is not None:
        found.append(Leap(T("公示期满后 1 秒"), published.ends_at + second))
    elif event.regulation.has("publication"):  # the formats of 2016, Dongcheng 2021 and 2023 publish no list
        readiness = publications.readiness(event.id, now)
        if readiness.window is not None:
            found.append(Leap(T("公示期满后 1 秒"), readiness.window.ends_at + second))
        else:
            refusal = readiness.refusal
    found.append(Leap(T("比赛日 9:00"), datetime.combine(calendar.play_from, time(9), BEIJING)))
    return Leaps(competition, tuple(found), refusal)


def _masked(recipient: str) -> str:
    return masked_phone(recipient) if recipient.startswith("+86") else recipient


ROLES: dict[Cast, Role] = {Cast(role.value): role for role in Role}
"""Which role each of them holds; the team leader needs none."""
