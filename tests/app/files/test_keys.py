"""The keys of an installation: what each opens, and how an old one is left behind."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.files import store
from tests.app.files.conftest import Place

OLD, NEW = "old-key-of-the-files-" + "0" * 20, "new-key-of-the-files-" + "1" * 20
OTHER_SECRET = "another-secret-key-of-an-installation-000000000"


def read(sealed: store.Sealed) -> bytes:
    return b"".join(store.read(sealed))


def test_without_file_keys_the_secret_key_opens_the_files(place: Place) -> None:
    sealed = store.write("a/file", [b"x"])
    place.use()
    assert read(sealed) == b"x"


def test_a_file_s_key_that_is_in_no_setting_is_named_as_such_and_not_as_damage(place: Place) -> None:
    place.use(OLD)
    sealed = store.write("a/file", [b"x"])
    place.use(NEW)
    with pytest.raises(store.KeyUnknownError) as caught:
        store.read(sealed)
    assert caught.value.fault is store.Fault.KEY_UNKNOWN
    with pytest.raises(store.KeyUnknownError):
        store.rewrap(sealed.wrapped_key, sealed.key_id)
    assert not store.knows_key(sealed.key_id)


def test_a_key_under_another_key_s_name_opens_nothing(place: Place) -> None:
    place.use(OLD)
    sealed = store.write("a/file", [b"x"])
    place.use(NEW, OLD)
    with pytest.raises(store.FileDamagedError):
        store.read(replace(sealed, key_id=store.newest_key_id()))


def test_another_installation_s_secret_key_opens_nothing(place: Place) -> None:
    sealed = store.write("a/file", [b"x"])
    place.use(secret_key=OTHER_SECRET)
    with pytest.raises(store.KeyUnknownError):
        store.read(sealed)


def test_an_older_key_still_opens_what_it_wrapped_and_new_files_take_the_newest(place: Place) -> None:
    before = store.write("a/before", [b"before any file key"])
    place.use(OLD)
    old = store.write("a/old", [b"old"])
    place.use(NEW, OLD)
    new = store.write("a/new", [b"new"])
    assert [read(each) for each in (before, old, new)] == [b"before any file key", b"old", b"new"]
    assert len({before.key_id, old.key_id, new.key_id}) == 3
    assert new.key_id == store.newest_key_id()


def test_a_rewrapped_file_needs_only_the_newest_key_and_its_object_is_untouched(place: Place) -> None:
    place.use(OLD)
    sealed = store.write("a/file", [b"x"])
    raw = place.get("a/file")
    place.use(NEW, OLD)
    wrapped_key, key_id = store.rewrap(sealed.wrapped_key, sealed.key_id)
    assert key_id == store.newest_key_id()
    assert wrapped_key != sealed.wrapped_key
    place.use(NEW)
    assert read(replace(sealed, wrapped_key=wrapped_key, key_id=key_id)) == b"x"
    assert place.get("a/file") == raw


def test_the_order_of_the_keys_says_which_wraps_and_not_what_they_are(place: Place) -> None:
    place.use(OLD, NEW)
    sealed = store.write("a/file", [b"x"])
    place.use(NEW, OLD)
    assert read(sealed) == b"x"
    assert store.newest_key_id() != sealed.key_id


def test_what_a_row_keeps_fits_its_columns_and_shows_no_key(place: Place) -> None:
    sealed = store.write("a" * 120, [b"x"])
    assert len(sealed.key_id) <= 16
    assert len(sealed.wrapped_key) <= 200
    assert sealed.wrapped_key not in repr(sealed)
