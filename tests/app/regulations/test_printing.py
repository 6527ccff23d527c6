"""A regulation on paper (规程 PDF): what stands on it, that nothing typed is read as markup, and its answer over HTTP."""

from __future__ import annotations

import io

import pytest
from flask import Flask
from flask.testing import FlaskClient
from pypdf import PdfReader

from app.regulations import library
from app.web import printing
from tests.factories import amendments, competitions, registrations

A4_POINTS = (595, 842)
MARKUP = '#panic("x") $x^2$ *b* _i_ <l> @r \\ [c] // c'


def text_of(content: bytes) -> str:
    """All words of a PDF without the spaces and line ends that setting puts between them."""
    read = PdfReader(io.BytesIO(content))
    return "".join("".join(page.extract_text() for page in read.pages).split())


def without_spaces(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("regulation_id", library.shipped())
@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_shipped_regulation_is_set_on_a4_with_its_pages_numbered(
    client: FlaskClient, regulation_id: str, language: str
) -> None:
    answer = client.get(f"/regulations/{regulation_id}.pdf?lang={language}")
    assert answer.status_code == 200
    assert answer.mimetype == "application/pdf"
    read = PdfReader(io.BytesIO(answer.data))
    assert {(round(page.mediabox.width), round(page.mediabox.height)) for page in read.pages} == {A4_POINTS}
    count = len(read.pages)
    assert f"{count}/{count}" in without_spaces(read.pages[-1].extract_text())
    text = text_of(answer.data)
    regulation = library.load(regulation_id)
    assert without_spaces(regulation.name(language)) in text
    assert regulation.sha256 in text


def test_dates_windows_penalties_and_readings_are_on_it(client: FlaskClient) -> None:
    text = text_of(client.get("/regulations/beach-games-landlord-2021.pdf?lang=zh").data)
    for said in (
        "2021年10月31日（周日）18:00（含当秒）",
        "公示期为2021年11月1日（周一）至2021年11月5日（周五）24:00",
        "即2021年11月27日（周六）及以后采样",
        "先比总得分，相同的再比胜局数",
        "500元；成功退还，败诉不退",
        "四(二)8(十)",
        "I-A-14",
    ):
        assert said in text


def test_level_tables_are_on_it_row_by_row(client: FlaskClient) -> None:
    text = text_of(client.get("/regulations/baiyun-tractor-2016.pdf?lang=zh").data)
    for row in ("120至175防家上台，不升级", "180至235防家上台，升1级", "−55至0庄家升3级"):
        assert row in text


def test_an_events_version_carries_its_number_its_notices_and_its_hash(
    app: Flask, client: FlaskClient
) -> None:
    with app.app_context():
        registrations.competition()
        edition = amendments.published("beach", amendments.date("play_to", "2021-12-06"), reason="场馆改期")
    text = text_of(client.get("/c/beach/regulation/versions/2.pdf?lang=zh").data)
    assert "第2版" in text
    assert "场馆改期" in text
    assert "2021年12月6日（周一）" in text
    assert edition.sha256 in text
    first = text_of(client.get("/c/beach/regulation/versions/1.pdf?lang=zh").data)
    assert "场馆改期" not in first
    assert "2021年12月5日（周日）" in first


def test_what_people_typed_is_set_as_it_stands(app: Flask, client: FlaskClient) -> None:
    with app.app_context():
        competitions.competition(slug="marks", name=f"赛 {MARKUP}")
        amendments.published("marks", amendments.date("play_to", "2021-12-06"), reason=f"因 {MARKUP}")
    text = text_of(client.get("/c/marks/regulation/versions/2.pdf?lang=zh").data)
    assert without_spaces(f"赛 {MARKUP}") in text
    assert without_spaces(f"因 {MARKUP}") in text


def test_the_same_sheet_is_not_sent_again_and_has_the_same_bytes(client: FlaskClient) -> None:
    url = "/regulations/dongcheng-go-2021.pdf?lang=zh"
    first = client.get(url)
    assert client.get(url).data == first.data
    again = client.get(url, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert client.get("/regulations/dongcheng-go-2021.pdf?lang=en").headers["ETag"] != first.headers["ETag"]


def test_a_machine_without_a_chinese_font_sets_in_the_one_that_comes_with_the_program(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(printing, "families", lambda: frozenset({"DejaVu Sans Mono"}))
    answer = client.get("/regulations/dongcheng-go-2021.pdf?lang=zh")
    assert answer.status_code == 200
    page = PdfReader(io.BytesIO(answer.data)).pages[0]
    fonts = {str(font.get_object()["/BaseFont"]) for font in page["/Resources"]["/Font"].values()}
    assert any("NotoSansSC" in font for font in fonts)
    assert "围棋" in text_of(answer.data)


def test_an_unknown_regulation_is_not_printed(client: FlaskClient) -> None:
    assert client.get("/regulations/nobody.pdf").status_code == 404
