"""Everything a list can be refused for, by name."""

from __future__ import annotations

from datetime import datetime

from app.errors import InvalidError, NotFoundError, RefusedError
from app.text import T, until


class NoPublicationError(RefusedError):
    """The text has no published list: who may play follows from the review alone."""

    def __init__(self) -> None:
        super().__init__(
            T("规程没有公示名单的条文，不需要公示。"), next_step=T("报名截止、审核完成后可以直接编排。")
        )


class RegistrationStillOpenError(RefusedError):
    def __init__(self, closes_at: datetime, clause: str) -> None:
        super().__init__(
            T("报名尚未截止，%(closes)s 以后才能公示名单。", closes=closes_at),
            clause=clause,
            next_step=T("请在报名截止、审核完成后再公示。"),
        )


class ReviewPendingError(RefusedError):
    """Entries that nobody decided yet would be missing from the list without a reason."""

    def __init__(self, waiting: int, clause: str) -> None:
        super().__init__(
            T("还有 %(count)s 名队员等待审核，不能公示名单。", count=waiting),
            clause=clause,
            next_step=T("请先在工作台“审核报名”中逐一通过或不通过。"),
            extra={"waiting": waiting},
        )


class NothingToPublishError(RefusedError):
    def __init__(self, clause: str) -> None:
        super().__init__(
            T("没有审核通过的队员，无名单可公示。"),
            clause=clause,
            next_step=T("请先在工作台“审核报名”中逐一通过或不通过。"),
        )


class AlreadyPublishedError(RefusedError):
    """There is a first list; what comes after it supplements or corrects."""

    def __init__(self, number: int, published_at: datetime, clause: str) -> None:
        super().__init__(
            T("第 %(number)s 号名单已于 %(at)s 公示，公示后不能修改或重发。", number=number, at=published_at),
            clause=clause,
            next_step=T("漏掉的人请补充公示；名单有误的，请发布更正名单。"),
            extra={"number": number},
        )


class WindowOverError(RefusedError):
    """The literal window ended before the list came out: nobody could have objected."""

    def __init__(self, ends_at: datetime, clause: str) -> None:
        super().__init__(
            T(
                "自报名截止起算的公示期已于 %(end)s 结束，此时公示将没有人能提出异议。",
                end=until(ends_at),
            ),
            clause=clause,
            next_step=T("请主办方将规程选项 late_publication 改为 recount。"),
        )


class WindowRunningError(RefusedError):
    """Nobody finds a list final before everybody had the time to object."""

    def __init__(self, number: int, ends_at: datetime, clause: str) -> None:
        super().__init__(
            T("第 %(number)s 号名单公示到 %(end)s 才结束，此前不能确认。", number=number, end=until(ends_at)),
            clause=clause,
            next_step=T("公示期满后再确认；没有异议的会自动确认。"),
            extra={"ends_at": ends_at.isoformat()},
        )


class ObjectionsHoldError(RefusedError):
    """What is known to be against a list is decided, not passed over."""

    def __init__(self, number: int, count: int, clause: str) -> None:
        super().__init__(
            T("第 %(number)s 号名单还有 %(count)s 件异议没有处理，不能确认。", number=number, count=count),
            clause=clause,
            next_step=T("请先在“办理异议”中处理。"),
            extra={"open": count},
        )


class UnknownPublicationError(NotFoundError):
    def __init__(self) -> None:
        super().__init__(T("没有这份公示名单。"), next_step=T("请从公示页进入。"))


class NothingPublishedError(RefusedError):
    """A list can only be supplemented where there is one."""

    def __init__(self, clause: str) -> None:
        super().__init__(
            T("还没有公示名单，不能补充。"), clause=clause, next_step=T("请先公示审核通过的名单。")
        )


class NothingToAddError(RefusedError):
    def __init__(self, clause: str) -> None:
        super().__init__(
            T("审核通过的报名都已在公示名单上，没有需要补充公示的。"),
            clause=clause,
            next_step=T("请先通过报名截止后的变更申请，再补充公示。"),
        )


class NothingToCorrectError(RefusedError):
    def __init__(self, number: int, clause: str) -> None:
        super().__init__(
            T("第 %(number)s 号名单与现在的报名一致，没有需要更正的。", number=number),
            clause=clause,
            next_step=T("请先在“审核报名”中不通过，或更正姓名、单位，再发布更正名单。"),
        )


class SupersededError(RefusedError):
    """Somebody else corrected the list first; ``extra`` names the one that stands."""

    code = "superseded"

    def __init__(self, number: int, by: int) -> None:
        super().__init__(
            T("第 %(number)s 号名单已由第 %(by)s 号更正名单取代。", number=number, by=by),
            next_step=T("请更正现行的名单。"),
            extra={"number": number, "superseded_by": by},
        )


class ListDrawnError(RefusedError):
    """The draw was made from the lists; from then on only a ruling changes who plays."""

    code = "entries_drawn"

    def __init__(self, clause: str) -> None:
        super().__init__(
            T("已按公示名单抽签，名单不能再补充或更正。"),
            clause=clause,
            next_step=T("参赛资格有变，请由裁判长和组委会裁定。"),
        )


class NotOnListError(InvalidError):
    """``place`` is the field that names somebody who is not on the list."""

    def __init__(self, number: int, place: str = "left_out") -> None:
        text = T("有人不在第 %(number)s 号名单上，请核对序号。", number=number)
        super().__init__(text, fields={place: text})


class ReasonMissingError(InvalidError):
    def __init__(self) -> None:
        text = T("请写明更正的原因，它会公开。")
        super().__init__(text, fields={"reason": text})


class PrivateReasonError(InvalidError):
    def __init__(self) -> None:
        text = T("原因会公开，请不要写电话或证件号码。")
        super().__init__(text, fields={"reason": text})


class HandReasonError(InvalidError):
    def __init__(self) -> None:
        text = T("请写明为什么不再等来信。")
        super().__init__(text, fields={"reason": text})


class ReasonTooLongError(InvalidError):
    def __init__(self, longest: int) -> None:
        text = T("最多 %(high)s 个字。", high=longest)
        super().__init__(text, fields={"reason": text})


class BadFingerprintError(InvalidError):
    def __init__(self) -> None:
        text = T("SHA-256 应为 64 位，只有数字和字母 a 到 f。")
        super().__init__(text, fields={"sha": text}, next_step=T("请照名单上的逐位输入，空格不计。"))
