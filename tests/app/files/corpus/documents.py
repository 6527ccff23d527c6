"""PDFs that are taken, most of them with something that has to stay behind."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Iterator
from typing import Any

from pikepdf import (
    Array,
    AttachedFileSpec,
    Dictionary,
    Encryption,
    Name,
    ObjectStreamMode,
    OutlineItem,
    Page,
    Pdf,
    String,
)

from app.files.cleaning import Note
from tests.app.files.corpus.photos import exif
from tests.app.files.corpus.sample import CORNERS, DOCUMENT, SIZE, Good, Sample, jpeg

A4 = (595, 842)
SCRIPT = Dictionary(S=Name.JavaScript, JS="app.alert('secret')")
COLOURS = {"red": "1 0 0", "green": "0 0.5 0", "blue": "0 0 1", "yellow": "1 1 0"}


def quarters(width: int, height: int) -> bytes:
    """The card in the language of pages; their y goes upwards."""
    lines = []
    for place, colour in enumerate(CORNERS):
        left, bottom = (width // 2) * (place % 2), (height // 2) * (1 - place // 2)
        lines.append(f"{COLOURS[colour]} rg {left} {bottom} {width // 2 + 1} {height // 2 + 1} re f")
    return "\n".join(lines).encode()


def pdf(
    change: Callable[[Pdf], Any] = lambda pdf: None,
    *,
    pages: int = 1,
    size: tuple[int, int] = A4,
    **options: Any,
) -> bytes:
    """Pages that show the card, changed, and saved with ``options``."""
    with Pdf.new() as made:
        for _ in range(pages):
            made.add_blank_page(page_size=size)
            made.pages[-1].Contents = made.make_stream(quarters(*size))
        change(made)
        file = io.BytesIO()
        made.save(file, **options)
    return file.getvalue()


def annotated(*annotations: Dictionary) -> Callable[[Pdf], None]:
    def change(made: Pdf) -> None:
        made.pages[0].Annots = Array([made.make_indirect(each) for each in annotations])

    return change


def annotation(kind: str, **more: Any) -> Dictionary:
    return Dictionary(Type=Name.Annot, Subtype=Name("/" + kind), Rect=[100, 100, 200, 200], F=4, **more)


def appearance(made: Pdf, contents: bytes) -> Dictionary:
    stream = made.make_stream(contents, Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 100, 100])
    return Dictionary(N=stream)


def stamp(made: Pdf) -> None:
    """A seal that lies on the page as an annotation, over its upper left corner."""
    made.pages[0].Annots = Array(
        [
            made.make_indirect(
                Dictionary(
                    Type=Name.Annot,
                    Subtype=Name.Stamp,
                    Rect=[0, 421, 298, 842],
                    F=4,
                    AP=appearance(made, b"1 1 1 rg 0 0 100 100 re f"),
                )
            )
        ]
    )


def form(made: Pdf) -> None:
    """A filled field with scripts, and an XFA twin of the form."""
    field = made.make_indirect(
        Dictionary(
            Type=Name.Annot,
            Subtype=Name.Widget,
            FT=Name.Tx,
            T=String("name"),
            V=String("filled in"),
            Rect=[0, 421, 298, 842],
            F=4,
            AA=Dictionary(K=SCRIPT),
            AP=appearance(made, b"1 1 1 rg 0 0 100 100 re f"),
        )
    )
    made.pages[0].Annots = Array([field])
    made.Root.AcroForm = Dictionary(Fields=[field], XFA=made.make_stream(b"<xdp>secret</xdp>"))


def hidden_layer(made: Pdf) -> None:
    """A black sheet over everything, on a layer that is switched off."""
    layer = made.make_indirect(Dictionary(Type=Name.OCG, Name=String("sheet")))
    made.Root.OCProperties = Dictionary(OCGs=[layer], D=Dictionary(OFF=[layer], Order=[layer]))
    page = made.pages[0]
    page.Resources = Dictionary(Properties=Dictionary(L0=layer))
    page.contents_add(made.make_stream(b"/OC /L0 BDC 0 0 0 rg 0 0 595 842 re f EMC"))


def scanned(made: Pdf, *, packed: bool = False) -> None:
    """A photo that fills the page, with the phone's notes still in it."""
    photo = made.make_stream(
        b"",
        Type=Name.XObject,
        Subtype=Name.Image,
        Width=SIZE[0],
        Height=SIZE[1],
        ColorSpace=Name.DeviceRGB,
        BitsPerComponent=8,
    )
    content = jpeg(exif=exif(), comment=b"secret remark")
    if packed:
        photo.write(zlib.compress(content), filter=Array([Name.FlateDecode, Name.DCTDecode]))
    else:
        photo.write(content, filter=Name.DCTDecode)
    photo.Metadata = made.make_stream(b"<x>secret</x>", Type=Name.Metadata)
    page = made.pages[0]
    page.Resources = Dictionary(XObject=Dictionary(A=photo))
    page.Contents = made.make_stream(b"q 595 0 0 842 0 0 cm /A Do Q")


