from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select
from structlog.testing import capture_logs

from app import clock
from app.actors import SYSTEM
from app.commands import command
from app.extensions import db
from app.mail import fetching
from app.mailbox import polling, queries, service
from app.mailbox.models import IncomingMessage, MailboxState
from app.mailbox.rules import watch, watched
from app.settings import Settings
from tests.imap import PASSWORD, Imap, door

Looking = Callable[..., Settings]


def letter(number: int, text: str = "我们对名单有异议。") -> bytes:
    """A letter of a made-up unit."""
    return (
        f"From: leader{number}@unit{number}.example.cn\r\nTo: office@saishi.example.cn\r\nSubject: letter {number}\r\n"
        f"Message-ID: <{number}@unit{number}.example.cn>\r\nDate: Mon, 25 Oct 2021 10:00:{number:02d} +0800\r\n"
        f"Content-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\n"
    ).encode()


def stored() -> list[str]:
    db.session.rollback()
    return list(db.session.scalars(select(IncomingMessage.subject).order_by(IncomingMessage.id)))


def state(folder: str = "INBOX") -> MailboxState:
    db.session.rollback()
    return db.session.get_one(MailboxState, folder)


def test_what_is_new_is_stored_and_then_moved_on_the_server(
    session: Any, imap: Imap, looking_at: Looking
) -> None:
    imap.put(letter(1), letter(2))
    assert polling.poll(looking_at(imap.url())) == 2
    assert stored() == ["letter 1", "letter 2"]
    assert imap.subjects() == []
    assert imap.subjects(polling.PROCESSED) == ["letter 1", "letter 2"]
    assert imap.unseen(polling.PROCESSED) == 0
    assert polling.poll(looking_at(imap.url())) == 0
    imap.put(letter(3))
    assert polling.poll(looking_at(imap.url())) == 1
    assert stored() == ["letter 1", "letter 2", "letter 3"]
    assert state().polled_at == clock.now()
    assert state().failed_since is None


@pytest.mark.parametrize(
    ("at", "received"),
    [
        ("01-Oct-2021 23:59:59 +0800", datetime(2021, 10, 1, 15, 59, 59, tzinfo=UTC)),
        (" 1-Oct-2021 00:00:00 -0330", datetime(2021, 10, 1, 3, 30, tzinfo=UTC)),
        (
            "05-Nov-2031 00:00:00 +0000",
            None,
        ),  # a server whose clock is wrong: nothing comes before it is here
    ],
)
def test_a_message_was_received_when_it_came_to_its_server(
    session: Any, imap: Imap, looking_at: Looking, at: str, received: datetime | None
) -> None:
    imap.put(letter(1), at=at)
    polling.poll(looking_at(imap.url()))
    db.session.rollback()
    assert db.session.scalar(select(IncomingMessage.received_at)) == (received or clock.now())


@pytest.mark.parametrize(
    ("answer", "moment"),
    [
        (b'INTERNALDATE "29-FEB-2024 23:59:59 +0000"', datetime(2024, 2, 29, 23, 59, 59, tzinfo=UTC)),
        (b'INTERNALDATE "30-Feb-2021 23:59:59 +0000"', None),
        (b'INTERNALDATE "05-Nov-2021 23:59:60 +0800"', None),
        (b'INTERNALDATE "05-Foo-2021 23:59:59 +0800"', None),
        (b'INTERNALDATE "05-Nov-2021 23:59:59 +9900"', None),
        (b'INTERNALDATE "01-Jan-0001 00:00:00 +0800"', None),
        (b"INTERNALDATE NIL", None),
        (b"", None),
    ],
)
def test_a_time_that_is_none_is_not_believed(answer: bytes, moment: datetime | None) -> None:
    assert fetching._internal_date(answer) == moment


