from __future__ import annotations

import json
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.mail import html
from app.mail.parsing import MOST_FILES, MOST_TEXT, Parsed, Problem, parse
from app.mailbox.rules.same import fingerprint

CORPUS = Path(__file__).parent / "corpus"
EXPECTED: dict[str, dict[str, Any]] = json.loads((CORPUS / "expected.json").read_text())
MIB = 1024 * 1024


def raw(name: str) -> bytes:
    return (CORPUS / f"{name}.eml").read_bytes()


def test_the_table_names_every_file_and_no_other() -> None:
    assert {path.stem for path in CORPUS.glob("*.eml")} == set(EXPECTED)
    assert len(EXPECTED) >= 40


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_what_becomes_of_each_letter_of_the_corpus(name: str) -> None:
    wanted, found = EXPECTED[name], parse(raw(name))
    for key in ("sender", "sender_name", "subject", "text"):
        if key in wanted:
            assert getattr(found, key) == wanted[key]
    for part in wanted.get("text_has", ()):
        assert part in found.text
    for part in wanted.get("text_lacks", ()):
        assert part not in found.text
    assert [each.name for each in found.attachments] == wanted.get("files", [])
    assert sorted(found.problems) == wanted.get("problems", [])
    assert found.automatic is wanted.get("automatic", False)
    assert found.list_mail is wanted.get("list_mail", False)
    assert found.loop is wanted.get("loop", False)
    bounce = wanted.get("bounce")
    if bounce is None:
        assert found.bounce is None
    else:
        assert found.bounce is not None
        assert list(found.bounce.message_ids)[: len(bounce["ids"])] == bounce["ids"]
        assert (found.bounce.hard, found.bounce.status) == (bounce["hard"], bounce["status"])
        assert "@" not in found.bounce.reason
    if "same_as" in wanted:
        assert fingerprint(raw(name)) == fingerprint(raw(wanted["same_as"]))
    if "differs_from" in wanted:
        assert fingerprint(raw(name)) != fingerprint(raw(wanted["differs_from"]))


def test_the_bytes_of_an_attachment_are_those_that_were_sent() -> None:
    (file,) = parse(raw("name-rfc2231")).attachments
    assert (file.media_type, file.content) == ("image/jpeg", b"\xff\xd8\xff\xe0made-up")
    (file,) = parse(raw("uuencoded")).attachments
    assert file.content == b"Cat"


def test_the_moment_it_was_written_is_read() -> None:
    assert parse(raw("declared-gbk")).date == datetime(2021, 11, 2, 1, 30, tzinfo=UTC)


def test_nothing_is_read_as_nothing() -> None:
    for empty in (b"", b"\0\0", b"\r\n\r\n"):
        assert parse(empty) == Parsed(problems=(Problem.EMPTY,))


def is_usable(found: Parsed) -> None:
    """Whatever was read can be stored and shown."""
    texts = (
        found.sender,
        found.sender_name,
        found.subject,
        found.text,
        *(each.name for each in found.attachments),
    )
    for text in texts:
        text.encode()
        assert "\0" not in text
    assert len(found.subject) <= 500
    assert len(found.text) <= MOST_TEXT
    assert len(found.attachments) <= MOST_FILES
    assert all(each.name for each in found.attachments)
    if found.bounce is not None:
        assert len(found.bounce.reason) <= 150


@given(st.binary(max_size=3000))
@settings(max_examples=300, deadline=None)
def test_bytes_at_random_are_read_as_something(content: bytes) -> None:
    found = parse(content)
    is_usable(found)
    assert Problem.UNREADABLE not in found.problems


@given(
    st.sampled_from(sorted(EXPECTED)),
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 40), st.binary(max_size=12)), max_size=6),
)
@settings(max_examples=600, deadline=None)
def test_a_letter_that_was_damaged_is_read_as_something(
    name: str, cuts: list[tuple[float, int, bytes]]
) -> None:
    content = raw(name)[:20_000]
    for where, length, instead in cuts:
        place = int(where * len(content))
        content = content[:place] + instead + content[place + length :]
    found = parse(content)
    is_usable(found)
    assert Problem.UNREADABLE not in found.problems
    assert len(fingerprint(content)) == 64


HEAD = b"From: a@b.example.cn\r\nSubject: x\r\n"
HUGE: dict[str, bytes] = {
    "one line": HEAD + b"\r\n" + b"x" * (25 * MIB),
    "short lines": HEAD + b"\r\n" + b"x\n" * (12 * MIB),
    "zeros": b"\0" * (25 * MIB),
    "headers": b"".join(b"X-%d: y\r\n" % number for number in range(500_000)),
    "folded header": b"Subject: x" + b"\r\n y" * (4 * MIB),
    "words": b"Subject: " + b"=?gbk?B?" * (2 * MIB),
    "boundaries": HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + b"--b\r\n" * (4 * MIB),
    "no boundaries": HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + b"--b--b" * (4 * MIB),
    "deep": HEAD
    + b"".join(
        b"Content-Type: multipart/mixed; boundary=%d\r\n\r\n--%d\r\n" % (number, number)
        for number in range(200_000)
    ),
    "forwarded": b"Content-Type: message/rfc822\r\n\r\n" * 500_000,
    "parameters": b"Content-Type: text/plain" + b"; a*1*=%41" * (2 * MIB),
    "addresses": b"From: " + b"a@b, " * (4 * MIB),
    "brackets": b"From: " + b"<" * (20 * MIB),
    "base64": HEAD
    + b"Content-Type: image/jpeg\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    + b"QUJD" * (6 * MIB),
    "html": HEAD + b"Content-Type: text/html\r\n\r\n" + b"<div><!-- <a href='" * MIB,
    "bounce": b"From: mailer-daemon@x.example.cn\r\nSubject: Undelivered\r\n\r\n"
    + b"550 Message-ID: <a" * MIB,
}


@pytest.mark.parametrize("name", HUGE)
def test_a_huge_message_takes_no_longer_than_its_size_needs(name: str) -> None:
    begun = time.process_time()
    is_usable(parse(HUGE[name]))
    fingerprint(HUGE[name])
    # no race: what is quadratic takes hours
    assert time.process_time() - begun < 60


@pytest.mark.parametrize(
    "tag", ["<b>", "<p>", "</b>", "<a></b>", "<", "</", "<!", "<!--", "<?", "<a ", "<a b='", "<object>", "&#"]
)
def test_html_of_one_tag_without_end_is_read(tag: str) -> None:
    begun = time.process_time()
    html.words(tag * (html.MOST_HTML // len(tag)))
    assert time.process_time() - begun < 60
