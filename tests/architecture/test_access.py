"""Every route says who may open it; only ``commands`` commits; every job has its task."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from flask import Flask

from app import create_app
from app.jobs import Job
from app.web.access import ACCESS
from tasks import celery
from tasks.schedule import SCHEDULE
from tests.conftest import ROOT, make_settings

FEATURES = sorted(
    path.relative_to(ROOT / "app").parts[0]
    for pattern in ("*/service.py", "*/service/__init__.py")
    for path in (ROOT / "app").glob(pattern)
)


@pytest.fixture(scope="module")
def unbound_app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    folder = tmp_path_factory.mktemp("architecture")
    return create_app(make_settings(folder, f"sqlite:///{folder / 'unused.db'}"))


def test_every_route_is_public_by_declaration_or_behind_a_role(unbound_app: Flask) -> None:
    undeclared = [
        f"{rule.rule} -> {rule.endpoint}"
        for rule in unbound_app.url_map.iter_rules()
        if not rule.endpoint.startswith(("static", "api-docs."))
        and not _access(unbound_app.view_functions[rule.endpoint])
    ]
    assert undeclared == []


def _access(view: object) -> str | None:
    """The declaration on a view or, for a flask-smorest method view, on its handler."""
    while view is not None:
        if found := getattr(view, ACCESS, None):
            return str(found)
        view = getattr(view, "__wrapped__", None)
    return None


def test_staff_pages_are_not_public(unbound_app: Flask) -> None:
    open_doors = [
        rule.rule
        for rule in unbound_app.url_map.iter_rules()
        if rule.rule.startswith("/staff") and _access(unbound_app.view_functions[rule.endpoint]) == "public"
    ]
    assert open_doors == []


def _sources(*folders: str) -> list[Path]:
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


COMMITTERS = {
    "app/commands/__init__.py": "every command ends here",
    "app/cli/preflight.py": "notes the key of a new installation, before there is an application or an actor",
}


def test_only_commands_commits() -> None:
    """Neither by ``commit()`` of a session or connection, nor by ``begin()``, which commits at its end."""
    commits = {
        path.relative_to(ROOT).as_posix()
        for path in _sources("app", "tasks", "scoring_engine")
        if _commits(path.read_text(encoding="utf-8"))
    }
    assert commits == set(COMMITTERS)


def _commits(source: str) -> bool:
    return any(
        (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in COMMITS)
        or (isinstance(node, ast.Constant) and node.value == "AUTOCOMMIT")
        for node in ast.walk(ast.parse(source))
    )


COMMITS = {"commit", "begin"}


@pytest.mark.parametrize(
    ("source", "commits"),
    [
        ("db.session.commit()", True),
        ("connection.commit()", True),
        ("with engine.begin() as connection: pass", True),
        ("with db.session.begin(): pass", True),
        ("engine.execution_options(isolation_level='AUTOCOMMIT')", True),
        ("with ctx.session.begin_nested(): pass", False),
        ("ctx.session.flush()", False),
    ],
)
def test_every_way_to_commit_is_seen(source: str, commits: bool) -> None:
    assert _commits(source) == commits


def test_only_the_clock_reads_the_clock() -> None:
    readers = set()
    for path in _sources("app", "tasks", "scoring_engine"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in {"now", "utcnow", "today"}
                and isinstance(node.func.value, ast.Name)
                and node.func.value.id in {"datetime", "date"}
            ):
                readers.add(path.relative_to(ROOT).as_posix())
    assert readers == {"app/clock.py"}


def test_every_job_is_a_registered_task_and_every_task_a_job() -> None:
    """Of the worker's own application, with the modules it imports: a task in a forgotten module is none."""
    celery.loader.import_default_modules()
    registered = {name for name in celery.tasks if not name.startswith("celery.")}
    assert registered == {job.value for job in Job}


def test_the_worker_imports_every_module_of_tasks() -> None:
    modules = {f"tasks.{path.stem}" for path in (ROOT / "tasks").glob("*.py")}
    assert set(celery.conf.imports) == modules - {"tasks.__init__", "tasks.schedule"}


def test_periodic_jobs_exist() -> None:
    assert {entry["task"] for entry in SCHEDULE.values()} <= {job.value for job in Job}


@pytest.mark.parametrize("feature", FEATURES)
def test_templates_and_tests_mirror_the_feature(feature: str) -> None:
    pages = ROOT / "app" / feature / "pages"
    has_pages = pages.is_dir() or pages.with_suffix(".py").exists()
    assert has_pages == (ROOT / "templates" / feature).is_dir()
    assert list((ROOT / "tests" / "app" / feature).glob("test_*.py")), f"tests/app/{feature} has no test"
    docstring = ast.get_docstring(
        ast.parse((ROOT / "app" / feature / "__init__.py").read_text(encoding="utf-8"))
    )
    assert docstring, f"app/{feature}/__init__.py says what the feature is"
    assert re.search(r"[\u4e00-\u9fff]", docstring), f"app/{feature}/__init__.py names its Chinese term"


def test_no_template_runs_scripts_or_styles_inline() -> None:
    """Letters are styled in their elements, because mail clients drop sheets; no script runs in them either."""
    wrong = []
    for path in sorted((ROOT / "templates").rglob("*.html")):
        text = path.read_text(encoding="utf-8")
        style = "" if path.parent.name == "emails" else r"|\sstyle=\""
        if re.search(r"<script(?![^>]*\bsrc=)|\son[a-z]+=\"" + style, text):
            wrong.append(path.relative_to(ROOT).as_posix())
    assert wrong == []


def test_every_post_form_carries_the_csrf_token() -> None:
    bare = []
    for path in sorted((ROOT / "templates").rglob("*.html")):
        for form in re.findall(
            r"<form[^>]*method=\"post\".*?</form>", path.read_text(encoding="utf-8"), re.S
        ):
            if "csrf" not in form:
                bare.append(path.relative_to(ROOT).as_posix())
    assert bare == []
