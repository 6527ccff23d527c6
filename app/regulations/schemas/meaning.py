"""What single fields cannot show: order of dates, codes used twice, options that do not exist, parts that are needed."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from marshmallow import ValidationError

from app.errors import field_texts
from app.regulations.rules import Calendar, CalendarKey, DocumentRule, runs_here
from app.regulations.rules.eligibility import EMPLOYMENT_RULES
from app.regulations.rules.terms import Interpretation
from app.regulations.schemas.fields import EVERY_KEY, MISSING, Checked, Kind, OptionOr, as_written
from app.regulations.schemas.places import Told
from app.regulations.schemas.tables import RegulationSchema
from app.text import T


def meaning_problems(document: dict[str, Any], told: Told) -> None:
    """Tell every problem of this kind; each check looks only at places with which nothing is wrong so far."""
    if told.sound("stages.0.kind") and told.sound("entry.shape") and runs_here(document):
        _missing_to_run(document, told)
    _dates_out_of_order(document, told)
    _days_of_documents(document, told)
    _people_of_documents(document, told)
    _points(document, told)
    for table, key in (
        ("documents", "kind"),
        ("windows", "code"),
        ("fees", "code"),
        ("interpretations", "option"),
    ):
        _used_twice(told, table, key)
    _unknown_fees(told)
    if told.sound("interpretations") or isinstance(document.get("interpretations"), list):
        _options(document, told)


def _dates_out_of_order(document: Mapping[str, Any], told: Told) -> None:
    table = document.get("calendar")
    if not isinstance(table, Mapping):
        return
    calendar = Calendar.of({key: row for key, row in table.items() if told.sound(f"calendar.{key}")})
    for key, text in calendar.problems().items():
        told.add(f"calendar.{key}.at", text, calendar.clause(key))


def _days_of_documents(document: Mapping[str, Any], told: Told) -> None:
    """A document's age and validity are counted from days that the calendar has."""
    calendar = document.get("calendar")
    days = set(calendar) if isinstance(calendar, Mapping) else set(CalendarKey)
    known = "、".join(key for key in CalendarKey if key in days)
    for index, row in told.rows("documents"):
        place = f"documents.{index}"
        asked = {"valid_at": row.get("valid_at", []), "before": [row["before"]] if "before" in row else []}
        if "within_days" in row and "before" not in row:
            asked["before"] = [CalendarKey.CHECK_IN]
        for key, wanted in asked.items():
            missing = [day for day in wanted if day not in days] if told.sound(f"{place}.{key}") else []
            if missing:
                told.add(
                    f"{place}.{key}",
                    T("日程中没有 %(day)s；有：%(known)s。", day="、".join(missing), known=known),
                )
        if "before" in row and "within_days" not in row:
            told.add(f"{place}.before", T("写了 before，还要写 within_days。"))


def _people_of_documents(document: Mapping[str, Any], told: Told) -> None:
    """Only of whom the employment is asked can a document be asked by it, and never of a unit."""
    if not told.sound("eligibility"):
        return
    asked = any(row["rule"] in EMPLOYMENT_RULES for _, row in told.rows("eligibility"))
    for index, row in told.rows("documents"):
        place = f"documents.{index}"
        if "employments" not in row or not told.sound(place):
            continue
        if not asked:
            text = T("参赛资格没有用工关系的要求，报名时不问，无法据此要求材料。")
            told.add(f"{place}.employments", text, row["clause"])
        elif DocumentRule.of({**row, "within_days": None}).of_unit:
            text = T("单位一份的材料不分用工关系。")
            told.add(f"{place}.employments", text, row["clause"])


def _points(document: Mapping[str, Any], told: Told) -> None:
    """Places from the first on, without a gap, never worth more than those before them; grades rising."""
    table = document.get("points")
    if not isinstance(table, Mapping):
        return
    ranked, worth = 0, None
    for index, row in enumerate(table.get("places", []) if told.sound("points.places") else ()):
        place = f"points.places.{index}"
        if row["from"] != ranked + 1:
            told.add(f"{place}.from", T("应从 %(rank)s 起：名次从第一名起依次，不重不漏。", rank=ranked + 1))
        if row["to"] < row["from"]:
            told.add(f"{place}.to", T("不能小于 from。"))
        if worth is not None and row["points"] >= worth:
            told.add(f"{place}.points", T("应少于前一行的 %(points)s。", points=worth))
        ranked, worth = max(row["to"], row["from"]), row["points"]
    least = -1
    for index, row in enumerate(table.get("grades", []) if told.sound("points.grades") else ()):
        if row["least"] <= least:
            told.add(f"points.grades.{index}.least", T("应大于前一行的 %(least)s。", least=least))
        least = row["least"]


def _unknown_fees(told: Told) -> None:
    fees = {row["code"] for index, row in told.rows("fees") if told.sound(f"fees.{index}.code")}
    for index, row in told.rows("windows"):
        if told.sound("fees") and told.sound(f"windows.{index}.fee") and row.get("fee") not in {None, *fees}:
            told.add(f"windows.{index}.fee", T("fees 中没有“%(fee)s”。", fee=row["fee"]))


