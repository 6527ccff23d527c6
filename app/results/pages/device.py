"""Which device a form comes from: a key in a cookie of its own, made when a sheet is opened first."""

from __future__ import annotations

import re
import secrets

from flask import Response, after_this_request, current_app, request

COOKIE = "device"
YEAR = 365 * 86400
_KEY = re.compile(r"[A-Za-z0-9_-]{16,64}")


def device() -> str:
    """What the browser calls itself."""
    return request.user_agent.string[:200]


def device_id() -> str | None:
    """The key of this device; None of a browser that has none yet, or keeps no cookies."""
    found = request.cookies.get(COOKIE, "")
    return found if _KEY.fullmatch(found) else None


def make_device_id() -> None:
    """Give this device a key with the answer, where it has none. It says nothing of the person."""
    if device_id() is not None:
        return

    @after_this_request
    def give(response: Response) -> Response:
        response.set_cookie(
            COOKIE,
            secrets.token_urlsafe(18),
            max_age=YEAR,
            httponly=True,
            samesite="Lax",
            secure=bool(current_app.config["SESSION_COOKIE_SECURE"]),
        )
        return response


def from_here() -> dict[str, str]:
    """What a form of a sheet is sent along with: the device it comes from."""
    known = device_id()
    return {"device": device()} | ({"device_id": known} if known else {})
