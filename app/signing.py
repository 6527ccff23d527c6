"""Signatures (签名) of what this installation states: Ed25519, under a key derived from the secret key.

Who has a signed report and the public key on it can check it without us; whether the key is ours is told by
comparing it with ``public_key``.
"""

from __future__ import annotations

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF


class Signer:
    """Signs with the key that follows from a secret key."""

    def __init__(self, secret: str) -> None:
        seed = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"saishi report signature").derive(
            secret.encode()
        )
        self._key = Ed25519PrivateKey.from_private_bytes(seed)

    @property
    def public_key(self) -> str:
        """64 hex digits."""
        return self._key.public_key().public_bytes_raw().hex()

    def sign(self, body: str) -> str:
        """The signature over the UTF-8 bytes of ``body``, 128 hex digits."""
        return self._key.sign(body.encode()).hex()


class _State:
    """The signer of this process, set by ``configure``."""

    signer: Signer | None = None


def configure(secret: str) -> None:
    """Derive the key; called once by ``create_app``."""
    _State.signer = Signer(secret)


def signer() -> Signer:
    if _State.signer is None:
        raise RuntimeError("signing.configure() was not called")
    return _State.signer


def fits(body: str, signature: str, public_key: str) -> bool:
    """Whether ``signature`` over ``body`` was made by the holder of ``public_key``; False for anything malformed."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key)).verify(
            bytes.fromhex(signature), body.encode()
        )
    except (InvalidSignature, ValueError):
        return False
    return True
