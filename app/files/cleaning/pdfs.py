"""A PDF becomes a new PDF of its pages, and each page a preview and a thumbnail.

A new document is begun and only what shows a page is taken over: its contents, its resources, its boxes. Scripts,
actions, links, forms, attachments, bookmarks, layers' scripts and metadata hang on other branches and stay behind; what
forms and notes show is first drawn into the page. Within the resources, the few keys that lead outside are removed.
"""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream

from app.files.cleaning import refusals
from app.files.cleaning.ends import without_notes
from app.files.cleaning.kinds import Kind, require_harmless_rest
from app.files.cleaning.pictures import fitted, save_views
from app.files.cleaning.results import MEGABYTE, CleanedPage, Limits, Made, Note

PAGE_KEYS = frozenset(
    {"/Type", "/Parent", "/MediaBox", "/CropBox", "/Rotate", "/UserUnit", "/Resources", "/Contents", "/Group"}
)
FOREIGN_KEYS = frozenset(
    {
        "/AA", "/AF", "/EF", "/EmbeddedFile", "/EmbeddedFiles", "/JS", "/JavaScript", "/Launch", "/Metadata", "/OPI",
        "/OpenAction", "/PieceInfo", "/RichMedia", "/URI", "/XFA",
    }
)  # fmt: skip
"""Removed wherever they are met among the resources."""
STREAM_KEYS = FOREIGN_KEYS | {
    "/A", "/Alternates", "/F", "/FDecodeParms", "/FFilter", "/LastModified", "/PS", "/Ref", "/StructParent", "/StructParents",
}  # fmt: skip
"""Removed from streams besides: contents in a file outside, other versions of a picture (ISO 32000-1, tables 5, 89 and 95).
In other dictionaries such a name may be a font's glyph or the name of a picture."""
LONGEST_SIDE = 14_400
SHORTEST_SIDE = 18
"""Points (1/72 inch): 200 inches is the most a page may have (ISO 32000-1, annex C)."""
LARGEST_STREAM = 64 * MEGABYTE
"""Of what has to be decompressed to read the document; its pictures are not."""
PREVIEW = (1800, 900, 2_600_000)
"""Larger than a photo's: it is what the reader of a PDF zooms into."""
FINEST = 8
"""Pixels per point at most, for stamps of a few centimetres."""
BROKEN = (pikepdf.PikepdfError, zlib.error, ValueError, TypeError, LookupError, RuntimeError, ArithmeticError)
"""What qpdf and its objects raise on files that are not what they claim to be."""
OBJECT = re.compile(rb"\b\d+ \d+ obj\b")
"""Begins an object of the document: none comes after the last end of a whole one."""
DROPPED = frozenset(
    {"/Link", "/Popup", "/FileAttachment", "/RichMedia", "/Screen", "/Movie", "/Sound", "/3D", "/TrapNet"}
)
"""Annotations that show nothing of the document itself; the others are drawn into the page."""


def make(source: Path, folder: Path, limits: Limits, notes: set[Note]) -> Made:
    """Raises ``FileRefusedError``."""
    content = source.read_bytes()
    end = content.rfind(b"%%EOF")
    rest = content[end + 5 :]
    # qpdf would make a document of whatever pages it finds, and nobody would know that there were more
    if end < 0 or OBJECT.search(rest):
        raise refusals.truncated()
    require_harmless_rest(Kind.PDF, rest)
    made = folder / "content.pdf"
    try:
        with _bounded():
            _rewrite(source, made, limits, notes)
    except pikepdf.PasswordError as error:
        raise refusals.password() from error
    except BROKEN as error:
        raise refusals.damaged(Kind.PDF.label) from error
    pages = tuple(_views(made, folder))
    return Made("application/pdf", made, pages, tuple(sorted(notes)))


@contextmanager
def _bounded() -> Iterator[None]:
    """qpdf decompresses no more than ``LARGEST_STREAM`` at once; the limit is the process's, so it is put back."""
    before: dict[str, Any] = pikepdf.settings.set_qpdf_limits(
        flate_max_memory=LARGEST_STREAM,
        png_max_memory=LARGEST_STREAM,
        run_length_max_memory=LARGEST_STREAM,
        tiff_max_memory=LARGEST_STREAM,
    )
    try:
        yield
    finally:
        pikepdf.settings.set_qpdf_limits(**before)


