"""Why a file is refused, in words: what it is, and what would be accepted."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, ClassVar

from app.errors import InvalidError
from app.files.cleaning.results import MEGABYTE, Limits
from app.text import T


class Refusal(StrEnum):
    """Why a file is not taken. Stored with an upload, so a value never changes its meaning."""

    EMPTY = "empty"
    TOO_LARGE = "too_large"
    NOT_ACCEPTED = "not_accepted"
    MIXED = "mixed"
    TRUNCATED = "truncated"
    DAMAGED = "damaged"
    TOO_MANY_PIXELS = "too_many_pixels"
    TOO_SMALL = "too_small"
    PASSWORD = "password"  # noqa: S105 - a reason, not a password
    TOO_MANY_PAGES = "too_many_pages"
    NO_PAGES = "no_pages"
    PAGE_SIZE = "page_size"
    TOO_HEAVY = "too_heavy"


class FileRefusedError(InvalidError):
    """A file that is not taken: ``reason`` for a program, ``sentence`` (why) and ``hint`` (what would be accepted)."""

    code: ClassVar[str] = "file_refused"

    def __init__(self, reason: Refusal, sentence: T, hint: T) -> None:
        super().__init__(sentence, next_step=hint, extra={"reason": str(reason)})
        self.reason = reason
        self.sentence = sentence
        self.hint = hint

    def packed(self) -> dict[str, Any]:
        """JSON-able, to be kept with an upload and read in either language later."""
        return {"reason": str(self.reason), "sentence": _packed(self.sentence), "hint": _packed(self.hint)}

    @classmethod
    def unpacked(cls, packed: Mapping[str, Any]) -> FileRefusedError:
        return cls(Refusal(packed["reason"]), _unpacked(packed["sentence"]), _unpacked(packed["hint"]))


def _packed(text: T) -> dict[str, Any]:
    return {
        "msgid": text.msgid,
        "params": {
            name: _packed(value) if isinstance(value, T) else value for name, value in text.params.items()
        },
    }


def _unpacked(packed: Mapping[str, Any]) -> T:
    return T(
        str(packed["msgid"]),
        **{
            name: _unpacked(value) if isinstance(value, Mapping) else value
            for name, value in packed["params"].items()
        },
    )


ACCEPTED = T("请上传照片（JPEG、PNG、HEIC、WebP）或 PDF。")
AGAIN = T("请从手机相册或原来的程序重新导出，或者拍一张照片上传（JPEG、PNG、HEIC、WebP 或 PDF）。")


def empty() -> FileRefusedError:
    return FileRefusedError(Refusal.EMPTY, T("这个文件是空的（0 字节），可能没有下载或保存完。"), ACCEPTED)


def too_large(size: int, limits: Limits) -> FileRefusedError:
    return FileRefusedError(
        Refusal.TOO_LARGE,
        T(
            "文件有 %(size)s MB，超过了 %(limit)s MB 的上限。",
            size=megabytes(size, up=True),
            limit=megabytes(limits.bytes),
        ),
        T(
            "请上传不超过 %(limit)s MB 的照片（JPEG、PNG、HEIC、WebP）或 PDF，例如拍一张照片代替扫描件。",
            limit=megabytes(limits.bytes),
        ),
    )


def not_accepted(kind: T, suffix: str = "", hint: T | None = None) -> FileRefusedError:
    """``suffix`` is the ending of the name where it promises something else than the content is."""
    sentence = (
        T("文件名以 %(suffix)s 结尾，但内容是%(kind)s，不能上传。", suffix=suffix, kind=_spaced(kind))
        if suffix
        else T("这是%(kind)s，不能上传。", kind=_spaced(kind))
    )
    return FileRefusedError(Refusal.NOT_ACCEPTED, sentence, hint or ACCEPTED)


def mixed(kind: T, other: T) -> FileRefusedError:
    return FileRefusedError(
        Refusal.MIXED,
        T(
            "这个文件是%(kind)s，里面又藏着%(other)s，出于安全不能上传。",
            kind=_spaced(kind),
            other=_spaced(other),
        ),
        AGAIN,
    )


def truncated() -> FileRefusedError:
    return FileRefusedError(Refusal.TRUNCATED, T("文件不完整：后面一部分缺失，可能没有下载或复制完。"), AGAIN)


def damaged(kind: T) -> FileRefusedError:
    return FileRefusedError(
        Refusal.DAMAGED, T("文件已损坏：它是%(kind)s，但打不开。", kind=_spaced(kind)), AGAIN
    )


def _pixels(millions: int) -> T:
    """A number of pixels as each language counts them: 亿 and 万 in Chinese, megapixels in English."""
    hundreds, rest = divmod(millions, 100)
    if not hundreds:
        return T("%(millions)s00 万像素", millions=millions)
    if not rest:
        return T("%(hundreds)s 亿像素", hundreds=hundreds)
    return T("%(hundreds)s.%(rest)s 亿像素", hundreds=hundreds, rest=str(rest).zfill(2))


def too_many_pixels(width: int, height: int, most: int) -> FileRefusedError:
    return FileRefusedError(
        Refusal.TOO_MANY_PIXELS,
        T(
            "图片有 %(width)s × %(height)s 像素（约 %(size)s），超过了 %(limit)s的上限。",
            width=width,
            height=height,
            size=_pixels(-(-width * height // 1_000_000)),
            limit=_pixels(most // 1_000_000),
        ),
        T(
            "请用普通拍照模式（不用高像素模式）重新拍，或缩小到 %(limit)s以内的 JPEG、PNG、HEIC、WebP。",
            limit=_pixels(most // 1_000_000),
        ),
    )


def too_small(width: int, height: int, least: int) -> FileRefusedError:
    return FileRefusedError(
        Refusal.TOO_SMALL,
        T("图片只有 %(width)s × %(height)s 像素，看不清内容。", width=width, height=height),
        T(
            "请上传原图，不要上传缩略图：每边至少 %(least)s 像素的 JPEG、PNG、HEIC、WebP，或 PDF。",
            least=least,
        ),
    )


def password() -> FileRefusedError:
    return FileRefusedError(
        Refusal.PASSWORD,
        T("这个 PDF 设了打开密码，审核的人看不到内容。"),
        T(
            "请用密码打开它，选择“打印”→“另存为 PDF”，存成不带密码的 PDF 再上传；也可以拍照上传（JPEG、PNG、HEIC、WebP）。"
        ),
    )


def too_many_pages(pages: int, limits: Limits) -> FileRefusedError:
    return FileRefusedError(
        Refusal.TOO_MANY_PAGES,
        T("这个 PDF 有 %(pages)s 页，超过了 %(limit)s 页的上限。", pages=pages, limit=limits.pages),
        T(
            "请只保留需要的页（打印时可以选页另存为 PDF），不超过 %(limit)s 页；也可以拍照上传。",
            limit=limits.pages,
        ),
    )


def no_pages() -> FileRefusedError:
    return FileRefusedError(Refusal.NO_PAGES, T("这个 PDF 里一页也没有。"), AGAIN)


def page_size(number: int) -> FileRefusedError:
    return FileRefusedError(
        Refusal.PAGE_SIZE,
        T("这个 PDF 第 %(number)s 页的大小不正常，显示不出来。", number=number),
        T("请用“打印”→“另存为 PDF”存成 A4 大小再上传，或者拍照上传（JPEG、PNG、HEIC、WebP）。"),
    )


def too_heavy() -> FileRefusedError:
    return FileRefusedError(
        Refusal.TOO_HEAVY,
        T("这个文件的结构过于复杂，处理它超出了时间或内存的上限。"),
        T("请把它打印或截图后拍照上传；用手机直接拍的照片（JPEG、HEIC）都可以。"),
    )


def _spaced(kind: T) -> T:
    """A name in Latin letters stands apart from the Chinese before it."""
    return T(" %(kind)s", kind=kind) if kind.msgid[0].isascii() else kind


def megabytes(size: int, *, up: bool = False) -> str:
    """Tenths of a MB: ``20``, ``0.4``; a limit is rounded down, what was sent ``up``, so that the two never look alike."""
    tenths = -(-size * 10 // MEGABYTE) if up else size * 10 // MEGABYTE
    return f"{tenths // 10}.{tenths % 10}" if tenths % 10 else str(tenths // 10)
