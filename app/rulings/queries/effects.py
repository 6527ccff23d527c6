"""What rulings did, for the public list and for the staff: rule, clause, table, and the effect on points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.competitions.queries import EventView
from app.draws.rules import round_name
from app.regulations.rules import Bilingual
from app.results import queries as results
from app.rulings import queries
from app.rulings.queries import RulingView
from app.rulings.rules import KIND_NAMES, RulingKind
from app.rulings.rules.choices import Choice, choices
from app.rulings.rules.tiers import effect_of, minutes_text
from app.standings import queries as standings
from app.text import T
from scoring_engine.rules import ScoringRules


@dataclass(frozen=True, slots=True)
class PublicRuling:
    """One row of the public list. ``id`` is None of what only the score sheet says. No reason: that is for the staff."""

    id: int | None
    stage: str
    round_number: int
    table_number: int | None
    name: str
    rule: T
    clause: str
    detail: T | None
    effect: T
    withdrawn: bool

    @property
    def place(self) -> T:
        told = round_name(self.stage, self.round_number)
        if self.table_number is None:
            return told
        return T("%(round)s %(table)s 号桌", round=told, table=self.table_number)


def public(event: EventView) -> tuple[PublicRuling, ...]:
    """The rulings everybody may read, by round and table: of tables whose results are public, and every expulsion.

    What was penalised on the score sheets alone is among them. Of a withdrawn one it is said that it was.
    """
    tables = {each.table.id for each in results.tables_in_force(event.id) if each.content is not None}
    known = [
        each
        for each in queries.rulings(event.id)
        if not each.void and (each.kind is RulingKind.EXPULSION or each.table_id in tables)
    ]
    told = effects(event, known)
    rows = [
        PublicRuling(
            id=each.id,
            stage=each.stage,
            round_number=each.round_number,
            table_number=each.table_number,
            name=each.person.name,
            rule=told.name(each),
            clause=each.clause,
            detail=detail(each),
            effect=told.effect(each),
            withdrawn=not each.stands,
        )
        for each in known
    ]
    rows += told.of_sheets(known)
    return tuple(sorted(rows, key=lambda each: (each.stage, each.round_number, each.table_number or 0)))


def detail(given: RulingView) -> T | None:
    """The deal, the number of times, or the minutes."""
    wanted = given.wanted
    if wanted.minutes is not None:
        return minutes_text(wanted.minutes)
    if wanted.deal is not None and wanted.count > 1:
        return T("第 %(deal)s 副，%(count)s 次", deal=wanted.deal, count=wanted.count)
    if wanted.deal is not None:
        return T("第 %(deal)s 副", deal=wanted.deal)
    return T("%(count)s 次", count=wanted.count) if wanted.count > 1 else None


@dataclass(frozen=True, slots=True)
class Effects:
    """The words for the rulings of one event. ``adjustments`` and ``tables`` are those of the newest standings."""

    rules: ScoringRules
    choices: Mapping[str, Choice]
    adjustments: Sequence[Mapping[str, Any]]
    tables: Sequence[Mapping[str, Any]]
    names: Mapping[str, str]

    def name(self, given: RulingView) -> T:
        """What was ruled, in the words of the regulation."""
        if given.kind is not RulingKind.PENALTY:
            return KIND_NAMES[given.kind]
        known = self.choices.get(given.wanted.code)
        return KIND_NAMES[given.kind] if known is None else known.name

    def effect(self, given: RulingView) -> T:
        if not given.stands:
            return T("已撤销，不计")
        if given.kind is RulingKind.LATENESS and given.wanted.minutes is not None:
            return effect_of(given.wanted.minutes, self.rules)
        known = self.choices.get(given.wanted.code)
        if given.kind is not RulingKind.PENALTY:
            return T("得分不变") if known is None else known.effect
        found = self._line_of(given) if given.on_sheet else self._by_id(given.adjustment_id)
        if found is not None:
            return _effect_of_line(found, known)
        if known is not None and not given.on_sheet and not known.counts_points:
            return known.effect
        return T("成绩公布后计入")

    def of_sheets(self, known: Sequence[RulingView]) -> list[PublicRuling]:
        """The penalties of the newest standings that no ruling of these stands behind: they were written on the sheets."""
        behind = Counter(_place(each) for each in known if each.stands and each.on_sheet)
        rows = []
        for line in self.adjustments:
            key = (line["rule"], line["entrant"], line["stage"], line["round"], line.get("deal"))
            if str(line["id"]).startswith("ruling-"):
                continue
            if behind[key]:
                behind[key] -= 1
                continue
            deal = line.get("deal")
            rows.append(
                PublicRuling(
                    id=None,
                    stage=line["stage"],
                    round_number=line["round"],
                    table_number=self._table_of(line),
                    name=self.names.get(line["entrant"], line["entrant"]),
                    rule=Bilingual(line["name"], line["name_en"]),
                    clause=line["clause"],
                    detail=None if deal is None else T("第 %(deal)s 副", deal=deal),
                    effect=_effect_of_line(line, self.choices.get(line["rule"])),
                    withdrawn=False,
                )
            )
        return rows

    def _by_id(self, adjustment_id: str) -> Mapping[str, Any] | None:
        return next((each for each in self.adjustments if each["id"] == adjustment_id), None)

    def _line_of(self, given: RulingView) -> Mapping[str, Any] | None:
        place = _place(given)
        keys = ("rule", "entrant", "stage", "round", "deal")
        return next(
            (each for each in self.adjustments if tuple(each.get(key) for key in keys) == place), None
        )

    def _table_of(self, line: Mapping[str, Any]) -> int | None:
        for table in self.tables:
            seats = table["entrants"]
            if (table["stage"], table["round"]) == (line["stage"], line["round"]) and line[
                "entrant"
            ] in seats:
                return int(table["number"])
        return None


def effects(event: EventView, known: Sequence[RulingView]) -> Effects:
    """What is needed to say what these rulings did."""
    snapshot = standings.latest(event.id)
    result: Mapping[str, Any] = {} if snapshot is None else snapshot.result
    names = {entrant: each.name for entrant, each in standings.people(event.id).items()}
    return Effects(
        rules=event.regulation.scoring_rules(),
        choices={each.code: each for each in choices(event.regulation)},
        adjustments=result.get("adjustments", ()),
        tables=result.get("tables", ()),
        names=names | {each.entrant: each.person.name for each in known},
    )


def _place(given: RulingView) -> tuple[Any, ...]:
    return (given.wanted.code, given.entrant, given.stage, given.round_number, given.wanted.deal)


def _effect_of_line(line: Mapping[str, Any], known: Choice | None) -> T:
    if line.get("text"):
        return Bilingual(line["text"], line["text_en"])
    points = str(line.get("points", "0"))
    if points != "0":
        return T("得分 %(points)s", points=points.replace("-", "−") if points[0] == "-" else f"+{points}")
    if known is not None and known.counts_warnings:
        return T("警告，得分不变")
    if known is not None and not known.counts_points:
        return known.effect
    return T("得分不变")
