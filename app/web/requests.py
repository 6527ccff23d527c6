"""What no request may hold, whatever its route: numbers no column takes, and NUL characters; how long one may be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from flask import Flask, current_app, request
from werkzeug.exceptions import BadRequest
from werkzeug.routing import IntegerConverter

from app.web.schemas import MOST

View = TypeVar("View", bound=Callable[..., Any])
MOST_BYTES = "saishi_most_bytes"


def takes_up_to(megabytes: int) -> Callable[[View], View]:
    """A view whose form may hold files: its request may have so many MB, instead of what every other one may."""

    def decorate(view: View) -> View:
        setattr(view, MOST_BYTES, megabytes * 1024 * 1024)
        return view

    return decorate


def _allow_files(endpoint: str | None, _values: dict[str, Any] | None) -> None:
    """Runs before everything that reads the form, the check of its CSRF token included."""
    most = getattr(current_app.view_functions.get(endpoint or ""), MOST_BYTES, None)
    if most is not None and (request.mimetype or "") == "multipart/form-data":
        request.max_content_length = most


class IdConverter(IntegerConverter):
    """``<int:…>`` of a route: a number beyond every id is taken for the largest, which nothing has."""

    def to_python(self, value: str) -> int:
        number: int = super().to_python(value)
        return min(number, MOST)


def _refuse_nul() -> None:
    sent = [request.path, *request.args.keys(), *request.args.values()]
    if request.form:
        sent += [*request.form.keys(), *request.form.values()]
    if any("\x00" in text for text in sent):
        raise BadRequest


def register(app: Flask) -> None:
    """Before any blueprint, so that every route has the converter."""
    app.url_map.converters["int"] = IdConverter
    app.url_value_preprocessor(_allow_files)
    app.before_request(_refuse_nul)
