"""Reading frozen regulations, and the public rules page of any regulation."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from sqlalchemy import select

from app.errors import NotFoundError
from app.extensions import db
from app.regulations.models import RegulationVersion
from app.regulations.rules import Regulation, RulesPage, rules_page

__all__ = ["FrozenVersion", "RulesPage", "frozen_version", "rules_page", "version"]


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


def version(version_id: int) -> Regulation:
    """The frozen regulation with this version id; a document read once stays in memory under its hash."""
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
