"""A browser in front of the test client: every request of the page is answered by the application, without a server."""

from __future__ import annotations

import html
from pathlib import Path
from urllib.parse import urlsplit

from flask.testing import FlaskClient
from playwright.sync_api import BrowserContext, Route

SITE = "http://localhost"
PASSED_ON = {"content-type", "accept", "accept-language", "x-csrftoken", "range", "upload-offset"}


def attach(context: BrowserContext, client: FlaskClient, static: Path) -> None:
    """Answer what ``context`` asks of ``SITE`` through ``client``, whose cookies say who is signed in."""

    def answer(route: Route) -> None:
        asked = route.request
        parts = urlsplit(asked.url)
        if parts.path.startswith("/static/"):
            route.fulfill(path=str(static / parts.path.removeprefix("/static/")))
            return
        given = client.open(
            parts.path + (f"?{parts.query}" if parts.query else ""),
            method=asked.method,
            data=asked.post_data_buffer,
            headers={name: value for name, value in asked.headers.items() if name in PASSED_ON},
            base_url=SITE,
        )
        if given.status_code == 303:
            # the browser takes no redirect from here: it is sent on by a page
            onward = f'<meta http-equiv="refresh" content="0;url={html.escape(given.headers["Location"])}">'
            route.fulfill(status=200, content_type="text/html", body=onward)
            return
        headers = {name: value for name, value in given.headers if name.lower() != "set-cookie"}
        route.fulfill(status=given.status_code, headers=headers, body=given.get_data())

    context.route("**/*", answer)
