"""The two commands of the README, as far as a test can go without installing everything again."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

from tests.services import ROOT


def make(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    inherited = {name: value for name, value in os.environ.items() if name not in {"MAKEFLAGS", "MAKELEVEL"}}
    return subprocess.run(
        ["make", "--no-print-directory", *arguments],
        cwd=ROOT,
        env={**inherited, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_help_explains_every_target() -> None:
    (phony,) = re.findall(r"^\.PHONY: (.+)$", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
    explained = set(re.findall(r"make (\w+)", make("help").stdout))
    assert set(phony.split()) - {"help", "frontend", "format"} == explained


def test_without_a_usable_python_one_sentence_says_what_to_install(tmp_path: Path) -> None:
    done = make("install", "PYTHON=", f"VENV={tmp_path / 'venv'}")
    assert done.returncode == 2
    assert "需要 Python 3.11" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_interpreter_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    done = make("install", "PYTHON=false", f"VENV={tmp_path / 'venv'}")
    assert done.returncode == 2
    assert "false 不可用" in done.stderr


def test_an_interpreter_on_the_path_that_does_not_run_is_passed_over(tmp_path: Path) -> None:
    broken = tmp_path / "python3.13"
    broken.write_text("#!/bin/sh\necho 'not switched on' >&2\nexit 127\n")
    broken.chmod(0o755)
    done = make(
        "--dry-run",
        "install",
        f"VENV={tmp_path / 'venv'}",
        PATH=f"{tmp_path}{os.pathsep}{os.environ['PATH']}",
    )
    assert done.returncode == 0
    assert re.search(r"^python\S* -m venv ", done.stdout, flags=re.MULTILINE)
    assert "python3.13 -m venv" not in done.stdout


def test_the_gate_runs_what_the_readme_names() -> None:
    lines = (ROOT / ".ci" / "run").read_text().splitlines()
    assert lines[-2:] == ["make check", "make test"]
    assert "export CI=true" in " ".join(lines)
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


def test_lock_files_hash_everything_and_name_no_registry() -> None:
    for name in ("base", "dev", "ocr"):
        text = (ROOT / "requirements" / f"{name}.txt").read_text()
        assert "://" not in text
        assert "--index-url" not in text
        pinned = re.findall(r"^[\w.-]+(?:\[[\w,]+\])?==", text, flags=re.MULTILINE)
        followed = re.findall(r"^[\w.-]+(?:\[[\w,]+\])?==.*\\\n\s+--hash=", text, flags=re.MULTILINE)
        assert pinned
        assert len(pinned) == len(followed)
    packages = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    assert not [name for name, package in packages.items() if "resolved" in package]
