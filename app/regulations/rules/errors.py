"""What can be wrong with a regulation, every problem at once."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.errors import InvalidError
from app.text import T

MOST_TOLD = 100
"""Problems that a page or an answer tells one by one; of the others it says how many. `check` prints all."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: where (`calendar.registration_closes.at`), what is allowed, and the row's clause."""

    path: str
    message: T
    clause: str | None = None

    def __str__(self) -> str:
        clause = f"（{self.clause}）" if self.clause else ""
        return f"{self.path or '（整个文件）'}{clause}：{self.message}"


class RegulationFileError(InvalidError):
    """A regulation that cannot be used. ``problems`` are all, ``fields`` the first of them; ``extra`` counts them."""

    def __init__(self, source: str, problems: Sequence[Problem]) -> None:
        self.source = source
        self.problems = tuple(problems)
        super().__init__(
            T("规程 %(source)s 有 %(count)s 处错误。", source=source, count=len(self.problems)),
            fields={problem.path: problem.message for problem in self.problems[:MOST_TOLD]},
            next_step=T("这里列出前 %(most)s 处。", most=MOST_TOLD)
            if len(self.problems) > MOST_TOLD
            else None,
            extra={"problem_count": len(self.problems)},
        )

    def sentences(self) -> list[str]:
        """One line for each problem, naming file, key and clause."""
        return [f"{self.source}: {problem}" for problem in self.problems]


class RegulationChangeError(InvalidError):
    """An organiser's change of dates or options that the regulation does not allow."""

    def __init__(self, fields: dict[str, T]) -> None:
        super().__init__(T("规程的日期或选项有误，请看标出的地方。"), fields=fields)
