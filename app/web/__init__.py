"""The web layer: who asks, how errors are shown, filters, headers. It knows no feature."""

from __future__ import annotations

from app.web.access import current_actor, public, signed_in, staff
from app.web.forms import load_form

__all__ = ["current_actor", "load_form", "public", "signed_in", "staff"]
