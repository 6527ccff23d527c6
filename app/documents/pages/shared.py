"""What the pages of leaders and of the committee share."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from flask import Blueprint, current_app, url_for

from app.competitions.queries import CompetitionView
from app.documents import queries
from app.documents.queries import SubjectList, UnitLists
from app.documents.rules import PURPOSES, Row
from app.documents.rules.states import DONE
from app.errors import ConflictError, InvalidError, RefusedError
from app.regulations.rules import DOCUMENT_KINDS
from app.text import T

blueprint = Blueprint("documents", __name__)

REFUSALS = (InvalidError, RefusedError, ConflictError)
"""What a form answers with itself, typed values kept; anything else is a page of its own."""


@dataclass(frozen=True, slots=True)
class ForRegistration:
    """What the pages of a registration show of documents. ``url``: the checklist's; None where the texts ask for none."""

    lists: UnitLists | None
    url: str | None
    purposes: tuple[tuple[T, T], ...] = ()
    """Of every kind of document that the texts ask for: its name, and for what it is asked (告知)."""

    @property
    def missing_with_entry(self) -> tuple[tuple[SubjectList, Row], ...]:
        """What is due with the entry and not handed in."""
        return tuple(
            (some, row)
            for some in (self.lists.lists if self.lists else ())
            for row in some.rows
            if row.due_with_entry and row.state not in DONE
        )


def for_registration(competition: CompetitionView, user_id: int, now: datetime) -> ForRegistration:
    """Registrations come before documents and import none of this: their pages ask through the application."""
    demands = [each for each in queries.demands(competition.events) if each.rule.required_for != "nobody"]
    if not demands:
        return ForRegistration(None, None)
    kinds = dict.fromkeys(each.rule.kind for each in demands)
    purposes = tuple((DOCUMENT_KINDS[kind], PURPOSES[kind]) for kind in kinds)
    settings = current_app.config["SAISHI"]
    lists = queries.my_lists(competition, user_id, now, warn_days=settings.warn_days)
    return ForRegistration(lists, url_for("documents.mine", slug=competition.slug), purposes)
