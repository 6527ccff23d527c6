"""Where a document comes from: the library, a frozen version, a draft, or a TOML text (``library:…``, ``version:…``, ``draft:…``)."""

from __future__ import annotations

from collections.abc import Mapping
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


def read_file(data: bytes, name: str) -> Regulation:
    """An uploaded TOML file (UTF-8). Raises ``RegulationFileError`` with every problem, ``InvalidError`` for what is no text."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        problem = T("文件应为 UTF-8 编码的 TOML 文字。")
        raise InvalidError(problem, fields={"file": problem}) from error
    if len(text) > LARGEST_FILE:
        problem = T("文件太大。")
        raise InvalidError(problem, fields={"file": problem})
    return library.parse_toml(text, name)


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
