"""What a file is, by its content. The name is only compared with it afterwards."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path, PurePath

from app.files.cleaning import refusals
from app.text import T

HEAD = 4096
TAIL = 66_000
"""Bytes from the end in which an archive's end record lies: 22 and a comment of at most 65,535."""


class Kind(StrEnum):
    """What is accepted."""

    JPEG = "jpeg"
    PNG = "png"
    WEBP = "webp"
    HEIF = "heif"
    PDF = "pdf"

    @property
    def label(self) -> T:
        return LABELS[self]


LABELS: Mapping[Kind, T] = {
    Kind.JPEG: T("JPEG 图片"),
    Kind.PNG: T("PNG 图片"),
    Kind.WEBP: T("WebP 图片"),
    Kind.HEIF: T("HEIC 图片"),
    Kind.PDF: T("PDF 文件"),
}
SUFFIXES: Mapping[str, Kind] = {
    ".jpg": Kind.JPEG,
    ".jpeg": Kind.JPEG,
    ".jpe": Kind.JPEG,
    ".jfif": Kind.JPEG,
    ".mpo": Kind.JPEG,
    ".png": Kind.PNG,
    ".apng": Kind.PNG,
    ".webp": Kind.WEBP,
    ".heic": Kind.HEIF,
    ".heif": Kind.HEIF,
    ".hif": Kind.HEIF,
    ".pdf": Kind.PDF,
}

ARCHIVE = T("压缩包")
WEB_PAGE = T("网页")
PROGRAM = T("程序")
LIVE_PHOTO = T("请在相册里选择这张照片本身，不要选它的实况视频；可以上传 JPEG、PNG、HEIC、WebP 或 PDF。")

STARTS: tuple[tuple[bytes, T], ...] = (
    (b"GIF8", T("GIF 动图")),
    (b"II*\0", T("TIFF 图片或相机原始文件（RAW）")),
    (b"MM\0*", T("TIFF 图片或相机原始文件（RAW）")),
    (b"II+\0", T("TIFF 图片或相机原始文件（RAW）")),
    (b"8BPS", T("Photoshop 文件（.psd）")),
    (b"\0\0\x01\0", T("图标文件（.ico）")),
    (b"\0\0\0\x0cjP  ", T("JPEG 2000 图片")),
    (b"\0\0\0\x0cJXL ", T("JPEG XL 图片")),
    (b"\xff\x0a", T("JPEG XL 图片")),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", T("旧版 Word、Excel 或 WPS 文档")),
    (b"{\\rtf", T("RTF 文档")),
    (b"%!PS", T("PostScript 文件")),
    (b"Rar!\x1a\x07", ARCHIVE),
    (b"7z\xbc\xaf\x27\x1c", ARCHIVE),
    (b"\x1f\x8b", ARCHIVE),
    (b"BZh", ARCHIVE),
    (b"\xfd7zXZ\0", ARCHIVE),
    (b"\x28\xb5\x2f\xfd", ARCHIVE),
    (b"MSCF", ARCHIVE),
    (b"MZ", PROGRAM),
    (b"\x7fELF", PROGRAM),
    (b"\xcf\xfa\xed\xfe", PROGRAM),
    (b"\xce\xfa\xed\xfe", PROGRAM),
    (b"\xca\xfe\xba\xbe", PROGRAM),
    (b"#!", PROGRAM),
    (b"\x1aE\xdf\xa3", T("视频")),
    (b"FLV\x01", T("视频")),
    (b"\0\0\x01\xba", T("视频")),
    (b"\0\0\x01\xb3", T("视频")),
    (b"OggS", T("录音或视频")),
    (b"ID3", T("录音")),
    (b"\xff\xfb", T("录音")),
    (b"\xff\xf1", T("录音")),
    (b"#!AMR", T("录音")),
)
ZIPPED: tuple[tuple[bytes, T], ...] = (
    (b"word/", T("Word 文档（.docx）")),
    (b"xl/", T("Excel 表格（.xlsx）")),
    (b"ppt/", T("PowerPoint 演示文稿（.pptx）")),
    (b"OFD.xml", T("OFD 版式文件（.ofd）")),
    (b"META-INF/MANIFEST.MF", PROGRAM),
    (b"AndroidManifest.xml", PROGRAM),
    (b"mimetypeapplication/vnd.oasis", T("OpenDocument 文档")),
    (b"mimetypeapplication/epub", T("电子书")),
)
MARKUP = re.compile(rb"<(?:!doctype\s+html|html|head|body|script|iframe|\?php)[\s>]", re.I)
HEIF_BRANDS = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"mif2", b"msf1"})
AVIF_BRANDS = frozenset({b"avif", b"avis"})


def kind_of(path: Path, name: str = "") -> Kind:
    """What the file is. Raises ``FileRefusedError`` naming what it is if that is not accepted, or is two things at once."""
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(HEAD)
        file.seek(max(0, size - TAIL))
        tail = file.read(TAIL)
    if not head:
        raise refusals.empty()
    kind = _accepted(head)
    if kind is None:
        raise _refused(head, tail, name)
    _require_one_thing(kind, head, tail)
    return kind


def misnamed(kind: Kind, name: str) -> bool:
    """Whether the name's ending says something else than the content; a name without an ending says nothing."""
    suffix = _suffix(name)
    return bool(suffix) and SUFFIXES.get(suffix) is not kind


