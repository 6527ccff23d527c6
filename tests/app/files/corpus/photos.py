"""Pictures that are taken."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator
from functools import partial

import pillow_heif
from PIL import Image, ImageCms

from app.files.cleaning import Limits, Note
from tests.app.files.corpus.sample import CORNERS, SIZE, Good, Sample, card, encoded, jpeg

SHOWN = {
    # orientation (EXIF 0x0112): what stands in the corners once it is applied
    1: ("red", "green", "blue", "yellow"),
    2: ("green", "red", "yellow", "blue"),
    3: ("yellow", "blue", "green", "red"),
    4: ("blue", "yellow", "red", "green"),
    5: ("red", "blue", "green", "yellow"),
    6: ("blue", "red", "yellow", "green"),
    7: ("yellow", "green", "blue", "red"),
    8: ("green", "yellow", "red", "blue"),
}
NOBODY_S_PLACE = (31.0, 14.0, 15.9)
XMP = b'<?xpacket begin=""?><x:xmpmeta xmlns:x="adobe:ns:meta/">secret of the maker</x:xmpmeta>'


def exif(orientation: int = 1) -> Image.Exif:
    """What a phone writes: maker, time, place, and which way it was held."""
    notes = Image.Exif()
    notes[0x010F] = "secret maker"
    notes[0x0112] = orientation
    notes[0x0132] = "2021:10:25 12:00:00"
    notes.get_ifd(0x8825).update({1: "N", 2: NOBODY_S_PLACE, 3: "E", 4: (121.0, 28.0, 0.0)})
    return notes


def swapped_profile() -> bytes:
    """sRGB with red and green exchanged: a reader who ignores the profile sees the wrong colours."""
    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    places = {}
    for entry in range(132, 132 + 12 * int.from_bytes(profile[128:132], "big"), 12):
        places[bytes(profile[entry : entry + 4])] = entry
    red, green = places[b"rXYZ"], places[b"gXYZ"]
    profile[red + 4 : red + 12], profile[green + 4 : green + 12] = (
        profile[green + 4 : green + 12],
        profile[red + 4 : red + 12],
    )
    # its description must not say that it is sRGB
    return (
        bytes(profile)
        .replace("sRGB".encode("utf-16-be"), "xxxx".encode("utf-16-be"))
        .replace(b"sRGB", b"xxxx")
    )


def exchanged() -> Image.Image:
    red, green, blue = card().split()
    return Image.merge("RGB", (green, red, blue))


def transparent() -> Image.Image:
    """The card with its upper left quarter, red, made invisible."""
    image = card().convert("RGBA")
    image.paste((255, 0, 0, 0), (0, 0, SIZE[0] // 2, SIZE[1] // 2))
    return image


def palette() -> Image.Image:
    image = card().quantize(8)
    image.info["transparency"] = image.getpixel((0, 0))
    return image


def chunk(name: bytes, content: bytes) -> bytes:
    checked = name + content
    return struct.pack(">I", len(content)) + checked + struct.pack(">I", zlib.crc32(checked))


def png(width: int, height: int, depth: int, colour: int, rows: bytes, *, rest: bytes = b"") -> bytes:
    """A PNG by hand; ``rows`` with their filter bytes."""
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + rest
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


def deep_colour() -> bytes:
    """16 bits a channel: bright red above, dark red below."""
    bright, dark = b"\0" + bytes.fromhex("ffff00000000") * 100, b"\0" + bytes.fromhex("400000000000") * 100
    return png(100, 100, 16, 2, bright * 50 + dark * 50)


def deep_grey() -> bytes:
    """16-bit grey: 0x4000 above, which a careless reader shows white, and 0xffff below."""
    return png(100, 100, 16, 0, (b"\0" + b"\x40\0" * 100) * 50 + (b"\0" + b"\xff\xff" * 100) * 50)


def several_jpegs() -> bytes:
    """Two pictures in one file, as phones with two lenses write them (MPO)."""
    return encoded(card(), "MPO", save_all=True, append_images=[Image.new("RGB", SIZE, "black")])


def animated(kind: str) -> bytes:
    return encoded(
        card(),
        kind,
        save_all=True,
        append_images=[Image.new("RGB", SIZE, "black")],
        duration=100,
        lossless=True,
    )


def heic(*images: Image.Image, orientation: int = 1) -> bytes:
    file = pillow_heif.HeifFile()
    for image in images:
        file.add_from_pillow(image)
    written = io.BytesIO()
    file.save(written, quality=90, exif=exif(orientation).tobytes(), primary_index=0)
    return written.getvalue()


def film(size: int = 200_000) -> bytes:
    """The outline of an MP4, as phones put it behind a moving photo."""
    return b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom" + struct.pack(">I", size + 8) + b"mdat" + bytes(size)


def samples() -> Iterator[Sample]:
    yield from _jpegs()
    yield from _other_kinds()
    yield from _shapes()


def _jpegs() -> Iterator[Sample]:
    yield Sample("plain.jpg", jpeg, Good(), "证件.jpg")
    for orientation, corners in SHOWN.items():
        size = SIZE if orientation < 5 else SIZE[::-1]
        yield Sample(
            f"orientation-{orientation}.jpg",
            partial(lambda way: jpeg(exif=exif(way)), orientation),
            Good(size=size, corners=corners),
        )
    yield Sample(
        "what-a-phone-writes.jpg",
        lambda: jpeg(exif=exif(6), comment=b"secret remark", xmp=XMP, dpi=(72, 72)),
        Good(size=SIZE[::-1], corners=SHOWN[6]),
    )
    yield Sample("progressive.jpg", lambda: jpeg(progressive=True), Good())
    yield Sample("restart-markers.jpg", lambda: jpeg(restart_marker_rows=1), Good())
    yield Sample("without-subsampling.jpg", lambda: jpeg(subsampling=0), Good())
    yield Sample("grey.jpg", lambda: jpeg(Image.new("L", SIZE, 128)), Good(corners=("grey",) * 4))
    yield Sample("cmyk.jpg", lambda: jpeg(card().convert("CMYK")), Good())
    yield Sample("own-profile.jpg", lambda: jpeg(exchanged(), icc_profile=swapped_profile()), Good())
    yield Sample("srgb-profile.jpg", lambda: jpeg(icc_profile=_srgb()), Good())
    yield Sample("broken-profile.jpg", lambda: jpeg(icc_profile=b"no profile at all"), Good())
    yield Sample("profile-of-paper.jpg", lambda: jpeg(icc_profile=_lab()), Good())
    yield Sample("two-lenses.jpg", several_jpegs, Good())
    yield Sample("moving-photo.jpg", lambda: jpeg() + film(), Good())
    yield Sample("maker-s-trailer.jpg", lambda: jpeg() + b"\0" * 40 + b"SEFH\x6b\0\0\0" + b"SEFT", Good())
    yield Sample("second-jpeg-behind.jpg", lambda: jpeg() + jpeg(Image.new("RGB", (80, 60))), Good())
    yield Sample("page-in-its-comment.jpg", lambda: jpeg(comment=b"<script>alert(1)</script>"), Good())
    yield Sample("jpeg-called-png", jpeg, Good(notes=(Note.RENAMED,)), "photo.png")
    yield Sample("jpeg-called-exe", jpeg, Good(notes=(Note.RENAMED,)), "photo.exe")
    yield Sample("jpeg-without-ending", jpeg, Good(), "photo")


def _srgb() -> bytes:
    return ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def _lab() -> bytes:
    return ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()


def _other_kinds() -> Iterator[Sample]:
    white_first = ("white", *CORNERS[1:])
    grey = ("#404040", "#404040", "white", "white")
    yield Sample("plain.png", lambda: encoded(card(), "PNG"), Good(), "保险.PNG")
    yield Sample("transparent.png", lambda: encoded(transparent(), "PNG"), Good(corners=white_first))
    yield Sample("palette.png", lambda: encoded(card().quantize(8), "PNG"), Good())
    yield Sample("transparent-palette.png", lambda: encoded(palette(), "PNG"), Good(corners=white_first))
    yield Sample(
        "transparent-colour.png",
        lambda: encoded(card(), "PNG", transparency=(255, 0, 0)),
        Good(corners=white_first),
    )
    yield Sample(
        "grey-and-alpha.png",
        lambda: encoded(Image.new("LA", SIZE, (0, 0)), "PNG"),
        Good(corners=("white",) * 4),
    )
    yield Sample("one-bit.png", lambda: encoded(Image.new("1", SIZE, 1), "PNG"), Good(corners=("white",) * 4))
    yield Sample("16-bit-grey.png", deep_grey, Good(size=(100, 100), corners=grey))
    yield Sample(
        "16-bit-colour.png", deep_colour, Good(size=(100, 100), corners=("red", "red", "#400000", "#400000"))
    )
    yield Sample(
        "turned.png", lambda: encoded(card(), "PNG", exif=exif(8)), Good(size=SIZE[::-1], corners=SHOWN[8])
    )
    yield Sample(
        "own-profile.png", lambda: encoded(exchanged(), "PNG", icc_profile=swapped_profile()), Good()
    )
    yield Sample("animated.png", lambda: animated("PNG"), Good(notes=(Note.FIRST_PICTURE,)))
    yield Sample("plain.webp", lambda: encoded(card(), "WEBP", quality=90), Good())
    yield Sample(
        "transparent.webp", lambda: encoded(transparent(), "WEBP", lossless=True), Good(corners=white_first)
    )
    yield Sample(
        "turned.webp",
        lambda: encoded(card(), "WEBP", quality=90, exif=exif(3), xmp=XMP),
        Good(corners=SHOWN[3]),
    )
    yield Sample("animated.webp", lambda: animated("WEBP"), Good(notes=(Note.FIRST_PICTURE,)))
    yield Sample("plain.heic", lambda: heic(card()), Good(), "IMG_0001.HEIC")
    yield Sample("turned.heic", lambda: heic(card(), orientation=6), Good(size=SIZE[::-1], corners=SHOWN[6]))
    yield Sample("mirrored.heic", lambda: heic(card(), orientation=2), Good(corners=SHOWN[2]))
    yield Sample(
        "several.heic",
        lambda: heic(card(), Image.new("RGB", SIZE, "black")),
        Good(notes=(Note.FIRST_PICTURE,)),
    )
    yield Sample("heic-called-jpg", lambda: heic(card()), Good(notes=(Note.RENAMED,)), "IMG_0001.jpg")


def _shapes() -> Iterator[Sample]:
    yield Sample("smallest.png", lambda: encoded(card(50, 50), "PNG"), Good(size=(50, 50)))
    yield Sample("large.jpg", lambda: jpeg(card(4000, 3000)), Good(size=(2600, 1950)))
    yield Sample(
        "large-turned.jpg",
        lambda: jpeg(card(4000, 3000), exif=exif(6)),
        Good(size=(1950, 2600), corners=SHOWN[6]),
    )
    yield Sample("larger.jpg", lambda: jpeg(card(8000, 6000)), Good(size=(2600, 1950)))
    yield Sample("long-screenshot.png", lambda: encoded(card(1080, 9000), "PNG"), Good(size=(1080, 9000)))
    yield Sample("ribbon.png", lambda: encoded(card(6000, 60), "PNG"), Good(size=(6000, 60)))
    yield Sample(
        "just-within.png", lambda: encoded(card(), "PNG"), Good(), limits=Limits(pixels=SIZE[0] * SIZE[1])
    )
