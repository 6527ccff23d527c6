"""From a document to a Regulation: shape, then meaning, then the engine's own check; every problem at once."""

import re
from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError

from app.errors import field_texts
from app.regulations.rules import (
    Bilingual,
    Calendar,
    CalendarKey,
    Problem,
    Regulation,
    RegulationFileError,
    runs_here,
)
from app.regulations.rules.canonical import plain
from app.regulations.rules.eligibility import DAYS_OF_CALENDAR
from app.regulations.rules.terms import REGISTRARS, RESUBMISSIONS, Interpretation
from app.regulations.schemas.fields import Checked, OneOf, Whole, as_written
from app.regulations.schemas.tables import DEADLINE_DAYS, RegulationSchema
from app.text import T
from scoring_engine.rules import RulesError, ScoringRules


def validate(document: Any, source: str) -> Regulation:
    """The regulation of a TOML or JSON document. Raises RegulationFileError with every problem found."""
    if not isinstance(document, Mapping):
        raise RegulationFileError(source, [Problem("", T("规程应为一组键和值。"))])
    checked: dict[str, Any] = plain(document)
    problems = _shape_problems(checked)
    broken = {problem.path.partition(".")[0] for problem in problems}
    problems += _meaning_problems(checked, broken)
    problems += _engine_problems(checked, {problem.path.partition(".")[0] for problem in problems})
    if problems:
        raise RegulationFileError(source, problems)
    return Regulation.from_document(checked)


_RESOLVES_ALL = {"game", "interpretations", "options"}
"""Tables without which the engine would complain of every place that refers to them."""


def _engine_problems(document: dict[str, Any], broken: set[str]) -> list[Problem]:
    """What the engine says of the tables that are right so far; a broken one has been told of already."""
    if broken & _RESOLVES_ALL:
        return []
    try:
        ScoringRules.from_mapping(document)
    except RulesError as error:
        paths = [(dotted(found.path), Bilingual(found.zh, found.en)) for found in error.problems]
        return [
            Problem(path, text, _clause_near(document, path))
            for path, text in paths
            if path.partition(".")[0] not in broken
        ]
    return []


def dotted(json_path: str) -> str:
    """`$.stages[0].deals` as `stages.0.deals`."""
    return re.sub(r"\[(\d+)\]", r".\1", json_path).removeprefix("$").lstrip(".")


def _shape_problems(document: dict[str, Any]) -> list[Problem]:
    try:
        RegulationSchema().load(document)
    except ValidationError as error:
        return [
            Problem(path, text, _clause_near(document, path))
            for path, text in field_texts(error.messages_dict).items()
        ]
    return []


def _clause_near(document: Any, path: str) -> str | None:
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


def _meaning_problems(document: dict[str, Any], broken: set[str]) -> list[Problem]:
    """What single fields cannot show: order of dates, codes used twice, options that do not exist."""
    problems: list[Problem] = []
    if not broken & {"stages", "entry"} and runs_here(document):
        problems += _missing_to_run(document, broken)
    if "calendar" not in broken:
        calendar = Calendar.of(document["calendar"])
        problems += [
            Problem(f"calendar.{key}.at", text, calendar.clause(key))
            for key, text in calendar.problems().items()
        ]
    for table, key in (("windows", "code"), ("fees", "code"), ("interpretations", "option")):
        if table not in broken:
            problems += _used_twice(document.get(table, []), table, key)
    if not broken & {"windows", "fees"}:
        fees = {row["code"] for row in document.get("fees", [])}
        problems += [
            Problem(f"windows.{index}.fee", T("fees 中没有“%(fee)s”。", fee=row["fee"]), row["clause"])
            for index, row in enumerate(document.get("windows", []))
            if row.get("fee") not in {None, *fees}
        ]
    if "interpretations" not in broken:
        problems += _option_problems(document, broken)
    return problems


_DAYS_OF_PLAY = (("calendar", CalendarKey.PLAY_FROM.value), ("calendar", CalendarKey.PLAY_TO.value))

NEEDED_TO_RUN: Mapping[str, tuple[tuple[str, str | None], ...]] = {
    "drawn": (
        ("calendar", CalendarKey.REGISTRATION_OPENS.value),
        *_DAYS_OF_PLAY,
        ("registration", "changes"),
        ("publication", None),
        ("objections", None),
    ),
    "swiss": _DAYS_OF_PLAY,
    "bracket": _DAYS_OF_PLAY,
}
"""By the kind of the first stage: tables, and keys in them, that a regulation must have to be held here."""


