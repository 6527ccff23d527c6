"""Every file of the corpus becomes what the table says, or is refused in words that say why and what would be accepted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from babel.messages.pofile import read_po
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pikepdf import Array, Dictionary, Pdf, Stream
from PIL import Image, ImageColor

from app.files.cleaning import (
    Bounds,
    Cleaned,
    FileRefusedError,
    Limits,
    Note,
    Refusal,
    clean,
    clean_apart,
    refusals,
)
from app.files.cleaning.refusals import megabytes
from app.text import T
from tests.app.files.corpus import Bad, Good, Sample, samples
from tests.conftest import ROOT

CATALOGUE = ROOT / "app" / "translations" / "en" / "LC_MESSAGES" / "messages.po"
CORPUS = samples()
TAKEN = [each for each in CORPUS if isinstance(each.expected, Good)]
REFUSED = [each for each in CORPUS if isinstance(each.expected, Bad)]
HASTE = Bounds(seconds=2, patience=60)
LEADING_OUT = re.compile(
    r"/(AA|AF|EF|EmbeddedFiles?|JS|JavaScript|Launch|Metadata|OpenAction|PieceInfo|RichMedia|URI|XFA|OPI|Ref|Annots|AcroForm|Names|Outlines)"
)


@cache
def content(sample: Sample) -> bytes:
    return sample.make()


def cleaned(sample: Sample, folder: Path) -> Cleaned:
    source = folder / "sent"
    source.write_bytes(content(sample))
    if sample.apart:
        return clean_apart(source, folder, limits=sample.limits, name=sample.filename, bounds=HASTE)
    return clean(source, folder, limits=sample.limits, name=sample.filename)


@cache
def english() -> dict[str, str]:
    with CATALOGUE.open("rb") as file:
        return {str(message.id): str(message.string) for message in read_po(file)}


def in_english(text: T) -> str:
    return text.render(lambda msgid: english()[msgid])


def test_the_corpus_is_large_and_both_good_and_bad() -> None:
    assert len(CORPUS) >= 60
    assert min(len(TAKEN), len(REFUSED)) >= 30
    assert {each.expected.reason for each in REFUSED if isinstance(each.expected, Bad)} == set(Refusal)


@pytest.mark.parametrize("sample", TAKEN, ids=lambda each: each.name)
def test_a_good_file_becomes_a_clean_one(sample: Sample, tmp_path: Path) -> None:
    expected = sample.expected
    assert isinstance(expected, Good)
    result = cleaned(sample, tmp_path)
    assert (result.media_type, len(result.pages), result.notes) == (
        expected.media_type,
        expected.pages,
        tuple(sorted(expected.notes)),
    )
    if expected.size is not None:
        assert (result.pages[0].width, result.pages[0].height) == expected.size
    assert result.size == result.content.stat().st_size
    for page in result.pages:
        assert max(bare_picture(page.thumbnail).size) <= 240
        assert seen_alike(bare_picture(page.preview).size, (page.width, page.height))
    if expected.corners is not None:
        for place, (found, colour) in enumerate(
            zip(corners(result.pages[0].preview), expected.corners, strict=True)
        ):
            assert near(found, colour), f"corner {place}: {found} is not {colour}"
    if result.media_type == "image/jpeg":
        assert bare_picture(result.content).size == (result.pages[0].width, result.pages[0].height)
        assert b"secret" not in result.content.read_bytes()
    else:
        bare_document(result.content, expected.pages)


@pytest.mark.parametrize("sample", REFUSED, ids=lambda each: each.name)
def test_a_bad_file_is_refused_in_both_languages(sample: Sample, tmp_path: Path) -> None:
    expected = sample.expected
    assert isinstance(expected, Bad)
    with pytest.raises(FileRefusedError) as caught:
        cleaned(sample, tmp_path)
    refusal = caught.value
    assert refusal.reason is expected.reason
    assert expected.says in str(refusal.sentence)
    for sentence, hint in (
        (str(refusal.sentence), str(refusal.hint)),
        (in_english(refusal.sentence), in_english(refusal.hint)),
    ):
        assert sentence.endswith(("。", "."))
        assert re.search("JPEG|PDF", hint), f"what would be accepted is not in “{hint}”"
    assert not re.search("[\u4e00-\u9fff]", in_english(refusal.sentence) + in_english(refusal.hint))
    assert not list(tmp_path.glob("thumbnail-*"))


@pytest.mark.parametrize("sample", TAKEN[:: len(TAKEN) // 12], ids=lambda each: each.name)
def test_cleaning_what_is_clean_changes_nothing_that_is_seen(sample: Sample, tmp_path: Path) -> None:
    (tmp_path / "once").mkdir()
    (tmp_path / "twice").mkdir()
    once = cleaned(sample, tmp_path / "once")
    twice = clean(once.content, tmp_path / "twice")
    assert (twice.media_type, twice.notes) == (once.media_type, ())
    assert [(page.width, page.height) for page in twice.pages] == [
        (page.width, page.height) for page in once.pages
    ]
    for before, after in zip(corners(once.pages[0].preview), corners(twice.pages[0].preview), strict=True):
        assert max(abs(a - b) for a, b in zip(before, after, strict=True)) <= 4
    if once.media_type == "application/pdf":
        assert twice.sha256 == once.sha256


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_file_changed_anywhere_is_cleaned_or_refused(tmp_path: Path, data: st.DataObject) -> None:
    """In this process, so no HEIC: see the next test."""
    changed_somewhere(data, [each for each in TAKEN if "heic" not in each.name], tmp_path, clean)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_changed_heic_may_end_its_reader_but_not_us(tmp_path: Path, data: st.DataObject) -> None:
    """libheif has been seen to crash on one of about two hundred."""
    changed_somewhere(data, [each for each in TAKEN if "heic" in each.name], tmp_path, clean_apart)


def changed_somewhere(data: st.DataObject, among: list[Sample], folder: Path, by: Any) -> None:
    small = [each for each in among if len(content(each)) < 300_000 and each.expected.pages == 1]  # type: ignore[union-attr]  # all are good
    changed = bytearray(content(data.draw(st.sampled_from(small))))
    for _ in range(data.draw(st.integers(0, 8))):
        # half of them near the beginning, where the structure is
        place = data.draw(st.integers(0, min(len(changed), 500) - 1) | st.integers(0, len(changed) - 1))
        changed[place] = data.draw(st.integers(0, 255))
    if data.draw(st.booleans()):
        del changed[data.draw(st.integers(1, len(changed))) :]
    (folder / "sent").write_bytes(changed)
    try:
        result = by(folder / "sent", folder)
    except FileRefusedError:
        return
    assert result.pages[0].thumbnail.stat().st_size > 0


def test_limits_are_named_so_that_the_two_numbers_never_look_alike(tmp_path: Path) -> None:
    limit = 5 * 1024 * 1024
    (tmp_path / "sent").write_bytes(bytes(limit + 1))
    with pytest.raises(FileRefusedError) as caught:
        clean(tmp_path / "sent", tmp_path, limits=Limits(bytes=limit))
    assert str(caught.value.sentence) == "文件有 5.1 MB，超过了 5 MB 的上限。"
    assert in_english(caught.value.sentence) == "The file has 5.1 MB; the limit is 5 MB."
    assert (megabytes(limit - 1), megabytes(limit * 4)) == ("4.9", "20")


def test_the_sentences_for_a_word_document_read_well(tmp_path: Path) -> None:
    (tmp_path / "sent").write_bytes(b"PK\x03\x04 word/document.xml")
    with pytest.raises(FileRefusedError) as caught:
        clean(tmp_path / "sent", tmp_path, name="证明.docx")
    assert str(caught.value.sentence) == "这是 Word 文档（.docx），不能上传。"
    assert str(caught.value.hint) == "请上传照片（JPEG、PNG、HEIC、WebP）或 PDF。"
    assert in_english(caught.value.sentence) == "This is a Word document (.docx), which cannot be uploaded."
    assert in_english(caught.value.hint) == "Upload a photo (JPEG, PNG, HEIC, WebP) or a PDF."


@pytest.mark.parametrize(
    ("width", "height", "chinese", "english"),
    [
        (20_000, 10_100, "（约 2.02 亿像素），超过了 7000 万像素的上限", "(about 202 megapixels)"),
        (20_000, 10_000, "（约 2 亿像素），", "(about 200 megapixels)"),
        (10_000, 8_000, "（约 8000 万像素），", "(about 80 megapixels)"),
    ],
)
def test_the_size_of_a_picture_is_said_as_each_language_counts(
    width: int, height: int, chinese: str, english: str
) -> None:
    refusal = refusals.too_many_pixels(width, height, Limits().pixels)
    assert chinese in str(refusal.sentence)
    assert f"{english}; the limit is 70 megapixels." in in_english(refusal.sentence)
    assert "7000 万像素以内" in str(refusal.hint)


def test_a_refusal_can_be_kept_and_read_later_in_either_language(tmp_path: Path) -> None:
    (tmp_path / "sent").write_bytes(b"MZ" + bytes(20))
    with pytest.raises(FileRefusedError) as caught:
        clean(tmp_path / "sent", tmp_path, name="证明.jpg")
    kept = FileRefusedError.unpacked(caught.value.packed())
    assert (kept.reason, kept.sentence, kept.hint) == (
        caught.value.reason,
        caught.value.sentence,
        caught.value.hint,
    )
    assert (
        in_english(kept.sentence)
        == "The name ends with .jpg, but the content is a program, which cannot be uploaded."
    )


@pytest.mark.parametrize("note", list(Note))
def test_every_note_has_its_sentence(note: Note) -> None:
    assert str(note.sentence).endswith("。")
    assert in_english(note.sentence).endswith(".")


def test_text_of_a_photographed_sheet_stays_sharp(tmp_path: Path) -> None:
    """Lines as thin as the strokes of 8-point type on a sheet that fills a 12-megapixel photo."""
    sheet = Image.new("L", (3000, 4000), 255)
    for line in range(100, 3900, 20):
        sheet.paste(0, (100, line, 2900, line + 5))
    sheet.save(tmp_path / "sent", "JPEG", quality=92)
    with Image.open(clean(tmp_path / "sent", tmp_path).content) as kept:
        column = [kept.getpixel((1000, y)) for y in range(400, 800)]
    assert (min(column) < 40, max(column) > 215) == (True, True)  # type: ignore[type-var]  # of a grey picture


def bare_picture(path: Path) -> Image.Image:
    """A JPEG that holds a picture and nothing about it."""
    with Image.open(path) as image:
        image.load()
    assert (image.format, image.mode in {"L", "RGB"}, dict(image.getexif())) == ("JPEG", True, {})
    assert set(image.info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density"}
    return image


def corners(path: Path) -> list[tuple[int, int, int]]:
    with Image.open(path) as image:
        seen = image.convert("RGB")
    width, height = seen.size
    places = [(x, y) for y in (height // 5, height * 4 // 5) for x in (width // 5, width * 4 // 5)]
    return [seen.getpixel(place) for place in places]  # type: ignore[misc]  # of an RGB picture


def near(found: tuple[int, int, int], colour: str) -> bool:
    wanted = ImageColor.getrgb(colour)
    return all(abs(one - other) <= 24 for one, other in zip(found, wanted, strict=True))


def seen_alike(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """The same shape, within a pixel of rounding."""
    return abs(one[0] * other[1] - one[1] * other[0]) <= 2 * max(*one, *other)


def bare_document(path: Path, pages: int) -> None:
    """A PDF that two readers open, and in which nothing is left but what its pages show."""
    document = pypdfium2.PdfDocument(path)
    assert len(document) == pages
    assert document.get_metadata_dict(skip_empty=True) == {}
    document.close()
    with Pdf.open(path) as pdf:
        assert not pdf.is_encrypted
        assert set(pdf.Root.keys()) <= {"/Type", "/Pages", "/OCProperties"}
        assert "/Info" not in pdf.trailer
        for each in pdf.objects:
            for key, value in entries(each):
                assert not LEADING_OUT.fullmatch(key) or drawn(value), f"{key} of {each!r}"
                assert "secret" not in str(value if not isinstance(value, Stream) else "")
            if isinstance(each, Stream):
                assert b"secret" not in each.read_raw_bytes()
                assert b"Exif" not in each.read_raw_bytes()


def entries(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Dictionary | Stream):
        for key in set(value.keys()):
            yield key, value[key]
            if not getattr(value[key], "is_indirect", True):
                yield from entries(value[key])
    elif isinstance(value, Array):
        for inner in value:
            if not getattr(inner, "is_indirect", True):
                yield from entries(inner)


def drawn(value: Any) -> bool:
    """A glyph or picture that somebody gave such a name."""
    return isinstance(value, Stream)
