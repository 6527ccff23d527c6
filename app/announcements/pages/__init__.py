"""Pages of announcements: what everybody reads, the feeds, and what the organiser writes."""

from __future__ import annotations

from app.announcements.pages import feeding, public, writing
from app.announcements.pages.public import home_panel
from app.announcements.pages.shared import blueprint

__all__ = ["blueprint", "feeding", "home_panel", "public", "writing"]
