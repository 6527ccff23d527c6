"""The words of an HTML letter, as plain text: nothing of it is ever shown as HTML, run or fetched."""

from __future__ import annotations

import re

from bs4 import BeautifulSoup, Tag

MOST_HTML = 256 * 1024
"""Characters that are read. Letters have some thousand; more is styles or an attack."""

_BLOCKS = frozenset(
    {
        "address",
        "article",
        "blockquote",
        "br",
        "center",
        "dd",
        "div",
        "dl",
        "dt",
        "footer",
        "form",
        "header",
        "hr",
        "li",
    }
    | {"h1", "h2", "h3", "h4", "h5", "h6", "main", "ol", "p", "pre", "section", "table", "tr", "ul"}
)
_REMARK = re.compile(r"<!--|<[!?]")
_TAG = re.compile(r"<(/?[a-zA-Z][a-zA-Z0-9]{0,20})(?:[\s/][^<>]{0,4000})?>|<")
_UNREAD = frozenset(
    {"script", "style", "head", "title", "template", "noscript", "object", "iframe", "svg", "math"}
)


def words(html: str) -> str:
    """The text of ``html``, a line for each block; what cannot be read as HTML loses its tags."""
    try:
        return _words(html[:MOST_HTML])
    except Exception:  # whatever a stranger wrote, the letter is read without its tags
        return re.sub(r"<[^<>]{0,2000}>", " ", html[:MOST_HTML])


def _words(html: str) -> str:
    # the parser takes the square of the length for tags that never end: it gets bare ones, all of them whole
    bare = _TAG.sub(lambda tag: f"<{tag[1]}>" if tag[1] else "&lt;", _without_remarks(html))
    # behind an opening tag, no markup is taken for an address of a page or for XML
    soup = BeautifulSoup(f"<html>{bare}", "html.parser")
    found: list[str] = []
    open_tags = [iter(soup.contents)]
    while open_tags:
        each = next(open_tags[-1], None)
        if each is None:
            open_tags.pop()
        elif isinstance(each, Tag):
            if each.name in _UNREAD:
                continue
            if each.name in _BLOCKS:
                found.append("\n")
            elif each.name in {"td", "th"}:
                found.append("\t")
            open_tags.append(iter(each.contents))
        else:
            found.append(re.sub(r"\s+", " ", str(each)))
    return "".join(found)


def _without_remarks(html: str) -> str:
    """``html`` without comments, declarations and instructions. The parser looks for the end of each one that has none anew."""
    found: list[str] = []
    place = 0
    while (begin := _REMARK.search(html, place)) is not None:
        found.append(html[place : begin.start()])
        closing = "-->" if begin[0] == "<!--" else ">"
        end = html.find(closing, begin.end())
        if end < 0:
            return "".join(found)
        place = end + len(closing)
    return "".join([*found, html[place:]])
