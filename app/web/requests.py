"""What no request may hold, whatever its route: numbers no column takes, and NUL characters."""

from __future__ import annotations

from flask import Flask, request
from werkzeug.exceptions import BadRequest
from werkzeug.routing import IntegerConverter, Map

from app.web.schemas import MOST


class IdConverter(IntegerConverter):
    """``<int:…>`` of a route: a number that no id can have is simply not found."""

    def __init__(self, map: Map, *args: object, **options: object) -> None:  # noqa: A002 - werkzeug's name
        options.setdefault("max", MOST)
        super().__init__(map, *args, **options)  # type: ignore[arg-type]  # passed on as werkzeug gave them


def _refuse_nul() -> None:
    sent = [request.path, *request.args.keys(), *request.args.values()]
    if request.form:
        sent += [*request.form.keys(), *request.form.values()]
    if any("\x00" in text for text in sent):
        raise BadRequest


def register(app: Flask) -> None:
    """Before any blueprint, so that every route has the converter."""
    app.url_map.converters["int"] = IdConverter
    app.before_request(_refuse_nul)
