"""What no request may hold, whatever its route: numbers no column takes, and NUL characters."""

from __future__ import annotations

from flask import Flask, request
from werkzeug.exceptions import BadRequest
from werkzeug.routing import IntegerConverter

from app.web.schemas import MOST


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
    app.before_request(_refuse_nul)
