"""What the pages of leaders and of the committee share."""

from __future__ import annotations

from flask import Blueprint, redirect, url_for
from werkzeug.wrappers import Response as Answer

from app.errors import ConflictError, InvalidError, RefusedError, SaishiError

blueprint = Blueprint("registrations", __name__)

REFUSALS = (InvalidError, RefusedError, ConflictError)
"""What a form answers with itself, typed values kept; anything else is a page of its own."""


def to(endpoint: str, slug: str) -> Answer:
    return redirect(url_for(f"registrations.{endpoint}", slug=slug), 303)


def status_of(refusal: SaishiError) -> int:
    """A form with a wrong field is 422, whatever made it wrong."""
    return 422 if refusal.fields else refusal.status
