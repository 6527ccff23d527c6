from __future__ import annotations

from collections.abc import Callable
from typing import Any

from app.actors import Actor, Role
from app.amendments import service
from app.commands import command
from app.competitions import queries as competitions
from app.regulations import queries as regulations
from app.regulations import service as regulations_service
from app.regulations.queries import EditionView
from tests.factories import accounts

CHIEF = 9201
"""Phone serial of the chief referee who rules."""

Edit = Callable[[dict[str, Any]], None]


def chief(slug: str) -> Actor:
    return accounts.user(CHIEF, Role.CHIEF_REFEREE, competition_id=competitions.competition_id(slug))


def drafted(slug: str, edit: Edit, by: Actor | None = None) -> int:
    """An open draft of the competition's event with these changes; its id."""
    person = by or chief(slug)
    event = competitions.competition(slug).event
    with command(person) as ctx:
        draft_id = regulations_service.start_draft(ctx, event_id=event.id)
    draft = regulations.draft(draft_id)
    document = draft.document
    edit(document)
    with command(person) as ctx:
        regulations_service.save_draft(ctx, draft_id, document, draft.revision)
    return draft_id


def published(slug: str, edit: Edit, by: Actor | None = None, **said: Any) -> EditionView:
    """The changes as the next version, published by the chief referee, who saw the warning."""
    person = by or chief(slug)
    draft_id = drafted(slug, edit, person)
    values: dict[str, Any] = {
        "reason": "按组委会会议纪要更正",
        "base_revision": regulations.draft(draft_id).revision,
        "ruling": True,
    }
    with command(person) as ctx:
        service.publish(ctx, draft_id, **(values | said))
    return regulations.editions(competitions.competition(slug).event.id)[-1]


def option(name: str, value: Any) -> Edit:
    def edit(document: dict[str, Any]) -> None:
        document["options"] = document.get("options", {}) | {name: value}

    return edit


def date(key: str, value: str) -> Edit:
    def edit(document: dict[str, Any]) -> None:
        document["calendar"][key]["at"] = value

    return edit


def chain(*criteria: str) -> Edit:
    """The ranking chain with these criteria only, in this order."""

    def edit(document: dict[str, Any]) -> None:
        rows = {row["criterion"]: row for row in document["ranking"]}
        document["ranking"] = [rows[each] for each in criteria]

    return edit
