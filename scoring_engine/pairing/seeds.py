"""Numbers of a draw from a published seed; anyone can replay them with SHA-256 alone.

The stream: block i (i = 0, 1, 2, …) is SHA-256(seed || i as an unsigned 64-bit big-endian number), 32 bytes. Each
block is read as four unsigned 64-bit big-endian words, in order; the stream is the words of block 0, block 1, ….

`below(n)`: take the next word w; where w >= 2^64 − (2^64 mod n), throw it away and take the next; the number is
w mod n. So every number 0…n−1 is equally likely. n = 1 takes a word too.

`shuffle(items)` (Fisher–Yates): for i from the last index down to 1, swap items i and `below(i + 1)`.

Test vectors, seed = the two bytes 00 01 (hex "0001"):
    block 0: 13c6a7b85fcb0443 c1d31dafe22561aa c714fbaa99d3b9a5 6474d8dda0c9aee0
    block 1: 36dd3485b6affcd5 d59600c58aca5c1c dc2c01bb0a2956bf aa690d157bc9b2be
    below(10), eight times: 7 8 9 2 7 0 5 6
    shuffle(0 1 2 3 4 5 6 7 8 9): 9 8 2 6 0 1 3 5 4 7
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")

_WORDS = 1 << 64
# Nothing but digits: bytes.fromhex would pass over a tab or a line break between bytes.
_HEXADECIMAL = re.compile(r"([0-9A-Fa-f]{2})+")


class SeedError(ValueError):
    """A seed that is not a hexadecimal text of whole bytes."""


def seed_from_hex(text: str) -> bytes:
    """The seed of its published text: hexadecimal digits, two to a byte, at least one byte."""
    if not _HEXADECIMAL.fullmatch(text):
        raise SeedError("种子应为十六进制文字，每字节两位。")
    return bytes.fromhex(text)


class SeedStream:
    """The stream of numbers of one seed; each number is used once, in order."""

    def __init__(self, seed: bytes) -> None:
        if not seed:
            raise SeedError("种子不能为空。")
        self._words = _words(seed)

    def below(self, bound: int) -> int:
        """The next number of 0…bound−1, each equally likely."""
        if not 1 <= bound <= _WORDS:
            raise ValueError(f"no number below {bound}")
        accepted = _WORDS - _WORDS % bound
        while (word := next(self._words)) >= accepted:
            pass
        return word % bound

    def shuffle(self, items: Iterable[Item]) -> list[Item]:
        """A new list of the same items in drawn order."""
        drawn = list(items)
        for index in range(len(drawn) - 1, 0, -1):
            other = self.below(index + 1)
            drawn[index], drawn[other] = drawn[other], drawn[index]
        return drawn


def _words(seed: bytes) -> Iterator[int]:
    counter = 0
    while True:
        block = hashlib.sha256(seed + counter.to_bytes(8, "big")).digest()
        for start in range(0, len(block), 8):
            yield int.from_bytes(block[start : start + 8], "big")
        counter += 1
