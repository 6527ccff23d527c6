from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import select

from app.accounts.models import RoleGrant, User
from app.accounts.rules import masked_phone
from app.actors import Actor, Role
from app.extensions import db
from app.notifications import queries as notifications
from app.notifications.rules import Recipient


@dataclass(frozen=True, slots=True)
class SessionUser:
    """The signed-in person, as flask-login and ``current_actor`` need it."""

    id: int
    actor: Actor
    phone_masked: str
    is_authenticated: bool = True
    is_active: bool = True
    is_anonymous: bool = False

    def get_id(self) -> str:
        return str(self.id)


@dataclass(frozen=True, slots=True)
class GrantView:
    user_id: int
    phone_masked: str
    role: Role


def session_user(user_id: int) -> SessionUser | None:
    """The person with this id and the roles they hold now."""
    user = db.session.get(User, user_id)
    if user is None:
        return None
    grants = frozenset((grant.competition_id, Role(grant.role)) for grant in user.grants)
    return SessionUser(user.id, Actor("person", user.id, grants), masked_phone(user.phone))


def user_phone(user_id: int) -> str:
    """The person's own number in E.164."""
    return db.session.get_one(User, user_id).phone


def recipient(user_id: int) -> Recipient:
    """Whom a letter to this person goes to: their mailbox once they confirmed it, and as long as nothing came back from it."""
    user = db.session.get_one(User, user_id)
    email = None
    if user.email and user.email_hash and user.email_confirmed_at is not None:
        returned = notifications.returned_since(user.email_hash, user.email_confirmed_at)
        email = None if returned else user.email
    return Recipient(user.id, email, user.phone or None, user.language or "zh")


@dataclass(frozen=True, slots=True)
class MailSettings:
    """How letters reach a person. ``returned``: what was sent to the confirmed address came back."""

    email: str | None
    confirmed: bool
    returned: bool
    language: str
    optional: bool


def mail_settings(user_id: int) -> MailSettings:
    """What a person has chosen about letters."""
    user = db.session.get_one(User, user_id)
    confirmed = user.email_confirmed_at is not None
    return MailSettings(
        email=user.email,
        confirmed=confirmed,
        returned=confirmed and recipient(user_id).email is None,
        language=user.language or "zh",
        optional=not any(notifications.has_stopped(each) for each in hashes_of(user_id)),
    )


def hashes_of(user_id: int) -> frozenset[str]:
    """What the addresses of a person are found by in the outbox: the phone, and the mailbox if there is one."""
    user = db.session.get_one(User, user_id)
    return frozenset(
        hashed for hashed in (notifications.address_hash(user.phone), user.email_hash) if hashed is not None
    )


def staff_of(competition_id: int) -> tuple[GrantView, ...]:
    """Who holds which role in this competition, in the order granted."""
    rows = db.session.scalars(
        select(RoleGrant).where(RoleGrant.competition_id == competition_id).order_by(RoleGrant.id)
    )
    return tuple(GrantView(row.user_id, masked_phone(row.user.phone), Role(row.role)) for row in rows)


def holders(competition_id: int, role: Role) -> tuple[int, ...]:
    """Who holds a role in this competition, granted here or everywhere, in the order granted."""
    rows = db.session.scalars(
        select(RoleGrant.user_id)
        .where(
            RoleGrant.role == role.value,
            (RoleGrant.competition_id == competition_id) | RoleGrant.competition_id.is_(None),
        )
        .order_by(RoleGrant.id)
    )
    return tuple(dict.fromkeys(rows))