_DAYS_OF_PLAY = (("calendar", CalendarKey.PLAY_FROM.value), ("calendar", CalendarKey.PLAY_TO.value))

NEEDED_TO_RUN: Mapping[str, tuple[tuple[str, str | None], ...]] = {
    "drawn": (
        ("calendar", CalendarKey.REGISTRATION_OPENS.value),
        *_DAYS_OF_PLAY,
        ("registration", "changes"),
        ("publication", None),
        ("objections", None),
    ),
    "swiss": (*_DAYS_OF_PLAY, ("pairing", None)),
    "bracket": _DAYS_OF_PLAY,
}
"""By the kind of the first stage: tables, and keys in them, that a regulation must have to be held here."""


def _missing_to_run(document: Mapping[str, Any], told: Told) -> None:
    """What a competition that is held here cannot do without, though another text may be silent about it."""
    for table, key in NEEDED_TO_RUN[document["stages"][0]["kind"]]:
        found = document.get(table)
        if found is None if key is None else isinstance(found, Mapping) and key not in found:
            told.add(table if key is None else f"{table}.{key}", MISSING)


def _used_twice(told: Told, table: str, key: str) -> None:
    seen: set[Any] = set()
    for index, row in told.rows(table):
        if not told.sound(f"{table}.{index}.{key}"):
            continue
        if row[key] in seen:
            told.add(f"{table}.{index}.{key}", T("“%(value)s”重复。", value=row[key]))
        seen.add(row[key])


def _options(document: Mapping[str, Any], told: Told) -> None:
    """The readings among themselves, every place that refers to one, and the values that were chosen."""
    known: dict[str, Interpretation] = {}
    named: list[str] = []
    unnamed = False
    for index, row in told.rows("interpretations"):
        place = f"interpretations.{index}"
        if not told.sound(f"{place}.option"):
            unnamed = True
            continue
        named.append(row["option"])
        if told.sound(f"{place}.allowed") and told.sound(f"{place}.words"):
            _missing_words(row, place, told)
        if all(told.sound(f"{place}.{key}") for key in ("allowed", "default")):
            clause = row["clause"] if told.sound(f"{place}.clause") else ""
            reading = Interpretation.of({**row, **_WORDLESS, "clause": clause}, row["default"])
            known[row["option"]] = reading
            if not reading.allows(row["default"]):
                told.add(
                    f"{place}.default",
                    T("默认值不在 allowed 之内：%(allowed)s。", allowed=reading.allowed_text()),
                )
    for path, name in references(document):
        if name in known:
            _misfits(path, known[name], told)
        elif name not in named and not unnamed:
            told.add(path, _no_option(name, named))
    chosen = document.get("options", {})
    for name, value in chosen.items() if isinstance(chosen, Mapping) and told.sound("options") else ():
        if name in known and not known[name].allows(value):
            message = T("只能是 %(allowed)s。", allowed=known[name].allowed_text())
            told.add(f"options.{name}", message, known[name].clause or None)
        elif name not in named and not unnamed:
            told.add(f"options.{name}", _no_option(name, named))


class _Anything(dict[str, Any]):
    """Words for whatever value: those that are missing are told of where they stand."""

    def __missing__(self, key: str) -> dict[str, str]:
        return {"zh": key, "en": key}


_WORDLESS = {"id": "", "text": {"zh": "", "en": ""}, "words": _Anything()}
"""What a reading needs and a check of its values does not."""


def _missing_words(row: Mapping[str, Any], place: str, told: Told) -> None:
    words = row.get("words", {})
    for value in row["allowed"] if isinstance(row["allowed"], list) else ():
        if str(value) not in words:
            told.add(f"{place}.words", T("缺少取值“%(value)s”的说明。", value=str(value)))


def _no_option(name: Any, known: Iterable[str]) -> T:
    return T("没有选项“%(name)s”；可用的有：%(known)s。", name=as_written(name), known="、".join(known))


def references(node: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every `{ option = "name" }` of the document with its place. A name that is no text comes as None."""
    if isinstance(node, Mapping):
        if set(node) == {"option"}:
            name = node["option"]
            yield path, name if isinstance(name, str) else None
            return
        for key, inner in node.items():
            yield from references(inner, f"{path}.{key}".lstrip("."))
    elif isinstance(node, list):
        for index, inner in enumerate(node):
            yield from references(inner, f"{path}.{index}".lstrip("."))


def _misfits(path: str, reading: Interpretation, told: Told) -> None:
    """An option with values that the place it is used in cannot take. Places the engine reads are for the engine."""
    place = _field_at(path.split("."))
    if not isinstance(place, OptionOr):
        return
    values: list[Any] = [choice.value for choice in reading.choices] or [reading.least, reading.most]
    try:
        for value in values:
            place.inner.check(value)
    except ValidationError as error:
        for text in field_texts(error.messages).values():
            told.add(path, text)


def _field_at(parts: list[str]) -> Checked | None:
    """The field of the schema at a place, whatever its conditions."""
    keys, found = RegulationSchema.keys(), None
    for part in parts:
        if found is not None and found.kind is Kind.ROWS and part.isdigit():
            continue
        found = next((field for key, field in keys if key in (part, EVERY_KEY)), None)
        if found is None:
            return None
        keys = found.inside()
    return found
