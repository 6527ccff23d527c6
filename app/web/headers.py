"""Security headers of every answer."""

from __future__ import annotations

import re

from flask import Flask, Response, request

CONTENT_SECURITY_POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'self'; "
    "form-action 'self'; frame-ancestors 'none'"
)
SWAGGER_POLICY = CONTENT_SECURITY_POLICY + "; style-src 'self' 'unsafe-inline'"
"""The documentation page's viewer writes style attributes; no other page may."""


_HASHED = re.compile(r"^/static/[\w-]+-[0-9A-Z]{8}\.(?:css|js|svg)$")


def register(app: Flask, *, secure: bool) -> None:
    @app.after_request
    def set_headers(response: Response) -> Response:
        policy = SWAGGER_POLICY if request.path == "/api/v1/docs" else CONTENT_SECURITY_POLICY
        response.headers.setdefault("Content-Security-Policy", policy)
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
        response.headers.setdefault("Referrer-Policy", "same-origin")
        response.headers.setdefault("Permissions-Policy", "geolocation=(), microphone=()")
        if secure:
            response.headers.setdefault("Strict-Transport-Security", "max-age=31536000")
        if _HASHED.search(request.path):
            # the name changes with the content, so a phone need never ask again
            response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        elif not request.path.startswith("/static/"):
            personal = "Cookie" in request.headers or "Authorization" in request.headers
            response.headers.setdefault("Cache-Control", "no-store" if personal else "no-cache")
            response.vary.add("Authorization")
            response.vary.add("Cookie")
            response.vary.add("Accept-Language")
        return response
