"""What the pages of leaders and of the committee share."""

from __future__ import annotations

from flask import Blueprint

from app.errors import ConflictError, InvalidError, RefusedError

blueprint = Blueprint("documents", __name__)

REFUSALS = (InvalidError, RefusedError, ConflictError)
"""What a form answers with itself, typed values kept; anything else is a page of its own."""
