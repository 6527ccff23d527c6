"""marshmallow's fields, with whole numbers that are whole: 2.5 is refused, never cut to 2."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from marshmallow import fields
from marshmallow.fields import *  # noqa: F403 - everything else is marshmallow's own

WHOLE = re.compile(r"[+-]?\d{1,20}", re.ASCII)


class Integer(fields.Integer):  # type: ignore[no-redef]  # it stands in the place of marshmallow's
    """A whole number, or its digits as a form sends them (full-width ones too)."""

    def _validated(self, value: Any) -> int:
        if isinstance(value, str):
            value = unicodedata.normalize("NFKC", value).strip()
            if not WHOLE.fullmatch(value):
                raise self.make_error("invalid", input=value)
        elif isinstance(value, bool) or not isinstance(value, int):
            raise self.make_error("invalid", input=value)
        return super()._validated(value)
