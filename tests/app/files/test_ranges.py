"""Any part of a file is what lies there in the whole, and no chunk beside it is fetched."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.files import store
from app.files.encryption import CHUNK, TAG
from app.files.places import Place as Objects
from tests.app.files.conftest import Place

SIZE = 18 * CHUNK + 77
CONTENT = random.Random(7).randbytes(SIZE)
NEAR_A_CHUNK = st.builds(lambda index, off: index * CHUNK + off, st.integers(0, 18), st.integers(-1, 1))
BOUNDS = (
    st.tuples(st.integers(0, SIZE) | NEAR_A_CHUNK, st.integers(0, SIZE) | NEAR_A_CHUNK)
    .map(sorted)
    .filter(lambda bounds: bounds[0] >= 0)
)


@pytest.fixture
def sealed(place: Place) -> store.Sealed:
    return store.write("a/file", [CONTENT])


@given(data=st.data())
@settings(
    max_examples=120,
    deadline=None,
    # one store for all examples is meant: reading changes nothing in it
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_any_part_is_what_lies_there_and_only_its_chunks_are_fetched(
    sealed: store.Sealed, data: st.DataObject, monkeypatch: pytest.MonkeyPatch
) -> None:
    start, end = data.draw(BOUNDS)
    fetched: list[tuple[int, int]] = []
    get = Objects.get

    def noted(self: Objects, key: str, first: int, beyond: int, size: int) -> memoryview:
        fetched.append((first, beyond))
        return get(self, key, first, beyond, size)

    with monkeypatch.context() as patch:
        patch.setattr(Objects, "get", noted)
        assert b"".join(store.read(sealed, start, end)) == CONTENT[start:end]
    if start == end:
        assert fetched == []
        return
    sealed_chunk = CHUNK + TAG
    assert fetched[0][0] == start // CHUNK * sealed_chunk
    assert fetched[-1][1] == min(-(-min(end, SIZE) // CHUNK) * sealed_chunk, SIZE + 19 * TAG)
    assert all(one[1] == next_one[0] for one, next_one in pairwise(fetched))


def test_a_reader_that_stops_early_fetches_no_more(
    sealed: store.Sealed, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    get = Objects.get

    def noted(self: Objects, key: str, first: int, beyond: int, size: int) -> memoryview:
        asked.append(beyond - first)
        return get(self, key, first, beyond, size)

    monkeypatch.setattr(Objects, "get", noted)
    reader = store.read(sealed)
    assert next(reader) == CONTENT[:CHUNK]
    assert asked == [16 * (CHUNK + TAG)]