def _suffix(name: str) -> str:
    return PurePath(name).suffix.lower()[:12]


def _accepted(head: bytes) -> Kind | None:
    if head.startswith(b"\xff\xd8\xff"):
        return Kind.JPEG
    if head.startswith(b"\x89PNG\r\n\x1a\n"):
        return Kind.PNG
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return Kind.WEBP
    brands = _brands(head)
    if brands & HEIF_BRANDS and not brands & AVIF_BRANDS:
        return Kind.HEIF
    # a byte order mark or an empty line before the header is a known slip of programs that write PDFs
    if head.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n\t ").startswith(b"%PDF-"):
        return Kind.PDF
    return None


def _brands(head: bytes) -> set[bytes]:
    """Major and compatible brands of an ISO media file (ISO/IEC 14496-12, 4.3)."""
    if head[4:8] != b"ftyp":
        return set()
    end = min(int.from_bytes(head[:4], "big"), len(head))
    return {head[8:12]} | {head[at : at + 4] for at in range(16, end - 3, 4)}


def _refused(head: bytes, tail: bytes, name: str) -> refusals.FileRefusedError:
    suffix = _suffix(name)
    promised = suffix if suffix in SUFFIXES else ""
    if head[4:8] in {b"moov", b"mdat", b"wide", b"pnot"} or b"qt  " in _brands(head):
        return refusals.not_accepted(T("实况照片的视频部分或录像（.mov）"), promised, LIVE_PHOTO)
    return refusals.not_accepted(_foreign(head, tail), promised)


def _foreign(head: bytes, tail: bytes) -> T:
    """The name of what is not accepted."""
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        both = head + tail
        return next((label for mark, label in ZIPPED if mark in both), ARCHIVE)
    if b"ustar" in head[257:265]:
        return ARCHIVE
    for start, label in STARTS:
        if head.startswith(start):
            return label
    if head.startswith(b"BM") and head[6:10] == b"\0\0\0\0":
        return T("BMP 图片")
    brands = _brands(head)
    if brands & AVIF_BRANDS:
        return T("AVIF 图片")
    if brands:
        return T("录音") if b"M4A " in brands else T("视频")
    if head.startswith(b"RIFF"):
        return T("视频") if head[8:11] == b"AVI" else T("录音")
    if b"%PDF-" in head[:1024]:
        return T("前面夹带了其他内容的 PDF")
    return _text(head) or _guessed(head, tail)


def _text(head: bytes) -> T | None:
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1024].lower()
    if start.startswith(b"<svg") or (
        start.startswith((b"<?xml", b"<!doctype svg", b"<!--")) and b"<svg" in start
    ):
        return T("SVG 图片")
    if MARKUP.search(start):
        return WEB_PAGE
    if b"\0" in head:
        return None
    for encoding in ("utf-8", "gb18030"):
        try:
            head[: len(head) - 4 if len(head) == HEAD else None].decode(encoding)
        except UnicodeDecodeError:
            continue
        return T("文字文件")
    return None


def _guessed(head: bytes, tail: bytes) -> T:
    import puremagic  # reads its tables when it is imported; most files never need them

    try:
        ending = puremagic.from_string(head + tail)
    except (puremagic.PureError, ValueError):
        ending = ""
    if re.fullmatch(r"\.[a-z0-9]{1,8}", ending or ""):
        return T("%(ending)s 文件", ending=ending)
    return T("无法识别的文件")


def _require_one_thing(kind: Kind, head: bytes, tail: bytes) -> None:
    """Refuse a file that other programs would read as something else."""
    if _ends_an_archive(tail):
        raise refusals.mixed(kind.label, ARCHIVE)
    if kind is not Kind.PDF and b"%PDF-" in head[:1024]:
        raise refusals.mixed(kind.label, Kind.PDF.label)


def _ends_an_archive(tail: bytes) -> bool:
    """Whether a ZIP's end record closes the file, its comment included; an attachment within a PDF does not."""
    at = tail.rfind(b"PK\x05\x06")
    while at >= 0:
        comment = int.from_bytes(tail[at + 20 : at + 22], "little")
        if at + 22 + comment == len(tail):
            return True
        at = tail.rfind(b"PK\x05\x06", 0, at)
    return False


def require_harmless_rest(kind: Kind, rest: bytes) -> None:
    """Refuse what stands behind the end of the file proper if it is an archive, a page, a program or a PDF.

    Phones put films, second pictures and their maker's notes there; those are left behind by cleaning anyway.
    """
    start = rest.lstrip(b"\0\r\n\t ")[:16]
    if (
        start.startswith((b"PK\x03\x04", b"\x1f\x8b\x08", b"BZh"))
        or b"Rar!\x1a\x07" in rest
        or b"7z\xbc\xaf\x27\x1c" in rest
    ):
        raise refusals.mixed(kind.label, ARCHIVE)
    if start.startswith((b"MZ", b"\x7fELF", b"#!", b"\xca\xfe\xba\xbe")):
        raise refusals.mixed(kind.label, PROGRAM)
    if MARKUP.search(rest):
        raise refusals.mixed(kind.label, WEB_PAGE)
    if kind is not Kind.PDF and b"%PDF-" in rest:
        raise refusals.mixed(kind.label, Kind.PDF.label)
