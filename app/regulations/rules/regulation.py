"""One regulation (规程): a frozen document and typed access to it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property
from typing import Any

from app.regulations.rules.calendar import (
    CALENDAR_KEYS,
    MOMENTS,
    Calendar,
    CalendarKey,
    YearOutOfRangeError,
    parse,
)
from app.regulations.rules.canonical import canonical_json, plain, sha256_of
from app.regulations.rules.documents import DocumentRule
from app.regulations.rules.eligibility import EMPLOYMENT_RULES, EligibilityRule, Person, Refusal
from app.regulations.rules.errors import RegulationChangeError
from app.regulations.rules.terms import (
    Entry,
    Fee,
    Interpretation,
    Notice,
    Objections,
    OptionValue,
    Publication,
    Registration,
    TimeWindow,
    same,
)
from app.regulations.rules.texts import Bilingual
from app.text import T
from scoring_engine.rules import AwardPoints, ScoringRules, StageRule, TeamRule


def anchor(clause: str) -> str:
    """The id of a clause on the rules page; every refusal links to it."""
    return f"clause-{clause}"


FIRST_STAGES_HELD = ("drawn", "swiss", "bracket")
"""Kinds of a first stage whose rounds are drawn here."""


def runs_here(document: Mapping[str, Any]) -> bool:
    """Whether competitions of a document are held here: its first stage is drawn here."""
    stages = document["stages"]
    return bool(stages) and stages[0]["kind"] in FIRST_STAGES_HELD


def resolved_options(document: Mapping[str, Any]) -> dict[str, OptionValue]:
    """Every option with the value in force: the default, or what the document's `options` table says."""
    chosen = document.get("options", {})
    return {row["option"]: chosen.get(row["option"], row["default"]) for row in document["interpretations"]}


def with_options(value: Any, options: Mapping[str, OptionValue]) -> Any:
    """The value with every `{ option = "name" }` replaced by what the option says."""
    if isinstance(value, Mapping):
        if set(value) == {"option"}:
            return options[value["option"]]
        return {key: with_options(inner, options) for key, inner in value.items()}
    if isinstance(value, list):
        return [with_options(inner, options) for inner in value]
    return value


