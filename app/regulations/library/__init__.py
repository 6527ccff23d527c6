"""The shipped regulations (规程库): `<season>/<event>.toml`, read with tomllib, numbers exact.

A file is the whole of one event's regulation. Its id is written in the file; the path only sorts the library.
"""

import json
import re
import tomllib
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

from app.errors import NotFoundError
from app.regulations.rules import Problem, Regulation, RegulationFileError
from app.regulations.schemas import validate
from app.regulations.schemas.validation import TOO_DEEP
from app.text import T

FOLDER = Path(__file__).parent


class UnknownRegulationError(NotFoundError):
    """No shipped regulation has this id."""

    def __init__(self, regulation_id: str) -> None:
        self.regulation_id = regulation_id
        known = "、".join(shipped())
        super().__init__(
            T("没有规程“%(id)s”。", id=regulation_id), next_step=T("可用的规程有：%(known)s。", known=known)
        )


@cache
def _library() -> Mapping[str, Regulation]:
    found: dict[str, Regulation] = {}
    for path in sorted(FOLDER.glob("*/*.toml")):
        regulation = parse_toml(path.read_text(encoding="utf-8"), path.name)
        if regulation.id in found:
            raise RegulationFileError(
                path.name, [Problem("id", T("规程 id“%(id)s”已被另一个文件使用。", id=regulation.id))]
            )
        found[regulation.id] = regulation
    return found


def shipped() -> tuple[str, ...]:
    """The ids of all shipped regulations, sorted."""
    return tuple(sorted(_library()))


def load(regulation_id: str) -> Regulation:
    """A shipped regulation. Raises UnknownRegulationError naming the ones there are."""
    try:
        return _library()[regulation_id]
    except KeyError:
        raise UnknownRegulationError(regulation_id) from None


def parse_toml(text: str, filename: str) -> Regulation:
    """A regulation from TOML text. Raises RegulationFileError with every problem."""
    try:
        document = tomllib.loads(text.removeprefix("\ufeff"), parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        raise RegulationFileError(filename, [Problem("", _syntax(str(error)))]) from error
    except (
        ValueError,
        ArithmeticError,
    ) as error:  # Python's own limits: thousands of digits, an endless exponent
        raise RegulationFileError(filename, [Problem("", T("有一个数位数过多，无法读取。"))]) from error
    except RecursionError as error:
        raise RegulationFileError(filename, [Problem("", TOO_DEEP)]) from error
    return validate(document, filename)


_PLACE = re.compile(r"(.+) \(at line (\d+), column (\d+)\)")


def _syntax(detail: str) -> T:
    """What tomllib says, with its place in words."""
    found = _PLACE.fullmatch(detail)
    if found is None:
        return T("TOML 语法错误：%(detail)s。", detail=detail)
    said, line, column = found.groups()
    return T(
        "TOML 语法错误：第 %(line)s 行第 %(column)s 列（%(detail)s）。", line=line, column=column, detail=said
    )


def parse_document(document: Any, source: str) -> Regulation:
    """A regulation from the same keys as JSON (as a frozen version or an event file holds it)."""
    return validate(document, source)


def to_json(regulation: Regulation) -> str:
    """The regulation as indented JSON, Chinese as it is."""
    return json.dumps(regulation.document, ensure_ascii=False, indent=2)
