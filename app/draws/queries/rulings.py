from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select

from app.actors import Role
from app.draws.models import DrawRuling
from app.draws.rules import with_names
from app.extensions import db
from app.registrations.queries import EntrantView
from app.registrations.rules import EntryId
from app.regulations.rules import Bilingual

Said = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A question or a broken rule in people's names, with its clause where it has one."""

    text: Bilingual
    clause: str | None


@dataclass(frozen=True, slots=True)
class RulingView:
    """That a round was drawn by ruling (裁决). ``questions`` and ``broken`` as they are stored, with the event file's ids."""

    reason: str
    made_as: Role
    made_at: datetime
    questions: tuple[Said, ...]
    broken: tuple[Said, ...]
    asked: tuple[Sentence, ...]
    breaks: tuple[Sentence, ...]


def rulings(round_ids: Sequence[int], people: Mapping[EntryId, EntrantView]) -> dict[int, RulingView]:
    """The rulings of these rounds, by round."""
    rows = db.session.scalars(select(DrawRuling).where(DrawRuling.round_id.in_(round_ids)))
    return {
        row.round_id: RulingView(
            reason=row.reason,
            made_as=Role(row.made_as),
            made_at=row.made_at,
            questions=tuple(row.questions),
            broken=tuple(row.broken),
            asked=sentences(row.questions, "reason", people),
            breaks=sentences(row.broken, "message", people),
        )
        for row in rows
    }


def sentences(said: Sequence[Said], key: str, people: Mapping[EntryId, EntrantView]) -> tuple[Sentence, ...]:
    """What the engine says, with the names of people and units."""
    names = {entry_id: each.name for entry_id, each in people.items()}
    units = {each.unit_id: each.unit_name for each in people.values()}
    return tuple(
        Sentence(with_names(Bilingual(each[key], each[f"{key}_en"]), names, units), each.get("clause"))
        for each in said
    )
