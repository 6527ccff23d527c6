"""Who publishes a version of a regulation, and what a version may not change.

| rule | implemented |
|---|---|
| a version after the first has a reason, at most 500 characters | yes |
| scoring, chain, penalties, stages, pairing or team result after the first result | a ruling of the chief referee, confirmed with its warning |
| the regulation's id and game stay; its format is one that is held here | yes |
| the registration deadline stays once the list is published | yes |
| a new deadline is not over already | yes |
| results that were recorded can be scored by the new version | else refused, with every problem |
| one version at a time waits to come into force | yes |
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from app.actors import Actor, Role
from app.errors import ConflictError, InvalidError, RefusedError
from app.regulations.rules import Bilingual, Regulation
from app.regulations.rules.drafts import DRAFTERS
from app.text import T

REASON_LIMIT = 500
LATEST_START = timedelta(days=60)
"""How far ahead a version may say it comes into force; later is a slip of the hand."""

RULERS = (Role.CHIEF_REFEREE,)
"""Who rules on a change of what makes results."""


class NothingChangedError(RefusedError):
    def __init__(self) -> None:
        super().__init__(T("草稿与现行规程完全相同，没有可公布的内容。"), next_step=T("请先修改草稿再公布。"))


class VersionPendingError(RefusedError):
    """A version that was published waits to come into force."""

    def __init__(self, number: int, at: datetime) -> None:
        super().__init__(
            T("规程第 %(number)s 版已公布，%(at)s 起执行，在此之前不能再公布新版。", number=number, at=at),
            next_step=T("请等它执行后再公布；正在编写的草稿会保留。"),
        )


class DraftMovedError(ConflictError):
    """The draft was saved after the page with its impact was shown."""

    def __init__(self, revision: int) -> None:
        super().__init__(
            T("草稿在您核对之后又被修改过，没有公布。"),
            next_step=T("请重新核对影响后再公布。"),
            extra={"revision": revision},
        )


class NoDraftError(RefusedError):
    def __init__(self) -> None:
        super().__init__(T("没有正在编写的规程草稿。"), next_step=T("请先从现行规程起草，修改后再公布。"))


class AnotherRegulationError(InvalidError):
    def __init__(self, key: str, value: str) -> None:
        text = T("已创建的项目不能换成另一份规程；%(key)s 应为 %(value)s。", key=key, value=value)
        super().__init__(text, fields={key: text}, next_step=T("要用另一份规程，请另建赛事。"))


class DeadlineFixedError(InvalidError):
    def __init__(self, clause: str) -> None:
        text = T("名单已经公示，报名截止时间不能再改。")
        super().__init__(text, fields={"calendar.registration_closes.at": text}, clause=clause)


class DeadlinePastError(InvalidError):
    """A new deadline before the moment it would come into force: who entered in time would have entered late."""

    def __init__(self, clause: str) -> None:
        text = T("新的报名截止时间已经过去，不能追溯改早。")
        super().__init__(
            text,
            fields={"calendar.registration_closes.at": text},
            clause=clause,
            next_step=T("请改为现在以后的时间，或恢复原来的截止时间。"),
        )


class NotScoreableError(InvalidError):
    """The results that were recorded cannot be read by the new version."""

    def __init__(self, problems: Sequence[tuple[str, Bilingual]]) -> None:
        super().__init__(
            T("按草稿无法计算已有的成绩，不能公布。"),
            fields=dict(problems),
            next_step=T("请恢复草稿中已用于比赛的赛制、判罚等条文。"),
        )


class RulingUnconfirmedError(InvalidError):
    def __init__(self) -> None:
        text = T("已有成绩，这次变更会改变计分、名次或判罚：须由裁判长裁定，请勾选确认。")
        super().__init__(text, fields={"ruling": text})


def require_may_publish(actor: Actor, competition_id: int, *, ruling: bool) -> Role:
    """The role it is published in. Refuses, naming the role that is needed."""
    roles = RULERS if ruling else DRAFTERS
    actor.require(competition_id, *roles)
    return next((role for role in roles if actor.has(competition_id, role)), roles[0])


def require_same_regulation(before: Regulation, after: Regulation) -> None:
    for key in ("id", "game"):
        if getattr(before, key) != getattr(after, key):
            raise AnotherRegulationError(key, getattr(before, key))


def require_reason(reason: str) -> str:
    """The reason as it is shown to everybody."""
    written = reason.strip()
    if not written:
        text = T("请写明变更原因，它会写进公告。")
        raise InvalidError(text, fields={"reason": text})
    if len(written) > REASON_LIMIT:
        text = T("最多 %(high)s 个字。", high=REASON_LIMIT)
        raise InvalidError(text, fields={"reason": text})
    return written


def start_of_force(asked: datetime | None, now: datetime) -> datetime:
    """When the version comes into force: at once, or at a later moment within 60 days."""
    if asked is None or (now - asked < timedelta(minutes=1) and asked <= now):
        return now
    if asked < now:
        text = T("执行时间不能早于现在；空着则立即执行。")
        raise InvalidError(text, fields={"in_force_from": text})
    if asked - now > LATEST_START:
        text = T("执行时间不能晚于 %(days)s 天以后。", days=LATEST_START.days)
        raise InvalidError(text, fields={"in_force_from": text})
    return asked
