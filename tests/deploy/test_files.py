"""The files of deploy/ parse, and name only commands, settings and paths that exist."""

from __future__ import annotations

import configparser
import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from app import settings
from app.cli import COMMANDS
from app.cli.worker import QUEUES
from app.factory import _config
from app.jobs import Queue
from app.settings import Settings
from app.uploads.pages import FORM_MEGABYTES
from tests.services import ROOT

DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").iterdir())
SERVICES = [unit for unit in UNITS if unit.suffix == ".service"]
NAMES = {settings.PREFIX + name for name in settings.NAMES}


def assigned(env_file: Path) -> dict[str, str]:
    pairs = (
        line.split("=", 1) for line in env_file.read_text().splitlines() if line and not line.startswith("#")
    )
    return dict(pairs)


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text())


@pytest.fixture(scope="module")
def dockerfile() -> list[tuple[str, str]]:
    """Its instructions: name and the rest, continued lines joined."""
    text = re.sub(r"^#.*\n", "", (DEPLOY / "Dockerfile").read_text(), flags=re.MULTILINE)
    joined = re.sub(r"\\\n\s*", " ", text)
    return [
        (name, rest) for name, rest in (line.split(" ", 1) for line in joined.splitlines() if line.strip())
    ]


# --- settings ---


def test_the_example_documents_every_setting_and_its_defaults_are_the_program_s(tmp_path: Path) -> None:
    example = assigned(ROOT / ".env.example")
    assert set(example) == NAMES
    inside = {"SAISHI_INSTANCE": str(tmp_path)}
    assert Settings.from_environment(example | inside) == Settings.from_environment(inside)


def test_compose_sets_only_settings_that_exist_and_its_example_has_every_variable(
    compose: dict[str, Any],
) -> None:
    example = assigned(DEPLOY / ".env.example")
    for service in compose["services"].values():
        own = {name for name in service.get("environment", {}) if name.startswith("SAISHI_")}
        assert {name for name in own if not name.startswith("SAISHI_NGINX_")} <= NAMES
    used = set(re.findall(r"\$\{(\w+)", (DEPLOY / "compose.yaml").read_text()))
    assert used == set(example)


def test_no_secret_is_written_into_the_files() -> None:
    example = assigned(DEPLOY / ".env.example")
    assert example["POSTGRES_PASSWORD"] == example["SAISHI_SECRET_KEY"] == ""
    text = (DEPLOY / "compose.yaml").read_text()
    for line in text.splitlines():
        if re.search(r"PASSWORD|SECRET", line):
            assert "${" in line, line


# --- containers ---


def test_compose_runs_nginx_two_web_processes_worker_one_clock_and_their_engines(
    compose: dict[str, Any],
) -> None:
    assert set(compose["services"]) == {
        *("nginx", "web-1", "web-2", "worker", "mail", "beat", "migrate", "postgres", "redis")
    }
    upstream = compose["services"]["nginx"]["environment"]["SAISHI_NGINX_UPSTREAM"]
    assert re.findall(r"server (\S+)", upstream) == ["web-1:8000", "web-2:8000"]


def test_every_container_has_a_health_check_or_listens_on_nothing(compose: dict[str, Any]) -> None:
    without = {
        name for name, service in compose["services"].items() if service.get("healthcheck", {}).get("disable")
    }
    assert without == {"worker", "mail", "beat", "migrate"}


def test_what_a_container_waits_for_exists_and_can_become_healthy(compose: dict[str, Any]) -> None:
    services = compose["services"]
    for service in services.values():
        for name, wait in service.get("depends_on", {}).items():
            assert name in services
            if wait["condition"] == "service_healthy":
                assert not services[name].get("healthcheck", {}).get("disable")
    declared = set(compose["volumes"])
    named = {volume.split(":")[0] for service in services.values() for volume in service.get("volumes", [])}
    assert named == declared


def test_every_lasting_container_starts_after_the_engines_its_settings_name(compose: dict[str, Any]) -> None:
    services = compose["services"]

    def before(name: str) -> set[str]:
        direct = set(services[name].get("depends_on", {}))
        return direct.union(*(before(each) for each in direct))

    for name in ("web-1", "web-2", "worker", "mail", "beat"):
        addresses = " ".join(services[name]["environment"].values())
        assert set(re.findall(r"(?:@|redis://)(postgres|redis)\b", addresses)) == {"postgres", "redis"}
        assert before(name) >= {"postgres", "redis"}, name


def test_the_program_s_containers_run_its_commands_without_rights(compose: dict[str, Any]) -> None:
    ours = {name: service for name, service in compose["services"].items() if service["image"] == "saishi"}
    assert {service["command"][1] for service in ours.values()} == {"web", "worker", "beat", "migrate"}
    for service in ours.values():
        assert service["command"][0] == "saishi"
        assert service["command"][1] in COMMANDS
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]


def test_the_image_copies_what_exists_runs_as_nobody_special_and_names_real_stages(
    dockerfile: list[tuple[str, str]], compose: dict[str, Any]
) -> None:
    stages = [rest.split(" AS ")[1] for name, rest in dockerfile if name == "FROM"]
    assert stages == ["build", "proxy", "saishi"]
    for name, rest in dockerfile:
        if name == "COPY" and not rest.startswith("--from="):
            for source in rest.split()[:-1]:
                assert (ROOT / source).exists(), source
        elif name == "COPY":
            assert rest.split()[0].removeprefix("--from=") in stages
    users = [rest for name, rest in dockerfile if name == "USER"]
    assert users == ["saishi"]
    (command,) = [json.loads(rest) for name, rest in dockerfile if name == "CMD"]
    assert command[1] in COMMANDS
    targets = {service["build"]["target"] for service in compose["services"].values() if "build" in service}
    assert targets == {"proxy", "saishi"}


