"""From a document to a Regulation: shape, then meaning, then the engine's own check; every problem at once.

The three look at the same document. What one of them finds does not keep the others from looking elsewhere: a check is left
out only where what it needs is itself wrong, and a problem that merely follows from one told already is not told again.
"""

from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError

from app.errors import field_texts
from app.regulations.rules import Problem, Regulation, RegulationFileError
from app.regulations.rules.canonical import plain
from app.regulations.schemas.engine_check import engine_problems
from app.regulations.schemas.meaning import meaning_problems
from app.regulations.schemas.places import Told
from app.regulations.schemas.tables import RegulationSchema
from app.text import T

TOO_DEEP = T("嵌套过深，无法读取。")


def validate(document: Any, source: str) -> Regulation:
    """The regulation of a TOML or JSON document. Raises RegulationFileError with every problem found."""
    if not isinstance(document, Mapping):
        raise RegulationFileError(source, [Problem("", T("规程应为一组键和值。"))])
    try:
        checked: dict[str, Any] = plain(document)
        problems = _problems(checked)
    except RecursionError as error:
        raise RegulationFileError(source, [Problem("", TOO_DEEP)]) from error
    if problems:
        raise RegulationFileError(source, problems)
    return Regulation.from_document(checked)


def _problems(checked: dict[str, Any]) -> list[Problem]:
    told = Told(checked)
    for path, text in _shape_problems(checked).items():
        told.add(path, text)
    meaning_problems(checked, told)
    engine_problems(checked, told)
    return told.problems


def _shape_problems(document: dict[str, Any]) -> dict[str, T]:
    try:
        RegulationSchema().load(document)
    except ValidationError as error:
        return field_texts(error.messages_dict)
    return {}
