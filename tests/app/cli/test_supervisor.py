"""The supervisor, with real processes: tiny stand-ins for web, worker and beat."""

import os
import re
import signal
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.cli.supervisor import Patience
from tests.services import Program, program

STEADY = "import time; print('up', flush=True); time.sleep(600)"
STUBBORN = """
    import os, signal, time
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    print(f'pid {os.getpid()}', flush=True)
    while True:
        time.sleep(1)
"""
WITH_OFFSPRING = """
    import subprocess, sys, time
    child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])
    print(f'pid {child.pid}', flush=True)
    time.sleep(600)
"""
TELLS_ITS_PID = "import os, time; print(f'pid {os.getpid()}', flush=True); time.sleep(600)"


@contextmanager
def supervisor(
    folder: Path, children: dict[str, str], *, options: str = "", ready: str = "True"
) -> Iterator[Program]:
    """A supervisor process over Python snippets."""
    commands = ", ".join(
        f"ChildCommand({name!r}, [sys.executable, '-c', {textwrap.dedent(code)!r}], needed={name == 'web'})"
        for name, code in children.items()
    )
    script = folder / "supervise.py"
    script.write_text(
        textwrap.dedent(f"""
            import sys
            from pathlib import Path
            from app.cli.supervisor import ChildCommand, Patience, Supervisor

            sys.exit(Supervisor(
                [{commands}],
                ready=lambda: {ready},
                announce=lambda: print("ready now", flush=True),
                patience=Patience({options}),
            ).run())
        """)
    )
    root = str(Path(__file__).resolve().parents[3])
    with program(sys.executable, str(script), environment={"PYTHONPATH": root}) as running:
        yield running


def pid_in(line: str) -> int:
    found = re.search(r"pid (\d+)", line)
    assert found, line
    return int(found.group(1))


