"""Two ways of using a running instance: the JSON API, and pages as a browser without JavaScript sees them."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx

PATIENCE = 30.0
"""Seconds for one answer; the machine may be running other tests."""

NOTHING_KEPT = httpx.Limits(max_keepalive_connections=0)
"""A connection per request, so that a client that is dropped leaves no open socket."""


class Refused(Exception):  # noqa: N818 - named as the API names it
    """The API said no; ``problem`` is its RFC 9457 document."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        super().__init__(f"{status} {problem}")
        self.status = status
        self.problem = problem

    @property
    def pointers(self) -> list[str]:
        return [each["pointer"] for each in self.problem.get("errors", ())]


class Api:
    """``/api/v1`` as one person, or as nobody."""

    def __init__(self, url: str, token: str | None = None) -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._client = httpx.Client(
            base_url=f"{url}/api/v1",
            headers=headers,
            timeout=PATIENCE,
            trust_env=False,
            verify=False,  # plain HTTP on loopback: reading the machine's certificates would take longest
            limits=NOTHING_KEPT,
        )

    def get(self, path: str) -> Any:
        return self._answer(self._client.get(path))

    def raw(self, path: str) -> bytes:
        answer = self._client.get(path)
        answer.raise_for_status()
        return answer.content

    def post(self, path: str, **body: Any) -> Any:
        return self._answer(self._client.post(path, json=body))

    def put(self, path: str, **body: Any) -> Any:
        return self._answer(self._client.put(path, json=body))

    @staticmethod
    def _answer(answer: httpx.Response) -> Any:
        if answer.is_success:
            return answer.json() if answer.content else None
        if "json" not in answer.headers.get("content-type", ""):
            raise Refused(answer.status_code, {"detail": answer.text})
        assert answer.headers["content-type"].startswith("application/problem+json"), answer.headers
        raise Refused(answer.status_code, answer.json())


@dataclass
class Form:
    """One form of a page with the values it would send untouched."""

    action: str
    method: str
    values: dict[str, str] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    """Every field of the form, also those that would send nothing (an unticked box)."""


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.links: list[str] = []
        self.images: list[str] = []
        self._open: Form | None = None
        self._select: str | None = None
        self._textarea: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag == "a" and found.get("href"):
            self.links.append(found["href"] or "")
        elif tag == "img" and found.get("src"):
            self.images.append(found["src"] or "")
        elif tag == "form":
            self._open = Form(found.get("action") or "", (found.get("method") or "get").lower())
            self.forms.append(self._open)
        elif self._open is not None:
            self._field(self._open, tag, found)

    def _field(self, form: Form, tag: str, found: dict[str, str | None]) -> None:
        name = found.get("name") or ""
        if tag == "input" and name:
            form.names.add(name)
            kind = found.get("type") or "text"
            if kind not in {"radio", "checkbox"} or "checked" in found:
                form.values[name] = found.get("value") or ""
        elif tag == "select":
            self._select = name
            form.names.add(name)
        elif tag == "option" and self._select:
            if self._select not in form.values or "selected" in found:
                form.values[self._select] = found.get("value") or ""
        elif tag == "textarea":
            self._textarea = name
            form.names.add(name)
            form.values[name] = ""

    def handle_data(self, data: str) -> None:
        if self._open is not None and self._textarea:
            self._open.values[self._textarea] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = None
        elif tag == "select":
            self._select = None
        elif tag == "textarea":
            self._textarea = None


class Page:
    """An HTML answer."""

    def __init__(self, answer: httpx.Response) -> None:
        self.status = answer.status_code
        self.url = str(answer.url)
        self.path = answer.url.path
        self.text = answer.text
        parser = _Forms()
        parser.feed(answer.text)
        self.forms, self.links, self.images = parser.forms, parser.links, parser.images

    def form(self, *pieces: str) -> Form:
        """The first form whose address ends with one of ``pieces`` (the query aside)."""
        for each in self.forms:
            path = urlsplit(urljoin(self.url, each.action)).path
            if any(path.endswith(piece) for piece in pieces):
                return each
        raise AssertionError(f"no form for {pieces} on {self.path}: {[each.action for each in self.forms]}")

    def has_form(self, piece: str) -> bool:
        return any(urlsplit(urljoin(self.url, each.action)).path.endswith(piece) for each in self.forms)

    def form_with(self, *names: str) -> Form:
        """The first form that has these fields."""
        for each in self.forms:
            if each.names >= set(names):
                return each
        raise AssertionError(f"no form with {names} on {self.path}: {[sorted(f.names) for f in self.forms]}")


class Browser:
    """One person's browser: cookies, redirects, forms with their CSRF token."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._client = httpx.Client(
            base_url=url, timeout=PATIENCE, follow_redirects=True, trust_env=False, limits=NOTHING_KEPT
        )

    def get(self, path: str) -> Page:
        return Page(self._client.get(path))

    def send(self, page: Page, form: Form, **values: str | None) -> Page:
        """Submit ``form`` as it stands with ``values`` typed in; None leaves a field out."""
        unknown = {name for name in values if name not in form.names}
        assert not unknown, f"no field {unknown} in {sorted(form.names)}"
        typed = form.values | {name: value for name, value in values.items() if value is not None}
        sent = {name: value for name, value in typed.items() if values.get(name, "") is not None}
        target = urljoin(page.url, form.action) if form.action else page.url
        if form.method == "post":
            assert "csrf_token" in form.names, f"form {form.action} on {page.path} has no CSRF token"
            return Page(self._client.post(target, data=sent))
        return Page(self._client.get(target, params=sent))
