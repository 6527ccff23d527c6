"""Everything an objection, or an act on a case, can be refused for, by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from app.errors import ConflictError, ForbiddenError, InvalidError, NotFoundError, RefusedError
from app.objections.rules.states import REQUIREMENT_NAMES, STATE_NAMES, CaseState, Requirement
from app.regulations.rules.terms import OBJECTORS
from app.text import T, until

WRONG_FIELDS = T("有内容需要修改，请看标出的地方。")


class NotAdmittedError(RefusedError):
    """An objection that is not taken in; who tried is not noted, what it lacked is (``requirement``)."""

    requirement: Requirement


class NoObjectionsError(RefusedError):
    """The text knows no objections to a list."""

    code = "no_objections"

    def __init__(self) -> None:
        super().__init__(
            T("规程没有对名单提出异议的条文。"), next_step=T("对报名情况有疑问的，请直接联系组委会。")
        )


class NoStandingError(NotAdmittedError):
    """Somebody who may not object (三(四)1: 任何参赛单位)."""

    code = "no_standing"
    requirement = Requirement.STANDING

    def __init__(self, by: str, clause: str) -> None:
        super().__init__(
            T("对名单的异议由%(who)s提出；您名下没有已提交报名的参赛单位，不予受理。", who=OBJECTORS[by]),
            clause=clause,
            next_step=T(
                "请由参赛单位的领队登录后提出，并附该单位盖章的材料；您也可以向组委会反映情况，由组委会自行核查。"
            ),
        )


class WindowClosedError(NotAdmittedError):
    """The first second after the window is late; the server's clock decides."""

    code = "objection_window_closed"
    requirement = Requirement.WINDOW

    def __init__(
        self, number: int, ends_at: datetime, clause: str, *, final: bool, appeal: str | None
    ) -> None:
        sentence = (
            T(
                "第 %(number)s 号名单的公示期已于 %(end)s 结束，名单已经确定，不再受理对名单的异议。",
                number=number,
                end=until(ends_at),
            )
            if final
            else T(
                "第 %(number)s 号名单的公示期已于 %(end)s 结束，不再受理对名单的异议。",
                number=number,
                end=until(ends_at),
            )
        )
        super().__init__(
            sentence,
            clause=clause,
            next_step=T("比赛中的争议可按规程 %(clause)s 申诉；其他情况请向组委会书面反映。", clause=appeal)
            if appeal
            else T("如有新的情况，请向组委会书面反映，由组委会决定是否核查。"),
            extra={"ends_at": ends_at.isoformat()},
        )


class NoListError(NotAdmittedError):
    code = "no_list"
    requirement = Requirement.WINDOW

    def __init__(self, clause: str) -> None:
        super().__init__(
            T("名单还没有公示，现在不能对名单提出异议。"),
            clause=clause,
            next_step=T("名单公示后，请在公示页提出。"),
        )


class ObjectionRefusedError(InvalidError):
    """What was typed is wrong in places; nothing is stored."""

    code = "objection_refused"

    def __init__(self, fields: Mapping[str, T], clause: str | None = None) -> None:
        sentence = next(iter(fields.values())) if len(fields) == 1 else WRONG_FIELDS
        super().__init__(sentence, clause=clause, fields=fields)


LEFT_THE_LIST = T("已不在公示名单上，不需要再提出异议。")
OWN_ENTRY = T("这是您自己单位的报名。需要更正或退出的，请提交变更申请，不必提出异议。")
OTHER_LIST = T("不在第 %(number)s 号名单上；请对所在的名单另行提出。")


class UnknownObjectionError(NotFoundError):
    code = "unknown_objection"

    def __init__(self) -> None:
        super().__init__(T("没有这件异议。"), next_step=T("请从回执或工作台进入。"))


class UnknownHearingError(NotFoundError):
    code = "unknown_hearing"

    def __init__(self) -> None:
        super().__init__(T("没有向您的单位征求意见的这一件。"))


class ConflictOfInterestError(ForbiddenError):
    """A member of the committee who is concerned (回避): he neither reads nor decides."""

    code = "conflict_of_interest"

    def __init__(self, *, recused: bool) -> None:
        super().__init__(
            T("您已回避这件异议，不能再查看或办理。")
            if recused
            else T("这件异议与您有关，您应当回避，不能查看或办理。"),
            next_step=T("请由组委会的其他成员办理；没有其他成员时，由主办方增加。"),
        )


class CaseChangedError(ConflictError):
    """A colleague did something in between."""

    code = "objection_changed"

    def __init__(self, seen: int, now: int) -> None:
        super().__init__(
            T("另一位成员刚刚办理了这件异议，您的操作没有保存。"),
            next_step=T("请看最新的办理记录，再决定；填写的内容还在。"),
            extra={"seen": seen, "revision": now},
        )


class CaseStateError(RefusedError):
    """The act does not fit where the case stands."""

    code = "objection_state"

    def __init__(self, state: CaseState, clause: str | None = None) -> None:
        super().__init__(
            T("这件异议目前是“%(state)s”，不能这样办理。", state=STATE_NAMES[state]),
            clause=clause,
            next_step=T("请看办理记录。"),
            extra={"state": state.value},
        )


class StillLackingError(RefusedError):
    """What lacks a seal, say, is not accepted."""

    code = "objection_lacking"

    def __init__(self, lacking: Sequence[Requirement], clause: str) -> None:
        super().__init__(
            T("这件异议还缺：%(what)s，不能受理。", what=listed(lacking)),
            clause=clause,
            next_step=T("公示期内等提交人补齐，或不予受理。"),
            extra={"lacking": [each.value for each in lacking]},
        )


class NothingAddedError(InvalidError):
    code = "nothing_added"

    def __init__(self) -> None:
        text = T("请添加文件或填写补充说明。")
        super().__init__(text, fields={"text": text})


class HearingClosedError(RefusedError):
    """The case was decided, or the unit answered already."""

    code = "hearing_closed"

    def __init__(self, *, answered: bool) -> None:
        super().__init__(
            T("您的单位已经答复过，不能重复答复。") if answered else T("这件已经结束，不再接受答复。"),
            next_step=T("如需补充，请联系组委会。"),
        )


def listed(requirements: Sequence[Requirement]) -> T:
    """The names of several requirements as one phrase."""
    phrase = REQUIREMENT_NAMES[requirements[0]]
    for each in requirements[1:]:
        phrase = T("%(left)s、%(right)s", left=phrase, right=REQUIREMENT_NAMES[each])
    return phrase
