"""What people send becomes safe to show, or is refused with a sentence that says why and what would be accepted."""

from __future__ import annotations

from pathlib import Path

import pytest
from pikepdf import Dictionary, Name, Pdf
from PIL import Image

from app.files.cleaning import FileRefusedError, Note, Refusal, clean_apart


def test_a_photo_is_turned_upright_and_loses_what_the_phone_wrote_about_it(tmp_path: Path) -> None:
    photo = Image.new("RGB", (400, 300), "blue")
    photo.paste("red", (0, 0, 200, 300))
    exif = Image.Exif()
    exif[0x0112] = 6
    exif.get_ifd(0x8825)[2] = (31.0, 14.0, 0.0)
    photo.save(tmp_path / "photo", "JPEG", exif=exif, comment=b"somebody's name")
    cleaned = clean_apart(tmp_path / "photo", tmp_path)
    with Image.open(cleaned.content) as kept:
        assert (kept.size, kept.getexif(), set(kept.info)) == (
            (300, 400),
            {},
            {"jfif", "jfif_version", "jfif_unit", "jfif_density"},
        )
        red, _, blue = kept.convert("RGB").getpixel((150, 20))
        assert (red > 200, blue < 50) == (True, True)
    assert (cleaned.pages[0].width, cleaned.pages[0].height) == (300, 400)


def test_a_pdf_keeps_its_pages_and_loses_its_scripts(tmp_path: Path) -> None:
    with Pdf.new() as pdf:
        pdf.add_blank_page(page_size=(595, 842))
        pdf.Root.OpenAction = Dictionary(S=Name.JavaScript, JS="app.alert(1)")
        pdf.save(tmp_path / "sent")
    cleaned = clean_apart(tmp_path / "sent", tmp_path)
    assert cleaned.notes == (Note.SCRIPTS_REMOVED,)
    with Pdf.open(cleaned.content) as kept:
        assert len(kept.pages) == len(cleaned.pages) == 1
        assert set(kept.Root.keys()) == {"/Type", "/Pages"}


def test_a_document_called_a_photo_is_named_for_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "sent").write_bytes(b"PK\x03\x04 word/document.xml")
    with pytest.raises(FileRefusedError) as caught:
        clean_apart(tmp_path / "sent", tmp_path, name="证明.JPG")
    assert caught.value.reason is Refusal.NOT_ACCEPTED
    assert str(caught.value.sentence) == "文件名以 .jpg 结尾，但内容是Word 文档（.docx），不能上传。"
    assert str(caught.value.hint) == "请上传照片（JPEG、PNG、HEIC、WebP）或 PDF。"
