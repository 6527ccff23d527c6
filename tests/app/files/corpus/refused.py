"""Files that are refused."""

from __future__ import annotations

import io
import random
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator

from pikepdf import Array, Dictionary, Encryption, Name, Pdf

from app.files.cleaning import Limits, Refusal
from tests.app.files.corpus.documents import pdf
from tests.app.files.corpus.photos import chunk, heic, png
from tests.app.files.corpus.sample import Bad, Sample, card, encoded, jpeg

PAGE = b"<!DOCTYPE html><html><body><script>alert(1)</script></body></html>"
DRAWING = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


def archive(*names: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        for name in names or ("a.txt",):
            made.writestr(zipfile.ZipInfo(name), "made up")
    return file.getvalue()


def tar() -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as made:
        made.addfile(tarfile.TarInfo("a.txt"))
    return file.getvalue()


def noise(size: int = 5000) -> bytes:
    return b"\x9b\0\x07" + random.Random(1).randbytes(size)


def resized_header(content: bytes, width: int, height: int) -> bytes:
    """A JPEG whose header claims another size."""
    at = content.index(b"\xff\xc0")
    return content[: at + 5] + struct.pack(">HH", height, width) + content[at + 9 :]


def enlarged_webp() -> bytes:
    """A lossless WebP whose header claims 16,383 × 12,300 pixels (two numbers of 14 bits, each one less)."""
    content = encoded(card(), "WEBP", lossless=True)
    at = content.index(b"VP8L") + 9
    rest = int.from_bytes(content[at : at + 4], "little") >> 28
    claimed = 16_382 | 12_299 << 14 | rest << 28
    return content[:at] + claimed.to_bytes(4, "little") + content[at + 4 :]


def bomb() -> bytes:
    """1.6 billion pixels in a few hundred kB, all of them there."""
    header = struct.pack(">IIBBBBB", 40_000, 40_000, 1, 0, 0, 0, 0)
    packed = chunk(b"IDAT", spaces(192, b"\0"))  # 40,000 rows of 5,001 bytes, and a little more
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + packed + chunk(b"IEND", b"")


def damaged_png() -> bytes:
    content = encoded(card(), "PNG")
    at = content.index(b"IDAT") + 60
    return content[:at] + bytes(200) + content[at + 200 :]


def text_bomb() -> bytes:
    """A profile and a remark within a PNG that unpack to 200 MB each."""
    rows = (b"\0" + bytes(300)) * 100
    packed = b"x\0\0" + spaces(200)
    return png(100, 100, 8, 2, rows, rest=chunk(b"iCCP", packed) + chunk(b"zTXt", packed))


def pages_in_a_circle() -> bytes:
    def change(made: Pdf) -> None:
        tree = made.Root.Pages
        inner = made.make_indirect(Dictionary(Type=Name.Pages, Count=1, Parent=tree))
        inner.Kids = Array([tree])
        tree.Kids.append(inner)

    with Pdf.new() as made:
        made.add_blank_page()
        change(made)
        file = io.BytesIO()
        made.save(file)
    return file.getvalue()


def without_pages() -> bytes:
    return pdf(pages=0)


def boxed(*box: float) -> Callable[[], bytes]:
    return lambda: pdf(lambda made: made.pages[0].obj.update({"/MediaBox": Array(box)}))


def spaces(megabytes: int, byte: bytes = b" ") -> bytes:
    """One byte over and over, compressed by repeating one compressed piece; the checksum at its end is wrong, which no reader asks."""
    packing = zlib.compressobj(9, wbits=-15)
    piece = packing.compress(byte * (1 << 20)) + packing.flush(zlib.Z_FULL_FLUSH)
    return b"\x78\xda" + piece * megabytes + b"\x03\0" + bytes(4)


def contents_bomb() -> bytes:
    """A page whose contents unpack to 2 GB."""

    def change(made: Pdf) -> None:
        made.pages[0].Contents.write(spaces(2048), filter=Name.FlateDecode)

    return pdf(change)


def object_bomb() -> bytes:
    """Objects packed in a stream that unpacks to 200 MB."""
    packed = spaces(200)
    parts = [b"%PDF-1.5\n"]
    parts.append(b"1 0 obj <</Type/ObjStm/N 1/First 4/Filter/FlateDecode/Length %d>> stream\n" % len(packed))
    parts += [packed, b"\nendstream endobj\n"]
    at = sum(map(len, parts))
    rows = struct.pack(">BIB", 0, 0, 0) + struct.pack(">BIB", 1, 9, 0) + struct.pack(">BIB", 2, 1, 0)
    rows += struct.pack(">BIB", 1, at, 0)
    parts.append(
        b"3 0 obj <</Type/XRef/Size 4/W[1 4 1]/Root 2 0 R/Length %d>> stream\n%b\nendstream endobj\n"
        % (len(rows), rows)
    )
    parts.append(b"startxref\n%d\n%%%%EOF" % at)
    return b"".join(parts)


def laughing_forms() -> bytes:
    """Each form draws the next one ten times, twelve deep."""

    def change(made: Pdf) -> None:
        inner = made.make_stream(b"0 0 1 1 re f", Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 600, 900])
        for _ in range(12):
            inner = made.make_stream(
                b"/X Do " * 10,
                Type=Name.XObject,
                Subtype=Name.Form,
                BBox=[0, 0, 600, 900],
                Resources=Dictionary(XObject=Dictionary(X=inner)),
            )
        made.pages[0].Resources = Dictionary(XObject=Dictionary(X=inner))
        made.pages[0].Contents = made.make_stream(b"/X Do")

    return pdf(change)


