"""What may stand at a place of a document where something is missing, or where a key stands that does not exist."""

from collections.abc import Mapping
from typing import Any

from app.regulations.schemas.description import FieldHelp, help_at
from app.regulations.schemas.engine_tables import format_of
from app.regulations.schemas.fields import MISSING, UNKNOWN_KEY
from app.text import T


def explained(path: str, text: T, document: Mapping[str, Any]) -> T:
    """The sentence about a place, with what is allowed there where the sentence itself does not say it."""
    if text is UNKNOWN_KEY:
        return _known_keys(path, document) or text
    if text is MISSING:
        return _missing(help_at(path, format_of(document))) or text
    return text


def _missing(key: FieldHelp | None) -> T | None:
    if key is None:
        return None
    if key.allowed:
        allowed = "、".join(each.value for each in key.allowed)
        return T("缺少这一项（%(label)s），应为以下之一：%(allowed)s。", label=key.label, allowed=allowed)
    return T("缺少这一项（%(label)s）：%(help)s", label=key.label, help=key.help)


def _known_keys(path: str, document: Mapping[str, Any]) -> T | None:
    """The keys of the table around a place, of those that exist beside its other values."""
    parts = path.split(".")[:-1]
    table = help_at(parts, format_of(document))
    if table is None:
        return None
    beside = {**_values_at(document, parts), "format": format_of(document)}
    known = dict.fromkeys(each.key for each in table.inside if each.applies(beside))
    return T("没有这个键；可用的有：%(known)s。", known="、".join(known)) if known else None


def _values_at(document: Any, parts: list[str]) -> Mapping[str, Any]:
    for part in parts:
        if isinstance(document, Mapping):
            document = document.get(part)
        elif isinstance(document, list) and part.isdigit() and int(part) < len(document):
            document = document[int(part)]
        else:
            return {}
    return (
        {key: value for key, value in document.items() if isinstance(value, str)}
        if isinstance(document, Mapping)
        else {}
    )
