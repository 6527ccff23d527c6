"""Announcements as feeds (订阅): Atom (RFC 4287) and RSS 2.0, written by ``xml.etree``.

Ids follow from what never changes of an entry, so a reader that knows an entry knows it again after the text, the page's address
or the site's name changed. No withdrawn one is in a feed.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.utils import format_datetime
from xml.etree import ElementTree as ET

from markupsafe import Markup

from app.announcements.rules.texts import Paragraph, excerpt, paragraphs

ATOM = "http://www.w3.org/2005/Atom"
XML = "http://www.w3.org/XML/1998/namespace"
ATOM_TYPE, RSS_TYPE = "application/atom+xml", "application/rss+xml"

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 has no way to write."""


@dataclass(frozen=True, slots=True)
class Enclosure:
    """An attachment; ``size`` in bytes, addresses whole."""

    address: str
    media_type: str
    size: int
    name: str


@dataclass(frozen=True, slots=True)
class Item:
    id: str
    title: str
    body: str
    language: str
    address: str
    published_at: datetime
    updated_at: datetime
    enclosures: tuple[Enclosure, ...] = ()


@dataclass(frozen=True, slots=True)
class Feed:
    """``address``: its own; ``page``: where people read the same. ``updated_at``: when anything of it last changed."""

    id: str
    title: str
    subtitle: str
    author: str
    language: str
    address: str
    page: str
    updated_at: datetime
    items: Sequence[Item]


def stable_id(*parts: str) -> str:
    """A name (RFC 9562, version 5) that the same parts always give."""
    return f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, 'saishi:' + '/'.join(parts))}"


def as_html(shown: Sequence[Paragraph]) -> str:
    """Paragraphs as HTML: everything escaped, web addresses as links."""
    return Markup("").join(
        Markup("<p>{}</p>").format(
            Markup("<br>").join(
                Markup("").join(
                    Markup('<a href="{0}" rel="nofollow noopener noreferrer">{0}</a>').format(part.href)
                    if part.href
                    else Markup.escape(part.text)
                    for part in line
                )
                for line in paragraph
            )
        )
        for paragraph in shown
    )


def atom(feed: Feed) -> bytes:
    ET.register_namespace("", ATOM)
    root = ET.Element(_a("feed"), {f"{{{XML}}}lang": feed.language})
    _add(root, _a("id"), feed.id)
    _add(root, _a("title"), feed.title)
    _add(root, _a("subtitle"), feed.subtitle)
    _add(root, _a("updated"), _moment(feed.updated_at))
    ET.SubElement(root, _a("link"), {"rel": "self", "type": ATOM_TYPE, "href": feed.address})
    ET.SubElement(root, _a("link"), {"rel": "alternate", "type": "text/html", "href": feed.page})
    _add(ET.SubElement(root, _a("author")), _a("name"), feed.author)
    for item in feed.items:
        entry = ET.SubElement(root, _a("entry"), {f"{{{XML}}}lang": item.language})
        _add(entry, _a("id"), item.id)
        _add(entry, _a("title"), item.title)
        _add(entry, _a("published"), _moment(item.published_at))
        _add(entry, _a("updated"), _moment(item.updated_at))
        ET.SubElement(entry, _a("link"), {"rel": "alternate", "type": "text/html", "href": item.address})
        for each in item.enclosures:
            place = {"rel": "enclosure", "type": each.media_type, "length": str(each.size)}
            ET.SubElement(entry, _a("link"), {**place, "href": each.address, "title": _clean(each.name)})
        _add(entry, _a("summary"), excerpt(item.body))
        _add(entry, _a("content"), as_html(paragraphs(item.body)), type="html")
    return _written(root)


def rss(feed: Feed) -> bytes:
    ET.register_namespace("atom", ATOM)
    root = ET.Element("rss", {"version": "2.0"})
    channel = ET.SubElement(root, "channel")
    _add(channel, "title", feed.title)
    _add(channel, "link", feed.page)
    _add(channel, "description", feed.subtitle)
    _add(channel, "language", "zh-cn" if feed.language == "zh" else feed.language)
    _add(channel, "lastBuildDate", format_datetime(feed.updated_at))
    ET.SubElement(channel, _a("link"), {"rel": "self", "type": RSS_TYPE, "href": feed.address})
    for item in feed.items:
        entry = ET.SubElement(channel, "item")
        _add(entry, "title", item.title)
        _add(entry, "link", item.address)
        _add(entry, "description", as_html(paragraphs(item.body)) + _links(item.enclosures[1:]))
        for each in item.enclosures[:1]:  # readers of RSS know one; the others stand in the text
            ET.SubElement(
                entry,
                "enclosure",
                {"url": each.address, "length": str(each.size), "type": each.media_type},
            )
        _add(entry, "guid", item.id, isPermaLink="false")
        _add(entry, "pubDate", format_datetime(item.published_at))
    return _written(root)


def _links(enclosures: Sequence[Enclosure]) -> str:
    return Markup("").join(
        Markup('<p><a href="{}">{}</a></p>').format(each.address, each.name) for each in enclosures
    )


def _a(name: str) -> str:
    return f"{{{ATOM}}}{name}"


def _add(parent: ET.Element, name: str, text: str, **attributes: str) -> None:
    ET.SubElement(parent, name, attributes).text = _clean(text)


def _clean(text: str) -> str:
    return _NOT_XML.sub("", text)


def _moment(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")


def _written(root: ET.Element) -> bytes:
    written: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return written
