"""The front-end build: what it makes, when it runs again, and what its files must not contain."""

import json
import re
import shutil
from pathlib import Path

import pytest
from jinja2 import Environment, FileSystemLoader

from app.frontend import build as frontend

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = sorted(
    path.relative_to(ROOT / "templates").as_posix()
    for folder in ("layout", "components", "errors")
    for path in (ROOT / "templates" / folder).glob("*.html")
)


def test_every_file_the_manifest_names_exists(static: Path) -> None:
    manifest = json.loads((static / "manifest.json").read_text(encoding="utf-8"))
    assert {"app.css", "app.js", "sheet.js", "api-docs.js", "icon.svg"} <= manifest.keys()
    assert [name for name in manifest.values() if not (static / name).is_file()] == []


def test_names_carry_a_hash_so_that_browsers_may_keep_the_files(static: Path) -> None:
    manifest = json.loads((static / "manifest.json").read_text(encoding="utf-8"))
    ours = {key: name for key, name in manifest.items() if not key.startswith("swagger-ui/")}
    assert [name for name in ours.values() if not re.search(r"-[0-9A-Z]{8}\.(css|js|svg)$", name)] == []


def test_a_second_build_changes_nothing(static: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in static.rglob("*") if path.is_file()}
    frontend.build(ROOT)
    assert {path: path.stat().st_mtime_ns for path in static.rglob("*") if path.is_file()} == before


def test_the_style_sheet_loads_nothing_from_elsewhere(static: Path) -> None:
    manifest = json.loads((static / "manifest.json").read_text(encoding="utf-8"))
    css = (static / manifest["app.css"]).read_text(encoding="utf-8")
    assert "@import" not in css
    outside = [
        url
        for url in re.findall(r"url\(\s*['\"]?([^'\")]{1,40})", css)
        if not url.startswith(("data:", "%23", "#"))
    ]
    assert outside == []


def test_the_lock_file_names_no_registry() -> None:
    lock = (ROOT / "package-lock.json").read_text(encoding="utf-8")
    assert "resolved" not in lock
    assert "://" not in re.sub(r'"(url|funding)": "[^"]*"', "", lock)


def test_every_package_is_pinned_exactly() -> None:
    package = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))
    versions = {**package["dependencies"], **package["devDependencies"]}
    assert {
        name: version for name, version in versions.items() if not re.fullmatch(r"\d+\.\d+\.\d+", version)
    } == {}


def test_missing_sources_are_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(frontend.BuildError, match=r"^\.npmrc cannot be read: "):
        frontend.build(tmp_path)


def test_a_broken_module_stops_the_build_with_its_place(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "app" / "frontend", tmp_path / "app" / "frontend")
    for name in frontend.PACKAGE_FILES:
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "node_modules").symlink_to(ROOT / "node_modules")
    (tmp_path / "app" / "frontend" / "app.js").write_text("const = 1;\n", encoding="utf-8")
    with pytest.raises(frontend.BuildError, match=r"(?s)esbuild.*app\.js:1"):
        frontend.build(tmp_path)


@pytest.mark.parametrize("name", TEMPLATES)
def test_layout_and_component_templates_compile(name: str) -> None:
    environment = Environment(
        loader=FileSystemLoader(ROOT / "templates"), autoescape=True, extensions=["jinja2.ext.i18n"]
    )
    for needed in ("t", "beijing", "signed", "money"):
        environment.filters[needed] = str
    environment.get_template(name)


@pytest.mark.parametrize("name", TEMPLATES)
def test_templates_carry_no_inline_script_handler_or_style(name: str) -> None:
    """The content security policy would refuse them."""
    text = (ROOT / "templates" / name).read_text(encoding="utf-8")
    assert not re.search(r"<script(?![^>]*\bsrc=)", text)
    assert not re.search(r"\son[a-z]+=", text)
    assert not re.search(r"\sstyle=|<style", text)
