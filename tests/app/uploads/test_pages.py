"""What a phone's page calls, a browser without our script, and how files are served."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from flask import Flask, Response
from flask.testing import FlaskClient
from PIL import Image, ImageChops, ImageStat
from werkzeug.exceptions import RequestedRangeNotSatisfiable

from app.commands import command
from app.files import store
from app.uploads import queries, service
from app.uploads.pages.serving import serve
from app.uploads.queries import StoredView
from app.uploads.rules import FileRole
from app.uploads.watermark import marked
from tests.app.files.corpus.photos import animated
from tests.app.uploads.looking import send_form
from tests.conftest import NOON
from tests.factories import accounts, competitions, uploads

KIB = 1024
PROBLEM = {"Accept": "application/problem+json"}


@pytest.fixture
def place(app: Flask) -> str:
    with app.app_context():
        return competitions.competition().slug


@pytest.fixture
def phone(app: Flask, client: FlaskClient, place: str) -> FlaskClient:
    """The browser of a signed-in person."""
    with app.app_context():
        person = accounts.user(1)
    accounts.sign_in(client, person)
    return client


def test_the_script_sends_a_file_with_the_cookie_of_its_page(phone: FlaskClient, place: str) -> None:
    content = uploads.photo(1, 1600, 1200, 95)
    body = {"purpose": "proof", "size": len(content), "name": "a.jpg", "idempotency_key": "key-of-page"}
    begun = phone.post(f"/c/{place}/uploads", json=body, headers=PROBLEM)
    assert begun.status_code == 201
    address = f"/c/{place}/uploads/{begun.json['token']}"
    for start, part in uploads.pieces(content):
        answer = phone.patch(address, data=part, headers={**PROBLEM, "Upload-Offset": str(start)})
        assert (answer.status_code, answer.headers["Upload-Offset"]) == (204, str(start + len(part)))
    gap = phone.patch(
        address, data=bytes(64 * KIB), headers={**PROBLEM, "Upload-Offset": str(len(content) + 1)}
    )
    assert gap.content_type == "application/problem+json"
    assert phone.get(address, headers=PROBLEM).json["offset"] == len(content)
    assert phone.post(f"{address}/finish", headers=PROBLEM).json["state"] == "waiting"
    assert phone.delete(address, headers=PROBLEM).status_code == 204
    gone = phone.get(address, headers=PROBLEM)
    assert (gone.status_code, gone.json["code"]) == (404, "upload_not_found")


def test_the_pages_of_uploads_are_for_people_who_signed_in(client: FlaskClient, place: str) -> None:
    for answer in (
        client.get(f"/c/{place}/uploads"),
        client.post(f"/c/{place}/uploads", json={}, headers=PROBLEM),
        client.get(f"/c/{place}/uploads/{'x' * 43}", headers=PROBLEM),
    ):
        assert answer.status_code == 401


def test_a_plain_form_sends_whole_files_and_the_page_shows_them(
    app: Flask, phone: FlaskClient, place: str, tmp_path: Path
) -> None:
    photo, large = uploads.photo(1), uploads.photo(2, 1600, 1200, 95)
    assert len(large) * 5 > 2 * KIB * KIB, "longer than any other form may be"
    answer = send_form(phone, f"/c/{place}/uploads", [(photo, "正面.jpg"), (large * 5, "反面.jpg")])
    assert (answer.status_code, answer.location) == (303, f"/c/{place}/uploads?purpose=proof")
    page = phone.get(answer.location).text
    assert "正面.jpg" in page
    assert page.count("检查中") >= 2
    with app.app_context():
        person = accounts.user(1).require_signed_in()
        competition = competitions.queries.competition(place)
        sent = queries.unclaimed(person, competition.id)
        for upload in sent:
            uploads.check(upload, tmp_path)
    page = phone.get(f"/c/{place}/uploads?purpose=proof").text
    assert f"/c/{place}/uploads/{sent[0].token}/thumbnail" in page
    thumbnail = phone.get(f"/c/{place}/uploads/{sent[0].token}/thumbnail")
    assert (thumbnail.status_code, thumbnail.mimetype) == (200, "image/jpeg")
    gone = phone.post(f"/c/{place}/uploads/{sent[0].token}/discard")
    assert gone.status_code == 303
    assert sent[0].token not in phone.get(f"/c/{place}/uploads").text


def test_the_page_and_its_script_say_what_cleaning_changed_in_a_file(
    app: Flask, phone: FlaskClient, place: str, tmp_path: Path
) -> None:
    with app.app_context():
        sent = uploads.ready(accounts.user(1), place, tmp_path, animated("PNG"), name="证明.png")
    page = f"/c/{place}/uploads?purpose=proof"
    assert (
        '<span class="upload__notes" data-notes>文件里有多张图片或动画，只保留了第一张。</span>'
        in phone.get(page).text
    )
    seen = phone.get(f"/c/{place}/uploads/{sent.token}", headers=PROBLEM).json
    assert seen["notes"] == ["文件里有多张图片或动画，只保留了第一张。"]
    assert "only the first was kept" in phone.get(f"{page}&lang=en").text


def test_a_plain_form_without_a_file_or_with_one_too_large_says_so_and_keeps_nothing(
    app: Flask, phone: FlaskClient, place: str
) -> None:
    empty = send_form(phone, f"/c/{place}/uploads", [(b"", "")])
    assert empty.status_code == 422
    assert "还没有选择文件" in empty.text
    large = send_form(
        phone, f"/c/{place}/uploads", [(uploads.photo(), "a.jpg"), (bytes(16 * KIB * KIB), "b.jpg")]
    )
    assert large.status_code == 422
    assert "超过了 15 MB" in large.text
    with app.app_context():
        person = accounts.user(1).require_signed_in()
        assert queries.unclaimed(person, competitions.queries.competition(place).id) == ()
    whole = phone.post(
        f"/c/{place}/uploads",
        content_type="multipart/form-data; boundary=b",
        environ_overrides={"CONTENT_LENGTH": str(65 * KIB * KIB)},
    )
    assert whole.status_code == 413


def test_a_plain_form_that_breaks_off_in_its_second_file_keeps_nothing(
    app: Flask, phone: FlaskClient, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, pieces = store.write, []

    def full_after_one(key: str, content: Any) -> Any:
        pieces.append(key)
        if len(pieces) > 1:
            raise store.StoreDownError
        return write(key, content)

    monkeypatch.setattr(store, "write", full_after_one)
    small = uploads.photo(1, 200, 150)
    answer = send_form(phone, f"/c/{place}/uploads", [(small, "a.jpg"), (small, "b.jpg")])
    assert (answer.status_code, len(pieces)) == (503, 2)
    with app.app_context():
        person = accounts.user(1).require_signed_in()
        assert queries.unclaimed(person, competitions.queries.competition(place).id) == ()


CONTENT = bytes(range(256)) * 1000


def stored(media_type: str = "application/pdf", content: bytes = CONTENT) -> StoredView:
    return StoredView(store.write("uploads/aa/served", [content]), media_type, NOON)


def served(app: Flask, file: StoredView, method: str = "GET", **options: Any) -> Response:
    headers = options.pop("headers", {})
    with app.test_request_context("/", method=method, headers=headers):
        return app.make_response(serve(file, name="proof-7", **options))


def test_a_file_is_decrypted_while_it_is_sent_and_no_cache_keeps_it(app: Flask) -> None:
    answer = served(app, stored())
    assert (answer.status_code, answer.get_data()) == (200, CONTENT)
    assert answer.headers["Cache-Control"] == "no-store, private"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="proof-7.pdf"'
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Content-Security-Policy"].startswith("sandbox; default-src 'none'")
    assert answer.headers["Accept-Ranges"] == "bytes"
    assert not {"ETag", "Last-Modified", "Set-Cookie"} & set(answer.headers.keys())
    head = served(app, stored(), "HEAD")
    assert (head.headers["Content-Length"], head.get_data()) == (str(len(CONTENT)), b"")
    picture = served(app, stored("image/jpeg"))
    assert picture.headers["Content-Disposition"] == 'inline; filename="proof-7.jpg"'
    assert (
        served(app, stored("image/jpeg"), download=True).headers["Content-Disposition"].startswith("attach")
    )


@pytest.mark.parametrize(
    ("asked", "start", "stop"),
    [
        ("bytes=0-0", 0, 1),
        ("bytes=65530-65545", 65530, 65546),
        ("bytes=255990-", 255990, 256000),
        ("bytes=-10", 255990, 256000),
        ("bytes=-999999", 0, 256000),
        ("bytes=100-999999", 100, 256000),
    ],
)
def test_a_range_is_sent_alone(app: Flask, asked: str, start: int, stop: int) -> None:
    answer = served(app, stored(), headers={"Range": asked})
    assert answer.get_data() == CONTENT[start:stop]
    assert answer.headers["Content-Length"] == str(stop - start)
    if stop - start < len(CONTENT):
        assert answer.status_code == 206
        assert answer.headers["Content-Range"] == f"bytes {start}-{stop - 1}/256000"


@pytest.mark.parametrize("asked", ["bytes=256000-", "bytes=0-1,5-6", "bytes=300000-300001"])
def test_what_is_not_there_and_several_ranges_are_refused(app: Flask, asked: str) -> None:
    with pytest.raises(RequestedRangeNotSatisfiable) as refused:
        served(app, stored(), headers={"Range": asked})
    assert ("Content-Range", "bytes */256000") in refused.value.get_headers()


@pytest.mark.parametrize("asked", ["lines=0-1", "bytes=x", "bytes=5-1"])
def test_a_header_that_is_no_range_is_as_good_as_none(app: Flask, asked: str) -> None:
    answer = served(app, stored(), headers={"Range": asked})
    assert (answer.status_code, answer.get_data()) == (200, CONTENT)


def test_the_readers_name_stands_across_the_picture_on_the_screen(app: Flask, tmp_path: Path) -> None:
    with app.app_context():
        place = competitions.competition().slug
        person = accounts.user(1)
        upload = uploads.ready(person, place, tmp_path, uploads.photo(1, 1600, 1200))
        preview = queries.stored(upload.id, FileRole.PREVIEW, 1)
        plain = b"".join(store.read(preview.sealed))
    answers = [served(app, preview, reader=name).get_data() for name in ("王试一", "李试二", "王试一")]
    assert answers[0] == answers[2] != answers[1] != plain
    with Image.open(io.BytesIO(answers[0])) as shown, Image.open(io.BytesIO(plain)) as original:
        assert shown.size == original.size
        difference = ImageStat.Stat(ImageChops.difference(shown.convert("RGB"), original.convert("RGB")))
        assert 1 < sum(difference.mean) / 3 < 40, "to be seen, and to be seen through"


def test_a_name_with_rare_characters_is_drawn_without_a_font_of_the_system(monkeypatch: Any) -> None:
    blank = io.BytesIO()
    Image.new("RGB", (400, 300), "white").save(blank, "JPEG")
    drawn = {marked(blank.getvalue(), name) for name in ("张喆", "张堃", "张玥", "张䶮", "张赟")}
    assert len(drawn) == 5, "no two of them are the same box"


def test_a_missing_object_is_told_before_the_answer_begins(app: Flask) -> None:
    file = stored()
    store.delete([file.sealed.key])
    with pytest.raises(store.FileMissingError):
        served(app, file)


def test_a_claimed_upload_is_no_longer_on_the_page(
    app: Flask, phone: FlaskClient, place: str, tmp_path: Path
) -> None:
    with app.app_context():
        person = accounts.user(1)
        upload = uploads.ready(person, place, tmp_path)
        with command(person) as ctx:
            service.claim(
                ctx,
                tokens=[upload.token],
                user_id=person.require_signed_in(),
                competition_id=competitions.queries.competition_id(place),
                purpose="proof",
            )
    assert upload.token not in phone.get(f"/c/{place}/uploads").text
    assert phone.post(f"/c/{place}/uploads/{upload.token}/discard").status_code == 409
