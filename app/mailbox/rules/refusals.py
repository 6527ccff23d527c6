"""Why something with a message is refused, in words."""

from __future__ import annotations

from app.errors import ConflictError, ForbiddenError, NotFoundError, RefusedError
from app.text import T


class UnknownIncomingError(NotFoundError):
    def __init__(self) -> None:
        super().__init__(T("没有这封来信，可能已经过了保存期。"), next_step=T("请回到来信列表查看。"))


class OwnCompetitionError(ForbiddenError):
    """Whoever leads a unit in a competition does not read its letters: one may be about that unit (回避)."""

    code = "own_competition"

    def __init__(self) -> None:
        super().__init__(
            T("您是这个赛事一个参赛单位的领队，应当回避，不能查看这个赛事的来信。"),
            next_step=T("请由组委会的其他成员分拣；没有其他成员时，由主办方增加。"),
        )


class HandedOverError(RefusedError):
    """A case has the letter: who may read it there is decided by the case."""

    code = "handed_over"

    def __init__(self, number: str) -> None:
        super().__init__(
            T("这封来信已经转为异议 %(number)s，由承办人在异议里查看。", number=number),
            next_step=T("请在“异议”里打开这个编号。"),
        )


class StillReceivedError(ConflictError):
    code = "still_received"

    def __init__(self) -> None:
        super().__init__(T("这封来信还在处理，一般只要几秒。"), next_step=T("请稍后刷新再试。"))


class NotOpenError(ConflictError):
    """Somebody else dealt with it in the meantime."""

    code = "not_open"

    def __init__(self) -> None:
        super().__init__(
            T("这封来信已经处理过了，现在不能这样做。"), next_step=T("请刷新页面，看现在的状态。")
        )


class NotLetterError(RefusedError):
    code = "not_a_letter"

    def __init__(self) -> None:
        super().__init__(
            T("这封邮件没有可以转交的内容。"), next_step=T("请让发件人在网站上提交，或重新发来。")
        )
