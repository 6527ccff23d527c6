"""Encryption at rest (加密保存): what is written to the store, and the keys.

Each file has a random data key, which only its database row holds, wrapped by a key-encryption key of the
installation. Without the row no copy of the object can be read, nor without the installation's key.

An object is a row of sealed chunks and nothing else. Chunk ``i`` is AES-256-GCM over at most 64 KiB of the content
and 16 bytes longer. Its nonce is ``i`` in 11 bytes and 1 for the last chunk, else 0; its associated data name the
format and the object. A data key is used for one write only, so no nonce comes twice under it; a chunk in another
place, of another object, or before the end in the place of the last one does not open. An empty file is one empty
last chunk.

A wrapped key is the format's number, a point, and in URL-safe base64 a random nonce and the sealed data key, whose
associated data name format and key-encryption key.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from app.files.errors import FileDamagedError, KeyUnknownError

FORMAT = "1"
CHUNK = 64 * 1024
"""Bytes of the content in each chunk but the last."""

TAG = 16
KEY_BYTES = 32
NONCE_BYTES = 12


def chunk_count(size: int) -> int:
    """Chunks of a content of ``size`` bytes; at least one."""
    return max(1, -(-size // CHUNK))


def sealed_size(size: int) -> int:
    """Bytes of the object that holds a content of ``size`` bytes."""
    return size + chunk_count(size) * TAG


class Keys:
    """The key-encryption keys of an installation, made from its secrets, the newest first."""

    def __init__(self, secrets: Sequence[str]) -> None:
        self._ciphers = {
            _derive(secret, b"saishi file key name", 8).hex(): AESGCM(
                _derive(secret, b"saishi file key", KEY_BYTES)
            )
            for secret in secrets
        }
        self.newest = next(iter(self._ciphers))

    def __contains__(self, key_id: str) -> bool:
        return key_id in self._ciphers

    def wrap(self, data_key: bytes) -> tuple[str, str]:
        """The wrapped key and the name of the key-encryption key, for the row."""
        nonce = os.urandom(NONCE_BYTES)
        sealed = nonce + self._ciphers[self.newest].encrypt(nonce, data_key, _wrapping(self.newest))
        return f"{FORMAT}.{base64.urlsafe_b64encode(sealed).decode()}", self.newest

    def unwrap(self, wrapped_key: str, key_id: str) -> bytes:
        """The data key. Raises ``KeyUnknownError``, or ``FileDamagedError`` if the row was changed."""
        cipher = self._ciphers.get(key_id)
        if cipher is None:
            raise KeyUnknownError
        number, _, written = wrapped_key.partition(".")
        try:
            sealed = base64.b64decode(written, altchars=b"-_", validate=True)
            if number != FORMAT or base64.urlsafe_b64encode(sealed).decode() != written:
                raise FileDamagedError
            return cipher.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], _wrapping(key_id))
        except (binascii.Error, InvalidTag, ValueError) as error:  # ValueError: no bytes at all
            raise FileDamagedError from error


class Sealing:
    """A content on its way into the store; iterate it once, then ``size`` and ``sha256`` of the content are known."""

    def __init__(self, name: str, content: Iterable[bytes]) -> None:
        self.data_key = AESGCM.generate_key(KEY_BYTES * 8)
        self.size = 0
        self._name = name
        self._content = content
        self._hash = hashlib.sha256()

    @property
    def sha256(self) -> str:
        """64 hex digits."""
        return self._hash.hexdigest()

    def __iter__(self) -> Iterator[bytes]:
        """The sealed chunks, which one after the other are the object."""
        cipher = AESGCM(self.data_key)
        for index, (chunk, last) in enumerate(_chunks(self._content)):
            self._hash.update(chunk)
            self.size += len(chunk)
            yield cipher.encrypt(_nonce(index, last), chunk, _object(self._name))


class Opening:
    """Opens chunks of the object ``name`` whose content has ``size`` bytes."""

    def __init__(self, name: str, data_key: bytes, size: int) -> None:
        self._cipher = AESGCM(data_key)
        self._name = name
        self._last = chunk_count(size) - 1
        self._size = size

    def chunks(self, sealed: memoryview, first: int) -> Iterator[bytes]:
        """The content of whole chunks, of which the first is number ``first``. Raises ``FileDamagedError``."""
        index = first
        while sealed:
            last = index == self._last
            length = (self._size - index * CHUNK if last else CHUNK) + TAG
            try:
                yield self._cipher.decrypt(_nonce(index, last), sealed[:length], _object(self._name))
            except InvalidTag as error:
                raise FileDamagedError from error
            sealed = sealed[length:]
            index += 1


def _chunks(content: Iterable[bytes]) -> Iterator[tuple[bytes, bool]]:
    """``content`` in pieces of ``CHUNK`` bytes, and whether each is the last; the last may be shorter or empty."""
    held = bytearray()
    for piece in content:
        held += piece
        while len(held) > CHUNK:  # not at equality: this may be all there is
            yield bytes(held[:CHUNK]), False
            del held[:CHUNK]
    yield bytes(held), True


def _nonce(index: int, last: bool) -> bytes:
    return index.to_bytes(NONCE_BYTES - 1, "big") + bytes([last])


def _object(name: str) -> bytes:
    return f"saishi file {FORMAT}\n{name}".encode()


def _wrapping(key_id: str) -> bytes:
    return f"saishi wrapped key {FORMAT}\n{key_id}".encode()


def _derive(secret: str, purpose: bytes, length: int) -> bytes:
    return HKDF(algorithm=SHA256(), length=length, salt=None, info=purpose).derive(secret.encode())
