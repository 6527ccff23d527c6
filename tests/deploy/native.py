"""The processes of deploy/compose.yaml on this machine, without containers."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests import services
from tests.services import ROOT

NGINX_CONF = ROOT / "deploy" / "nginx.conf"
STATIC = ROOT / "app" / "static"

BODY_TIMEOUT = "client_body_timeout 15s;"
"""How long a sender may stand still, in deploy/nginx.conf."""

MAIN = """
daemon off;
{user}
worker_processes 2;
pid {folder}/nginx.pid;
error_log stderr warn;
events {{}}
http {{
    include {mime_types};
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/saishi.conf;
}}
"""


def require_nginx() -> None:
    """Skip the test where Debian's nginx is not installed; where everything must run, that is a failure."""
    if shutil.which("nginx") is None:
        if os.environ.get("CI") == "true":
            pytest.fail("nginx is not installed (Debian: nginx-light)")
        # As with Chromium: a Debian package that a newcomer need not have; CI has failed one line above.
        pytest.skip("not run: nginx is not installed (Debian: nginx-light)")


def filled_in(conf: str, values: Mapping[str, str]) -> str:
    """deploy/nginx.conf with its places filled, as envsubst does it."""
    for name, value in values.items():
        conf = conf.replace("${" + name + "}", value)
    return conf


@contextmanager
def nginx(
    *upstreams: str, static: Path = STATIC, log: Path | None = None, body_seconds: int | None = None
) -> Iterator[str]:
    """nginx with deploy/nginx.conf in front of ``upstreams``; yields its address.

    ``body_seconds``: how long a sender may stand still, where a test cannot wait as long as the file says.
    """
    with services.short_folder() as folder:
        address = f"127.0.0.1:{services.free_port()}"
        servers = " ".join(f"server {urlsplit(url).netloc};" for url in upstreams)
        values = {
            "SAISHI_NGINX_LISTEN": address,
            "SAISHI_NGINX_UPSTREAM": servers,
            "SAISHI_NGINX_STATIC": str(static),
            "SAISHI_NGINX_CACHE": str(folder / "cache"),
            "SAISHI_NGINX_LOG": str(log or folder / "access.log"),
        }
        conf = filled_in(NGINX_CONF.read_text(), values)
        if body_seconds is not None:
            assert conf.count(BODY_TIMEOUT) == 1
            conf = conf.replace(BODY_TIMEOUT, f"client_body_timeout {body_seconds}s;")
        (folder / "saishi.conf").write_text(conf)
        (folder / "nginx.conf").write_text(
            MAIN.format(
                folder=folder,
                mime_types="/etc/nginx/mime.types",
                # as root nginx would hand the work to a user who cannot read the test's folders
                user="user root;" if os.geteuid() == 0 else "",
            )
        )
        argv = ("nginx", "-e", "stderr", "-p", str(folder), "-c", str(folder / "nginx.conf"))
        with services.program(*argv, folder=folder) as running:
            running.wait_until((folder / "nginx.pid").exists, what="nginx runs")
            running.wait_until(lambda: services.listens(address), what=f"nginx listens on {address}")
            yield f"http://{address}"


@dataclass(frozen=True)
class Installation:
    """What runs: one address in front, the web processes behind it, and their common environment."""

    url: str
    webs: tuple[str, str]
    environment: Mapping[str, str]
    folder: Path


@contextmanager
def installation(folder: Path, **settings: str) -> Iterator[Installation]:
    """nginx, two web processes, the two workers, the periodic clock, PostgreSQL and Redis.

    Give it to ``tests.journeys.driver.Journey`` as an ``Instance`` to send a whole journey through it.
    """
    require_nginx()
    with ExitStack() as stack:
        database = stack.enter_context(services.shared_postgresql()).new_database()
        redis = stack.enter_context(services.redis())
        environment = services.environment(
            folder / "instance",
            SAISHI_DATABASE_URL=database,
            SAISHI_BROKER_URL=redis,
            SAISHI_LIMITS_URL=redis.removesuffix("/0") + "/1",
            SAISHI_PROXIES="1",
            **settings,
        )
        services.migrate(environment)
        webs = (
            stack.enter_context(services.web(environment)),
            stack.enter_context(services.web(environment)),
        )
        stack.enter_context(services.worker(environment, "--only", "work"))
        stack.enter_context(services.worker(environment, "--only", "mail"))
        stack.enter_context(services.beat(environment))
        yield Installation(stack.enter_context(nginx(*webs)), webs, environment, folder)
