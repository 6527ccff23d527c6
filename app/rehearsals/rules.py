"""When a competition can be deleted whole (整场删除). Pure decisions.

| rule | implemented |
|---|---|
| only what was created as a rehearsal (演练) can be deleted | `require_rehearsal` |
| by its organiser | `DELETERS` |
| nobody deletes by a slip: the name of the competition is typed | `require_name` |
"""

from __future__ import annotations

from app.actors import Role
from app.errors import ConflictError, InvalidError, RefusedError
from app.text import T

DELETERS = (Role.ORGANISER,)


class NotARehearsalError(RefusedError):
    """A real competition is kept: people have entered it, and its results are relied on."""

    def __init__(self) -> None:
        super().__init__(
            T("这是正式比赛，不能整场删除。"),
            next_step=T("个人信息到期自动删除；只有创建时选了“演练”的赛事可以整场删除。"),
        )


class AnotherNameError(InvalidError):
    def __init__(self) -> None:
        text = T("与赛事名称不一样，没有删除。")
        super().__init__(text, fields={"name": text}, next_step=T("请照页面上的赛事名称输入。"))


class StillUsedError(ConflictError):
    """Somebody wrote into it at this very moment; nothing was deleted."""

    def __init__(self) -> None:
        super().__init__(
            T("有人正在这场演练里操作，没有删除。"), next_step=T("请等他们做完，过一会儿再删除。")
        )


def require_rehearsal(rehearsal: bool) -> None:
    """Raises ``NotARehearsalError``."""
    if not rehearsal:
        raise NotARehearsalError


def require_name(typed: str, name: str) -> None:
    """Raises ``AnotherNameError``."""
    if typed.strip() != name.strip():
        raise AnotherNameError
