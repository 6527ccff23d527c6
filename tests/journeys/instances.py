"""Running instances to travel through: each engine with the product's own web and worker processes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests import services
from tests.journeys.driver import Instance

SQLITE = "SQLite and the queue folder"
POSTGRESQL = "PostgreSQL and Redis"
ENGINES = (SQLITE, POSTGRESQL)

TOLD = 60
"""Lines of each log that a failing journey shows."""


@contextmanager
def running(engine: str, folder: Path) -> Iterator[Instance]:
    """An empty demonstration instance (its clock can be moved) with web and worker."""
    with ExitStack() as stack:
        settings = {"SAISHI_DEMO": "1", "SAISHI_LANGUAGE": "zh"}
        if engine == POSTGRESQL:
            settings["SAISHI_DATABASE_URL"] = stack.enter_context(services.shared_postgresql()).new_database()
            settings["SAISHI_BROKER_URL"] = stack.enter_context(services.redis())
        environment = services.environment(folder / "instance", **settings)
        services.migrate(environment)
        environment["SAISHI_PORT"] = str(services.free_port())  # chosen late: others look for ports meanwhile
        web = stack.enter_context(services.program(*services.SAISHI, "web", environment=environment))
        url = f"http://127.0.0.1:{environment['SAISHI_PORT']}"
        web.wait_until(lambda: services.answers(url), what=f"{url}/healthz answers")
        worker = stack.enter_context(services.worker(environment))
        try:
            yield Instance(url, environment, folder)
        except BaseException as error:
            for name, running_program in (("web", web), ("worker", worker)):
                error.add_note(f"--- {name} ---\n" + "\n".join(running_program.lines[-TOLD:]))
            raise