@dataclass(frozen=True, eq=True)
class Regulation:
    """A regulation that passed every check. Made by `library`, `queries` or `from_document`, never by hand."""

    canonical: str = field(repr=False)
    id: str
    game: str

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> "Regulation":
        """From a document that `schemas.validate` accepted (or that was frozen after it was)."""
        return cls(canonical=canonical_json(document), id=document["id"], game=document["game"])

    @property
    def document(self) -> dict[str, Any]:
        """The whole regulation as JSON; a new copy each time."""
        document: dict[str, Any] = json.loads(self.canonical)
        return document

    @cached_property
    def _document(self) -> dict[str, Any]:
        return self.document

    @cached_property
    def sha256(self) -> str:
        return sha256_of(self._document)

    @cached_property
    def options(self) -> Mapping[str, OptionValue]:
        """Every option and the value in force."""
        return resolved_options(self._document)

    @cached_property
    def _resolved(self) -> dict[str, Any]:
        """The document with the options put in, for everything that computes."""
        resolved: dict[str, Any] = with_options(self._document, self.options)
        return resolved

    @property
    def title(self) -> Bilingual:
        return Bilingual.of(self._document["name"])

    def name(self, language: str = "zh") -> str:
        return self.title.in_language(language)

    @property
    def event(self) -> Bilingual:
        """竞赛项目."""
        return Bilingual.of(self._document["event"])

    @property
    def season(self) -> int:
        """The year in which the competition is played; that of the entry deadline where the text gives no day of play."""
        played = self.calendar.dates.get(CalendarKey.PLAY_FROM)
        return self.calendar.registration_closes.year if played is None else self.calendar.play_from.year

    @cached_property
    def calendar(self) -> Calendar:
        return Calendar.of(self._document["calendar"])

    @cached_property
    def eligibility(self) -> tuple[EligibilityRule, ...]:
        return tuple(EligibilityRule.of(row, self.calendar) for row in self._resolved["eligibility"])

    def judge(self, person: Person) -> tuple[Refusal, ...]:
        """Every reason why this person may not enter; empty if they may."""
        refusals = (rule.judge(person) for rule in self.eligibility)
        return tuple(refusal for refusal in refusals if refusal is not None)

    @cached_property
    def document_rules(self) -> tuple[DocumentRule, ...]:
        """Every row of 参赛材料, also what an option asks of nobody."""
        return tuple(DocumentRule.of(row) for row in self._resolved.get("documents", []))

    @property
    def documents(self) -> tuple[DocumentRule, ...]:
        """The documents that somebody hands in."""
        return tuple(rule for rule in self.document_rules if rule.required_for != "nobody")

    @cached_property
    def entry(self) -> Entry:
        return Entry.of(self._resolved["entry"])

    @cached_property
    def registration(self) -> Registration:
        return Registration.of(self._resolved["registration"])

    @property
    def runs_here(self) -> bool:
        """Whether a competition can be held with it here (`runs_here`)."""
        return runs_here(self._document)

    @property
    def asks_employment(self) -> bool:
        """Whether entrants are judged by their employment with the unit; only then are it and the unit's code asked."""
        return any(rule.rule in EMPLOYMENT_RULES for rule in self.eligibility)

    @property
    def declared_rules(self) -> tuple[EligibilityRule, ...]:
        """The rules that each entrant declares to meet."""
        return tuple(rule for rule in self.eligibility if rule.declaration is not None)

    @property
    def in_pairs(self) -> bool:
        """Whether two players are one entry (一对)."""
        return self.entry.shape == "pair"

    @property
    def by_players(self) -> bool:
        """Whether players enter themselves, each naming his own unit; else a unit's leader enters its people."""
        return self.registration.by == "player"

    @property
    def teams(self) -> TeamRule | None:
        """How units' teams are made and ranked (团体); None where the text has none."""
        return self._scoring_rules.teams

    def has(self, table: str) -> bool:
        """Whether the text has this part: `publication`, `objections`."""
        return table in self._document

    @cached_property
    def publication(self) -> Publication:
        """公示. Raises KeyError where the text has none (`has`)."""
        return Publication.of(self._resolved["publication"])

    @cached_property
    def objections(self) -> Objections:
        """异议. Raises KeyError where the text has none (`has`)."""
        return Objections.of(self._resolved["objections"])

    @cached_property
    def windows(self) -> Mapping[str, TimeWindow]:
        """更正、申诉 windows by code."""
        return {row["code"]: TimeWindow.of(row) for row in self._resolved.get("windows", [])}

    @cached_property
    def fees(self) -> Mapping[str, Fee]:
        return {row["code"]: Fee.of(row) for row in self._resolved.get("fees", [])}

    @property
    def award_points(self) -> AwardPoints | None:
        """积分和等级; None where the text has none."""
        return self._scoring_rules.points

    @cached_property
    def notices(self) -> tuple[Notice, ...]:
        return tuple(Notice.of(row) for row in self._document.get("notices", []))

    @cached_property
    def interpretations(self) -> tuple[Interpretation, ...]:
        return tuple(
            Interpretation.of(row, self.options[row["option"]]) for row in self._document["interpretations"]
        )

    @property
    def stages(self) -> tuple[StageRule, ...]:
        """The stages in playing order, as the engine reads them."""
        return self._scoring_rules.stages

    def clause_of(self, key: str) -> str:
        """The clause of a dotted place of the document: `calendar.registration_closes`, `windows.correction`."""
        node: Any = self._document
        clause: str | None = None
        for part in key.split("."):
            if isinstance(node, list):
                node = next(
                    (
                        row
                        for row in node
                        if part
                        in (
                            row.get("id"),
                            row.get("code"),
                            row.get("rule"),
                            row.get("kind"),
                            row.get("criterion"),
                            row.get("option"),
                        )
                    ),
                    None,
                )
            else:
                node = node.get(part) if isinstance(node, Mapping) else None
            if node is None:
                raise KeyError(key)
            if isinstance(node, Mapping) and isinstance(node.get("clause"), str):
                clause = node["clause"]
        if clause is None:
            raise KeyError(key)
        return clause

    def scoring_rules(self, options: Mapping[str, OptionValue] | None = None) -> ScoringRules:
        """The engine's part. `options` overrides the values in force, names and values checked."""
        return self.with_changes(options=options)._scoring_rules if options else self._scoring_rules

    @cached_property
    def _scoring_rules(self) -> ScoringRules:
        return ScoringRules.from_mapping(self.document)

    def with_changes(
        self,
        calendar: Mapping[str, date | datetime | str] | None = None,
        options: Mapping[str, OptionValue] | None = None,
    ) -> "Regulation":
        """The same regulation with other dates or options. Raises RegulationChangeError with every wrong field."""
        document = self.document
        wrong = self._change_calendar(document, calendar or {}) | self._change_options(
            document, options or {}
        )
        if wrong:
            raise RegulationChangeError(wrong)
        return Regulation.from_document(document)

    def _change_calendar(
        self, document: dict[str, Any], changes: Mapping[str, date | datetime | str]
    ) -> dict[str, T]:
        wrong: dict[str, T] = {}
        for key, value in changes.items():
            if key not in document["calendar"]:
                known = "、".join(document["calendar"])
                wrong[f"calendar.{key}"] = T("日程没有这一项；可改的有：%(known)s。", known=known)
                continue
            try:
                document["calendar"][key]["at"] = plain(parse(CalendarKey(key), value))
            except YearOutOfRangeError as error:
                wrong[f"calendar.{key}"] = error.text
            except ValueError:
                wrong[f"calendar.{key}"] = T(
                    "%(label)s应写作 %(example)s。",
                    label=CALENDAR_KEYS[CalendarKey(key)],
                    example="2026-01-31T18:00" if CalendarKey(key) in MOMENTS else "2026-01-31",
                )
        if not wrong:
            problems = Calendar.of(document["calendar"]).problems()
            wrong = {f"calendar.{key}": sentence for key, sentence in problems.items()}
        return wrong

    def _change_options(self, document: dict[str, Any], changes: Mapping[str, OptionValue]) -> dict[str, T]:
        wrong: dict[str, T] = {}
        known = {each.option: each for each in self.interpretations}
        chosen = dict(document.get("options", {}))
        for name, value in changes.items():
            if name not in known:
                wrong[f"options.{name}"] = T(
                    "没有这个选项；规程 %(id)s 的选项有：%(known)s。", id=self.id, known="、".join(known)
                )
            elif not known[name].allows(value):
                wrong[f"options.{name}"] = T(
                    "选项 %(name)s（%(interpretation)s）只能是 %(allowed)s。",
                    name=name,
                    interpretation=known[name].id,
                    allowed=known[name].allowed_text(),
                )
            else:
                chosen[name] = value
        # Only what differs from a default is kept, so that the same choices always have the same hash.
        kept = {name: value for name, value in chosen.items() if not same(value, known[name].default)}
        document.pop("options", None)
        if kept:
            document["options"] = kept
        return wrong
