"""Saishi 赛事小站: registration and results mini-sites for card and board game competitions.

``create_app`` is the only place where the parts are wired together. Everything is imported inside it, so that the
command line can use the pure parts (``saishi score``) without the web stack, and a child that lives for a tenth of a
second (``app.files.cleaning``) starts without the settings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask

    from app.settings import Settings


def create_app(settings: Settings | None = None) -> Flask:
    """The application for ``settings`` (from the environment if none are given)."""
    from app.factory import build
    from app.settings import Settings

    return build((settings or Settings.from_environment()).with_secret())
