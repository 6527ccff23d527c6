from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.database import Encrypted, UtcDateTime
from app.extensions import db


class User(db.Model):  # type: ignore[name-defined]  # Flask-SQLAlchemy builds Model at run time
    """A person who signed in once, or was granted a role.

    ``email`` counts once it was confirmed from its own mailbox; ``language`` is the one letters are written in (null: zh).
    """

    __tablename__ = "users"

    id: Mapped[int] = mapped_column(primary_key=True)
    phone_hash: Mapped[str] = mapped_column(String(64), unique=True)
    phone: Mapped[str] = mapped_column(Encrypted)
    email: Mapped[str | None] = mapped_column(Encrypted)
    email_hash: Mapped[str | None] = mapped_column(String(64), index=True)
    email_confirmed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    language: Mapped[str | None] = mapped_column(String(5))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    grants: Mapped[list[RoleGrant]] = relationship(back_populates="user", lazy="selectin")


class SignInCode(db.Model):  # type: ignore[name-defined]  # as above
    """A one-time code (验证码), kept as a keyed hash."""

    __tablename__ = "sign_in_codes"
    __table_args__ = (Index("ix_sign_in_codes_phone_hash_sent_at", "phone_hash", "sent_at"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    phone_hash: Mapped[str] = mapped_column(String(64))
    code_hash: Mapped[str] = mapped_column(String(64))
    sent_at: Mapped[datetime] = mapped_column(UtcDateTime)
    tries: Mapped[int] = mapped_column(default=0)
    used_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class RoleGrant(db.Model):  # type: ignore[name-defined]  # as above
    """A role (身份) of a person, in one competition or (None) in the whole installation."""

    __tablename__ = "role_grants"
    __table_args__ = (
        UniqueConstraint("user_id", "competition_id", "role"),
        # NULL equals nothing, so the constraint above does not see a role held everywhere
        Index(
            "uq_role_grants_everywhere",
            "user_id",
            "role",
            unique=True,
            sqlite_where=text("competition_id IS NULL"),
            postgresql_where=text("competition_id IS NULL"),
        ),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    competition_id: Mapped[int | None] = mapped_column(ForeignKey("competitions.id"), index=True)
    role: Mapped[str] = mapped_column(String(20))
    user: Mapped[User] = relationship(back_populates="grants")
