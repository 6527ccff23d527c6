"""The WSGI application that Granian serves."""

from __future__ import annotations

from app import create_app

application = create_app()
