"""What two versions of a regulation say otherwise, in the words of the rules page (规程页)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from app.regulations.rules.page import RulesPage, rules_page
from app.regulations.rules.regulation import Regulation
from app.text import T


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of the page: its label (报名截止), its words, and its clause."""

    text: T
    clause: str
    label: T | None = None

    @property
    def key(self) -> tuple[str, str, str]:
        """What makes two sentences the same: the Chinese words decide, which the English follow."""
        return self.clause, "" if self.label is None else str(self.label), str(self.text)


@dataclass(frozen=True, slots=True)
class Change:
    """What one clause said and says now; one side is empty where it was added or taken away."""

    section: T
    before: tuple[Sentence, ...]
    after: tuple[Sentence, ...]


def compare(before: Regulation, after: Regulation) -> tuple[Change, ...]:
    """Every sentence of the rules page that differs, in the order of the page."""
    old, new = _sentences(rules_page(before)), _sentences(rules_page(after))
    titles = {code: title for code, (title, _) in (*old.items(), *new.items())}
    return tuple(
        change
        for code in titles
        for change in _changes(
            titles[code], old.get(code, (titles[code], []))[1], new.get(code, (titles[code], []))[1]
        )
    )


def _changes(section: T, before: Sequence[Sentence], after: Sequence[Sentence]) -> Iterator[Change]:
    matcher = SequenceMatcher(
        None, [each.key for each in before], [each.key for each in after], autojunk=False
    )
    for tag, start, end, new_start, new_end in matcher.get_opcodes():
        if tag == "equal":
            continue
        old, new = list(before[start:end]), list(after[new_start:new_end])
        # several sentences in a row: each beside its own, by clause and label
        while old and new and len(old) + len(new) > 2:
            pair = next(
                (
                    (one, other)
                    for one in old
                    for other in new
                    if (one.clause, str(one.label)) == (other.clause, str(other.label))
                ),
                None,
            )
            if pair is None:
                break
            old.remove(pair[0])
            new.remove(pair[1])
            yield Change(section, (pair[0],), (pair[1],))
        if old or new:
            yield Change(section, tuple(old), tuple(new))


def _sentences(page: RulesPage) -> dict[str, tuple[T, list[Sentence]]]:
    found = {
        section.code: (
            section.title,
            [Sentence(row.text, row.clause, row.label) for row in section.rows]
            + [
                Sentence(T("%(left)s：%(right)s", left=cells[0], right=cells[-1]), clause, table.title)
                for table in section.tables
                for cells, clause in table.rows
            ],
        )
        for section in page.sections
    }
    found["interpretations"] = (
        T("条文解释"),
        [
            Sentence(
                T("%(question)s %(reading)s", question=each.text, reading=each.meaning),
                each.clause,
                T("解释 %(id)s", id=each.id),
            )
            for each in page.interpretations
        ],
    )
    return found
