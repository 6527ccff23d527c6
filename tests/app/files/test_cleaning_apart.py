"""Whatever a file does to the child that reads it, the worker gets an answer and lives."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from PIL import Image

from app.files.cleaning import Bounds, Cleaned, FileRefusedError, Refusal, apart, clean, clean_apart
from tests.app.files.corpus import Sample, samples
from tests.app.files.corpus.sample import jpeg
from tests.conftest import ROOT

CORPUS = {each.name: each for each in samples()}
MEGABYTE = 1024 * 1024


def sent(folder: Path, sample: Sample | bytes) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / "sent"
    path.write_bytes(sample if isinstance(sample, bytes) else sample.make())
    return path


def in_a_child(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.parametrize(
    "name", ["plain.jpg", "transparent.png", "turned.webp", "turned.heic", "form.pdf", "twenty-pages.pdf"]
)
def test_a_child_gives_the_same_as_this_process(name: str, tmp_path: Path) -> None:
    here = clean(sent(tmp_path / "here", CORPUS[name]), tmp_path / "here", name="photo.bmp")
    there = clean_apart(sent(tmp_path / "there", CORPUS[name]), tmp_path / "there", name="photo.bmp")
    assert (there.media_type, there.size, there.sha256, there.notes) == (
        here.media_type,
        here.size,
        here.sha256,
        here.notes,
    )
    for one, other in zip(here.pages, there.pages, strict=True):
        assert (one.width, one.height) == (other.width, other.height)
        assert one.preview.read_bytes() == other.preview.read_bytes()
        assert one.thumbnail.read_bytes() == other.thumbnail.read_bytes()
        assert other.preview.parent == tmp_path / "there"


@pytest.mark.parametrize("name", ["zip-called-jpg", "200-megapixels.png", "password.pdf", "jpg-and-page"])
def test_a_child_refuses_in_the_same_words(name: str, tmp_path: Path) -> None:
    refusals = []
    for by in (clean, clean_apart):
        with pytest.raises(FileRefusedError) as caught:
            by(sent(tmp_path, CORPUS[name]), tmp_path, name="photo.jpg")
        refusals.append(caught.value.packed())
    assert refusals[0] == refusals[1]


@pytest.mark.parametrize(
    ("name", "bounds"),
    [
        ("large.jpg", Bounds(memory=100 * MEGABYTE)),
        ("contents-bomb.pdf", Bounds()),
        ("laughing-forms.pdf", Bounds(seconds=1)),
        ("laughing-forms.pdf", Bounds(patience=0.5)),
        ("large.jpg", Bounds(file_size=2000)),
    ],
    ids=["memory", "memory of a PDF", "processor", "clock", "size of a file"],
)
def test_a_file_that_wants_too_much_is_refused_and_nothing_keeps_running(
    name: str, bounds: Bounds, tmp_path: Path
) -> None:
    source = sent(tmp_path, CORPUS[name])
    before = children()
    with pytest.raises(FileRefusedError) as caught:
        clean_apart(source, tmp_path, bounds=bounds)
    assert caught.value.reason is Refusal.TOO_HEAVY
    assert children() == before


@pytest.mark.parametrize(
    ("deed", "reason"),
    [
        ("os.kill(os.getpid(), signal.SIGSEGV)", Refusal.DAMAGED),
        ("os.kill(os.getpid(), signal.SIGKILL)", Refusal.TOO_HEAVY),
        ("os.abort()", Refusal.TOO_HEAVY),
        ("os._exit(3)", Refusal.DAMAGED),
        ("print('no answer at all')", Refusal.DAMAGED),
        ("print('[]')", Refusal.DAMAGED),
        ("print('x' * 5_000_000)", Refusal.TOO_HEAVY),
        ("os.close(1); time.sleep(60)", Refusal.TOO_HEAVY),
        ("os.fork() or time.sleep(60)", Refusal.TOO_HEAVY),
    ],
)
def test_however_a_child_ends_the_answer_is_a_refusal(
    deed: str, reason: Refusal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stand-in for the interpreter does what a reader does that a file has broken into."""
    monkeypatch.setattr(apart, "GRACE", 1.0)
    stand_in(tmp_path, monkeypatch, f"import os, signal, time\n{deed}")
    with pytest.raises(FileRefusedError) as caught:
        clean_apart(sent(tmp_path, jpeg()), tmp_path, bounds=Bounds(patience=2))
    assert caught.value.reason is reason
    wait_until(lambda: not running(tmp_path / "deed.py"))  # nor does what it started


