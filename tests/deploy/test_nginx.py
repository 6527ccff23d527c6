"""deploy/nginx.conf before stand-in web processes: what it passes on, keeps, and never keeps."""

from __future__ import annotations

import gzip
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest

from tests.deploy import native
from tests.services import free_port

pytestmark = pytest.mark.journey


class StandIn(BaseHTTPRequestHandler):
    """Answers with a count, so that a kept copy shows; ``?set=…`` and ``?control=…`` choose headers."""

    protocol_version = "HTTP/1.1"
    server: Counting

    def do_GET(self) -> None:
        self.answer()

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.answer()

    def answer(self) -> None:
        with self.server.lock:
            self.server.count += 1
            number = self.server.count
        wanted = httpx.URL(self.path).params
        forwarded = "|".join(
            self.headers.get(f"X-Forwarded-{name}", "-") for name in ("For", "Proto", "Host")
        )
        body = f"{self.server.name} {number} {forwarded}".ljust(2000).encode()
        self.send_response(int(wanted.get("status", 200)))
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", wanted.get("control", "no-cache"))
        self.send_header("Vary", "Cookie, Accept-Language")
        if "set" in wanted:
            self.send_header("Set-Cookie", f"session={number}")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Nothing: the test looks at the answers."""


class Counting(ThreadingHTTPServer):
    daemon_threads = True
    count = 0

    def __init__(self, name: str) -> None:
        super().__init__(("127.0.0.1", 0), StandIn)
        self.name = name
        self.lock = threading.Lock()
        self.url = f"http://127.0.0.1:{self.server_address[1]}"


@contextmanager
def stand_in(name: str) -> Iterator[Counting]:
    server = Counting(name)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture(scope="module")
def behind() -> Iterator[Counting]:
    native.require_nginx()
    with stand_in("only") as server:
        yield server


@pytest.fixture(scope="module")
def url(behind: Counting, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    static = tmp_path_factory.mktemp("static")
    (static / "app-3ZDQ4TDV.css").write_text("body{}" * 1000)
    (static / "manifest.json").write_text("{}")
    (static / ".built-from").write_text("secret")
    with native.nginx(behind.url, static=static) as address:
        yield address


def get(url: str, path: str, **headers: str) -> httpx.Response:
    return httpx.get(url + path, headers=headers, trust_env=False)


def kept(url: str, path: str, **headers: str) -> bool:
    """Whether the second of two equal requests is answered from a copy."""
    first, second = get(url, path, **headers), get(url, path, **headers)
    return first.text == second.text


def test_a_public_page_is_kept_for_readers_without_cookie(url: str) -> None:
    assert kept(url, "/standings")
    assert get(url, "/standings").headers["Cache-Control"] == "no-cache"


def test_a_copy_lives_a_second(url: str) -> None:
    first = get(url, "/ageing")
    threading.Event().wait(2.1)
    get(url, "/ageing")  # may be answered from the old copy while the new one is fetched
    threading.Event().wait(0.2)
    assert get(url, "/ageing").text != first.text


@pytest.mark.parametrize("headers", [{"Cookie": "session=1"}, {"Authorization": "Bearer x"}])
def test_a_known_reader_never_sees_a_copy_and_never_leaves_one(url: str, headers: dict[str, str]) -> None:
    path = f"/mine-by-{next(iter(headers))}"
    mine = get(url, path, **headers)
    assert get(url, path).text != mine.text
    assert get(url, path, **headers).text != get(url, path).text
    assert not kept(url, path, **headers)


@pytest.mark.parametrize(
    "path",
    [
        "/sign-in?set=1",
        "/a?control=no-store",
        "/b?control=private",
        "/c?control=private,%20max-age=60",
        "/d?status=404",
    ],
)
def test_private_answers_refusals_and_answers_that_set_a_cookie_are_not_kept(url: str, path: str) -> None:
    assert not kept(url, path)


def test_languages_fragments_and_hosts_do_not_share_a_copy(url: str) -> None:
    plain = get(url, "/page", **{"Accept-Language": "zh"}).text
    assert get(url, "/page", **{"Accept-Language": "en"}).text != plain
    assert get(url, "/page", **{"Accept-Language": "zh", "HX-Request": "true"}).text != plain
    assert get(url, "/page", **{"Accept-Language": "zh", "Host": "other.example"}).text != plain


def test_a_client_cannot_claim_another_address(url: str) -> None:
    forged = {
        "X-Forwarded-For": "203.0.113.9",
        "X-Forwarded-Proto": "https",
        "X-Forwarded-Host": "evil.example",
    }
    seen = get(url, "/forged", **forged).text
    assert f"127.0.0.1|http|{httpx.URL(url).netloc.decode()}" in seen
    assert "203.0.113.9" not in seen
    assert "evil.example" not in seen


def test_pages_are_compressed(url: str) -> None:
    with httpx.stream("GET", url + "/large", headers={"Accept-Encoding": "gzip"}, trust_env=False) as answer:
        assert answer.headers["Content-Encoding"] == "gzip"
        assert b"only" in gzip.decompress(b"".join(answer.iter_raw()))


def test_hashed_assets_are_kept_for_ever_and_others_briefly(url: str) -> None:
    hashed = get(url, "/static/app-3ZDQ4TDV.css")
    assert hashed.status_code == 200
    assert hashed.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert hashed.headers["X-Content-Type-Options"] == "nosniff"
    assert hashed.headers["Content-Encoding"] == "gzip"
    assert get(url, "/static/manifest.json").headers["Cache-Control"] == "public, max-age=300"


@pytest.mark.parametrize(
    "path", ["/static/.built-from", "/static/../nginx.conf", "/static/%2e%2e/nginx.conf", "/static/none.js"]
)
def test_nothing_but_built_assets_is_served(url: str, path: str) -> None:
    with httpx.Client(base_url=url, trust_env=False) as client:
        answer = client.get(path)
    assert "secret" not in answer.text
    assert "worker_processes" not in answer.text
    if path.startswith("/static/.b") or path.endswith("none.js"):
        assert answer.status_code == 404


def test_a_body_above_the_limit_is_refused_before_it_reaches_the_program(url: str, behind: Counting) -> None:
    before = behind.count
    answer = httpx.post(url + "/upload", content=b"x" * (3 * 1024 * 1024 + 1), trust_env=False)
    assert answer.status_code == 413
    assert behind.count == before


@pytest.mark.parametrize("path", ["/c/beach-2021/uploads", "/c/beach-2021/my/documents/m7/identity_card"])
def test_a_form_with_photos_may_be_longer(url: str, behind: Counting, path: str) -> None:
    before = behind.count
    assert httpx.post(url + path, content=bytes(4 * 1024 * 1024), trust_env=False).status_code != 413
    assert behind.count == before + 1
    assert httpx.post(url + path, content=bytes(65 * 1024 * 1024 + 1), trust_env=False).status_code == 413
    assert behind.count == before + 1


def test_a_sender_who_stands_still_is_cut_off_and_never_reaches_the_program(tmp_path: Path) -> None:
    """15 seconds in deploy/nginx.conf; a process behind it waits for nobody, because nginx passes on whole bodies only."""
    native.require_nginx()
    with stand_in("only") as server, native.nginx(server.url, body_seconds=1) as address:
        place = httpx.URL(address)
        with ExitStack() as stack:
            slow = [
                stack.enter_context(socket.create_connection((place.host, place.port or 80)))
                for _ in range(100)
            ]
            for each in slow:
                each.settimeout(60)
                each.sendall(b"POST /sign-in HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nphone=1")
            assert get(address, "/").status_code == 200
            answers = [each.recv(4096) for each in slow]
        assert all(answer == b"" or b" 408 " in answer for answer in answers)
    assert server.count == 1, "only the reader's request came through"


def test_one_web_process_may_stop_while_the_other_answers(tmp_path: Path) -> None:
    native.require_nginx()
    with stand_in("first") as first, native.nginx(first.url, f"http://127.0.0.1:{free_port()}") as address:
        answers = [get(address, f"/{number}") for number in range(8)]
    assert {answer.status_code for answer in answers} == {200}


def test_a_failed_post_is_not_sent_to_the_other_process(tmp_path: Path) -> None:
    native.require_nginx()
    with (
        stand_in("first") as first,
        stand_in("second") as second,
        native.nginx(first.url, second.url) as address,
    ):
        answer = httpx.post(address + "/revisions?status=503", content=b"x", trust_env=False)
        assert answer.status_code == 503
        assert first.count + second.count == 1


def test_when_no_web_process_answers_the_page_says_what_to_do(tmp_path: Path) -> None:
    native.require_nginx()
    with native.nginx(f"http://127.0.0.1:{free_port()}") as address:
        answer = get(address, "/")
    assert answer.status_code == 503
    assert "网站正在重新启动" in answer.text
    assert answer.headers["Retry-After"] == "5"
    assert answer.headers["Cache-Control"] == "no-store"


def test_keys_in_links_do_not_reach_the_access_log(tmp_path: Path) -> None:
    native.require_nginx()
    log = tmp_path / "access.log"
    with stand_in("only") as server, native.nginx(server.url, log=log) as address:
        for path in (
            "/c/spring/t/TABLEKEY",
            "/demo/sign-in/LINKKEY",
            "/api/v1/tables/APIKEY/revisions",
            "/c/spring?x=1",
        ):
            assert get(address, path).status_code == 200
    written = log.read_text()
    assert "KEY" not in written
    assert "GET /c/spring/t/..." in written
    assert 'GET /c/spring"' in written
