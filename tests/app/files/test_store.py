"""What is written comes back, in whole and in parts, and nobody else can read it."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest

from app.files import store
from app.files.encryption import CHUNK, TAG
from tests.app.files.conftest import Place

LENGTHS = [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 16 * CHUNK, 16 * CHUNK + 1, 5_000_000, 12_000_000]
"""Around a chunk, around what is fetched at once, one part of an upload, several parts."""


def content_of(length: int) -> bytes:
    return random.Random(length).randbytes(length)


def in_pieces(content: bytes, seed: int = 1) -> Iterator[bytes]:
    """``content`` cut anywhere, some pieces empty."""
    chance = random.Random(seed)
    cuts = sorted(chance.randrange(len(content) + 1) for _ in range(20))
    yield from (content[start:end] for start, end in pairwise([0, *cuts, len(content)]))


def read(sealed: store.Sealed, *bounds: int) -> bytes:
    return b"".join(store.read(sealed, *bounds))


@pytest.mark.parametrize("length", LENGTHS)
def test_a_file_comes_back_with_its_size_and_hash(place: Place, length: int) -> None:
    content = content_of(length)
    sealed = store.write("a/file", in_pieces(content))
    assert read(sealed) == content
    assert (sealed.size, sealed.sha256) == (length, hashlib.sha256(content).hexdigest())
    assert read(sealed, length) == b""
    assert read(sealed, max(length - 5, 0)) == content[-5:]


def test_nothing_of_the_content_or_its_key_is_in_the_store(place: Place) -> None:
    words = "张三的身份证".encode()
    sealed = store.write("a/file", [words * 50_000])
    (raw,) = place.objects().values()
    assert words not in raw
    assert sealed.wrapped_key.encode() not in raw
    assert len(raw) == sealed.size + (sealed.size // CHUNK + 1) * TAG


def test_the_same_content_is_never_written_the_same_way_twice(place: Place) -> None:
    one, other = (store.write(f"a/{number}", [b"again"]) for number in range(2))
    assert place.get("a/0") != place.get("a/1")
    assert one.wrapped_key != other.wrapped_key
    assert one.sha256 == other.sha256


def test_writing_again_replaces_the_file_and_its_data_key(place: Place) -> None:
    old = store.write("a/file", [b"old"])
    new = store.write("a/file", [b"new one"])
    assert read(new) == b"new one"
    with pytest.raises(store.FileDamagedError):
        store.read(old)


def test_a_file_can_be_made_from_files_of_the_same_store(place: Place) -> None:
    """Joining the pieces of an upload; obstore alone refuses to read while it writes."""
    pieces = [store.write(f"pieces/{number}", [content_of(4_000_000 + number)]) for number in range(3)]
    joined = store.write("a/file", (part for piece in pieces for part in store.read(piece)))
    assert read(joined) == b"".join(content_of(4_000_000 + number) for number in range(3))


@pytest.mark.parametrize("length", [0, 100, 12_000_000])
def test_a_content_that_breaks_off_leaves_nothing_and_says_what_it_met(place: Place, length: int) -> None:
    def broken() -> Iterator[bytes]:
        yield from in_pieces(content_of(length))
        raise FileNotFoundError("the phone went away")

    with pytest.raises(FileNotFoundError, match="the phone went away"):
        store.write("a/file", broken())
    assert place.objects() == {}


def test_a_deleted_file_is_missing_and_deleting_it_again_is_no_error(place: Place) -> None:
    gone, stays = store.write("a/gone", [b"gone"]), store.write("a/stays", [b"stays"])
    store.delete(["a/never", "a/gone", "b/never"])
    store.delete(["a/gone"])
    store.delete([])
    with pytest.raises(store.FileMissingError) as caught:
        store.read(gone)
    assert caught.value.status == 404
    assert read(stays) == b"stays"


def test_more_files_than_one_request_takes_are_deleted(place: Place) -> None:
    store.write("a/file", [b"x"])
    store.delete([f"a/never-{number}" for number in range(1000)] + ["a/file"])
    assert place.objects() == {}


def test_keys_are_listed_by_folder_with_the_time_they_were_written(place: Place) -> None:
    for key in ("a/1", "a/2", "ab/1", "b"):
        store.write(key, [b"x"])
    listed = dict(store.keys())
    assert set(listed) == {"a/1", "a/2", "ab/1", "b"}
    assert all(written.tzinfo is not None for written in listed.values())
    assert {key for key, _ in store.keys("a")} == {key for key, _ in store.keys("a/")} == {"a/1", "a/2"}
    assert list(store.keys("c")) == []


@pytest.mark.parametrize(
    "key",
    [
        *(
            "",
            "/",
            "/etc/passwd",
            "..",
            "../file",
            "a/../../file",
            "a/..",
            "a/./b",
            "a//b",
            "a/",
            ".hidden",
            "a/.b",
        ),
        *("a\\b", "a b", "a\n", "a\0b", "a%2e%2e", "a#1", "a:b", "文件", "~", "a" * 121),
    ],
)
def test_a_key_that_could_lead_out_of_the_store_is_refused(place: Place, key: str) -> None:
    with pytest.raises(ValueError, match="a key is made of letters"):
        store.write(key, [b"x"])
    with pytest.raises(ValueError, match="a key is made of letters"):
        store.read(store.Sealed(key, "1.", "", 1, ""))
    with pytest.raises(ValueError, match="a key is made of letters"):
        store.delete([key])
    if key.strip("/"):
        with pytest.raises(ValueError, match="a key is made of letters"):
            list(store.keys(key + "/x"))
    assert place.objects() == {}


def test_a_range_that_is_none_is_an_error(place: Place) -> None:
    sealed = store.write("a/file", [b"12345"])
    for bounds in ((-1,), (6,), (3, 2), (0, -1)):
        with pytest.raises(ValueError, match="no range"):
            store.read(sealed, *bounds)
    assert read(sealed, 2, 100) == b"345"


def test_checking_a_store_leaves_nothing_behind(place: Place) -> None:
    store.check(place.settings)
    assert place.objects() == {}


def test_many_write_and_read_at_once(place: Place) -> None:
    def there_and_back(number: int) -> bool:
        content = content_of(number * 50_000 + number % 3 * 6_000_000)
        return read(store.write(f"a/{number}", in_pieces(content))) == content

    with ThreadPoolExecutor(16) as pool:
        assert all(pool.map(there_and_back, range(40)))