def test_a_missing_library_is_no_fault_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(tmp_path, monkeypatch, """print('{"died": "ModuleNotFoundError"}')""")
    with pytest.raises(RuntimeError, match="cannot start: ModuleNotFoundError"):
        clean_apart(sent(tmp_path, jpeg()), tmp_path)


def test_names_of_files_in_an_answer_do_not_leave_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = {
        "media_type": "image/jpeg",
        "content": "/etc/passwd",
        "pages": [[1, 1, "../../preview.jpg", "thumbnail.jpg"]],
        "notes": [],
    }
    (tmp_path / "passwd").write_bytes(b"mine")
    stand_in(tmp_path, monkeypatch, f"print({json.dumps({'made': made})!r})")
    result = clean_apart(sent(tmp_path, jpeg()), tmp_path)
    assert (result.content, result.pages[0].preview) == (tmp_path / "passwd", tmp_path / "preview.jpg")


def stand_in(folder: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    (folder / "deed.py").write_text(code, encoding="utf-8")
    program = folder / "python"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} "{folder / "deed.py"}"\n', encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))


def test_the_child_knows_no_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAISHI_SECRET_KEY", "k" * 40)
    stand_in(tmp_path, monkeypatch, "import os\nopen('environment', 'w').write(repr(dict(os.environ)))")
    with pytest.raises(FileRefusedError):
        clean_apart(sent(tmp_path, jpeg()), tmp_path)
    environment = (tmp_path / "environment").read_text(encoding="utf-8")
    assert "PYTHONPATH" in environment
    assert "SAISHI" not in environment
    assert "HOME" not in environment


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's filter of system calls is Linux's")
def test_a_confined_child_has_no_network_and_starts_no_program() -> None:
    done = in_a_child(
        """
        import os, resource, socket
        from app.files.cleaning.confinement import confine

        confine(memory=400 << 20, seconds=5, file_size=1 << 20)
        for deed in (socket.socket, lambda: os.execv("/bin/true", ["true"]), lambda: bytearray(600 << 20)):
            try:
                deed()
            except (PermissionError, MemoryError) as error:
                print(type(error).__name__)
        print(resource.getrlimit(resource.RLIMIT_CPU), os.nice(0) >= 10)
        """
    )
    assert done.stdout.splitlines() == [
        "PermissionError",
        "PermissionError",
        "MemoryError",
        "(5, 5) True",
    ], done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="Landlock is Linux's")
def test_a_confined_child_sees_its_file_and_its_folder_and_nothing_of_ours(tmp_path: Path) -> None:
    """Not the database or the keys, not the files of others, not the worker that started it."""
    folder = tmp_path / "clean"
    folder.mkdir()
    secret = tmp_path / "secret_key"
    secret.write_text("k" * 40, encoding="ascii")
    done = in_a_child(
        """
        import os, sys
        from pathlib import Path
        from app.files.cleaning import territory
        from app.files.cleaning.confinement import confine

        source, folder, secret = map(Path, sys.argv[1:])
        confine(memory=400 << 20, seconds=5, file_size=1 << 20)
        if territory.keep_to(source, folder) is False:
            print("no Landlock")
            sys.exit()
        (folder / "made").write_bytes(source.read_bytes())
        (folder / "made").write_bytes(b"again")
        for deed in (
            secret.read_bytes,
            lambda: secret.write_bytes(b""),
            lambda: (secret.parent / "new").write_bytes(b""),
            lambda: (folder / "link").symlink_to(secret),
            lambda: Path(f"/proc/{os.getppid()}/environ").read_bytes(),
            lambda: os.listdir(secret.parent),
        ):
            try:
                deed()
                print("done")
            except PermissionError as error:
                print(type(error).__name__)
        import sqlite3, PIL.WebPImagePlugin, PIL.ImageCms, pi_heif, pikepdf, pypdfium2, puremagic
        print("libraries load")
        """,
        str(sent(tmp_path, jpeg())),
        str(folder),
        str(secret),
    )
    said = done.stdout.splitlines()
    if said == ["no Landlock"]:
        # Kernels before 5.13, or built without it: the other limits hold there and have tests of their own above.
        pytest.skip("not run: this kernel has no Landlock")
    assert said == 6 * ["PermissionError"] + ["libraries load"], done.stderr
    assert (folder / "made").read_bytes() == b"again"


