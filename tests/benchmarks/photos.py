"""``python -m tests.benchmarks.photos``: a 12-megapixel photo of a sheet, from the file that arrived to what is stored.

| ours | the peer, Pillow alone |
|---|---|
| start of the child, type by content, limits, decode, smaller, upright, encode, preview and thumbnail, end of the child, sum, all three written to the encrypted store of a local folder | ``Image.open``, ``exif_transpose``, ``resize`` to the same size, ``save`` with the same quality |

Both start from the same file in the page cache and are measured one after the other in every turn; the figure is the median
ratio of the turns. The child has a low priority, so a machine that is busy otherwise makes our side slower, not the peer's.
A profile of the phone's own colours is left alone by the peer and converted by us; that row has no target.
"""

from __future__ import annotations

import io
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from PIL import Image, ImageChops, ImageCms, ImageOps

from app.files import store
from app.files.cleaning import clean_apart
from app.files.cleaning.pictures import QUALITY
from app.settings import Settings

TURNS = 9
TARGET = 1.3
MOST_MEMORY = 250
"""MB (of 1,000,000 bytes) at the child's peak."""
SIZE = (4000, 3000)
PIECE = 64 * 1024


def main() -> int:
    print("照片 (photos), 12 megapixels to cleaned, preview, thumbnail and stored; median of", TURNS, "turns")
    met = True
    with tempfile.TemporaryDirectory(prefix="saishi-bench-") as name:
        folder = Path(name)
        store.configure(
            Settings(instance=folder, secret_key="k" * 48, database_url="", broker_url="filesystem://")
        )
        for title, options, target in (
            ("JPEG, held upright", {}, TARGET),
            ("JPEG with a profile of its own", {"icc_profile": own_profile()}, None),
        ):
            photo = folder / "photo.jpg"
            photo.write_bytes(taken(**options))
            met &= compare(title, photo, target)
        memory = peak(photo)
        print(
            f"  peak memory of the child {memory:.0f} MB, target < {MOST_MEMORY}: {word(memory < MOST_MEMORY)}"
        )
        met &= memory < MOST_MEMORY
    return 0 if met else 1


def taken(**options: object) -> bytes:
    """A sheet with lines of print on a table, in uneven light, by a phone that was held upright."""
    light = Image.effect_noise((40, 30), 90).resize(SIZE, Image.Resampling.BICUBIC)
    grain = Image.effect_noise(SIZE, 12)
    sheet = ImageChops.add(light, grain, scale=2)
    for line in range(300, 2700, 40):
        for word_at in range(400, 3500, 170):
            sheet.paste(30, (word_at, line, word_at + 60 + (line * word_at) % 90, line + 14))
    colours = Image.merge(
        "RGB", (sheet, sheet.point(lambda value: value * 0.94), ImageChops.offset(sheet, 3))
    )
    exif = Image.Exif()
    exif[0x0112] = 6
    exif.get_ifd(0x8825).update({1: "N", 2: (31.0, 14.0, 15.9)})
    file = io.BytesIO()
    colours.save(file, "JPEG", quality=92, exif=exif, **options)
    return file.getvalue()


def own_profile() -> bytes:
    """sRGB under another name, which has to be converted like any other."""
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    return profile.replace("sRGB".encode("utf-16-be"), "xxxx".encode("utf-16-be")).replace(b"sRGB", b"xxxx")


def compare(title: str, photo: Path, target: float | None) -> bool:
    ours, size = [], (0, 0)
    with tempfile.TemporaryDirectory(prefix="saishi-bench-") as name:
        size = stored(photo, Path(name))
    bare(photo, size)
    peers = []
    for _ in range(TURNS):
        with tempfile.TemporaryDirectory(prefix="saishi-bench-") as name:
            ours.append(seconds(lambda folder=Path(name): stored(photo, folder)))
        peers.append(seconds(lambda: bare(photo, size)))
    ratio = statistics.median(one / other for one, other in zip(ours, peers, strict=True))
    met = target is None or ratio <= target
    aim = f", target ≤ {target}: {word(met)}" if target else ""
    print(
        f"  {title} ({photo.stat().st_size / 1e6:.1f} MB → {size[0]} × {size[1]}): {ratio:.2f} × Pillow{aim}"
        f"   ({statistics.median(ours) * 1000:.0f} and {statistics.median(peers) * 1000:.0f} ms)"
    )
    return met


def stored(photo: Path, folder: Path) -> tuple[int, int]:
    cleaned = clean_apart(photo, folder)
    (page,) = cleaned.pages
    for number, path in enumerate((cleaned.content, page.preview, page.thumbnail)):
        store.write(f"{folder.name}-{number}", pieces(path))
    return page.width, page.height


def pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            yield piece


def bare(photo: Path, size: tuple[int, int]) -> None:
    with Image.open(photo) as image:
        ImageOps.exif_transpose(image).resize(size).save(photo.with_name("peer.jpg"), quality=QUALITY)


def seconds(deed: Callable[[], object]) -> float:
    started = time.perf_counter()
    deed()
    return time.perf_counter() - started


def peak(photo: Path) -> float:
    """MB at the child's peak; asked of a process that has had no other child."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.photos", str(photo)],
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


def measured_peak(photo: Path) -> float:
    with tempfile.TemporaryDirectory(prefix="saishi-bench-") as name:
        clean_apart(photo, Path(name))
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return used * (1 if sys.platform == "darwin" else 1024) / 1e6


def word(met: bool) -> str:
    return "met" if met else "MISSED"


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(measured_peak(Path(sys.argv[1])))
    else:
        sys.exit(main())
