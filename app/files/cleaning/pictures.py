"""A photo becomes an upright JPEG in sRGB without anything but its pixels, with a preview and a thumbnail.

The size is read from the header and judged before a pixel is decoded. One decode serves all three: a JPEG is decoded
at the smallest of its built-in scales that suffices and stays in its own colour space, the picture is turned after it
was made smaller, and the preview is made from the content, the thumbnail from the preview.
"""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from PIL import Image, ImageFile

from app.files.cleaning import refusals
from app.files.cleaning.ends import end_of, intact
from app.files.cleaning.kinds import Kind, require_harmless_rest
from app.files.cleaning.results import CleanedPage, Limits, Made, Note

LONG_SIDE = 2600
"""Pixels of the content: an A4 sheet that fills the picture is shown with 220 dots per inch."""
SHORT_SIDE = 1080
"""A long screenshot keeps the width of a phone's screen instead …"""
MOST_PIXELS = 12_000_000
"""… up to this many pixels."""
MOST_OF_KIND = {Kind.HEIF: 51_000_000, Kind.PNG: 51_000_000, Kind.WEBP: 34_000_000}
"""Pixels of what is decoded whole before it is made smaller: 10 to 16 bytes each. Telephones take at most 50 million."""
PREVIEW = (1200, 600, 1_500_000)
THUMBNAIL = 240
SMALLEST = 50
QUALITY = 85
PREVIEW_QUALITY = 80

ORIENTATION = 0x0112
TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
BROKEN = (
    OSError,
    SyntaxError,
    ValueError,
    IndexError,
    KeyError,
    TypeError,
    EOFError,
    RuntimeError,
    ArithmeticError,
)
"""What Pillow's and libheif's readers raise on files that are not what they claim to be."""


def make(kind: Kind, source: Path, folder: Path, limits: Limits, notes: set[Note]) -> Made:
    """Raises ``FileRefusedError``."""
    content = source.read_bytes()
    end = end_of(kind, content)
    require_harmless_rest(kind, content[end:])
    if kind is Kind.PNG and not intact(content):
        raise refusals.damaged(kind.label)
    picture = _opened(kind, content)
    width, height = picture.size
    most = min(limits.pixels, MOST_OF_KIND.get(kind, limits.pixels))
    if width * height > most:
        raise refusals.too_many_pixels(width, height, most)
    if min(width, height) < SMALLEST:
        raise refusals.too_small(width, height, SMALLEST)
    if kind is not Kind.JPEG and getattr(picture, "is_animated", False):
        notes.add(Note.FIRST_PICTURE)
    try:
        upright = _decoded(picture)
    except BROKEN as error:
        if end >= len(content) and "trunc" in str(error).lower():
            raise refusals.truncated() from error
        raise refusals.damaged(kind.label) from error
    del picture, content
    made = folder / "content.jpg"
    save(upright, made, QUALITY)
    page = save_views(upright, folder, 1, fitted(upright.size, *PREVIEW), upright.size)
    return Made("image/jpeg", made, (page,), tuple(sorted(notes)))


def _opened(kind: Kind, content: bytes) -> ImageFile.ImageFile:
    """The picture with its header read; nothing is decoded. Of several pictures it is the first, or the main one."""
    # each reader is called by name: Image.open would look for others
    stream = io.BytesIO(content)
    try:
        with _quietly():
            match kind:
                case Kind.JPEG:
                    from PIL.JpegImagePlugin import JpegImageFile

                    return JpegImageFile(stream)
                case Kind.PNG:
                    from PIL.PngImagePlugin import PngImageFile

                    return PngImageFile(stream)
                case Kind.WEBP:
                    from PIL.WebPImagePlugin import WebPImageFile

                    return WebPImageFile(stream)
                case _:
                    return _heif(stream)
    except BROKEN as error:
        raise refusals.damaged(kind.label) from error


@contextmanager
def _quietly() -> Iterator[None]:
    """Without Pillow's warnings of harmless faults, and without its own limit of pixels: ours was or will be asked."""
    before = Image.MAX_IMAGE_PIXELS
    Image.MAX_IMAGE_PIXELS = None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        Image.MAX_IMAGE_PIXELS = before


