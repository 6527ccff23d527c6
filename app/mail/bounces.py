"""Reports that a message could not be delivered (退信): the standard's (RFC 3464), and those of servers that write their own."""

from __future__ import annotations

import re
from dataclasses import dataclass

from app.mail import headers
from app.mail.structure import Part

LOOKED_AT = 256 * 1024
"""Bytes of a report in which the message it is about is looked for."""

DAEMON = re.compile(r"^(mailer-?daemon|postmaster|mail-?delivery.*|bounce.*)@|^(mailer-?daemon|postmaster)$")
_UNDELIVERED = re.compile(
    r"undeliver|delivery (status|fail|has failed|problem|delayed)|fail(ed|ure) (notice|delivery|permanent)|returned mail|"
    r"mail delivery|could not be delivered|message not delivered|rejected|退信|退回|无法投递|投递失败|未送达|无法送达|發送失敗|发送失败|"
    r"退件|無法傳送",
    re.IGNORECASE,
)
_INNER_ID = re.compile(
    rb"^[ \t>]*message-id:[ \t]*(?:\r?\n[ \t]+)?<([^<>\s]{1,900})>", re.IGNORECASE | re.MULTILINE
)
_STATUS = re.compile(r"(?<![\d.])([245])\.\d{1,3}\.\d{1,3}(?![\d.])")
_REPLY = re.compile(r"(?<![\d.-])([45])\d\d[ -][^\n]{0,150}")
_ADDRESS = re.compile(r"[^\s@<>\"(),;:]{1,64}@[\w.-]{1,253}")
_SOFT_WORDS = re.compile(
    r"delayed|will (retry|be retried|keep trying)|temporar|quota|mailbox (is )?full|over quota|try again|"
    r"延迟|稍后|重试|暂时|邮箱已满|空间不足|容量",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Bounce:
    """What a report says. ``message_ids``: of the messages it may be about, the likeliest first; without angle brackets.

    ``hard``: the address will not do later either. ``reason`` is what the server said, without addresses, 150 characters at most.
    """

    message_ids: tuple[str, ...]
    hard: bool
    status: str
    reason: str


def read(message: Part, sender: str, subject: str, text: str) -> Bounce | None:
    """What a report says; None where this message is none, or says that all went well."""
    leaves = list(message.leaves())
    statuses = [
        part for part in leaves if part.kind in {"message/delivery-status", "message/global-delivery-status"}
    ]
    if statuses:
        return _standard(message, leaves, statuses[0])
    report = message.parameters.get("report-type", "").lower()
    if message.kind == "multipart/report" and report not in {"", "delivery-status"}:
        return None  # read receipts, complaints
    empty_path = message.headers.plain("return-path") == "<>"
    from_daemon = bool(DAEMON.search(sender)) or message.headers.has("x-failed-recipients")
    if not (from_daemon or (empty_path and "auto-replied" not in message.headers.plain("auto-submitted"))):
        return None
    if not (_UNDELIVERED.search(subject) or (from_daemon and _UNDELIVERED.search(text[:2000]))):
        return None
    return _own_words(message, text)


def _standard(message: Part, leaves: list[Part], status: Part) -> Bounce | None:
    fields = headers.read(status.content[:LOOKED_AT].replace(b"\r\n\r\n", b"\r\n").replace(b"\n\n", b"\n"))
    actions = [value.decode("latin-1").strip().lower() for value in fields.all("action")]
    if actions and not {"failed", "delayed"} & set(actions):
        return None  # delivered, relayed, expanded
    codes = [found[0] for value in fields.all("status") if (found := _STATUS.search(value.decode("latin-1")))]
    worst = next((code for code in codes if code.startswith("5")), codes[0] if codes else "")
    failed = "failed" in actions or (not actions and worst.startswith("5"))
    said = fields.first("diagnostic-code").partition(b";")[2] or fields.first("diagnostic-code")
    return Bounce(
        message_ids=_about(message, leaves),
        hard=failed and not worst.startswith("4") and not _is_full(worst),
        status=worst,
        reason=_reason(headers.shown(said, most=300), worst),
    )


def _own_words(message: Part, text: str) -> Bounce:
    status = found[0] if (found := _STATUS.search(text)) else ""
    reply = _REPLY.search(text)
    kind = status[:1] or (reply[1] if reply else "")
    soft = kind == "4" or _is_full(status) or (not kind and bool(_SOFT_WORDS.search(text[:4000])))
    return Bounce(
        message_ids=_about(message, list(message.leaves())),
        hard=not soft,
        status=status,
        reason=_reason(reply[0] if reply else "", status),
    )


def _is_full(status: str) -> bool:
    """X.2.2, a full mailbox: it is often sent as permanent and passes all the same."""
    return status.endswith(".2.2")


def _about(message: Part, leaves: list[Part]) -> tuple[str, ...]:
    """The ids of the message that came back: of its copy or its headers, else of what the text quotes."""
    found: list[str] = []
    for part in _all(message):
        if part is not message and part.headers.has("message-id"):
            found += headers.message_ids(part.headers.first("message-id"))
    for part in leaves:
        if part.kind in {"text/rfc822-headers", "message/rfc822-headers", "message/rfc822"} or not found:
            content = part.content[:LOOKED_AT]
            found += [each.decode("latin-1") for each in _INNER_ID.findall(content)]
    own = headers.message_ids(message.headers.first("message-id"))
    for name in ("in-reply-to", "references"):
        found += reversed(headers.message_ids(message.headers.first(name)))
    return tuple(dict.fromkeys(each for each in found if each not in own))[:20]


def _all(part: Part) -> list[Part]:
    return [part, *(inner for child in part.children for inner in _all(child))]


def _reason(said: str, status: str) -> str:
    words = " ".join(_ADDRESS.sub("…", said).split())
    return (words or status)[:150]
