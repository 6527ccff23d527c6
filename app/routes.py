"""Every blueprint of the product, in one table."""

from __future__ import annotations

from flask import Flask

from app.accounts import api as accounts_api
from app.accounts import pages as accounts_pages
from app.web.api import api
from app.web import health

PAGES = (
    health.blueprint,
    accounts_pages.blueprint,
)

API = (accounts_api.blueprint,)


def register(app: Flask) -> None:
    for blueprint in PAGES:
        app.register_blueprint(blueprint)
    for blueprint in API:
        api.register_blueprint(blueprint)
