"""Refusals: what was not done, why (clause), and what to do next.

Every error a person can meet is a ``SaishiError``. ``app.web`` shows it as a page or as RFC 9457 problem details;
nothing else turns an error into an answer. Features name their own subclasses in ``rules.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from app.text import T


class SaishiError(Exception):
    """Something that was refused, in words for the person who asked.

    ``clause`` is the place in the regulation (for example ``三(三)1``), ``next_step`` what the reader can do,
    ``fields`` maps a dotted path of the input (``members.0.id_number``) to its own sentence, ``extra`` holds
    further JSON-able facts for a program (for example both versions of a sheet). ``leads_to``: the page of the competition on
    which the next step is taken, its endpoint and its name.
    """

    status: ClassVar[int] = 409
    code: ClassVar[str] = "refused"
    leads_to: tuple[str, T] | None = None

    def __init__(
        self,
        text: T,
        *,
        clause: str | None = None,
        next_step: T | None = None,
        fields: Mapping[str, T] | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(str(text))
        self.text = text
        self.clause = clause
        self.next_step = next_step
        self.fields: dict[str, T] = dict(fields or {})
        self.extra: dict[str, Any] = dict(extra or {})


class InvalidError(SaishiError):
    """The input is wrong; ``fields`` says where."""

    status = 422
    code = "invalid"


class RefusedError(SaishiError):
    """The input is well formed but a rule does not allow the act now."""


class ConflictError(SaishiError):
    """Someone else changed the same thing; ``extra`` carries both versions."""

    code = "conflict"


class NotFoundError(SaishiError):
    status = 404
    code = "not_found"

    def __init__(self, text: T | None = None, **details: Any) -> None:
        super().__init__(text or T("没有找到这个页面或这条记录。"), **details)


class SignInRequiredError(SaishiError):
    status = 401
    code = "sign_in_required"

    def __init__(self, text: T | None = None, **details: Any) -> None:
        super().__init__(text or T("请先用手机号登录。"), **details)


class ForbiddenError(SaishiError):
    status = 403
    code = "forbidden"


class TooManyRequestsError(SaishiError):
    status = 429
    code = "too_many_requests"


def field_texts(messages: Any, prefix: str = "") -> dict[str, T]:
    """marshmallow's nested messages as ``fields``: ``{"members.0.name": T}``; the first sentence of each place."""
    if isinstance(messages, Mapping):
        flat: dict[str, T] = {}
        for key, inner in messages.items():
            path = prefix if key == "_schema" else f"{prefix}.{key}".lstrip(".")
            flat.update(field_texts(inner, path))
        return flat
    first = messages
    while isinstance(first, list) and first:
        first = first[0]
    if isinstance(first, Mapping):
        return field_texts(first, prefix)
    return {prefix: first if isinstance(first, T) else T("%(message)s", message=str(first))}
