"""Places of a document (`calendar.check_in.at`), and what has been said of them."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from app.regulations.rules import Problem
from app.regulations.schemas.sentences import explained
from app.text import T


def dotted(json_path: str) -> str:
    """`$.stages[0].deals` as `stages.0.deals`."""
    return re.sub(r"\[(\d+)\]", r".\1", json_path).removeprefix("$").lstrip(".")


def clause_near(document: Any, path: str) -> str | None:
    """The clause of the innermost row around a place, if the row has one."""
    clause: str | None = None
    node = document
    for part in path.split("."):
        if isinstance(node, Mapping):
            node = node.get(part)
        elif isinstance(node, list) and part.isdigit() and int(part) < len(node):
            node = node[int(part)]
        else:
            break
        if isinstance(node, Mapping) and isinstance(node.get("clause"), str):
            clause = node["clause"]
    return clause


def within(path: str, around: str) -> bool:
    """Whether a place is `around` itself, or inside it."""
    return path == around or path.startswith(f"{around}.")


def _around(path: str) -> list[str]:
    """What a place stands in: `stages.0.deals` in `stages.0`, and in `stages`."""
    parts = path.split(".")
    return [".".join(parts[:length]) for length in range(1, len(parts))]


class Told:
    """The problems of one document so far, in the order they were found; one for each place."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = document
        self.problems: list[Problem] = []
        self._wrong: set[str] = set()
        self._around: set[str] = set()
        """Whatever a wrong place stands in: a document of thousands of wrong rows is asked about each of them."""

    def add(self, path: str, text: T, clause: str | None = None) -> None:
        """Say what is wrong at a place, unless something was said there, or of what it stands in."""
        around = _around(path)
        if path not in self._wrong and self._wrong.isdisjoint(around):
            self._wrong.add(path)
            self._around.update(around)
            said = explained(path, text, self.document)
            self.problems.append(Problem(path, said, clause or clause_near(self.document, path)))

    def sound(self, path: str) -> bool:
        """Whether nothing is wrong with a place, with anything inside it or with what it stands in."""
        inside = path in self._wrong or path in self._around
        return not inside and self._wrong.isdisjoint(_around(path))

    def rows(self, table: str) -> Iterator[tuple[int, dict[str, Any]]]:
        """The rows of a table that are tables themselves, with their numbers; they may still hold wrong values."""
        rows = self.document.get(table)
        for index, row in enumerate(rows if isinstance(rows, list) else ()):
            if isinstance(row, dict):
                yield index, row