def alive(pid: int) -> bool:
    """Whether the process runs; one that has ended and waits for its parent does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def gone(pid: int, within: float = 10.0) -> bool:
    deadline = time.monotonic() + within
    while alive(pid):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def test_log_lines_carry_their_child_s_name_in_one_column(tmp_path: Path) -> None:
    with supervisor(tmp_path, {"web": STEADY, "worker": STEADY}) as running:
        running.wait_for_line("[worker] up")
        assert running.wait_for_line("[web]    up") == "[web]    up"


def test_readiness_is_announced_once_when_the_question_is_answered(tmp_path: Path) -> None:
    flag = tmp_path / "answers"
    code = f"import pathlib, time; time.sleep(.3); pathlib.Path({str(flag)!r}).touch(); print('up', flush=True); time.sleep(600)"
    with supervisor(tmp_path, {"web": code}, ready=f"Path({str(flag)!r}).exists()") as running:
        running.wait_for_line("ready now")
        time.sleep(0.4)
        assert running.output.count("ready now") == 1


def test_a_child_that_does_not_answer_in_time_is_mentioned(tmp_path: Path) -> None:
    with supervisor(tmp_path, {"web": STEADY}, ready="False", options="start=0.3") as running:
        assert "仍在等待" in running.wait_for_line("still waiting")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_stops_every_child_and_the_exit_status_is_0(tmp_path: Path, number: signal.Signals) -> None:
    with supervisor(tmp_path, {"web": TELLS_ITS_PID, "worker": TELLS_ITS_PID}) as running:
        children = [pid_in(running.wait_for_line(f"[{name}]")) for name in ("web", "worker")]
        running.send(number)
        assert running.wait(10) == 0
    assert not any(alive(pid) for pid in children)


def test_a_child_that_ignores_the_request_is_killed_after_the_grace(tmp_path: Path) -> None:
    with supervisor(tmp_path, {"web": TELLS_ITS_PID, "worker": STUBBORN}, options="stop=0.5") as running:
        stubborn = pid_in(running.wait_for_line("[worker]"))
        running.wait_for_line("[web]")
        running.send(signal.SIGTERM)
        assert running.wait(10) == 0
        assert "强制结束 worker (" in running.output
    assert not alive(stubborn)


def test_a_second_signal_does_not_wait_for_the_grace(tmp_path: Path) -> None:
    with supervisor(tmp_path, {"worker": STUBBORN}, options="stop=600") as running:
        running.wait_for_line("[worker]")
        running.send(signal.SIGINT)
        time.sleep(0.3)
        assert running.running
        running.send(signal.SIGINT)
        assert running.wait(10) == 0


def test_what_a_child_started_ends_with_it(tmp_path: Path) -> None:
    with supervisor(tmp_path, {"web": WITH_OFFSPRING}) as running:
        grandchild = pid_in(running.wait_for_line("[web]"))
        running.send(signal.SIGTERM)
        assert running.wait(10) == 0
    assert gone(grandchild)


# The death signal of a parent is a call of the Linux kernel; elsewhere the supervisor promises nothing here.
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux's kernel ends a child with its parent")
def test_children_end_when_the_supervisor_is_killed(tmp_path: Path) -> None:
    with supervisor(tmp_path, {"web": TELLS_ITS_PID, "worker": TELLS_ITS_PID}) as running:
        children = [pid_in(running.wait_for_line(f"[{name}]")) for name in ("web", "worker")]
        running.send(signal.SIGKILL)
        assert running.wait(10) == -signal.SIGKILL
        assert all(gone(pid) for pid in children)


def test_a_child_that_dies_is_started_again_and_the_others_stay(tmp_path: Path) -> None:
    with supervisor(
        tmp_path, {"web": TELLS_ITS_PID, "worker": TELLS_ITS_PID}, options="retry=(0.1,)"
    ) as running:
        first = pid_in(running.wait_for_line("[worker]"))
        web = pid_in(running.wait_for_line("[web]"))
        os.kill(first, signal.SIGKILL)
        assert "信号 SIGKILL" in running.wait_for_line("[saishi] worker")
        running.wait_until(lambda: running.output.count("[worker] pid") == 2, what="the worker started again")
        assert alive(web)
        assert running.output.count("[web]") == 1


def test_the_third_death_of_web_within_thirty_seconds_stops_everything_with_one_sentence(
    tmp_path: Path,
) -> None:
    failing = "import sys; print('no port', flush=True); sys.exit(3)"
    with supervisor(
        tmp_path, {"web": failing, "worker": TELLS_ITS_PID}, options="back_off=(0.05, 0.1)"
    ) as running:
        worker = pid_in(running.wait_for_line("[worker]"))
        assert running.wait(20) == 1
    last = running.lines[-1]
    assert "web 在 30 秒内退出了 3 次（退出码 3），已全部停止" in last
    assert "ended 3 times within 30 s, exit status 3" in last
    assert running.output.count("[web]    no port") == 3
    assert not alive(worker)


def test_a_worker_that_cannot_live_is_tried_again_with_growing_pauses_while_web_goes_on(
    tmp_path: Path,
) -> None:
    failing = "import sys; print('no folder', flush=True); sys.exit(3)"
    options = "retry=(0.05, 0.1, 0.2)"
    with supervisor(
        tmp_path, {"web": TELLS_ITS_PID, "worker": failing, "beat": failing}, options=options
    ) as running:
        web = pid_in(running.wait_for_line("[web]"))
        running.wait_until(lambda: running.output.count("[worker] no folder") >= 5, what="five starts")
        assert running.running
        assert alive(web)
    for name in ("worker", "beat"):
        said = [line for line in running.lines if line.startswith(f"[saishi] {name}")]
        pauses = [re.findall(r"([\d.]+) 秒后重新启动，网站照常", line)[0] for line in said]
        assert pauses[:4] == ["0.05", "0.1", "0.2", "0.2"]
        assert "exit status 3; starting it again in 0.05 s, the site goes on)" in said[0]
    assert running.output.count("[web]") == 1


def test_the_longest_pause_is_a_minute_and_a_long_life_begins_anew(tmp_path: Path) -> None:
    assert Patience().retry[-1] == 60.0
    assert list(Patience().retry) == sorted(Patience().retry)
    lives = "import time; print('up', flush=True); time.sleep(0.4)"
    with supervisor(
        tmp_path, {"web": STEADY, "worker": lives}, options="retry=(0.05, 30), within=0.2"
    ) as running:
        running.wait_until(lambda: running.output.count("[worker] up") >= 4, what="four lives")


def test_deaths_far_apart_are_forgotten(tmp_path: Path) -> None:
    short_lived = "import time; print('up', flush=True); time.sleep(0.2)"
    options = "back_off=(0.05,), within=0.3"
    with supervisor(tmp_path, {"web": short_lived}, options=options) as running:
        running.wait_until(lambda: running.output.count("[web] up") >= 6, what="six starts")
        assert running.running


def test_a_program_that_does_not_exist_stops_everything_instead_of_a_traceback(tmp_path: Path) -> None:
    script = tmp_path / "supervise.py"
    script.write_text(
        "from app.cli.supervisor import *\n"
        "raise SystemExit(Supervisor([ChildCommand('web', ['/nonexistent/granian'])],"
        " patience=Patience(back_off=(0.05,))).run())\n"
    )
    root = str(Path(__file__).resolve().parents[3])
    with program(sys.executable, str(script), environment={"PYTHONPATH": root}) as running:
        assert running.wait(20) == 1
    assert "已全部停止" in running.lines[-1]
    assert "Traceback" not in running.output


def test_the_last_words_without_a_line_end_are_passed_on(tmp_path: Path) -> None:
    mutters = "import sys; sys.stderr.write('half a line'); sys.exit(1)"
    with supervisor(tmp_path, {"web": mutters}, options="back_off=(0.05,)") as running:
        assert running.wait(20) == 1
    assert "[web] half a line" in running.lines


def test_a_reader_that_goes_away_does_not_stop_the_site(tmp_path: Path) -> None:
    chatty = "import os, time\nprint(f'pid {os.getpid()}', flush=True)\nwhile True: print('still here', flush=True); time.sleep(.02)"
    read, write = os.pipe()
    script = tmp_path / "supervise.py"
    script.write_text(
        "import os, sys\nfrom app.cli.supervisor import *\n"
        f"sys.exit(Supervisor([ChildCommand('web', [sys.executable, '-c', {chatty!r}])],"
        f" output=os.fdopen({write}, 'w')).run())\n"
    )
    import subprocess

    root = str(Path(__file__).resolve().parents[3])
    process = subprocess.Popen(
        [sys.executable, str(script)], pass_fds=(write,), env={**os.environ, "PYTHONPATH": root}
    )
    try:
        os.close(write)
        with os.fdopen(read) as pipe:
            child = pid_in(pipe.readline())
        time.sleep(0.5)
        assert process.poll() is None
        assert alive(child)
        process.terminate()
        assert process.wait(15) == 0
    finally:
        process.kill()
        process.wait()