def attachment(made: Pdf) -> None:
    made.attachments["secret.exe"] = AttachedFileSpec(made, b"MZ secret program")


def metadata(made: Pdf) -> None:
    with made.open_metadata() as notes:
        notes["dc:creator"] = ["secret author"]
    made.docinfo["/Author"] = "secret author"
    made.pages[0].PieceInfo = Dictionary(Maker=Dictionary(Private=String("secret")))


def in_resources(made: Pdf) -> None:
    """Scripts and files hung where pages keep their fonts and marks; a glyph that is called AA stays."""
    glyph = made.make_stream(b"10 0 d0 0 0 10 10 re f")
    made.pages[0].Resources = Dictionary(
        Font=Dictionary(
            F=Dictionary(
                Type=Name.Font, Subtype=Name.Type3, FontBBox=[0, 0, 10, 10], FontMatrix=[1, 0, 0, 1, 0, 0],
                FirstChar=65, LastChar=65, Widths=[10], Encoding=Dictionary(Differences=[65, Name.AA]),
                CharProcs=Dictionary(AA=glyph), AF=Array([Dictionary(Type=Name.Filespec, F=String("secret"))]),
            )
        ),
        Properties=Dictionary(M=Dictionary(JS=String("secret"), A=SCRIPT)),
        ExtGState=Dictionary(G=Dictionary(Type=Name.ExtGState, AA=Dictionary(O=SCRIPT))),
    )  # fmt: skip


def outside_contents(made: Pdf) -> None:
    """A picture that is said to be in a file on the reader's disk."""
    picture = made.make_stream(
        bytes(3), Type=Name.XObject, Subtype=Name.Image, Width=1, Height=1, ColorSpace=Name.DeviceRGB,
        BitsPerComponent=8, F=String("/etc/passwd"), OPI=Dictionary(), Ref=Dictionary(F=String("secret.pdf")),
    )  # fmt: skip
    made.pages[0].Resources = Dictionary(XObject=Dictionary(P=picture))


def bookmarks(made: Pdf) -> None:
    with made.open_outline() as outline:
        outline.root.append(OutlineItem("secret", 0))
    made.Root.Names = Dictionary(JavaScript=Dictionary(Names=[String("x"), SCRIPT]))
    made.Root.AA = Dictionary(WC=SCRIPT)


def inherited(made: Pdf) -> None:
    """Box, resources and rotation given once for all pages."""
    page = made.pages[0].obj
    page.Parent.MediaBox = page.MediaBox
    page.Parent.Rotate = 90
    del page.MediaBox


def cropped(made: Pdf) -> None:
    Page(made.pages[0].obj).cropbox = Array([100, 100, 300, 300])


