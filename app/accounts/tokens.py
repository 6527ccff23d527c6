"""Signed tokens: the API's bearer token and the demonstration's sign-in link."""

from __future__ import annotations

from itsdangerous import BadSignature, URLSafeTimedSerializer

BEARER_SECONDS = 30 * 86400
LINK_SECONDS = 30 * 86400


def issue(secret_key: str, purpose: str, user_id: int) -> str:
    return URLSafeTimedSerializer(secret_key, salt=f"saishi {purpose}").dumps(user_id)


def read(secret_key: str, purpose: str, token: str, max_age: int) -> int | None:
    """The user id in ``token``; None if it is altered, too old or made for another purpose."""
    try:
        user_id = URLSafeTimedSerializer(secret_key, salt=f"saishi {purpose}").loads(token, max_age=max_age)
    except BadSignature:
        return None
    return user_id if isinstance(user_id, int) else None
