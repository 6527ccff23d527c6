"""Any message, read as far as it can be: ``parse`` never raises.

Time and memory follow the size of the message (``MOST_BYTES`` of it are read), whatever is written in it; ``tests/app/mail`` holds this
with bytes at random and with a corpus of broken letters.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from app.mail import bounces, headers, html, machines, structure
from app.mail.bounces import Bounce
from app.mail.charsets import text_of
from app.mail.structure import Part

MIB = 1024 * 1024
MOST_BYTES = 40 * MIB
"""What is read of a message: 25 MB of files grow by a third and more on their way."""

MOST_FILES = 50
MOST_TEXT = 100_000
MOST_SUBJECT = 500
MOST_HOPS = 30
"""Lines ``Received``: an honest message has a dozen at most."""

OWN_HEADER = "x-saishi-message"
"""A line that only our own letters have."""

_SIGNATURES = frozenset(
    {"application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-signature"}
)
_SEALED = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime", "application/pgp-encrypted"})
_ENDINGS = {
    "image/jpeg": "jpg", "image/png": "png", "image/heic": "heic", "image/webp": "webp", "image/gif": "gif",
    "application/pdf": "pdf", "application/zip": "zip", "text/calendar": "ics", "text/html": "html", "text/plain": "txt",
    "application/ms-tnef": "dat", "application/pkcs7-mime": "p7m", "message/rfc822": "eml",
}  # fmt: skip


class Problem(StrEnum):
    """What could not be read, or was left out."""

    EMPTY = "empty"
    CUT = "cut"
    NO_HEADERS = "no_headers"
    NO_BOUNDARY = "no_boundary"
    TOO_DEEP = "too_deep"
    TOO_MANY_PARTS = "too_many_parts"
    TOO_MANY_FILES = "too_many_files"
    TEXT_CUT = "text_cut"
    TNEF = "tnef"
    SEALED = "sealed"
    SIGNED = "signed"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file of a message, as it came: nobody may look at ``content`` before it was cleaned."""

    name: str
    media_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a message says. Addresses in small letters, ids without angle brackets; what is missing is empty or None.

    ``sender`` is what the message claims, nothing proves it. ``automatic``: a machine wrote it, or it went to many, so it is never
    answered. ``loop``: it carries the mark of our own letters, or went round too often.
    """

    sender: str = ""
    sender_name: str = ""
    to: tuple[str, ...] = ()
    subject: str = ""
    text: str = ""
    message_id: str = ""
    in_reply_to: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    date: datetime | None = None
    attachments: tuple[Attachment, ...] = ()
    automatic: bool = False
    list_mail: bool = False
    bounce: Bounce | None = None
    loop: bool = False
    problems: tuple[Problem, ...] = ()


def parse(raw: bytes) -> Parsed:
    """Read a message as it came from the server. What is broken in it is guessed or left out, and named in ``problems``."""
    try:
        return _parsed(raw[:MOST_BYTES], cut=len(raw) > MOST_BYTES)
    except Exception:  # a stranger's bytes must not stop the mail of everybody else
        return Parsed(problems=(Problem.UNREADABLE,))


def _parsed(raw: bytes, *, cut: bool) -> Parsed:
    problems = {Problem.CUT} if cut else set()
    if not raw.strip(b"\0\r\n\t "):
        return Parsed(problems=(Problem.EMPTY,))
    if b"\n" not in raw[: headers.MOST_BLOCK] and b"\r" in raw:
        raw = raw.replace(b"\r", b"\n")
    raw = raw.lstrip(b"\r\n")
    message, reading = structure.read(raw)
    found = message.headers
    if not found.lines:
        problems.add(Problem.NO_HEADERS)
    hint = _charset(message)
    sender_name, sender = next(
        iter(headers.people(found.first("from") or found.first("sender"), hint)), ("", "")
    )
    subject = headers.shown(found.first("subject"), hint, MOST_SUBJECT)
    text, files = _contents(message, problems)
    bounce = bounces.read(message, sender or found.plain("from"), subject, text)
    for problem, yes in (
        (Problem.TOO_DEEP, reading.too_deep),
        (Problem.TOO_MANY_PARTS, reading.too_many),
        (Problem.NO_BOUNDARY, reading.no_boundary),
    ):
        if yes:
            problems.add(problem)
    return Parsed(
        sender=sender,
        sender_name=sender_name,
        to=tuple(address for name in ("to", "cc") for _, address in headers.people(found.first(name), hint))[
            :50
        ],
        subject=subject,
        text=text,
        message_id=next(iter(headers.message_ids(found.first("message-id"))), ""),
        in_reply_to=tuple(headers.message_ids(found.first("in-reply-to"))),
        references=tuple(headers.message_ids(found.first("references"))),
        date=headers.moment(found.first("date")),
        attachments=tuple(files),
        automatic=machines.is_automatic(found, sender, subject),
        list_mail=machines.is_list(found),
        bounce=bounce,
        loop=found.has(OWN_HEADER) or len(found.all("received")) > MOST_HOPS,
        problems=tuple(sorted(problems)),
    )


def _charset(message: Part) -> str:
    """What the text declares: programs that leave the headers undeclared mostly mean the same."""
    return next(
        (part.charset for part in message.leaves() if part.kind.startswith("text/") and part.charset), ""
    )


def _contents(message: Part, problems: set[Problem]) -> tuple[str, list[Attachment]]:
    plain: list[tuple[str, str]] = []
    rich: list[str] = []
    files: list[Attachment] = []
    length = 0
    for part, within in _leaves(message, ""):
        if part.kind in _SIGNATURES:
            problems.add(Problem.SIGNED)
            continue
        if part.kind.startswith("message/") and part.kind not in {"message/rfc822", "message/global"}:
            continue
        disposition, values = part.disposition
        name = values.get("filename") or part.parameters.get("name") or ""
        is_text = part.kind in {"text/plain", "text/html", "text/rfc822-headers", "text/enriched"}
        if is_text and disposition != "attachment" and not name:
            if length > MOST_TEXT:
                continue
            content = text_of(part.content[: MOST_TEXT * 4], part.charset)
            length += len(content)
            if part.kind == "text/html":
                rich.append(f"{within}{content}")
            else:
                plain.append((within, content))
        elif len(files) >= MOST_FILES:
            problems.add(Problem.TOO_MANY_FILES)
        else:
            _note_kind(part, problems)
            files.append(Attachment(_file_name(name, part, len(files) + 1), part.kind, part.content))
    texts = [f"{within}{content}" for within, content in plain]
    if not any(content.strip() for within, content in plain if not within):
        texts = [*(html.words(each) for each in rich[:20]), *texts]  # what is forwarded is no text of its own
    text = _tidy("\n\n".join(texts))
    if len(text) > MOST_TEXT:
        problems.add(Problem.TEXT_CUT)
    return text[:MOST_TEXT], files


def _leaves(part: Part, within: str) -> list[tuple[Part, str]]:
    """Every leaf, with what heads its text where it stands in a forwarded message."""
    if not part.children:
        return [(part, within)]
    found: list[tuple[Part, str]] = []
    for child in part.children:
        heading = within
        if part.kind in {"message/rfc822", "message/global"}:
            sender = headers.shown(child.headers.first("from"), most=200)
            heading = f"----- {sender}: {headers.shown(child.headers.first('subject'), most=200)} -----\n"
        found += _leaves(child, heading)
    return found


def _note_kind(part: Part, problems: set[Problem]) -> None:
    if part.kind in _SEALED:
        problems.add(Problem.SEALED)
    elif part.kind in {"application/ms-tnef", "application/vnd.ms-tnef"}:
        problems.add(Problem.TNEF)


def _file_name(written: str, part: Part, number: int) -> str:
    """What a file is called: never a path, never hidden characters, always something."""
    name = headers.clean(re.split(r"[/\\]", written.strip())[-1], 150).strip(" .")
    if not name or name in {".", ".."}:
        ending = _ENDINGS.get(part.kind, "")
        name = f"attachment-{number}" + (f".{ending}" if ending else "")
    return name


def _tidy(text: str) -> str:
    lines = headers.clean(text.replace("\r\n", "\n").replace("\r", "\n"), MOST_TEXT + 1)
    return re.sub(r"\n[ \t\u3000]*(?:\n[ \t\u3000]*){2,}", "\n\n", lines).strip()
