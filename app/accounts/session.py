"""flask-login's loaders: the cookie for pages, the bearer token for the API."""

from __future__ import annotations

from flask import Request, current_app, request

from app.accounts import queries, tokens
from app.accounts.queries import SessionUser
from app.extensions import login


@login.user_loader
def load_user(user_id: str) -> SessionUser | None:
    # the API takes no cookies, so that no other site can make a browser call it
    if request.path.startswith("/api/") or not user_id.isdigit():
        return None
    return queries.session_user(int(user_id))


@login.request_loader
def load_bearer(incoming: Request) -> SessionUser | None:
    scheme, _, token = incoming.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not incoming.path.startswith("/api/"):
        return None
    user_id = tokens.read(current_app.config["SECRET_KEY"], "bearer", token.strip(), tokens.BEARER_SECONDS)
    return None if user_id is None else queries.session_user(user_id)
