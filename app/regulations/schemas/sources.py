"""Where a document comes from: the library, a frozen version, a draft, or a TOML text (``library:…``, ``version:…``, ``draft:…``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.actors import Actor
from app.errors import InvalidError, NotFoundError
from app.regulations import library, queries
from app.regulations.rules import Bilingual, Regulation, RegulationFileError
from app.regulations.schemas.validation import validate
from app.text import T

LARGEST_FILE = 400_000
"""Characters of an uploaded file; the longest shipped one has a tenth of it."""


class UnknownSourceError(NotFoundError):
    def __init__(self) -> None:
        super().__init__(T("没有找到这份规程。"), next_step=T("请从规程列表中选择。"))


def regulation_of(source: str) -> Regulation:
    """The regulation of ``library:ID`` or ``version:NUMBER``. Raises ``UnknownSourceError``."""
    kind, _, name = source.partition(":")
    if kind == "library" and name in library.shipped():
        return library.load(name)
    if kind == "version" and name.isascii() and name.isdecimal() and len(name) < 10:
        return queries.version(int(name))
    raise UnknownSourceError


def document_of(source: str, actor: Actor) -> Mapping[str, Any]:
    """The document of any source; of a draft only for who may write on it."""
    kind, _, name = source.partition(":")
    if kind == "draft" and name.isascii() and name.isdecimal() and len(name) < 10:
        return queries.draft_for(actor, int(name)).document
    return regulation_of(source).document


@dataclass(frozen=True, slots=True)
class Uploaded:
    """A regulation from a file; ``taken_as_gbk`` where its text was not UTF-8 and could only be Chinese in GBK."""

    regulation: Regulation
    taken_as_gbk: bool


class NotUtf8Error(InvalidError):
    def __init__(self) -> None:
        text = T("这个文件不是 UTF-8 编码的文字。")
        way = T("请用记事本打开它，选“另存为”，编码选“UTF-8”，保存后再导入。")
        super().__init__(text, fields={"file": T("%(what)s%(way)s", what=text, way=way)}, next_step=way)


def read_file(data: bytes, name: str) -> Uploaded:
    """An uploaded TOML file. Raises ``RegulationFileError`` with every problem, ``InvalidError`` for what is no text."""
    if len(data) > 4 * LARGEST_FILE:  # no encoding needs more bytes for so many characters
        raise _too_large()
    try:
        text, taken_as_gbk = data.decode("utf-8"), False
    except UnicodeDecodeError as error:
        found = _chinese(data)
        if found is None:
            raise NotUtf8Error from error
        text, taken_as_gbk = found, True
    if len(text) > LARGEST_FILE:
        raise _too_large()
    return Uploaded(library.parse_toml(text, name), taken_as_gbk)


def _too_large() -> InvalidError:
    text = T("文件太大：最多 %(most)s 个字符。", most=LARGEST_FILE)
    return InvalidError(text, fields={"file": text})


COMMON_ROWS = range(0xB0, 0xD8)
"""First bytes of the 3755 everyday characters of GB 2312 (一级字); those of its punctuation are below."""
PUNCTUATION_ROWS = range(0xA1, 0xAA)


def _chinese(data: bytes) -> str | None:
    """The text of bytes in GBK (GB18030), as Chinese editors save it; None where they may as well be something else.

    Nearly any bytes are some GB18030 text. Those of Chinese people write are everyday characters almost throughout; another
    encoding read as it gives rare ones, and control characters.
    """
    try:
        text = data.decode("gb18030")
    except UnicodeDecodeError:
        return None
    if any(not character.isprintable() and character not in "\t\r\n" for character in text):
        return None
    foreign = [character.encode("gb18030") for character in text if not character.isascii()]
    usual = sum(
        len(each) == 2 and (each[0] in COMMON_ROWS or each[0] in PUNCTUATION_ROWS) and each[1] >= 0xA1
        for each in foreign
    )
    return text if usual * 10 >= len(foreign) * 9 else None


def checked(document: Mapping[str, Any], name: str) -> tuple[Regulation | None, RegulationFileError | None]:
    """A draft's document as a regulation, or everything that stands in its way."""
    try:
        return validate(document, name), None
    except RegulationFileError as error:
        return None, error


def title_of(document: Mapping[str, Any]) -> Bilingual:
    """The name of a document that may not be right yet."""
    name = document.get("name")
    held: Mapping[str, Any] = name if isinstance(name, Mapping) else {}
    zh = held.get("zh") if isinstance(held.get("zh"), str) else ""
    en = held.get("en") if isinstance(held.get("en"), str) else ""
    otherwise = str(document.get("id", ""))
    return Bilingual(zh or en or otherwise, en or zh or otherwise)
