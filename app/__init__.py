"""Saishi 赛事小站: registration and results mini-sites for card and board game competitions.

``create_app`` is the only place where the parts are wired together. Flask is imported inside it, so that the
command line can use the pure parts (``saishi score``) without the web stack.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.settings import Settings

if TYPE_CHECKING:
    from flask import Flask


def create_app(settings: Settings | None = None) -> Flask:
    """The application for ``settings`` (from the environment if none are given)."""
    from app.factory import build

    return build((settings or Settings.from_environment()).with_secret())
