"""Which secret key this database was written with (密钥核对).

One row, written with the first tables. ``app.cli.preflight`` compares it before anything starts: with another key the
phone and ID numbers could not be read, and a person would no longer be recognised by their hash.
"""

from __future__ import annotations

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from app.extensions import db


class KeyCheck(db.Model):  # type: ignore[name-defined]  # Flask-SQLAlchemy builds Model at run time
    """The check value of the secret key (``app.database.key_check``); the only row has id 1."""

    __tablename__ = "key_checks"

    id: Mapped[int] = mapped_column(primary_key=True)
    value: Mapped[str] = mapped_column(String(64))
