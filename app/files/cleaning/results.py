"""What goes into cleaning and what comes out of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from app.text import T

MEGABYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one file may be.

    ``bytes`` of the file as it was sent, ``pages`` of a PDF, ``pixels`` of a picture, or of one picture within a PDF. The
    default lets a phone's 64-megapixel mode through and stops short of 108.
    """

    bytes: int = 20 * MEGABYTE
    pages: int = 20
    pixels: int = 70_000_000


class Note(StrEnum):
    """What was changed in a file beyond what every file loses; worth telling the person who sent it."""

    RENAMED = "renamed"
    FIRST_PICTURE = "first_picture"
    SCRIPTS_REMOVED = "scripts_removed"
    ATTACHMENTS_REMOVED = "attachments_removed"
    LINKS_REMOVED = "links_removed"
    FORM_FLATTENED = "form_flattened"
    DECRYPTED = "decrypted"

    @property
    def sentence(self) -> T:
        return NOTES[self]


NOTES: Mapping[Note, T] = {
    Note.RENAMED: T("文件名的后缀与内容不符，已按内容处理。"),
    Note.FIRST_PICTURE: T("文件里有多张图片或动画，只保留了第一张。"),
    Note.SCRIPTS_REMOVED: T("PDF 里的脚本和自动动作已去掉。"),
    Note.ATTACHMENTS_REMOVED: T("PDF 里的附件已去掉。"),
    Note.LINKS_REMOVED: T("PDF 里的链接已去掉。"),
    Note.FORM_FLATTENED: T("PDF 里的表单和批注已固定成页面内容。"),
    Note.DECRYPTED: T("PDF 的编辑限制已去掉，打开它不需要密码。"),
}


@dataclass(frozen=True, slots=True)
class CleanedPage:
    """One page: its size (pixels of a picture, points of a PDF page, as it is seen) and two JPEGs of it."""

    width: int
    height: int
    preview: Path
    thumbnail: Path


@dataclass(frozen=True, slots=True)
class Made:
    """What cleaning left in its folder, before it is weighed."""

    media_type: str
    content: Path
    pages: tuple[CleanedPage, ...]
    notes: tuple[Note, ...]

    def packed(self) -> dict[str, Any]:
        """JSON-able; paths by their names within the folder."""
        return {
            "media_type": self.media_type,
            "content": self.content.name,
            "pages": [
                [page.width, page.height, page.preview.name, page.thumbnail.name] for page in self.pages
            ],
            "notes": list(self.notes),
        }

    @classmethod
    def unpacked(cls, packed: Mapping[str, Any], folder: Path) -> Made:
        """The other way round. A name that would leave ``folder`` is cut to its last part."""
        return cls(
            media_type=str(packed["media_type"]),
            content=folder / Path(packed["content"]).name,
            pages=tuple(
                CleanedPage(
                    int(width), int(height), folder / Path(preview).name, folder / Path(thumbnail).name
                )
                for width, height, preview, thumbnail in packed["pages"]
            ),
            notes=tuple(map(Note, packed["notes"])),
        )


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A clean file; every path lies in the folder that was given. ``sha256`` in hexadecimal, of the content."""

    media_type: str
    content: Path
    size: int
    sha256: str
    pages: tuple[CleanedPage, ...]
    notes: tuple[Note, ...] = ()

    @classmethod
    def of(cls, made: Made) -> Cleaned:
        import hashlib  # loads OpenSSL, which a child that only makes has no use for

        with made.content.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        return cls(
            media_type=made.media_type,
            content=made.content,
            size=made.content.stat().st_size,
            sha256=digest,
            pages=made.pages,
            notes=made.notes,
        )
