from __future__ import annotations

from datetime import date, datetime

from sqlalchemy import JSON, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Encrypted, UtcDateTime
from app.extensions import db


class Consent(db.Model):  # type: ignore[name-defined]  # Flask-SQLAlchemy builds Model at run time
    """A leader agreed to one version of the privacy notice (个人信息保护声明) of a competition."""

    __tablename__ = "consents"
    __table_args__ = (UniqueConstraint("user_id", "competition_id", "notice_version"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    competition_id: Mapped[int] = mapped_column(ForeignKey("competitions.id"), index=True)
    notice_version: Mapped[str] = mapped_column(String(20))
    agreed_at: Mapped[datetime] = mapped_column(UtcDateTime)


class Unit(db.Model):  # type: ignore[name-defined]  # as above
    """A unit (参赛单位) in one competition, made and led by one person (领队); or who enters, where players enter themselves.

    Where the unit has no credit code, ``credit_code`` holds ``-`` and the leader's id (``rules.without_code``).
    """

    __tablename__ = "units"
    __table_args__ = (
        UniqueConstraint("competition_id", "credit_code"),
        UniqueConstraint("competition_id", "leader_user_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    competition_id: Mapped[int] = mapped_column(ForeignKey("competitions.id"))
    name: Mapped[str] = mapped_column(String(60))
    credit_code: Mapped[str] = mapped_column(String(18))
    leader_user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    contact_name: Mapped[str | None] = mapped_column(Encrypted)
    contact_phone: Mapped[str | None] = mapped_column(Encrypted)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class Registration(db.Model):  # type: ignore[name-defined]  # as above
    """A unit's registration (报名) for one event, with the receipt number it got when it was first submitted."""

    __tablename__ = "registrations"
    __table_args__ = (UniqueConstraint("event_id", "unit_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"))
    unit_id: Mapped[int] = mapped_column(ForeignKey("units.id"), index=True)
    number: Mapped[str | None] = mapped_column(String(20), unique=True)
    state: Mapped[str] = mapped_column(String(20))
    submitted_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    regulation_version_id: Mapped[int] = mapped_column(ForeignKey("regulation_versions.id"))


class Submission(db.Model):  # type: ignore[name-defined]  # as above
    """One handing-in of a registration. The key makes a second tap, or a retry after a lost answer, the same one."""

    __tablename__ = "registration_submissions"
    __table_args__ = (UniqueConstraint("registration_id", "idempotency_key"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    registration_id: Mapped[int] = mapped_column(ForeignKey("registrations.id"))
    idempotency_key: Mapped[str] = mapped_column(String(64))
    submitted_at: Mapped[datetime] = mapped_column(UtcDateTime)
    entries: Mapped[int]


class Member(db.Model):  # type: ignore[name-defined]  # as above
    """A member (队员) of a unit. Birth date and sex are read from the ID number when needed, never stored.

    ``employment`` is empty where the regulation does not ask for it. ``unit_name`` is what a player who enters himself
    wrote, ``declared`` the rules of eligibility he said to meet; both are null where nothing was asked.
    """

    __tablename__ = "members"
    __table_args__ = (UniqueConstraint("unit_id", "person_hash"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    unit_id: Mapped[int] = mapped_column(ForeignKey("units.id"))
    name: Mapped[str] = mapped_column(String(30))
    id_number: Mapped[str | None] = mapped_column(Encrypted)
    person_hash: Mapped[str] = mapped_column(String(64))
    phone: Mapped[str | None] = mapped_column(Encrypted)
    employment: Mapped[str] = mapped_column(String(20))
    unit_name: Mapped[str | None] = mapped_column(String(60))
    declared: Mapped[list[str] | None] = mapped_column(JSON)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class Entry(db.Model):  # type: ignore[name-defined]  # as above
    """An entry (参赛名额) of a unit in an event, of one player or of a pair, and what the committee decided on it.

    ``in_team`` says that the form names it for the unit's team (附件4七(二) of 东城区); null where no team is asked.
    ``replaced_at`` says of a withdrawn entry that a newer form took its place (以最新一次为准). ``override_clause`` is the rule that
    the committee set aside when it approved the entry all the same, ``override_reason`` why.
    """

    __tablename__ = "entries"

    id: Mapped[int] = mapped_column(primary_key=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"), index=True)
    unit_id: Mapped[int] = mapped_column(ForeignKey("units.id"), index=True)
    state: Mapped[str] = mapped_column(String(20))
    revision: Mapped[int] = mapped_column(default=1)
    submitted_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    decided_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    decided_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    reason: Mapped[str | None] = mapped_column(String(200))
    in_team: Mapped[bool | None]
    replaced_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    override_clause: Mapped[str | None] = mapped_column(String(60))
    override_reason: Mapped[str | None] = mapped_column(Encrypted)


class EntryMember(db.Model):  # type: ignore[name-defined]  # as above
    """Who plays in an entry. The constraint lets one person enter an event once, whoever registers them first.

    Where a newer form replaces an older one, a draft holds a stand-in for the hash until it is handed in.
    """

    __tablename__ = "entry_members"
    __table_args__ = (UniqueConstraint("event_id", "person_hash"),)

    entry_id: Mapped[int] = mapped_column(ForeignKey("entries.id"), primary_key=True)
    member_id: Mapped[int] = mapped_column(ForeignKey("members.id"), primary_key=True, index=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"))
    person_hash: Mapped[str] = mapped_column(String(64))


class ChangeApplication(db.Model):  # type: ignore[name-defined]  # as above
    """A written application for a change after the deadline (变更申请, 三(四)2), and what the committee answered.

    ``kind`` is add, withdraw, replace or correct; ``proposal`` is the form as typed (JSON), ``entry_id`` the entry it is about (null: a
    new one), ``made_entry_id`` the entry that came of it.
    """

    __tablename__ = "change_applications"
    __table_args__ = (
        UniqueConstraint("event_id", "number"),
        UniqueConstraint("unit_id", "idempotency_key"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    competition_id: Mapped[int] = mapped_column(ForeignKey("competitions.id"), index=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"))
    unit_id: Mapped[int] = mapped_column(ForeignKey("units.id"))
    number: Mapped[int]
    idempotency_key: Mapped[str] = mapped_column(String(64))
    kind: Mapped[str] = mapped_column(String(20))
    entry_id: Mapped[int | None] = mapped_column(ForeignKey("entries.id"))
    made_entry_id: Mapped[int | None] = mapped_column(ForeignKey("entries.id"))
    reason: Mapped[str] = mapped_column(Encrypted)
    proposal: Mapped[str | None] = mapped_column(Encrypted)
    state: Mapped[str] = mapped_column(String(20))
    applied_at: Mapped[datetime] = mapped_column(UtcDateTime)
    applied_by_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    decided_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    decided_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    answer: Mapped[str | None] = mapped_column(Encrypted)


class ChangeApplicationFile(db.Model):  # type: ignore[name-defined]  # as above
    """An upload (sealed letter, proof) that belongs to an application."""

    __tablename__ = "change_application_files"

    application_id: Mapped[int] = mapped_column(ForeignKey("change_applications.id"), primary_key=True)
    upload_id: Mapped[int] = mapped_column(ForeignKey("uploads.id"), primary_key=True)
    position: Mapped[int]


class PurgeHold(db.Model):  # type: ignore[name-defined]  # as above
    """The purge of a competition waits (暂缓删除) through the day ``until``, because an objection or appeal is open."""

    __tablename__ = "purge_holds"

    competition_id: Mapped[int] = mapped_column(ForeignKey("competitions.id"), primary_key=True)
    reason: Mapped[str] = mapped_column(Encrypted)
    until: Mapped[date]
    held_at: Mapped[datetime] = mapped_column(UtcDateTime)
    held_by_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
