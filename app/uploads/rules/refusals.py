"""Why an upload, a piece of one, or the use of one is refused, in words."""

from __future__ import annotations

from collections.abc import Iterable

from app.errors import ConflictError, InvalidError, NotFoundError, RefusedError, TooManyRequestsError
from app.text import T


class UnknownPurposeError(InvalidError):
    code = "unknown_purpose"

    def __init__(self, purpose: str, known: Iterable[str]) -> None:
        super().__init__(
            T("没有这种用途的上传。"),
            fields={"purpose": T("应为以下之一：%(allowed)s。", allowed="、".join(known))},
            extra={"purpose": purpose[:40]},
        )


class TooLargeError(InvalidError):
    """``size`` and ``most`` in bytes; a size of 0 is an empty file."""

    code = "file_too_large"

    def __init__(self, size: int, most: int, accepted: T) -> None:
        sentence = (
            T(
                "文件有 %(size)s MB，超过了 %(most)s MB 的上限。",
                size=_tenths_up(size),
                most=most // (1024 * 1024),
            )
            if size > 0
            else T("这个文件是空的（0 字节），可能没有下载或保存完。")
        )
        super().__init__(sentence, next_step=accepted, fields={"size": sentence}, extra={"most_bytes": most})


class TooManyOpenError(RefusedError):
    code = "too_many_uploads"

    def __init__(self, most: int) -> None:
        super().__init__(
            T("您有 %(most)s 个上传还没有提交，达到了上限。", most=most),
            next_step=T("请先提交已经传好的材料，或者删除不用的上传。"),
        )


class DayFullError(TooManyRequestsError):
    code = "day_full"

    def __init__(self, megabytes: int) -> None:
        super().__init__(
            T("24 小时内上传的文件合计不能超过 %(most)s MB。", most=megabytes),
            next_step=T("请明天再传，或者把照片缩小后再传；手机直接拍的照片会自动缩小。"),
        )


class UploadNotFoundError(NotFoundError):
    """No such upload, or somebody else's: for who asks they are the same."""

    code = "upload_not_found"

    def __init__(self) -> None:
        super().__init__(T("没有这个上传，可能已经删除。"), next_step=T("请重新选择文件上传。"))


class GapError(ConflictError):
    code = "wrong_offset"

    def __init__(self, received: int) -> None:
        super().__init__(
            T("上一段还没有收到，请从第 %(offset)s 字节接着传。", offset=received), extra={"offset": received}
        )


class PieceSizeError(InvalidError):
    code = "piece_size"


class ClosedError(ConflictError):
    """Pieces for an upload that takes none any more."""

    code = "upload_closed"

    def __init__(self) -> None:
        super().__init__(T("这个上传已经结束，不能再传。"), next_step=T("请重新选择文件上传。"))


class NotWholeError(ConflictError):
    code = "not_whole"

    def __init__(self, received: int, size: int) -> None:
        super().__init__(
            T("文件还没有传完：%(size)s 字节中收到了 %(offset)s 字节。", size=size, offset=received),
            extra={"offset": received},
        )


class KeyUsedError(ConflictError):
    code = "idempotency_key_used"

    def __init__(self) -> None:
        super().__init__(
            T("这个请求的编号已经用于另一个文件。"), next_step=T("请重新选择文件，会换一个编号。")
        )


class ClaimedError(ConflictError):
    code = "upload_claimed"

    def __init__(self) -> None:
        super().__init__(T("这个文件已经提交过，不能再用。"), next_step=T("需要的话，请重新上传一次。"))


class StillCheckedError(ConflictError):
    """A form was sent before the worker had looked at its files; the same form may be sent again."""

    code = "still_being_checked"

    def __init__(self, waiting: int) -> None:
        super().__init__(
            T("有 %(waiting)s 个文件还在检查，一般只要几秒。", waiting=waiting),
            next_step=T("请稍等再提交，填写的内容和文件都还在。"),
        )


class StillReceivedError(ConflictError):
    code = "still_being_received"

    def __init__(self) -> None:
        super().__init__(T("有文件还没有传完。"), next_step=T("请等它传完再提交；网络断了会自动接着传。"))


class NotUsableError(RefusedError):
    """A form names a file that was refused."""

    code = "upload_refused"

    def __init__(self, sentence: T, hint: T) -> None:
        super().__init__(sentence, next_step=hint)


class WrongPurposeError(RefusedError):
    code = "wrong_purpose"

    def __init__(self) -> None:
        super().__init__(T("这个文件是为别的用途上传的。"), next_step=T("请在这张表单里重新选择文件上传。"))


class TooManyPagesError(RefusedError):
    code = "too_many_pages"

    def __init__(self, pages: int, most: int, accepted: T) -> None:
        super().__init__(
            T("一共 %(pages)s 页，最多 %(most)s 页。", pages=pages, most=most), next_step=accepted
        )


class NoFilesError(InvalidError):
    code = "no_files"

    def __init__(self, accepted: T) -> None:
        super().__init__(T("还没有选择文件。"), next_step=accepted, fields={"files": T("请选择文件。")})


def _tenths_up(size: int) -> str:
    """Megabytes with one digit, rounded up, so that what is too large never looks like the limit."""
    tenths = -(-size * 10 // (1024 * 1024))
    return f"{tenths // 10}.{tenths % 10}" if tenths % 10 else str(tenths // 10)


INFECTED = T("安全检查认为这个文件有害，已经删除，没有人看到它。")
INFECTED_NEXT = T("请换一台设备重新拍照上传；如果认为弄错了，请联系组委会。")
UNCHECKABLE = T("检查这个文件时多次出错，没有保存。")
UNCHECKABLE_NEXT = T("请重新拍一张照片（JPEG）上传。")
