"""Who may open a route. Every view is declared ``@public``, ``@signed_in`` or ``@staff(...)``.

The declaration stands between the route and the function; ``tests/architecture`` refuses a view without one.
Finer permission (this unit's leader, this table's referee) is a rule that the service asks.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from flask import current_app, g, request
from flask_login import current_user

from app.actors import ANONYMOUS, Actor, Role

View = TypeVar("View", bound=Callable[..., Any])
ACCESS = "saishi_access"


def current_actor() -> Actor:
    """The person behind this request; ``ANONYMOUS`` when nobody is signed in."""
    actor: Actor = getattr(current_user, "actor", ANONYMOUS)
    return actor


def account_mark() -> str | None:
    """A keyed mark of who is signed in, by which a phone tells its people apart; it says nothing to anybody else."""
    user_id = current_actor().user_id
    if user_id is None:
        return None
    secret = current_app.config["SECRET_KEY"].encode()
    return hmac.new(secret, f"account mark {user_id}".encode(), hashlib.sha256).hexdigest()[:16]


def public(view: View) -> View:
    """Anyone may open this."""
    setattr(view, ACCESS, "public")
    return view


def signed_in(view: View) -> View:
    """Any signed-in person may open this."""

    @wraps(view)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        current_actor().require_signed_in()
        return view(*args, **kwargs)

    setattr(guarded, ACCESS, "signed in")
    return cast("View", guarded)


def staff(*roles: Role) -> Callable[[View], View]:
    """Only people holding one of ``roles``: in the competition of the route's ``slug`` if it has one, else anywhere."""

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(*args: Any, **kwargs: Any) -> Any:
            actor = current_actor()
            slug = (request.view_args or {}).get("slug")
            if slug is not None:
                actor.require(current_app.extensions["saishi_competition_id"](slug), *roles)
            elif not actor.competitions_with(*roles):
                actor.require(None, *roles)
            g.staff_roles = roles
            return view(*args, **kwargs)

        setattr(guarded, ACCESS, "staff: " + ", ".join(roles))
        return cast("View", guarded)

    return decorate
