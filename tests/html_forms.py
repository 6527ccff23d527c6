"""The fields a browser would send of a form it shows: enough HTML for our own pages, without a browser."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass
class Form:
    """One form of a page: where it is sent, and its fields in the order of the page."""

    action: str
    fields: list[tuple[str, str]] = field(default_factory=list)
    buttons: list[tuple[str, str]] = field(default_factory=list)

    def sent(self, **changes: str) -> dict[str, list[str]]:
        """What is sent, some fields typed over; Werkzeug's test client takes this as ``data``."""
        found: dict[str, list[str]] = {}
        for name, value in self.fields:
            found.setdefault(name, []).append(value)
        assert set(changes) <= set(found), f"no field {set(changes) - set(found)}"
        return found | {name: [value] for name, value in changes.items()}


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.forms: list[Form] = []
        self.inside: Form | None = None
        self.area: tuple[str, list[str]] | None = None
        self.select: tuple[str, list[tuple[str, bool]]] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "form":
            self.inside = Form(given.get("action") or "")
            self.forms.append(self.inside)
        if self.inside is None:
            return
        name = given.get("name")
        if tag == "textarea" and name:
            self.area = (name, [])
        elif tag == "select" and name:
            self.select = (name, [])
        elif tag == "option" and self.select:
            self.select[1].append((given.get("value") or "", "selected" in given))
        elif tag == "button" and name:
            self.inside.buttons.append((name, given.get("value") or ""))
        elif tag == "input" and name:
            kind = given.get("type") or "text"
            if kind in ("checkbox", "radio") and "checked" not in given:
                return
            if kind not in ("submit", "button", "file"):
                self.inside.fields.append((name, given.get("value") or ""))

    def handle_data(self, data: str) -> None:
        if self.area:
            self.area[1].append(data)

    def handle_endtag(self, tag: str) -> None:
        if self.inside is None:
            return
        if tag == "textarea" and self.area:
            text = "".join(self.area[1])
            # a browser leaves out the line end right after the tag, and sends the others as CR LF
            self.inside.fields.append((self.area[0], text.removeprefix("\n").replace("\n", "\r\n")))
            self.area = None
        elif tag == "select" and self.select:
            name, options = self.select
            chosen = [value for value, selected in options if selected] or [options[0][0]] if options else []
            self.inside.fields += [(name, value) for value in chosen[-1:]]
            self.select = None
        elif tag == "form":
            self.inside = None


def forms(page: str) -> list[Form]:
    """Every form of a page."""
    reader = _Reader()
    reader.feed(page)
    return reader.forms


def form_to(page: str, action: str) -> Form:
    """The form that is sent to ``action``."""
    return next(form for form in forms(page) if form.action == action)