def test_only_a_look_that_leaves_nothing_behind_says_how_far_the_mailbox_was_read(
    session: Any, imap: Imap, looking_at: Looking, travel: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(polling, "MOST_AT_ONCE", 2)
    imap.put(letter(1), letter(2), letter(3))
    polling.poll(looking_at(imap.url()))
    assert (state().polled_at, state().failed_since) == (None, None)
    begun, moved = clock.now(), polling.service.store

    def slowly(*args: Any, **kwargs: Any) -> int:
        travel(begun + timedelta(minutes=3))
        return moved(*args, **kwargs)

    monkeypatch.setattr(polling.service, "store", slowly)
    polling.poll(looking_at(imap.url()))
    assert state().polled_at == begun


def test_a_message_that_comes_again_is_known(session: Any, imap: Imap, looking_at: Looking) -> None:
    again = b"Received: from relay.example.cn by mx.example.cn; Mon, 25 Oct 2021 10:00:09 +0800\r\n" + letter(
        1
    )
    imap.put(letter(1), again, letter(1, "同一个编号，另一段话。"))
    polling.poll(looking_at(imap.url()))
    imap.put(again)
    polling.poll(looking_at(imap.url()))
    assert stored() == ["letter 1", "letter 1"]
    assert imap.subjects() == []


def test_a_new_numbering_of_the_folder_begins_at_its_first_message(
    session: Any, imap: Imap, looking_at: Looking
) -> None:
    imap.create("Office")
    imap.put(letter(1), letter(2), letter(3), folder="Office")
    polling.poll(looking_at(imap.url("Office")))
    before = state("Office").uid_validity
    with imap.client() as client:
        assert client.delete("Office")[0] == "OK"
        assert client.create("Office")[0] == "OK"
    imap.put(letter(2), letter(4), folder="Office")
    polling.poll(looking_at(imap.url("Office")))
    assert state("Office").uid_validity != before
    assert stored() == ["letter 1", "letter 2", "letter 3", "letter 4"]


def test_a_connection_that_is_lost_in_the_middle_of_a_message_loses_none(
    session: Any, imap: Imap, looking_at: Looking
) -> None:
    imap.put(letter(1), letter(2, "很长的说明。" * 20_000), letter(3))
    with door(imap, cut_after=60_000) as broken:
        polling.poll(looking_at(imap.url(port=broken.port)))
    assert stored() == ["letter 1"]
    assert state().last_error == "lost"
    assert state().failed_since == clock.now()
    polling.poll(looking_at(imap.url()))
    assert stored() == ["letter 1", "letter 2", "letter 3"]
    assert (state().last_error, state().failed_since) == (None, None)


def test_a_server_that_falls_silent_is_left_after_a_while(
    session: Any, imap: Imap, looking_at: Looking, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "ANSWER_SECONDS", 0.5)
    imap.put(letter(1, "很长的说明。" * 20_000))
    with door(imap, silent_after=20_000) as silent:
        polling.poll(looking_at(imap.url(port=silent.port)))
    assert stored() == []
    assert state().last_error == "slow"


def test_a_server_that_trickles_is_cut_off_in_the_end(
    session: Any, imap: Imap, looking_at: Looking, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "TOTAL_SECONDS", 1.5)
    imap.put(letter(1, "很长的说明。" * 200_000))
    with door(imap, pause=0.02) as slow:
        polling.poll(looking_at(imap.url(port=slow.port)))
    assert stored() == []
    assert state().last_error == "lost"
    monkeypatch.undo()


def test_a_wrong_password_is_told_by_a_code_and_appears_nowhere(
    session: Any, imap: Imap, looking_at: Looking
) -> None:
    settings = looking_at(imap.url(password="another secret"))
    with capture_logs() as logs:
        polling.poll(settings)
    assert state().last_error == "login"
    assert logs == [{"event": "mailbox_not_read", "why": "login", "log_level": "warning"}]
    written = repr(settings)
    assert "another" not in written
    assert PASSWORD not in written


def test_a_server_that_is_away_is_told_by_a_code(session: Any, imap: Imap, looking_at: Looking) -> None:
    polling.poll(looking_at(imap.url(port=1)))
    assert state().last_error == "unreachable"


def test_a_folder_that_is_not_there_is_told_by_a_code(session: Any, imap: Imap, looking_at: Looking) -> None:
    polling.poll(looking_at(imap.url("Nowhere")))
    assert state("Nowhere").last_error == "folder"


def test_a_message_that_is_deleted_meanwhile_is_passed_over(
    session: Any, imap: Imap, looking_at: Looking, monkeypatch: pytest.MonkeyPatch
) -> None:
    imap.put(letter(1), letter(2), letter(3))
    fetch = polling._fetch
    deleted: list[int] = []

    def deleted_before(box: fetching.Box, uid: int) -> Any:
        if stored() == ["letter 1"] and not deleted:
            deleted.append(uid)
            imap.delete(uid)
        return fetch(box, uid)

    monkeypatch.setattr(polling, "_fetch", deleted_before)
    polling.poll(looking_at(imap.url()))
    assert state().last_error is None
    assert stored() == ["letter 1", "letter 3"]


def test_a_message_the_server_does_not_give_is_asked_for_again(
    session: Any, imap: Imap, looking_at: Looking, monkeypatch: pytest.MonkeyPatch
) -> None:
    imap.put(letter(1), letter(2), letter(3))
    about = fetching.Box.about

    def refused(box: fetching.Box, uid: int) -> fetching.About | None:
        if uid == refused_uid:
            raise fetching.MailboxDownError("refused")
        return about(box, uid)

    with imap.client("INBOX") as client:
        refused_uid = int(client.uid("SEARCH", "ALL")[1][0].split()[1])
    monkeypatch.setattr(fetching.Box, "about", refused)
    polling.poll(looking_at(imap.url()))
    assert stored() == ["letter 1", "letter 3"]
    assert state().last_error == "refused"
    monkeypatch.setattr(fetching.Box, "about", about)
    polling.poll(looking_at(imap.url()))
    assert stored() == ["letter 1", "letter 3", "letter 2"]
    assert imap.subjects() == []


def test_a_message_that_cannot_be_stored_holds_up_no_other(
    session: Any, imap: Imap, looking_at: Looking, monkeypatch: pytest.MonkeyPatch
) -> None:
    imap.put(letter(1), letter(2), letter(3))
    store = service.store

    def failing(ctx: Any, arrived: Any, *arguments: Any, **named: Any) -> int:
        if arrived.parsed.subject == "letter 2":
            raise ValueError(PASSWORD)
        return store(ctx, arrived, *arguments, **named)

    monkeypatch.setattr(service, "store", failing)
    with capture_logs() as logs:
        polling.poll(looking_at(imap.url()))
    assert stored() == ["letter 1", "letter 3"]
    assert state().last_error == "unstored"
    assert imap.subjects() == ["letter 2"], "it stays where it is"
    assert PASSWORD not in repr(logs)
    monkeypatch.undo()
    polling.poll(looking_at(imap.url()))
    assert stored() == ["letter 1", "letter 3", "letter 2"]


def test_what_is_too_large_is_stored_without_its_content(
    session: Any, imap: Imap, looking_at: Looking, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(polling, "MOST_BYTES", 5000)
    imap.put(letter(1, "大" * 5000), letter(2))
    polling.poll(looking_at(imap.url()))
    polling.poll(looking_at(imap.url()))
    rows = db.session.scalars(select(IncomingMessage).order_by(IncomingMessage.id)).all()
    assert [(row.kind, row.subject) for row in rows] == [("too_large", "letter 1"), ("letter", "letter 2")]
    assert rows[0].raw_file_id is None
    assert rows[0].size > 15_000
    assert imap.subjects() == []


def test_two_workers_that_look_at_once_store_each_message_once(
    session: Any, app: Any, imap: Imap, looking_at: Looking, monkeypatch: pytest.MonkeyPatch
) -> None:
    imap.put(*(letter(number) for number in range(1, 7)))
    settings = looking_at(imap.url())
    counts: list[int] = []
    session.rollback()

    def look() -> None:
        with app.app_context():
            counts.append(polling.poll(settings))

    # on two machines: nothing but the database is between them
    monkeypatch.setattr(polling, "_alone", lambda _instance: nullcontext(True))
    workers = [threading.Thread(target=look) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert sorted(stored()) == [f"letter {number}" for number in range(1, 7)]
    polling.poll(settings)
    assert imap.subjects() == []


def test_on_one_machine_the_second_worker_leaves_it_to_the_first(
    session: Any, imap: Imap, looking_at: Looking
) -> None:
    imap.put(letter(1))
    settings = looking_at(imap.url())
    with polling._alone(settings.instance) as first:
        assert first
        assert polling.poll(settings) == 0
        assert stored() == []
    assert polling.poll(settings) == 1


def test_without_a_mailbox_nothing_is_looked_at(session: Any, looking_at: Looking) -> None:
    assert polling.poll(looking_at("")) == 0


def test_however_many_messages_cannot_be_had_those_behind_them_have_their_turn(
    session: Any, imap: Imap, looking_at: Looking, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(polling, "MOST_AT_ONCE", 2)
    # as on a server without MOVE: what is stored stays where it is
    monkeypatch.setattr(fetching.Box, "_may_move", lambda _box, _folder: False)
    imap.put(*(letter(number) for number in range(1, 6)))
    with imap.client("INBOX") as client:
        uids = [int(each) for each in client.uid("SEARCH", "ALL")[1][0].split()]
    about = fetching.Box.about

    def refused(box: fetching.Box, uid: int) -> fetching.About | None:
        if uid in uids[:2]:
            raise fetching.MailboxDownError("refused")
        return about(box, uid)

    monkeypatch.setattr(fetching.Box, "about", refused)
    for expected in ([], ["letter 3", "letter 4"], ["letter 3", "letter 4", "letter 5"]):
        polling.poll(looking_at(imap.url()))
        assert stored() == expected
        assert (state().last_error, state().polled_at, state().last_uid) == ("refused", None, 0)
    polling.poll(looking_at(imap.url()))  # the front again
    monkeypatch.setattr(fetching.Box, "about", about)
    for _ in range(5):
        polling.poll(looking_at(imap.url()))
    assert sorted(stored()) == [f"letter {number}" for number in range(1, 6)]
    assert (state().last_error, state().passed_uid, state().last_uid) == (None, None, uids[-1])
    assert state().polled_at is not None


def test_a_folder_that_is_not_looked_into_any_more_says_nothing_of_the_one_that_is(session: Any) -> None:
    with command(SYSTEM) as ctx:
        service.note_success(ctx, "INBOX", clock.now() - timedelta(days=1))
        service.note_failure(ctx, "INBOX", "login")
        service.note_success(ctx, "Archive", clock.now())
    before = watched()
    try:
        for folder, error in (("INBOX", "login"), ("Archive", None)):
            watch(folder)
            found = queries.health()
            assert found is not None
            assert found.error == error
        for nothing in ("Other", None):
            watch(nothing)
            assert queries.health() is None
    finally:
        watch(before)