def _heif(stream: io.BytesIO) -> ImageFile.ImageFile:
    from pi_heif import options
    from pi_heif.as_plugin import HeifImageFile

    options.DECODE_THREADS = 1
    options.THUMBNAILS = options.DEPTH_IMAGES = options.AUX_IMAGES = False
    picture: ImageFile.ImageFile = HeifImageFile(stream)
    return picture


def _decoded(picture: ImageFile.ImageFile) -> Image.Image:
    """Decoded, made smaller, in L or RGB, turned upright, with nothing but pixels."""
    with _quietly():
        turn = _turn(picture)
        profile = picture.info.get("icc_profile")
        size = fitted(picture.size, LONG_SIDE, SHORT_SIDE, MOST_PIXELS)
        picture.draft(None, size)
        picture.load()
        image = _plain(picture)
    if image.size != size:
        image = image.resize(size, Image.Resampling.HAMMING, reducing_gap=3.0)
    if profile:
        image = _in_srgb(image, profile)
    if image.mode == "CMYK":
        image = image.convert("RGB")
    if turn is not None:
        image = image.transpose(turn)
    image.info = {}
    return image


def _turn(picture: Image.Image) -> Image.Transpose | None:
    with suppress(*BROKEN):
        return TURNS.get(picture.getexif().get(ORIENTATION, 1))
    return None


def _plain(image: Image.Image) -> Image.Image:
    """In a mode that can be resized: L, RGB or CMYK. What is transparent becomes white, as paper is."""
    if image.mode.startswith("I;16"):
        # Pillow would cut everything above 255 to white; the high byte of each little-endian pair is the 8-bit grey
        return Image.frombytes("L", image.size, image.tobytes()[1::2])
    if image.mode in {"L", "RGB", "CMYK"} and "transparency" not in image.info:
        return image
    if image.mode == "1" and "transparency" not in image.info:
        return image.convert("L")
    if image.mode in {"LA", "RGBA", "PA", "La", "RGBa"} or "transparency" in image.info:
        seen = image if image.mode == "RGBA" else image.convert("RGBA")
        paper = Image.new("RGB", image.size, "white")
        paper.paste(seen, mask=seen.getchannel("A"))
        return paper
    return image.convert("RGB")


def _in_srgb(image: Image.Image, profile: bytes) -> Image.Image:
    """The same colours by sRGB. A profile that cannot be read, or is of another kind of picture, is left aside."""
    from PIL import ImageCms

    try:
        written = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        if "sRGB" in ImageCms.getProfileDescription(written):
            return image
        if image.mode == "L":  # a profile of greys only bends the tones
            return image
        converted = ImageCms.profileToProfile(
            image, written, ImageCms.createProfile("sRGB"), outputMode="RGB"
        )
    except (ImageCms.PyCMSError, OSError, ValueError, TypeError):
        return image
    return converted or image


def fitted(size: tuple[int, int], long: int, short: int, most: int) -> tuple[int, int]:
    """``size`` made smaller until its long side is ``long``, but its short side not below ``short``, of ``most`` pixels."""
    width, height = size
    scale = min(
        1.0,
        max(long / max(size), short / min(size)),
        math.sqrt(most / (width * height)),
    )
    return max(1, round(width * scale)), max(1, round(height * scale))


def save(image: Image.Image, path: Path, quality: int) -> None:
    image.save(path, "JPEG", quality=quality)


def save_views(
    image: Image.Image, folder: Path, number: int, preview: tuple[int, int], size: tuple[int, int]
) -> CleanedPage:
    """Preview and thumbnail of page ``number``, which is ``size`` large."""
    seen = image if image.size == preview else image.resize(preview, Image.Resampling.HAMMING)
    small = seen.copy()
    small.thumbnail((THUMBNAIL, THUMBNAIL), Image.Resampling.HAMMING)
    page = CleanedPage(
        *size, preview=folder / f"preview-{number}.jpg", thumbnail=folder / f"thumbnail-{number}.jpg"
    )
    save(seen, page.preview, PREVIEW_QUALITY)
    save(small, page.thumbnail, PREVIEW_QUALITY)
    return page
