"""Real SMTP servers for tests: one that accepts and remembers, and ones that refuse, dawdle or die where they are told to."""

from __future__ import annotations

import asyncio
import datetime
import ipaddress
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any, cast

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests import services


@dataclass
class Handler:
    """What a server does at each step; everything it took is in ``taken``, in the order of arrival.

    ``answers`` maps a step (MAIL, RCPT, DATA) to an answer other than 250, ``waits`` to seconds of silence before it.
    ``hook`` is called with each step and its session before the answer.
    """

    answers: dict[str, str] = field(default_factory=dict)
    waits: dict[str, float] = field(default_factory=dict)
    dies_at: str = ""
    hook: Callable[[str, Any], None] = lambda _step, _session: None
    taken: list[EmailMessage] = field(default_factory=list)
    raw: list[bytes] = field(default_factory=list)
    recipients: list[str] = field(default_factory=list)
    options: list[list[str]] = field(default_factory=list)
    sessions: list[Any] = field(default_factory=list)

    async def handle_MAIL(  # noqa: N802 - aiosmtpd's name
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        envelope.mail_from = address
        self.options.append(options)
        return await self._answer("MAIL", server, session)

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        envelope.rcpt_tos.append(address)
        return await self._answer("RCPT", server, session)

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's name
        if "DATA" not in self.answers:
            self.raw.append(envelope.content)
            self.taken.append(
                cast("EmailMessage", message_from_bytes(envelope.content, policy=policy.default))
            )
            self.recipients += envelope.rcpt_tos
            self.sessions.append(session)
        return await self._answer("DATA", server, session)

    async def _answer(self, step: str, server: Any, session: Any) -> str:
        self.hook(step, session)
        if self.dies_at == step:
            server.transport.abort()
        if step in self.waits:
            await asyncio.sleep(self.waits[step])
        return self.answers.get(step, "250 OK")


class DyingInMidMessage(SMTP):
    """Goes away after the first lines of a message."""

    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802 - aiosmtpd's name
        await self.push("354 go on")
        await self._reader.readline()
        self.transport.abort()


class Chatting(SMTP):
    """Never stops answering: each line comes in time, the answer never ends."""

    async def smtp_RCPT(self, arg: str) -> None:  # noqa: N802 - aiosmtpd's name
        while not self.transport.is_closing():
            await self.push("250-still thinking")
            await asyncio.sleep(0.05)


class _Controller(Controller):
    kind: type[SMTP] = SMTP

    def factory(self) -> SMTP:
        return self.kind(self.handler, **self.SMTP_kwargs)


@contextmanager
def server(
    handler: Handler, *, scheme: str = "smtp", kind: type[SMTP] = SMTP, user: str = "", **options: Any
) -> Iterator[str]:
    """A running server; yields its address for ``SAISHI_SMTP_URL``. ``user`` is ``name:password@``."""
    port = services.free_port()
    controller = _Controller(handler, hostname="127.0.0.1", port=port, **options)
    controller.kind = kind
    controller.start()
    try:
        yield f"{scheme}://{user}127.0.0.1:{port}"
    finally:
        controller.stop()


def knows(name: str, password: str) -> Callable[..., AuthResult]:
    """An authenticator that lets one person in."""

    def check(_server: Any, _session: Any, _envelope: Any, _mechanism: str, given: Any) -> AuthResult:
        right = isinstance(given, LoginPassword) and (given.login, given.password) == (
            name.encode(),
            password.encode(),
        )
        return AuthResult(success=right)

    return check


@dataclass(frozen=True)
class Certificate:
    """A server's certificate for 127.0.0.1: ``context`` for the server, ``ca`` the file its readers may trust."""

    context: ssl.SSLContext
    ca: str


def certificate(folder: Path) -> Certificate:
    """Made by an authority of its own that no machine knows."""
    start = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=1)

    def build(name: str, issuer: str, key: Any, signer: Any, *, authority: bool) -> x509.Certificate:
        made = (
            x509.CertificateBuilder()
            .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]))
            .issuer_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, issuer)]))
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(start)
            .not_valid_after(start + datetime.timedelta(days=3))
            .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False
            )
        )
        if authority:
            usage = x509.KeyUsage(
                digital_signature=True, key_cert_sign=True, crl_sign=True, content_commitment=False,
                key_encipherment=False, data_encipherment=False, key_agreement=False, encipher_only=False,
                decipher_only=False,
            )  # fmt: skip
            made = made.add_extension(usage, critical=True)
        else:
            address = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
            made = made.add_extension(x509.SubjectAlternativeName([address]), critical=False)
        return made.sign(signer, hashes.SHA256())

    authority_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    authority = build(
        "authority of a test", "authority of a test", authority_key, authority_key, authority=True
    )
    own = build("127.0.0.1", "authority of a test", key, authority_key, authority=False)
    folder.mkdir(parents=True, exist_ok=True)
    ca, chain = folder / "ca.pem", folder / "server.pem"
    ca.write_bytes(authority.public_bytes(serialization.Encoding.PEM))
    chain.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        + own.public_bytes(serialization.Encoding.PEM)
    )
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(chain)
    return Certificate(context, str(ca))
