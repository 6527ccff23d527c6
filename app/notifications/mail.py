"""A letter as a MIME message: the same bytes at every try, but for the mark of a repeat.

Everything is 7-bit: a server without 8BITMIME takes it as it is. Names and subjects are encoded words (RFC 2047), Chinese file
names stand in extended parameters (RFC 2231). Only an address with other letters than ASCII before its @ needs SMTPUTF8.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import format_datetime, parseaddr
from typing import TYPE_CHECKING

from app.notifications import letters
from app.notifications.letters import REPEAT_PLACE
from app.notifications.rules import Outgoing, one_line
from app.text import T

REPEATED = T("重发：这封邮件可能已经送达过一次，内容相同。")
WIDE = 76
"""Characters of a line: with the space before it an encoded word has 75 at most (RFC 2047)."""
WHOLE = frozenset({"list-unsubscribe", "in-reply-to", "references"})
"""Headers that stand on one line: a long address or id in them, folded, would become encoded words that no program reads."""


if TYPE_CHECKING:
    _Standard = EmailPolicy[EmailMessage]
else:
    _Standard = EmailPolicy  # no generic at run time before Python 3.14


class _Policy(_Standard):
    """As the standard library writes mail, but for ``WHOLE``."""

    def fold(self, name: str, value: str) -> str:
        if name.lower() in WHOLE:
            return f"{name}: {value}{self.linesep}"
        return super().fold(name, value)

    def fold_binary(self, name: str, value: str) -> bytes:
        if name.lower() in WHOLE:
            return self.fold(name, value).encode("ascii")
        return super().fold_binary(name, value)


ASCII = _Policy(linesep="\r\n", max_line_length=WIDE)
UTF8 = ASCII.clone(utf8=True)


def ascii_address(address: str) -> str:
    """``address`` with its domain as DNS knows it (``例子.cn`` is ``xn--fsqu00a.cn``). Raises ``ValueError``."""
    if re.search(r"[\s\x00-\x20\x7f-\x9f<>,;:]", address):
        raise ValueError("no address")
    name, _, domain = address.rpartition("@")
    return f"{name}@{domain if domain.isascii() else domain.encode('idna').decode()}"


def policy_for(address: str) -> EmailPolicy[EmailMessage]:
    """How headers are written to this reader: as they are only where the address cannot be said in ASCII."""
    return ASCII if address.isascii() else UTF8


def mime(message: Outgoing, *, sender: str, reply_to: str = "") -> EmailMessage:
    """The message to ``ascii_address(message.recipient)``. Raises ``ValueError`` for an address no header can hold."""
    recipient = ascii_address(message.recipient)
    mail = EmailMessage(policy=policy_for(recipient))
    mail["From"] = _mailbox(sender)
    name, _, domain = recipient.rpartition("@")
    mail["To"] = Address(username=name, domain=domain)
    if reply_to:
        mail["Reply-To"] = _mailbox(reply_to)
    mail["Subject"] = one_line(message.subject)
    mail["Date"] = format_datetime(message.queued_at)
    mail["Message-ID"] = f"<{message.message_id}>"
    if message.in_reply_to:
        earlier = f"<{one_line(message.in_reply_to, 900).strip('<> ')}>"
        if earlier.isascii() and " " not in earlier:
            mail["In-Reply-To"] = mail["References"] = earlier
    mail["Content-Language"] = {"zh": "zh-CN"}.get(message.language, message.language)
    # nobody's holiday answer to a machine, no loop with another one (RFC 3834)
    mail["Auto-Submitted"] = "auto-replied" if message.automatic else "auto-generated"
    mail["X-Auto-Response-Suppress"] = "All"
    if message.stop_url:
        mail["List-Unsubscribe"] = f"<{message.stop_url}>"
        if message.stop_url.startswith("https://"):  # RFC 8058 knows no other
            mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    if message.repeats:
        mail["X-Saishi-Repeat"] = str(message.repeats)
    _fill(mail, message)
    for number, part in enumerate(_multiparts(mail)):
        digest = hashlib.sha256(f"{message.message_id}/{number}".encode()).hexdigest()
        part.set_boundary(f"=_saishi_{digest[:40]}")
    return mail


def _fill(mail: EmailMessage, message: Outgoing) -> None:
    text, html = message.body, message.html
    if message.repeats:
        mark = letters.translate(REPEATED, message.language)
        text = f"{mark}\n\n{text}"
        if html:
            html = html.replace(REPEAT_PLACE, REPEAT_HTML % mark, 1)
    mail.set_content(text, cte="base64" if not text.isascii() else "quoted-printable")
    if html:
        mail.add_alternative(html, subtype="html", cte="base64" if not html.isascii() else "quoted-printable")
    for each in message.files:
        main, _, sub = each.media_type.partition("/")
        mail.add_attachment(
            each.content, maintype=main or "application", subtype=sub or "octet-stream", filename=each.name
        )


REPEAT_HTML = (
    '<p class="repeat" style="margin:0 0 16px;padding:10px 12px;border-radius:6px;background-color:#fff4d6;'
    'color:#5c4400;font-size:14px;line-height:20px">%s</p>'
)


def _multiparts(mail: EmailMessage) -> Iterator[EmailMessage]:
    return (part for part in mail.walk() if part.is_multipart() and isinstance(part, EmailMessage))


def _mailbox(written: str) -> Address:
    """``赛事小站 <saishi@example.org>`` as a header takes it."""
    name, address = parseaddr(written)
    user, _, domain = ascii_address(address).rpartition("@")
    return Address(display_name=one_line(name), username=user, domain=domain)