def _missing_to_run(document: dict[str, Any], broken: set[str]) -> list[Problem]:
    """What a competition that is held here cannot do without, though another text may be silent about it."""
    needed = NEEDED_TO_RUN[document["stages"][0]["kind"]]
    problems = []
    for table, key in needed:
        if table in broken or (table in document and (key is None or key in document[table])):
            continue
        path = table if key is None else f"{table}.{key}"
        problems.append(Problem(path, T("缺少这一项。"), _clause_near(document, path)))
    return problems


def _used_twice(rows: list[dict[str, Any]], table: str, key: str) -> list[Problem]:
    seen: set[Any] = set()
    problems = []
    for index, row in enumerate(rows):
        if row[key] in seen:
            problems.append(
                Problem(f"{table}.{index}.{key}", T("“%(value)s”重复。", value=row[key]), row.get("clause"))
            )
        seen.add(row[key])
    return problems


def _option_problems(document: dict[str, Any], broken: set[str]) -> list[Problem]:
    rows = document["interpretations"]
    problems = [
        Problem(
            f"interpretations.{index}.words",
            T("缺少取值“%(value)s”的说明。", value=str(value)),
            row["clause"],
        )
        for index, row in enumerate(rows)
        if isinstance(row["allowed"], list)
        for value in row["allowed"]
        if str(value) not in row.get("words", {})
    ]
    if problems:
        return problems
    known = {row["option"]: Interpretation.of(row, row["default"]) for row in rows}
    for index, row in enumerate(rows):
        if not Interpretation.of(row, row["default"]).allows(row["default"]):
            message = T("默认值不在 allowed 之内：%(allowed)s。", allowed=known[row["option"]].allowed_text())
            problems.append(Problem(f"interpretations.{index}.default", message, row["clause"]))
    for path, name in _references(document):
        if not isinstance(name, str) or name not in known:
            problems.append(Problem(path, _no_option(name, known), _clause_near(document, path)))
        else:
            problems += _misfits(document, path, known[name])
    if "options" not in broken:
        for name, value in document.get("options", {}).items():
            if name not in known:
                problems.append(Problem(f"options.{name}", _no_option(name, known)))
            elif not known[name].allows(value):
                message = T("只能是 %(allowed)s。", allowed=known[name].allowed_text())
                problems.append(Problem(f"options.{name}", message, known[name].clause))
    return problems


def _no_option(name: Any, known: Mapping[str, Interpretation]) -> T:
    return T("没有选项“%(name)s”；可用的有：%(known)s。", name=as_written(name), known="、".join(known))


def _references(node: Any, path: str = "") -> list[tuple[str, Any]]:
    """Every `{ option = "name" }` of the document with its place."""
    if isinstance(node, Mapping):
        if set(node) == {"option"}:
            return [(path, node["option"])]
        return [
            found for key, inner in node.items() for found in _references(inner, f"{path}.{key}".lstrip("."))
        ]
    if isinstance(node, list):
        return [
            found
            for index, inner in enumerate(node)
            for found in _references(inner, f"{path}.{index}".lstrip("."))
        ]
    return []


_REFERENCED: Mapping[str, Checked] = {
    "publication.workdays": Whole(1, 60),
    "publication.deadline_day": OneOf(DEADLINE_DAYS),
    "entry.resubmission.reading": OneOf(RESUBMISSIONS),
    "registration.by": OneOf(REGISTRARS),
}
"""Places that take an option, and what they can use of it."""

_WITHIN_DAYS = re.compile(r"documents\.\d+\.within_days")
_MINUTES = re.compile(r"windows\.\d+\.minutes")
_AGE_DAY = re.compile(r"eligibility\.\d+\.day")


def _misfits(document: dict[str, Any], path: str, interpretation: Interpretation) -> list[Problem]:
    """An option whose values the place it is used in cannot take, or a place that takes no option at all."""
    if _WITHIN_DAYS.fullmatch(path):
        place: Checked | None = Whole(1, 366)
    elif _MINUTES.fullmatch(path):
        place = Whole(1, 24 * 60)
    elif _AGE_DAY.fullmatch(path):
        place = OneOf(DAYS_OF_CALENDAR)
    else:
        place = _REFERENCED.get(path)
    if place is None:
        return []
    values: list[Any] = [choice.value for choice in interpretation.choices] or [
        interpretation.least,
        interpretation.most,
    ]
    try:
        for value in values:
            place.check(value)
    except ValidationError as error:
        texts = field_texts(error.messages)
        return [Problem(path, text, _clause_near(document, path)) for text in texts.values()]
    return []