def huge_picture() -> bytes:
    def change(made: Pdf) -> None:
        picture = made.make_stream(
            zlib.compress(bytes(1000)), Type=Name.XObject, Subtype=Name.Image, Width=20_000, Height=10_000,
            ColorSpace=Name.DeviceRGB, BitsPerComponent=8, Filter=Name.FlateDecode,
        )  # fmt: skip
        made.pages[0].Resources = Dictionary(XObject=Dictionary(X=picture))

    return pdf(change)


def iso(brand: bytes) -> bytes:
    return b"\0\0\0\x14ftyp" + brand + b"\0\0\0\0" + brand + b"\0\0\0\x08mdat"


def samples() -> Iterator[Sample]:
    yield from _other_kinds()
    yield from _two_things_at_once()
    yield from _broken()
    yield from _too_much()


def _other_kinds() -> Iterator[Sample]:
    def other(name: str, content: bytes | Callable[[], bytes], says: str, filename: str = "") -> Sample:
        make = content if callable(content) else lambda: content
        return Sample(name, make, Bad(Refusal.NOT_ACCEPTED, says), filename)

    yield other("text.txt", b"just a few words", "文字文件")
    yield other("chinese-text.txt", "一段文字，没有图片。".encode("gb18030"), "文字文件")
    yield other("page.html", PAGE, "网页")
    yield other("page-called-jpg", b"\xef\xbb\xbf  " + PAGE, "文件名以 .jpg 结尾，但内容是网页", "photo.jpg")
    yield other("drawing.svg", DRAWING, "SVG 图片")
    yield other("drawing-called-png", b'<?xml version="1.0"?>\n<!-- -->' + DRAWING, "SVG 图片", "a.png")
    yield other("still.gif", lambda: encoded(card(), "GIF"), "GIF 动图")
    yield other(
        "gif-and-program", lambda: encoded(card(), "GIF") + archive("META-INF/MANIFEST.MF"), "GIF 动图"
    )
    yield other("picture.bmp", lambda: encoded(card(), "BMP"), "BMP 图片")
    yield other("picture.tiff", lambda: encoded(card(), "TIFF"), "TIFF 图片")
    yield other("picture.ico", lambda: encoded(card(64, 64), "ICO"), "图标文件")
    yield other("picture.avif", lambda: encoded(card(), "AVIF"), "AVIF 图片")
    yield other("picture.jp2", lambda: encoded(card(), "JPEG2000"), "JPEG 2000 图片")
    yield other("picture.psd", b"8BPS\0\x01" + bytes(100), "Photoshop")
    yield other(
        "letter.docx", lambda: archive("[Content_Types].xml", "word/document.xml"), "Word 文档（.docx）"
    )
    yield other(
        "letter-called-pdf",
        lambda: archive("word/document.xml"),
        "文件名以 .pdf 结尾，但内容是 Word",
        "a.PDF",
    )
    yield other("table.xlsx", lambda: archive("xl/workbook.xml"), "Excel 表格")
    yield other("slides.pptx", lambda: archive("ppt/presentation.xml"), "PowerPoint")
    yield other("certificate.ofd", lambda: archive("OFD.xml"), "OFD 版式文件")
    yield other("program.jar", lambda: archive("META-INF/MANIFEST.MF"), "程序")
    yield other("archive.zip", archive, "压缩包")
    yield other("zip-called-jpg", archive, "文件名以 .jpg 结尾，但内容是压缩包", "a.jpg")
    yield other("archive.rar", b"Rar!\x1a\x07\x01\0" + bytes(50), "压缩包")
    yield other("archive.7z", b"7z\xbc\xaf\x27\x1c" + bytes(50), "压缩包")
    yield other("archive.tar", tar, "压缩包")
    yield other("archive.gz", zlib.compress(b"x", wbits=31), "压缩包")
    yield other("old-letter.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "旧版 Word、Excel 或 WPS")
    yield other("letter.rtf", b"{\\rtf1 made up}", "RTF 文档")
    yield other("page.ps", b"%!PS-Adobe-3.0\n", "PostScript")
    yield other("program.exe", b"MZ\x90\0" + bytes(100), "程序")
    yield other("program", b"\x7fELF\x02\x01\x01" + bytes(100), "程序")
    yield other("script.sh", b"#!/bin/sh\nrm -rf /\n", "程序")
    yield other("live-photo.mov", iso(b"qt  "), "实况照片的视频部分", "IMG_0001.MOV")
    yield other("old.mov", b"\0\0\0\x08wide\0\0\0\x08mdat", "（.mov）")
    yield other("film.mp4", iso(b"isom"), "视频")
    yield other("film.mkv", b"\x1aE\xdf\xa3" + bytes(60), "视频")
    yield other("voice.m4a", iso(b"M4A "), "录音")
    yield other("voice.wav", b"RIFF\x24\0\0\0WAVEfmt " + bytes(30), "录音")
    yield other("song.mp3", b"ID3\x04" + bytes(100), "录音")
    yield other("noise", noise, "文件", "photo.heic")
    yield other(
        "something-before.pdf",
        lambda: PAGE[:40].replace(b"<", b"(") + b"\0" + pdf(),
        "前面夹带了其他内容的 PDF",
    )


def _two_things_at_once() -> Iterator[Sample]:
    def mixed(name: str, make: Callable[[], bytes], says: str) -> Sample:
        return Sample(name, make, Bad(Refusal.MIXED, says))

    yield mixed("jpg-and-zip", lambda: jpeg() + archive(), "JPEG 图片，里面又藏着压缩包")
    yield mixed("jpg-and-rar", lambda: jpeg() + b"\0\0Rar!\x1a\x07\0", "压缩包")
    yield mixed("jpg-and-page", lambda: jpeg() + b"\n" + PAGE, "网页")
    yield mixed("jpg-and-php", lambda: jpeg() + b"<?php system($_GET['c']); ?>", "网页")
    yield mixed("jpg-and-program", lambda: jpeg() + b"MZ\x90\0" + bytes(50), "程序")
    yield mixed("jpg-and-pdf", lambda: jpeg(comment=b"%PDF-1.4"), "PDF 文件")
    yield mixed("jpg-and-pdf-behind", lambda: jpeg() + pdf(), "PDF 文件")
    yield mixed(
        "png-and-zip", lambda: encoded(card(), "PNG") + archive("a.txt"), "PNG 图片，里面又藏着压缩包"
    )
    yield mixed("png-and-page", lambda: encoded(card(), "PNG") + PAGE, "网页")
    yield mixed("webp-and-zip", lambda: encoded(card(), "WEBP") + archive(), "压缩包")
    yield mixed("heic-and-page", lambda: heic(card()) + PAGE, "网页")
    yield mixed("pdf-and-zip", lambda: pdf() + archive(), "PDF 文件，里面又藏着压缩包")
    yield mixed("pdf-and-page", lambda: pdf() + PAGE, "网页")


def _broken() -> Iterator[Sample]:
    def cut(make: Callable[[], bytes], share: float) -> Callable[[], bytes]:
        def made() -> bytes:
            content = make()
            return content[: int(len(content) * share)]

        return made

    truncated, damaged = Bad(Refusal.TRUNCATED, "不完整"), Bad(Refusal.DAMAGED, "已损坏")
    yield Sample("empty", lambda: b"", Bad(Refusal.EMPTY, "空的"), "photo.jpg")
    yield Sample("cut.jpg", cut(jpeg, 0.7), truncated)
    yield Sample("cut.png", cut(lambda: encoded(card(), "PNG"), 0.7), truncated)
    yield Sample("cut.webp", cut(lambda: encoded(card(), "WEBP"), 0.7), damaged)
    yield Sample("cut.heic", cut(lambda: heic(card()), 0.7), damaged)
    yield Sample("cut.pdf", lambda: pdf()[:100], truncated)
    # a reader would show the pages that are left, and nobody would know of the others
    yield Sample("cut-behind-a-page.pdf", cut(lambda: pdf(pages=3), 0.6), truncated)
    yield Sample("cut-after-a-change.pdf", lambda: pdf() + b"\n9 0 obj\n<< /Type /Page", truncated)
    yield Sample("header-only.jpg", lambda: b"\xff\xd8\xff\xe0", damaged)
    yield Sample("header-only.png", lambda: b"\x89PNG\r\n\x1a\n", damaged)
    yield Sample("header-only.pdf", lambda: b"%PDF-1.7\n", truncated)
    yield Sample("damaged.png", damaged_png, damaged)
    yield Sample("damaged.heic", lambda: heic(card())[:200] + noise(), damaged)
    yield Sample("noise.pdf", lambda: b"%PDF-1.7\n" + noise() + b"%%EOF", damaged)
    yield Sample("pages-in-a-circle.pdf", pages_in_a_circle, damaged)
    yield Sample(
        "password.pdf",
        lambda: pdf(encryption=Encryption(owner="x", user="y")),
        Bad(Refusal.PASSWORD, "打开密码"),
    )
    yield Sample("no-pages.pdf", without_pages, Bad(Refusal.NO_PAGES, "一页也没有"))
    for name, box in {"flat": (0, 0, 595, 0), "endless": (0, 0, 595, 1e9)}.items():
        yield Sample(f"{name}-page.pdf", boxed(*box), Bad(Refusal.PAGE_SIZE, "第 1 页"))


def _too_much() -> Iterator[Sample]:
    pixels = Bad(Refusal.TOO_MANY_PIXELS, "像素（约 ")
    heavy = Bad(Refusal.TOO_HEAVY, "过于复杂")
    yield Sample("one-pixel.png", lambda: encoded(card(2, 2), "PNG"), Bad(Refusal.TOO_SMALL, "2 × 2 像素"))
    yield Sample("line.png", lambda: encoded(card(900, 49), "PNG"), Bad(Refusal.TOO_SMALL, "900 × 49 像素"))
    yield Sample("large-file.jpg", jpeg, Bad(Refusal.TOO_LARGE, "超过了 0"), limits=Limits(bytes=1024))
    yield Sample(
        "200-megapixels.jpg",
        lambda: resized_header(jpeg(), 20_000, 10_000),
        Bad(Refusal.TOO_MANY_PIXELS, "20000 × 10000 像素（约 2 亿像素），超过了 7000 万像素"),
    )
    yield Sample("200-megapixels.png", lambda: png(20_000, 10_000, 8, 2, b"\0"), pixels)
    yield Sample("200-megapixels.webp", enlarged_webp, pixels)
    yield Sample("bomb.png", bomb, pixels)
    yield Sample(
        "one-more-pixel.png", lambda: encoded(card(), "PNG"), pixels, limits=Limits(pixels=640 * 480 - 1)
    )
    yield Sample("text-bomb.png", text_bomb, Bad(Refusal.DAMAGED))
    yield Sample(
        "thirty-pages.pdf", lambda: pdf(pages=30), Bad(Refusal.TOO_MANY_PAGES, "30 页，超过了 20 页")
    )
    yield Sample("200-megapixels-inside.pdf", huge_picture, pixels)
    yield Sample("object-bomb.pdf", object_bomb, Bad(Refusal.DAMAGED), apart=True)
    yield Sample("contents-bomb.pdf", contents_bomb, heavy, apart=True)
    yield Sample("laughing-forms.pdf", laughing_forms, heavy, apart=True)
