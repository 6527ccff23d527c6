"""The one spelling of a regulation document that is hashed: exact, so that anybody can check the hash."""

import hashlib
import json
from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any

_LONGEST = 1000
"""Digits of an exact decimal that is written in full; 1e999999999 would fill the memory of any machine."""


def plain(value: Any) -> Any:
    """TOML's values as JSON's: moments and days as ISO 8601 text, exact decimals as decimal text."""
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return format(value, "f" if abs(value.adjusted()) < _LONGEST else "")
    return value


def canonical_json(document: Mapping[str, Any]) -> str:
    """Keys sorted, no spaces, Chinese as it is, no floating point number."""
    return json.dumps(
        plain(document), ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    )


def sha256_of(document: Mapping[str, Any]) -> str:
    """SHA-256 (hex) of the canonical JSON in UTF-8."""
    return hashlib.sha256(canonical_json(document).encode()).hexdigest()
