"""The built assets by the names of their sources (app/frontend/build.mjs)."""

from __future__ import annotations

import json
from pathlib import Path

from flask import current_app, url_for


def asset(name: str) -> str:
    """The address of ``app.css``, ``sheet.js`` …, under a name that carries a hash of its content."""
    return url_for("static", filename=file_of(name))


def file_of(name: str) -> str:
    """The file of an asset in ``app/static``."""
    return _manifest().get(name, name)


def _manifest() -> dict[str, str]:
    """The hashed names; read once per process."""
    cached: dict[str, str] | None = current_app.extensions.get("saishi_manifest")
    if cached is None:
        path = Path(current_app.static_folder or "") / "manifest.json"
        cached = json.loads(path.read_text()) if path.exists() else {}
        current_app.extensions["saishi_manifest"] = cached
    return cached