def _rewrite(source: Path, made: Path, limits: Limits, notes: set[Note]) -> None:
    with Pdf.open(source) as sent, Pdf.new() as fresh:
        if len(sent.pages) > limits.pages:
            raise refusals.too_many_pages(len(sent.pages), limits)
        if not len(sent.pages):
            raise refusals.no_pages()
        if sent.is_encrypted:
            notes.add(Note.DECRYPTED)
        _note_document(sent.Root, notes)
        _draw_annotations(sent, notes)
        for number, page in enumerate(sent.pages, start=1):
            if "/AA" in page:
                notes.add(Note.SCRIPTS_REMOVED)
            fresh.pages.append(page)
            kept = fresh.pages[-1].obj
            for key in set(kept.keys()) - PAGE_KEYS:
                del kept[key]
            _require_size(kept, number)
        layers = sent.Root.get("/OCProperties")
        if isinstance(layers, Dictionary):  # says which layers are hidden
            fresh.Root.OCProperties = fresh.copy_foreign(sent.make_indirect(layers))
        _strip(fresh, limits)
        fresh.remove_unreferenced_resources()
        fresh.save(
            made,
            stream_decode_level=pikepdf.StreamDecodeLevel.none,
            object_stream_mode=pikepdf.ObjectStreamMode.generate,
            deterministic_id=True,
            fix_metadata_version=False,
        )


def _note_document(root: Object, notes: set[Note]) -> None:
    names = root.get("/Names", Dictionary())
    form = root.get("/AcroForm", Dictionary())
    if {"/OpenAction", "/AA"} & set(root.keys()) or "/JavaScript" in names or "/XFA" in form:
        notes.add(Note.SCRIPTS_REMOVED)
    if {"/AF", "/Collection"} & set(root.keys()) or "/EmbeddedFiles" in names:
        notes.add(Note.ATTACHMENTS_REMOVED)


def _draw_annotations(sent: Pdf, notes: set[Note]) -> None:
    """Make what forms, stamps and remarks show part of the page; the rest of them goes."""
    found = False
    for page in sent.pages:
        annotations = page.obj.get("/Annots")
        if annotations is None:
            continue
        shown = Array()
        for each in annotations if isinstance(annotations, Array) else ():
            if not isinstance(each, Dictionary):
                continue
            action = each.get("/A")
            kind = str(each.get("/Subtype", ""))
            if kind == "/FileAttachment":
                notes.add(Note.ATTACHMENTS_REMOVED)
            elif kind == "/Link":
                notes.add(Note.LINKS_REMOVED)
            elif kind in DROPPED - {"/Popup"} or "/AA" in each or isinstance(action, Dictionary):
                notes.add(Note.SCRIPTS_REMOVED)
            if isinstance(action, Dictionary) and str(action.get("/S", "")) in {"/JavaScript", "/Launch"}:
                notes.add(Note.SCRIPTS_REMOVED)
            if kind not in DROPPED:
                shown.append(each)
        found |= bool(len(shown))
        page.obj.Annots = shown
    if found:
        notes.add(Note.FORM_FLATTENED)
        form = sent.Root.get("/AcroForm")
        if isinstance(form, Dictionary) and form.get("/NeedAppearances", False):
            sent.generate_appearance_streams()
        sent.flatten_annotations("screen")


def _require_size(page: Dictionary, number: int) -> None:
    """Raises ``FileRefusedError`` for a page nobody could look at."""
    if "/MediaBox" not in page:
        page.MediaBox = Array([0, 0, 612, 792])  # what readers assume
    unit = _number(page.get("/UserUnit", 1))
    for box in ("/MediaBox", "/CropBox"):
        if box not in page:
            continue
        corners = [_number(each) for each in page[box]] if isinstance(page[box], Array) else []
        if len(corners) != 4:
            raise refusals.page_size(number)
        sides = [abs(corners[2] - corners[0]) * unit, abs(corners[3] - corners[1]) * unit]
        if not all(SHORTEST_SIDE <= side <= LONGEST_SIDE for side in sides):
            raise refusals.page_size(number)


def _number(value: Any) -> float:
    return float(value) if isinstance(value, int | float | Decimal) else math.nan


