"""Everything a document can be refused for, by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from app.errors import ConflictError, InvalidError, NotFoundError, RefusedError
from app.registrations.rules.refusals import WRONG_FIELDS
from app.text import T


class UnknownDocumentError(NotFoundError):
    def __init__(self) -> None:
        super().__init__(T("没有这份材料。"), next_step=T("请从材料清单进入。"))


class DocumentRefusedError(InvalidError):
    """A form of a document with every problem at once, each beside its field."""

    code = "document_refused"

    def __init__(self, fields: Mapping[str, T], clause: str) -> None:
        sentence = next(iter(fields.values())) if len(fields) == 1 else WRONG_FIELDS
        super().__init__(
            sentence,
            fields=fields,
            clause=clause,
            next_step=T("请改正标出的地方再提交；已填的内容和已传的文件都还在。"),
        )


class NotRequiredError(RefusedError):
    """No personal data is taken that the regulation does not ask for."""

    code = "document_not_required"

    def __init__(self, kind: T) -> None:
        super().__init__(
            T("规程不要求提交%(kind)s。", kind=kind), next_step=T("只需提交材料清单中列出的材料。")
        )


class HandInClosedError(RefusedError):
    """Too late for this document, unless the committee sends it back or asks for it."""

    code = "hand_in_closed"

    def __init__(self, kind: T, closed: T, clause: str) -> None:
        super().__init__(
            T("%(kind)s的提交已于%(closed)s截止。", kind=kind, closed=closed),
            clause=clause,
            next_step=T("如需补交，请联系组委会；组委会要求补交后可以再提交。"),
        )


class DayRefusedError(InvalidError):
    code = "day_refused"

    def __init__(self, first: date, last: date) -> None:
        text = T("应在%(first)s至%(last)s之间。", first=first, last=last)
        super().__init__(text, fields={"until": text}, next_step=T("请改一个日期再提交。"))


class NothingToWithdrawError(RefusedError):
    code = "nothing_to_withdraw"

    def __init__(self) -> None:
        super().__init__(
            T("只能撤回还没有审核的材料。"), next_step=T("已审核的材料如需更换，请重新提交一份。")
        )


class BeingReviewedError(ConflictError):
    """A reviewer holds the document right now: what he looks at is not taken from under his eyes."""

    code = "being_reviewed"

    def __init__(self) -> None:
        super().__init__(T("组委会正在审核这份材料。"), next_step=T("请几分钟后再试。"))


class UnsignedError(InvalidError):
    """Nothing that could be a name was drawn."""

    code = "unsigned"

    def __init__(self, text: T) -> None:
        super().__init__(text, fields={"strokes": text}, next_step=T("请在方框里写下全名，再点“确认签署”。"))


class TextChangedError(ConflictError):
    """The text is not the one that was on the screen: a new version of the regulation, or a corrected name."""

    code = "text_changed"

    def __init__(self, *, gone: Sequence[str], new: Sequence[str]) -> None:
        super().__init__(
            T("承诺书的内容刚刚有变，签名还没有提交。"),
            next_step=T("请阅读下面的新内容，再点“确认签署”；画好的签名还在。"),
            extra={"gone": list(gone), "new": list(new)},
        )


class LinkOverError(RefusedError):
    """A signing link that has run out, or was altered."""

    status = 410
    code = "signing_link_over"

    def __init__(self) -> None:
        super().__init__(T("这个签名链接已失效。"), next_step=T("请领队重新出示二维码或发送链接。"))


class LinkUsedError(ConflictError):
    """Something was handed in since the link was made: whoever it was passed on to does not sign over that."""

    code = "signing_link_used"

    def __init__(self) -> None:
        super().__init__(
            T("这个签名链接已经用过，不能再签。"),
            next_step=T("如需重新签署，请领队重新出示二维码或发送链接。"),
        )


class NotSignableError(RefusedError):
    code = "not_signable"

    def __init__(self) -> None:
        super().__init__(T("这份材料不能在手机上签署。"), next_step=T("请从材料清单上传照片或文件。"))
