"""Everything a change after the deadline can be refused for, by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from app.errors import ConflictError, InvalidError, NotFoundError, RefusedError
from app.registrations.rules.refusals import WRONG_FIELDS
from app.text import T


class EntriesStillOpenError(RefusedError):
    """Before the deadline nobody needs an application."""

    code = "entries_still_open"

    def __init__(self, closes: datetime, clause: str) -> None:
        super().__init__(
            T("报名%(closes)s才截止，现在可以直接修改，不用申请。", closes=closes),
            clause=clause,
            next_step=T("请在“我的报名”中修改。"),
        )


class ChangesNotAllowedError(RefusedError):
    code = "changes_not_allowed"

    def __init__(self, clause: str, *, stated: bool) -> None:
        super().__init__(
            T("报名已截止，规程规定截止后不得变更。")
            if stated
            else T("报名已截止，规程没有规定截止后可以变更。"),
            clause=clause,
            next_step=T("如有特殊情况，请联系组委会。"),
        )


class ChangesClosedError(RefusedError):
    """The draw was made from the list; or play is over, and nothing is left to withdraw from."""

    code = "changes_closed"

    def __init__(self, clause: str, *, over: bool = False) -> None:
        super().__init__(
            T("比赛已经结束，不能再变更。") if over else T("已按名单抽签，不能再变更，只能退赛。"),
            clause=clause,
            next_step=T("如有疑问，请联系组委会。") if over else T("需要退赛的，请选择“退赛”。"),
        )


class ChangeRefusedError(InvalidError):
    """An application with every problem at once, each beside its field."""

    code = "change_refused"

    def __init__(self, fields: Mapping[str, T], clause: str) -> None:
        first = next(iter(fields.values()))
        super().__init__(first if len(fields) == 1 else WRONG_FIELDS, fields=fields, clause=clause)


class NothingCorrectedError(InvalidError):
    code = "nothing_corrected"

    def __init__(self) -> None:
        text = T("没有要更正的内容，与原来的一样。")
        super().__init__(text, fields={"members.0.name": text})


class NotRegisteredError(RefusedError):
    """A change needs an entry that was handed in by the deadline."""

    code = "not_registered"

    def __init__(self, clause: str) -> None:
        super().__init__(
            T("您没有在截止前提交报名，没有可以变更的报名。"),
            clause=clause,
            next_step=T("如有特殊情况，请联系组委会。"),
        )


class NotOfferedError(RefusedError):
    """The entry is not one that can be changed: never handed in, or withdrawn."""

    code = "not_offered"

    def __init__(self, *, withdrawn: bool) -> None:
        super().__init__(
            T("这条报名已退赛，不能再变更。") if withdrawn else T("这条报名没有在截止前提交，不能变更。"),
            next_step=T("需要参赛的，请申请增加选手。"),
        )


class ApplicationStandsError(ConflictError):
    """Another application about the same entry waits; ``extra`` has both."""

    code = "application_stands"

    def __init__(self, standing: Mapping[str, Any], yours: Mapping[str, Any]) -> None:
        super().__init__(
            T("这条报名已有一份等待答复的申请（第 %(number)s 号）。", number=standing["number"]),
            next_step=T("请等组委会答复，或先撤回那一份，再提交新的。"),
            extra={"standing": dict(standing), "yours": dict(yours)},
        )


class ApplicationDecidedError(ConflictError):
    """Somebody answered, or the leader took it back, in the meantime; ``extra`` has both answers."""

    code = "application_decided"

    def __init__(self, state: T, standing: Mapping[str, Any], yours: Mapping[str, Any]) -> None:
        super().__init__(
            T("这份申请已有结果：%(state)s。您的决定没有保存。", state=state),
            next_step=T("请看已有的结果；有不同意见，请与同事商量。"),
            extra={"standing": dict(standing), "yours": dict(yours)},
        )


class ApplicationMovedOnError(ConflictError):
    """The entry is no longer what the application was written about; ``extra`` has both."""

    code = "application_moved_on"

    def __init__(self, standing: Mapping[str, Any], yours: Mapping[str, Any]) -> None:
        super().__init__(
            T("提交申请以后，这条报名又有变化，不能按申请办理。"),
            next_step=T("请答复“不同意”并写明原因，由领队按现在的报名重新申请。"),
            extra={"standing": dict(standing), "yours": dict(yours)},
        )


class OtherFormsVoidedError(RefusedError):
    """Granting would void older forms that whoever decides has not seen; ``extra`` names them."""

    code = "other_forms_voided"

    def __init__(self, voids: Sequence[Mapping[str, Any]], clause: str | None) -> None:
        super().__init__(
            T("同意以后，另有 %(count)s 份报名被这一份取代（以最新一次填写的信息为准）。", count=len(voids)),
            clause=clause,
            next_step=T("请看申请页上会被取代的报名，核对以后再同意。"),
            extra={"voids": [dict(each) for each in voids]},
        )


class ChangeAnswerMissingError(InvalidError):
    code = "answer_missing"

    def __init__(self, text: T | None = None, clause: str | None = None) -> None:
        said = text or T("不同意时请写明原因，领队会看到。")
        super().__init__(said, fields={"answer": said}, clause=clause)


class OwnApplicationError(RefusedError):
    """A member of the committee who leads the unit himself."""

    code = "own_application"

    def __init__(self) -> None:
        super().__init__(T("这是您自己单位的申请。"), next_step=T("请由组委会的另一位成员决定。"))


class UnknownApplicationError(NotFoundError):
    def __init__(self) -> None:
        super().__init__(T("没有这份变更申请。"), next_step=T("请从申请列表进入。"))