def samples() -> Iterator[Sample]:
    def good(
        *notes: Note,
        size: tuple[int, int] | None = A4,
        corners: tuple[str, ...] | None = CORNERS,
        pages: int = 1,
    ) -> Good:
        return Good(DOCUMENT, size, corners, notes, pages)

    def changed(name: str, change: Callable[[Pdf], Any], expected: Good) -> Sample:
        return Sample(name, lambda: pdf(change), expected)

    scripts, links, attached, drawn = (
        Note.SCRIPTS_REMOVED, Note.LINKS_REMOVED, Note.ATTACHMENTS_REMOVED, Note.FORM_FLATTENED,
    )  # fmt: skip
    white_first = ("white", *CORNERS[1:])
    yield Sample("plain.pdf", pdf, good(), "健康证明.pdf")
    yield Sample("pdf-called-jpg", pdf, good(Note.RENAMED), "证明.jpg")
    yield Sample("twenty-pages.pdf", lambda: pdf(pages=20), good(pages=20))
    yield Sample("packed-objects.pdf", lambda: pdf(object_stream_mode=ObjectStreamMode.generate), good())
    yield Sample("for-the-web.pdf", lambda: pdf(linearize=True), good())
    yield Sample("byte-order-mark.pdf", lambda: b"\xef\xbb\xbf" + pdf(), good())
    yield Sample("empty-line-first.pdf", lambda: b"\r\n" + pdf(), good())
    yield Sample("empty-lines-behind.pdf", lambda: pdf() + b"\n\0\0\n", good())
    yield Sample(
        "restricted.pdf", lambda: pdf(encryption=Encryption(owner="x", user="")), good(Note.DECRYPTED)
    )
    yield Sample(
        "restricted-rc4.pdf",
        lambda: pdf(encryption=Encryption(owner="x", user="", R=3, aes=False, metadata=False)),
        good(Note.DECRYPTED),
    )
    yield changed("open-action.pdf", lambda made: made.Root.update({"/OpenAction": SCRIPT}), good(scripts))
    yield changed(
        "page-action.pdf", lambda made: made.pages[0].obj.update({"/AA": Dictionary(O=SCRIPT)}), good(scripts)
    )
    yield changed("bookmarks-and-names.pdf", bookmarks, good(scripts))
    yield changed(
        "launch.pdf",
        annotated(annotation("Link", A=Dictionary(S=Name.Launch, F=String("secret.exe")))),
        good(links, scripts),
    )
    yield changed(
        "link.pdf",
        annotated(annotation("Link", A=Dictionary(S=Name.URI, URI=String("http://secret.example")))),
        good(links),
    )
    yield changed(
        "rich-media.pdf", annotated(annotation("RichMedia", RichMediaContent=Dictionary())), good(scripts)
    )
    yield changed(
        "file-on-the-page.pdf",
        annotated(annotation("FileAttachment", FS=Dictionary(F=String("secret")))),
        good(attached),
    )
    yield changed("attachment.pdf", attachment, good(attached))
    yield changed("metadata.pdf", metadata, good())
    yield changed("form.pdf", form, good(drawn, scripts, corners=white_first))
    yield changed("stamp.pdf", stamp, good(drawn, corners=white_first))
    yield changed("hidden-layer.pdf", hidden_layer, good())
    yield changed("scanned.pdf", scanned, good())
    yield changed("scanned-packed.pdf", lambda made: scanned(made, packed=True), good())
    yield changed("in-resources.pdf", in_resources, good())
    yield changed("outside-contents.pdf", outside_contents, good())
    yield changed("inherited.pdf", inherited, good(size=A4[::-1], corners=("blue", "red", "yellow", "green")))
    yield changed("cropped.pdf", cropped, good(size=(200, 200), corners=None))
    yield Sample("a-stamp-of-3-cm.pdf", lambda: pdf(size=(85, 85)), good(size=(85, 85)))
    yield changed(
        "box-of-three-numbers.pdf",  # readers take letter size then
        lambda made: made.pages[0].obj.update({"/MediaBox": Array([0, 0, 595])}),
        good(size=(612, 792), corners=None),
    )
    yield Sample("poster.pdf", lambda: pdf(size=(2384, 3370)), good(size=(2384, 3370)))
