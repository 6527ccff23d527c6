"""Forms of pages: from the browser's flat fields to the same schema the API uses."""

from __future__ import annotations

from typing import Any

from flask import request
from marshmallow import ValidationError
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import BadRequest

from app.errors import InvalidError, field_texts
from app.text import T
from app.web.schemas import Schema

NOT_DATA = frozenset({"csrf_token", "next"})
"""Fields that travel with a form beside its data."""


DEEPEST = 4
"""How deep the names of our forms go: ``decisions-0-entry_id`` is two."""


def nest(form: MultiDict[str, str]) -> dict[str, Any]:
    """``members-0-name`` becomes ``{"members": [{"name": …}]}``; a field sent more than once becomes a list."""
    nested: dict[str, Any] = {}
    for key, sent in form.lists():
        if key in NOT_DATA:
            continue
        place, *rest = key.split("-")
        if len(rest) > DEEPEST:
            raise BadRequest
        node: dict[str, Any] = nested
        for part in rest:
            node = node.setdefault(place, {})
            if not isinstance(node, dict):
                raise BadRequest  # one key says this is a value, another that things stand in it
            place = part
        if isinstance(node.get(place), dict):
            raise BadRequest
        node[place] = sent if len(sent) > 1 else sent[0]
    listed = _lists(nested)
    return listed if isinstance(listed, dict) else {}


def _lists(node: Any) -> Any:
    if not isinstance(node, dict):
        return node
    inner = {key: _lists(value) for key, value in node.items()}
    if inner and all(key.isascii() and key.isdecimal() for key in inner):
        return [inner[key] for key in sorted(inner, key=int)]
    return inner


def load_form(schema: type[Schema], **extra: Any) -> dict[str, Any]:
    """The request's form through ``schema``. Raises ``InvalidError`` whose fields are dotted paths."""
    return load(schema, nest(request.form) | extra)


def load(schema: type[Schema], raw: Any) -> dict[str, Any]:
    """``raw`` through ``schema``. Raises ``InvalidError`` whose fields are dotted paths."""
    try:
        loaded: dict[str, Any] = schema().load(raw)
    except ValidationError as error:
        raise invalid(error) from error
    return loaded


def invalid(error: ValidationError) -> InvalidError:
    """A marshmallow error as a refusal with one sentence per field."""
    return InvalidError(
        T("有内容需要修改，请看标出的地方。"), fields=field_texts(error.normalized_messages())
    )