def _strip(fresh: Pdf, limits: Limits) -> None:
    """Remove what leads outside from everything the pages use, each object once, however they refer to each other."""
    seen: set[tuple[int, int]] = set()
    waiting: list[Object] = [fresh.Root]
    while waiting:
        each = waiting.pop()
        if each.is_indirect:
            if each.objgen in seen:
                continue
            seen.add(each.objgen)
        if isinstance(each, Array):
            waiting.extend(_composite(each))
            continue
        for key in set(each.keys()) & (STREAM_KEYS if isinstance(each, Stream) else FOREIGN_KEYS):
            if isinstance(each, Stream) or not _is_drawn(each[key]):
                del each[key]
        if isinstance(each, Stream):
            _strip_stream(each, limits)
        elif isinstance(each.get("/Properties"), Dictionary):
            _keep_layers(each.Properties)
        waiting.extend(_composite(each[key] for key in set(each.keys())))


def _composite(values: Iterable[Any]) -> Iterator[Object]:
    """Those that hold others."""
    return (each for each in values if isinstance(each, Dictionary | Stream | Array))


def _is_drawn(value: Any) -> bool:
    """Whether a name that looks dangerous is only the name of a glyph, a picture or a font."""
    kind = str(value.get("/Type", "")) if isinstance(value, Dictionary | Stream) else ""
    return kind == "/Font" or (isinstance(value, Stream) and kind not in {"/Metadata", "/EmbeddedFile"})


def _keep_layers(properties: Object) -> None:
    """Marks within contents may carry anything; layers are the ones that decide what is seen."""
    for key in list(properties.keys()):
        value = properties[key]
        if not isinstance(value, Dictionary) or str(value.get("/Type", "")) not in {"/OCG", "/OCMD"}:
            del properties[key]


def _strip_stream(stream: Stream, limits: Limits) -> None:
    kind = str(stream.get("/Subtype", ""))
    if kind == "/PS":  # PostScript for printers
        stream.write(b"")
    elif kind == "/Image":
        width, height = (_number(stream.get(key, 0)) for key in ("/Width", "/Height"))
        one_bit = stream.get("/ImageMask", False) or stream.get("/BitsPerComponent", 8) == 1
        most = limits.pixels * (8 if one_bit else 1)
        if width * height > most:
            raise refusals.too_many_pixels(int(width), int(height), most)
        _strip_photo(stream)


def _strip_photo(stream: Stream) -> None:
    """Take EXIF, with its place and time, out of a photo that a phone put into the PDF."""
    filters = stream.get("/Filter")
    names = [str(each) for each in filters] if isinstance(filters, Array) else [str(filters)]
    if names == ["/FlateDecode", "/DCTDecode"]:
        unpacking = zlib.decompressobj()
        photo = unpacking.decompress(stream.read_raw_bytes(), LARGEST_STREAM)
        if not unpacking.eof:
            raise refusals.too_heavy()
    elif names == ["/DCTDecode"]:
        photo = stream.read_raw_bytes()
    else:
        return
    parameters = stream.get("/DecodeParms")
    if isinstance(parameters, Array):
        parameters = parameters[-1] if len(parameters) else None
    stream.write(
        without_notes(photo),
        filter=Name.DCTDecode,
        decode_parms=parameters if isinstance(parameters, Dictionary) else None,
    )


def _views(made: Path, folder: Path) -> Iterator[CleanedPage]:
    """Preview and thumbnail of each page of what is kept, so that the pictures show what is stored."""
    try:
        with closing(pypdfium2.PdfDocument(made)) as document:
            for number in range(1, len(document) + 1):
                with closing(document[number - 1]) as page:
                    size = (max(1, round(page.get_width())), max(1, round(page.get_height())))
                    pixels = fitted((size[0] * FINEST, size[1] * FINEST), *PREVIEW)
                    with closing(
                        page.render(
                            scale=pixels[0] / size[0],
                            may_draw_forms=False,
                            draw_annots=False,
                            rev_byteorder=True,
                        )
                    ) as bitmap:
                        image = bitmap.to_pil().convert("RGB")
                yield save_views(image, folder, number, image.size, size)
    except (pypdfium2.PdfiumError, ValueError, OSError) as error:
        raise refusals.damaged(Kind.PDF.label) from error
