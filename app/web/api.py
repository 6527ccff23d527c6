"""flask-smorest with our errors: validation failures become ``InvalidError``, problem details everywhere."""

from __future__ import annotations

from typing import Any, NoReturn

import flask_smorest
import marshmallow as ma
from webargs.flaskparser import FlaskParser

from app.web.forms import invalid


class _Parser(FlaskParser):
    def handle_error(self, error: ma.ValidationError, *_: Any, **__: Any) -> NoReturn:
        # webargs nests messages under the place they came from ("json"); the reader knows only the fields
        messages = error.normalized_messages()
        places = {"json", "query", "form", "headers", "path"}
        inner = {
            key: value
            for place in messages.values()
            if isinstance(place, dict)
            for key, value in place.items()
        }
        raise invalid(ma.ValidationError(inner if inner and set(messages) <= places else messages)) from error


class ApiBlueprint(flask_smorest.Blueprint):
    """A blueprint of ``/api/v1``: ``ApiBlueprint("entries_api", __name__, description="…")``."""

    ARGUMENTS_PARSER = _Parser()

    def __init__(self, name: str, import_name: str, **options: Any) -> None:
        options.setdefault("url_prefix", "/api/v1")
        super().__init__(name, import_name, **options)


class ProblemSchema(ma.Schema):
    """RFC 9457 problem details."""

    type = ma.fields.String()
    title = ma.fields.String()
    status = ma.fields.Integer()
    detail = ma.fields.String()
    code = ma.fields.String()
    clause = ma.fields.String()
    next_step = ma.fields.String()
    errors = ma.fields.List(ma.fields.Dict())


class SaishiApi(flask_smorest.Api):
    """The API with problem details; its error handlers are ``app.web.problems``'."""

    ERROR_SCHEMA = ProblemSchema

    def _register_responses(self) -> None:
        """As flask-smorest does, but errors are ``application/problem+json``."""
        kept = flask_smorest.Api.DEFAULT_RESPONSE_CONTENT_TYPE
        self.DEFAULT_RESPONSE_CONTENT_TYPE = "application/problem+json"
        super()._register_responses()
        self.DEFAULT_RESPONSE_CONTENT_TYPE = kept

    def _register_error_handlers(self) -> None:
        """``app.web.problems`` answers for pages and API alike."""


api = SaishiApi()
