"""Everything an announcement can be refused for, by name."""

from __future__ import annotations

from collections.abc import Mapping

from app.errors import ConflictError, InvalidError, NotFoundError, RefusedError
from app.text import T

WRONG_FIELDS = T("有内容需要修改，请看标出的地方。")


class UnknownAnnouncementError(NotFoundError):
    """No such announcement, or none that this reader may know of yet."""

    code = "announcement_not_found"

    def __init__(self) -> None:
        super().__init__(T("没有这条公告。"), next_step=T("请从赛事主页的“公告”查看。"))


class TextRefusedError(InvalidError):
    """What is written may not be published so. ``phones``: the writer may confirm that the mobile numbers are public."""

    code = "announcement_text"

    def __init__(self, fields: Mapping[str, T], *, phones: bool = False) -> None:
        super().__init__(
            WRONG_FIELDS, fields=fields, extra={"may_confirm": "phones_public"} if phones else {}
        )
        self.phones = phones


class PublicationTimeError(InvalidError):
    code = "publication_time"

    def __init__(self, sentence: T) -> None:
        super().__init__(WRONG_FIELDS, fields={"publish_at": sentence})


class AttachmentsError(InvalidError):
    code = "too_many_attachments"

    def __init__(self, count: int, most: int) -> None:
        sentence = T("一条公告最多 %(most)s 个附件，现在有 %(count)s 个。", most=most, count=count)
        super().__init__(sentence, fields={"uploads": sentence})


class AnnouncementWithdrawnError(RefusedError):
    code = "announcement_withdrawn"

    def __init__(self) -> None:
        super().__init__(T("这条公告已经撤回，不能再改。"), next_step=T("需要的话，请另写一条公告。"))


class AnnouncementChangedError(ConflictError):
    """Somebody else saved it after this form was opened; ``extra`` has the revision that stands."""

    code = "announcement_changed"

    def __init__(self, revision: int) -> None:
        super().__init__(
            T("这条公告在您打开表单后被别人改过，您的修改没有保存。"),
            next_step=T("您填写的内容还在；请对照现在的内容合并，再保存一次。"),
            extra={"revision": revision},
        )


class KeyUsedError(ConflictError):
    code = "idempotency_key_used"

    def __init__(self) -> None:
        super().__init__(
            T("这个请求的编号已经用于另一条公告。"), next_step=T("请重新打开表单，会换一个编号。")
        )
