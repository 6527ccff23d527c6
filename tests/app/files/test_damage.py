"""Whatever happens to an object or its row, nothing is read that was not written."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from app.files import store
from app.files.encryption import CHUNK, TAG
from tests.app.files.conftest import Place

SEALED = CHUNK + TAG
CONTENT = random.Random(5).randbytes(3 * CHUNK + 100)


def taken_before_the_refusal(sealed: store.Sealed) -> bytes:
    """What a reader got until ``FileDamagedError`` came."""
    taken = b""
    with pytest.raises(store.FileDamagedError):  # noqa: PT012 - what came before it is the point
        for piece in store.read(sealed):
            taken += piece
    return taken


def chunks_of(raw: bytes) -> list[bytes]:
    return [raw[start : start + SEALED] for start in range(0, len(raw), SEALED)]


@pytest.mark.parametrize(
    ("position", "whole_chunks"),
    [
        *((0, 0), (CHUNK, 0), (SEALED - 1, 0), (SEALED, 1), (2 * SEALED - 1, 1), (3 * SEALED - 1, 2)),
        *((3 * SEALED, 3), (3 * SEALED + 99, 3), (3 * SEALED + 100, 3), (3 * SEALED + 100 + TAG - 1, 3)),
    ],
)
def test_a_flipped_bit_is_found_and_nothing_of_its_chunk_is_given(
    place: Place, position: int, whole_chunks: int
) -> None:
    sealed = store.write("a/file", [CONTENT])
    raw = bytearray(place.get("a/file"))
    raw[position] ^= 1 << position % 8
    place.put("a/file", bytes(raw))
    assert taken_before_the_refusal(sealed) == CONTENT[: whole_chunks * CHUNK]


@pytest.mark.parametrize("content", [b"", b"x", b"twelve bytes"])
def test_every_single_bit_of_a_small_object_counts(place: Place, content: bytes) -> None:
    sealed = store.write("a/file", [content])
    whole = place.get("a/file")
    for bit in range(0, len(whole) * 8, 3):
        raw = bytearray(whole)
        raw[bit // 8] ^= 1 << bit % 8
        place.put("a/file", bytes(raw))
        assert taken_before_the_refusal(sealed) == b""


Change = Callable[[list[bytes]], list[bytes]]
CHANGES: dict[str, tuple[Change, int]] = {
    "first two swapped": (lambda it: [it[1], it[0], *it[2:]], 0),
    "second and third swapped": (lambda it: [it[0], it[2], it[1], it[3]], 1),
    "reversed": (lambda it: [*reversed(it[:3]), it[3]], 0),
    "second doubled over the third": (lambda it: [it[0], it[1], it[1], it[3]], 2),
    "second doubled": (lambda it: [it[0], it[1], *it[1:]], 0),
    "last doubled": (lambda it: [*it, it[3]], 0),
    "last dropped": (lambda it: it[:3], 0),
    "first dropped": (lambda it: it[1:], 0),
    "middle dropped": (lambda it: [it[0], *it[2:]], 0),
    "cut within a chunk": (lambda it: [*it[:2], it[2][:1000]], 0),
    "cut by a byte": (lambda it: [*it[:3], it[3][:-1]], 0),
    "one byte more": (lambda it: [*it, b"x"], 0),
    "emptied": (lambda _: [], 0),
    "a single byte": (lambda _: [b"x"], 0),
}
"""What is done to the chunks, and how many are still given before it is noticed."""


@pytest.mark.parametrize("change", CHANGES)
def test_chunks_cannot_be_cut_doubled_or_put_elsewhere(place: Place, change: str) -> None:
    sealed = store.write("a/file", [CONTENT])
    changed, whole_chunks = CHANGES[change]
    place.put("a/file", b"".join(changed(chunks_of(place.get("a/file")))))
    assert taken_before_the_refusal(sealed) == CONTENT[: whole_chunks * CHUNK]


@pytest.mark.parametrize("change", ["last dropped", "one byte more", "emptied", "cut by a byte"])
def test_a_part_is_not_read_from_an_object_of_another_length(place: Place, change: str) -> None:
    sealed = store.write("a/file", [CONTENT])
    place.put("a/file", b"".join(CHANGES[change][0](chunks_of(place.get("a/file")))))
    for start, end in ((0, 1), (CHUNK, CHUNK + 1), (3 * CHUNK, 3 * CHUNK + 1)):
        with pytest.raises(store.FileDamagedError):
            store.read(sealed, start, end)


def test_a_whole_chunk_is_still_read_beside_a_damaged_one(place: Place) -> None:
    sealed = store.write("a/file", [CONTENT])
    raw = bytearray(place.get("a/file"))
    raw[0] ^= 1
    place.put("a/file", bytes(raw))
    assert b"".join(store.read(sealed, CHUNK)) == CONTENT[CHUNK:]
    with pytest.raises(store.FileDamagedError):
        store.read(sealed, 0, 1)


def test_another_file_s_object_under_this_key_is_refused(place: Place) -> None:
    sealed = store.write("a/file", [CONTENT])
    store.write("a/other", [CONTENT])
    place.put("a/file", place.get("a/other"))
    assert taken_before_the_refusal(sealed) == b""


def test_an_object_does_not_open_under_another_name_even_with_its_own_data_key(place: Place) -> None:
    sealed = store.write("a/file", [CONTENT])
    place.put("a/moved", place.get("a/file"))
    assert taken_before_the_refusal(replace(sealed, key="a/moved")) == b""


def test_a_row_that_was_changed_opens_nothing(place: Place) -> None:
    sealed = store.write("a/file", [CONTENT])
    other = store.write("a/other", [CONTENT])
    number, _, written = sealed.wrapped_key.partition(".")
    changed = [
        replace(sealed, wrapped_key=other.wrapped_key),
        *(replace(sealed, size=size) for size in (0, 1, CHUNK, sealed.size - 1, sealed.size + 1, 10 * CHUNK)),
        *(
            replace(sealed, wrapped_key=wrapped)
            for wrapped in (
                *(
                    "",
                    ".",
                    "1.",
                    written,
                    f"2.{written}",
                    f"{number}.{written[:-4]}",
                    f"{number}.{written}AAAA",
                ),
                *(f"{number}.A{written}", f"{number}.!{written[1:]}", f"{number}.{written[::-1]}", "1.文件"),
            )
        ),
    ]
    for row in changed:
        assert taken_before_the_refusal(row) == b"", row


@pytest.mark.parametrize("chunks", [1, 2, 3])
def test_an_object_that_was_cut_together_with_its_row_does_not_pass_for_whole(
    place: Place, chunks: int
) -> None:
    sealed = store.write("a/file", [CONTENT])
    place.put("a/file", place.get("a/file")[: chunks * SEALED])
    shortened = replace(sealed, size=chunks * CHUNK)
    assert taken_before_the_refusal(shortened) == CONTENT[: (chunks - 1) * CHUNK]


def test_a_byte_of_the_wrapped_key_cannot_be_changed(place: Place) -> None:
    sealed = store.write("a/file", [b"x"])
    for index in range(2, len(sealed.wrapped_key)):
        letter = "A" if sealed.wrapped_key[index] != "A" else "B"
        wrapped = sealed.wrapped_key[:index] + letter + sealed.wrapped_key[index + 1 :]
        assert taken_before_the_refusal(replace(sealed, wrapped_key=wrapped)) == b""