def test_the_build_context_holds_what_the_image_copies_and_nothing_of_an_installation(
    dockerfile: list[tuple[str, str]],
) -> None:
    ignored = (DEPLOY / "Dockerfile.dockerignore").read_text().split("\n")
    let_in = {line.removeprefix("!") for line in ignored if line.startswith("!")}
    copied = {
        source
        for name, rest in dockerfile
        if name == "COPY" and not rest.startswith("--from=")
        for source in rest.split()[:-1]
    }
    assert let_in == copied
    assert "*" in ignored


# --- nginx ---


def test_nginx_s_places_are_all_filled_in_by_image_and_compose(
    dockerfile: list[tuple[str, str]], compose: dict[str, Any]
) -> None:
    places = set(re.findall(r"\$\{(\w+)\}", (DEPLOY / "nginx.conf").read_text()))
    by_image = set(
        re.findall(r"(SAISHI_NGINX_\w+)=", " ".join(rest for name, rest in dockerfile if name == "ENV"))
    )
    assert places == by_image | set(compose["services"]["nginx"]["environment"])


def test_nginx_lets_through_a_little_more_than_the_program_takes(tmp_path: Path) -> None:
    size, with_files = re.findall(r"client_max_body_size (\d+)m;", (DEPLOY / "nginx.conf").read_text())
    assert int(with_files) == FORM_MEGABYTES + 1
    limit = _config(Settings.from_environment({"SAISHI_INSTANCE": str(tmp_path)}))["MAX_CONTENT_LENGTH"]
    assert int(size) * 1024 * 1024 > limit >= (int(size) - 1) * 1024 * 1024


# --- systemd ---


def unit(path: Path) -> configparser.RawConfigParser:
    parser = configparser.RawConfigParser(strict=False, delimiters=("=",), comment_prefixes=("#",))
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # keep the case of the names
    parser.read_string(path.read_text())
    return parser


@pytest.mark.parametrize("path", SERVICES, ids=lambda path: path.name)
def test_each_unit_runs_a_command_of_the_program_with_settings_that_exist(path: Path) -> None:
    service = unit(path)["Service"]
    words = shlex.split(service["ExecStart"])
    program = words.index("/opt/saishi/.venv/bin/saishi")
    assert words[program + 1] in COMMANDS
    assert words[program + 2 :] in ([], ["--only", "work"], ["--only", "mail"])
    assert {word.split("=")[0] for word in words[1:program]} <= NAMES
    assert service["User"] != "root"
    assert service["NoNewPrivileges"] == "yes"
    assert service["ProtectSystem"] == "strict"


def test_the_target_wants_every_lasting_unit() -> None:
    wanted = unit(DEPLOY / "systemd" / "saishi.target")["Unit"]["Wants"].split()
    lasting = {path.name for path in SERVICES if unit(path)["Service"]["Type"] != "oneshot"}
    assert {re.sub(r"@\d+", "@", name) for name in wanted} == lasting
    assert sum(name.startswith("saishi-web@") for name in wanted) == 2


def test_every_queue_has_a_worker_of_its_own(compose: dict[str, Any]) -> None:
    units = [shlex.split(unit(path)["Service"]["ExecStart"])[-3:] for path in SERVICES]
    commands = [service["command"][1:] for service in compose["services"].values() if "command" in service]
    for started in (units, commands):
        queues = [QUEUES[words[2]] for words in started if words[:2] == ["worker", "--only"]]
        assert sorted(each for queue in queues for each in queue) == sorted(Queue)


def test_systemd_itself_finds_nothing_wrong() -> None:
    if shutil.which("systemd-analyze") is None:
        # A second opinion: the tests above read the units themselves, also where there is no systemd (macOS).
        pytest.skip("not run: systemd-analyze is not installed (Debian: systemd)")
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *map(str, UNITS)],
        capture_output=True,
        text=True,
        check=False,
    )
    ours = [line for line in done.stderr.splitlines() if "saishi" in line]
    assert ours == []


# --- the runbook ---


def test_the_runbook_names_files_and_commands_that_exist() -> None:
    text = (DEPLOY / "RUNBOOK.md").read_text()
    for command in re.findall(r"saishi (serve|web|worker|beat|migrate|organiser|audit|files)\b", text):
        assert command in COMMANDS
    for path in re.findall(r"\bdeploy/[\w.-]+(?:/[\w@.-]+)?", text):
        assert (ROOT / path).exists(), path
    places = set(re.findall(r"\$\{(\w+)\}", (DEPLOY / "nginx.conf").read_text()))
    assert places == set(re.findall(r"(SAISHI_NGINX_[A-Z]+)=", text))
    for message in (
        "已被占用",
        "数据库结构比程序旧",
        "数据库结构比程序新",
        "正被另一个 saishi 使用",
        "连不上数据库",
        "密钥与数据库不符",
        "时钟文件",
        "网站照常",
        "连不上文件存储",
        "里没有这个桶",
        "不接受这个用户或密码",
        "不在 SAISHI_FILE_KEYS 里",
    ):
        assert message in text
        assert any(message in path.read_text() for path in (ROOT / "app" / "cli").glob("*.py"))
