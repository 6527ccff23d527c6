"""The figures of a mutation run, and the survivors that have no reason yet."""

from collections.abc import Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Mutant:
    """One change to the program. name: mutmut's; diff: unified, empty for a killed one."""

    module: str
    name: str
    status: str
    diff: str

    @property
    def function(self) -> str:
        """`x_climb__mutmut_3` -> `climb`, `xǁLevelTableǁread__mutmut_1` -> `LevelTable.read`."""
        return self.name.rpartition("__mutmut_")[0].removeprefix("x")[1:].replace("ǁ", ".")

    @property
    def change(self) -> tuple[str, str]:
        """The lines before and after."""
        lines = [line for line in self.diff.splitlines() if not line.startswith(("---", "+++"))]
        before, after = (" ".join(line[1:].strip() for line in lines if line[:1] == sign) for sign in "-+")
        return before, after


@dataclass(frozen=True)
class Figures:
    """The mutants of one module. A timeout counts as neither killed nor survived; it lowers the percentage."""

    mutants: int = 0
    killed: int = 0
    survived: int = 0
    timeout: int = 0
    other: int = 0

    @property
    def percent(self) -> float:
        return 100 * self.killed / self.mutants if self.mutants else 0.0


def figures(mutants: Sequence[Mutant]) -> dict[str, Figures]:
    """The figures of each module, and of all as `total`."""
    found: dict[str, Figures] = {}
    for mutant in mutants:
        status = mutant.status if mutant.status in ("killed", "survived", "timeout") else "other"
        for name in (mutant.module, "total"):
            row = found.get(name, Figures())
            found[name] = replace(row, mutants=row.mutants + 1, **{status: getattr(row, status) + 1})
    total = found.pop("total", Figures())
    return {**found, "total": total}


def table(found: dict[str, Figures]) -> str:
    """The figures as a Markdown table, as docs/mutation.md has them."""
    rows = [
        "| module | mutants | killed | survived | timeout | other | killed % |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    rows += [
        f"| {name.removeprefix('scoring_engine.')} | {row.mutants} | {row.killed} | {row.survived} | {row.timeout} "
        f"| {row.other} | {row.percent:.1f} |"
        for name, row in found.items()
    ]
    return "\n".join(rows)


def unexplained(mutants: Sequence[Mutant], reasons: str) -> list[str]:
    """A table row for every survivor whose function and change stand in no row of `reasons`."""
    rows = []
    for mutant in mutants:
        if mutant.status == "killed":
            continue
        before, after = (f"`{line.replace('|', chr(92) + '|')}`" for line in mutant.change)
        row = f"| `{mutant.module.removeprefix('scoring_engine.')}.{mutant.function}` | {before} | {after} |"
        if row not in reasons:
            rows.append(row if mutant.status == "survived" else f"{row} {mutant.status}")
    return rows
