"""Drafts of regulations (规程草稿): who writes them, and what stands in the way of a save.

| rule | implemented |
|---|---|
| the draft of an event is written by its organiser, committee and chief referee | yes |
| a draft for a competition that is not created yet is an organiser's | yes |
| an event has one open draft | starting again goes on with it; from another text it is refused |
| a save names the revision it was typed on | an older one is refused with both documents |
| what is typed may be wrong | it is judged when it is published, never when it is saved |
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.actors import Actor, Role
from app.errors import ConflictError, InvalidError, NotFoundError, RefusedError
from app.regulations.rules.canonical import canonical_json
from app.text import T

DRAFTERS = (Role.ORGANISER, Role.COMMITTEE, Role.CHIEF_REFEREE)
"""Who may write the draft of an event's regulation."""

LARGEST_DOCUMENT = 300_000
"""Bytes of canonical JSON; the longest shipped regulation has a fifth of it."""


class UnknownDraftError(NotFoundError):
    def __init__(self) -> None:
        super().__init__(T("没有这份规程草稿。"), next_step=T("请从“规程”页重新打开。"))


class UnknownEditionError(NotFoundError):
    def __init__(self) -> None:
        super().__init__(T("没有这一版规程。"), next_step=T("请从规程页的版本列表进入。"))


class DraftClosedError(RefusedError):
    def __init__(self) -> None:
        super().__init__(T("这份规程草稿已经公布或放弃，不能再改。"), next_step=T("请从现行规程重新起草。"))


class DraftOpenError(RefusedError):
    """Another draft of the event, from another text, is open; ``extra`` names it."""

    def __init__(self, draft_id: int) -> None:
        super().__init__(
            T("这个项目已有一份正在编写的规程草稿。"),
            next_step=T("请继续编写那一份，或先放弃它。"),
            extra={"draft": draft_id},
        )


class DraftConflictError(ConflictError):
    """Somebody else saved meanwhile; ``extra`` carries both documents."""

    def __init__(self, *, base_revision: int, current: Mapping[str, Any], sent: Mapping[str, Any]) -> None:
        super().__init__(
            T("别人刚刚保存过这份草稿，您的修改还没有保存。"),
            next_step=T("请看两份的差别，再决定保留哪些。"),
            extra={"base_revision": base_revision, "current": dict(current), "sent": dict(sent)},
        )


def require_may_draft(actor: Actor, competition_id: int | None) -> None:
    """``competition_id`` is None for a competition that is not created yet."""
    if competition_id is None:
        actor.require(None, Role.ORGANISER)
    else:
        actor.require(competition_id, *DRAFTERS)


def require_storable(document: Mapping[str, Any]) -> None:
    """Refuse what no database can hold: a number without end, a broken character, a document of no sensible size."""
    try:
        size = len(canonical_json(document).encode())
    except (TypeError, ValueError, RecursionError) as error:
        text = T("规程内容不能保存：含有不能识别的字符或数字。")
        raise InvalidError(text, fields={"document": text}) from error
    if size > LARGEST_DOCUMENT or "\\u0000" in canonical_json(document):
        text = T("规程内容不能保存：太长，或含有不能使用的控制字符。")
        raise InvalidError(text, fields={"document": text})
