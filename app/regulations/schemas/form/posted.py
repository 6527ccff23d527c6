"""The fields a form sent, as a tree of their names: ``stages-0-deals`` stands at stages, 0, deals."""

from collections.abc import Iterable
from dataclasses import dataclass, field

DEEPEST = 12
"""How deep the names go; a longer one is no field of ours and is left aside."""


@dataclass(slots=True)
class Posted:
    """What was sent under one name, and the names inside it."""

    values: list[str] = field(default_factory=list)
    inner: dict[str, "Posted"] = field(default_factory=dict)

    @classmethod
    def of(cls, sent: Iterable[tuple[str, list[str]]]) -> "Posted":
        root = cls()
        for name, values in sent:
            parts = name.split("-")
            if len(parts) > DEEPEST:
                continue
            node = root
            for part in parts:
                node = node.inner.setdefault(part, cls())
            node.values.extend(values)
        return root

    def at(self, name: str) -> "Posted":
        """What stands under ``name``, empty where nothing was sent."""
        return self.inner.get(name, NOTHING)

    @property
    def text(self) -> str | None:
        """The text of a field that is sent once; None where it was not sent."""
        return self.values[0].replace("\r\n", "\n") if self.values else None

    def rows(self) -> list["Posted"]:
        """The numbered names inside, in the order of their numbers."""
        numbers = sorted((int(name), name) for name in self.inner if name.isascii() and name.isdecimal())
        return [self.inner[name] for _, name in numbers]


NOTHING = Posted()