def test_a_12_megapixel_photo_takes_less_than_250_megabytes(tmp_path: Path) -> None:
    noisy = Image.effect_noise((4000, 3000), 40).convert("RGB")
    source = sent(tmp_path, jpeg(noisy))
    done = in_a_child(
        """
        import resource, sys
        from pathlib import Path
        from app.files.cleaning import clean_apart

        clean_apart(Path(sys.argv[1]), Path(sys.argv[1]).parent)
        print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
        """,
        str(source),
    )
    assert int(done.stdout) * 1024 < 250_000_000, done.stderr


@pytest.mark.parametrize(
    "make",
    [
        lambda: jpeg(Image.linear_gradient("L").resize((10_000, 6_900)).convert("RGB"), progressive=True),
        lambda: big_png(),
    ],
    ids=["progressive JPEG of 69 megapixels", "transparent PNG of 50 megapixels"],
)
def test_the_memory_suffices_for_the_largest_that_is_accepted(
    make: Callable[[], bytes], tmp_path: Path
) -> None:
    result = clean_apart(sent(tmp_path, make()), tmp_path)
    assert max(result.pages[0].width, result.pages[0].height) == 2600


def big_png() -> bytes:
    from tests.app.files.corpus.photos import png

    row = b"\0" + b"\x20\x40\x80\x7f" * 8_000
    return png(8_000, 6_250, 8, 6, row * 6_250)


def test_a_system_that_cannot_look_at_a_dead_child_gets_a_refusal_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "waitid")
    stand_in(tmp_path, monkeypatch, "import os\nos.abort()")
    with pytest.raises(FileRefusedError) as caught:
        clean_apart(sent(tmp_path, jpeg()), tmp_path)
    assert caught.value.reason is Refusal.TOO_HEAVY


def test_two_children_work_side_by_side(tmp_path: Path) -> None:
    names = ["what-a-phone-writes.jpg", "turned.heic", "form.pdf", "transparent.png"] * 2

    def one(number: int) -> Cleaned:
        folder = tmp_path / str(number)
        return clean_apart(sent(folder, CORPUS[names[number]]), folder)

    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(one, range(len(names))))
    assert [each.sha256 for each in results[:4]] == [each.sha256 for each in results[4:]]
    assert len({each.sha256 for each in results}) == 4


def test_a_photo_that_crashed_libheif_is_refused(tmp_path: Path) -> None:
    """Bytes changed in the boxes of a HEIC; version 1.23 ends with a segmentation fault on some of them."""
    whole = CORPUS["plain.heic"].make()
    outcomes = set()
    for place in range(30, 400, 30):
        changed = bytearray(whole)
        changed[place] ^= 0xFF
        try:
            clean_apart(sent(tmp_path, bytes(changed)), tmp_path)
        except FileRefusedError as refusal:
            outcomes.add(refusal.reason)
    assert outcomes <= {
        Refusal.DAMAGED,
        Refusal.TRUNCATED,
        Refusal.TOO_MANY_PIXELS,
        Refusal.TOO_SMALL,
        Refusal.TOO_HEAVY,
    }
    assert Refusal.DAMAGED in outcomes


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child that its parent has died")
def test_a_child_does_not_outlive_a_worker_that_was_killed(tmp_path: Path) -> None:
    code = """
        import sys
        from pathlib import Path
        from app.files.cleaning import clean_apart

        clean_apart(Path(sys.argv[1]), Path(sys.argv[1]).parent)
        """
    source = sent(tmp_path, CORPUS["laughing-forms.pdf"])
    worker = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), str(source)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    wait_until(lambda: len(children(worker.pid)) == 1 and confined(children(worker.pid)))
    (child,) = children(worker.pid)
    worker.send_signal(signal.SIGKILL)
    worker.wait(30)
    wait_until(lambda: not Path(f"/proc/{child}").exists() or state(child) == "Z")


def children(parent: int | None = None) -> set[int]:
    """Process ids of the children of ``parent``, or of this process."""
    parent = parent or os.getpid()
    return {
        int(each)
        for task in Path(f"/proc/{parent}/task").glob("*/children")
        for each in task.read_text(encoding="ascii").split()
    }


def running(program: Path) -> bool:
    def line(folder: Path) -> bytes:
        try:
            return (folder / "cmdline").read_bytes()
        except (FileNotFoundError, ProcessLookupError):
            return b""

    return any(str(program).encode() in line(each) for each in Path("/proc").glob("[0-9]*"))


def confined(pids: set[int]) -> bool:
    return all("Seccomp:\t2" in Path(f"/proc/{each}/status").read_text(encoding="utf-8") for each in pids)


def state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(") ")[2][:1]
    except (FileNotFoundError, ProcessLookupError):
        return "Z"


def wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)
