"""Every table of a regulation document, and the keys it may have."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from marshmallow import ValidationError

from app.regulations.rules import DOCUMENT_KINDS, ELIGIBILITY_RULES, CalendarKey, Parameter
from app.regulations.rules.calendar import MAY_BE_ANNOUNCED, MOMENTS, YearOutOfRangeError, parse
from app.regulations.rules.documents import (
    AFTER_SIGNING,
    DUE,
    MOST_MEGABYTES,
    MOST_PAGES,
    REQUIRED_FOR,
    SIGNED_KINDS,
)
from app.regulations.rules.eligibility import CHOICES, DAYS_OF_CALENDAR, Employment
from app.regulations.rules.terms import (
    CHANNELS,
    FEE_CODES,
    OBJECTORS,
    REGISTRARS,
    RESUBMISSIONS,
    WINDOW_CODES,
    WINDOW_STARTS,
)
from app.regulations.schemas.engine_tables import (
    LatenessTable,
    PairingTable,
    PenaltyRow,
    PrizeRow,
    RankingRow,
    RewardedTable,
    ScoringTable,
    StageRow,
    TeamsTable,
)
from app.regulations.schemas.fields import (
    EVERY_KEY,
    MISSING,
    Checked,
    Clause,
    Day,
    Each,
    Flag,
    Kind,
    Matching,
    OneOf,
    OptionOr,
    SomeOf,
    Strict,
    Table,
    Text,
    Whole,
    Words,
    as_written,
    refuse,
    rows_of,
    schema_of,
)
from app.text import T

FORMAT = "saishi-regulation"
VERSION = 1
GAMES = ("landlord", "go", "xiangqi", "tractor", "eighty")
ENTRY_SHAPES = ("single", "pair")
TIMEZONE = "Asia/Shanghai"
DEADLINE_DAYS = ("excluded", "counted")

_NAME = re.compile(r"[a-z][a-z0-9_]{0,59}")
_REGULATION_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_INTERPRETATION_ID = re.compile(r"I-[A-Z]-[1-9][0-9]*")


class EventTable(Words):
    shown_as = Kind.TABLE

    clause = Clause()


class ResubmissionTable(Strict):
    reading = OptionOr(OneOf(RESUBMISSIONS))
    clause = Clause()


class EntryShape(OneOf):
    """What one entry is. A team is none: no text enters one as a whole, its players enter and `teams` adds them up."""

    def __init__(self) -> None:
        super().__init__(ENTRY_SHAPES)

    def check(self, value: Any) -> None:
        if value == "team":
            raise refuse(
                T("不以一队为一份报名：每名选手（single）或每对（pair）各报各的，单位的团体成绩写在 teams。")
            )
        super().check(value)


class EntryTable(Strict):
    shape = EntryShape()
    complete = Flag(required=False)
    resubmission = Table(ResubmissionTable, required=False)
    clause = Clause()


class CalendarTable(Checked):
    """Every key known, every value of its kind, with a clause."""

    REQUIRED = frozenset({CalendarKey.REGISTRATION_CLOSES})
    kind = Kind.TABLE

    def inside(self) -> Iterable[tuple[str, Checked]]:
        return [(key.value, Table(_calendar_row(key), required=key in self.REQUIRED)) for key in CalendarKey]

    def check(self, value: Any) -> None:
        if not isinstance(value, Mapping):
            raise refuse(T("应为一组键和值。"))
        errors: dict[str, Any] = {
            key: [T("日程没有这一项；可用的有：%(known)s。", known="、".join(CalendarKey))]
            for key in value
            if key not in set(CalendarKey)
        }
        errors |= {key: [MISSING] for key in sorted(self.REQUIRED - set(value))}
        for key in CalendarKey:
            if key in value:
                try:
                    _calendar_row(key).check(value[key])
                except ValidationError as error:
                    errors[key] = error.messages
        if errors:
            raise ValidationError(errors)


class _Moment(Checked):
    def __init__(self, key: CalendarKey, *, required: bool) -> None:
        super().__init__(required=required)
        self.key = key
        self.kind = Kind.MOMENT if key in MOMENTS else Kind.DAY
        self.example = "2021-10-31T18:00:00+08:00" if key in MOMENTS else "2021-12-03"

    def check(self, value: Any) -> None:
        try:
            parse(self.key, value)
        except YearOutOfRangeError as error:
            raise refuse(error.text) from None
        except ValueError:
            if self.key in MOMENTS:
                raise refuse(
                    T(
                        "应填写日期和时刻（北京时间）；在文件里写作 %(example)s。",
                        example="2021-10-31T18:00:00+08:00",
                    )
                ) from None
            raise refuse(T("应为日期，例如 %(example)s。", example="2021-12-03")) from None


def _calendar_row(key: CalendarKey) -> "type[Strict]":
    return schema_of({"at": _Moment(key, required=key not in MAY_BE_ANNOUNCED), "clause": Clause()})


PARAMETERS: Mapping[Parameter, Checked] = {
    Parameter.DAY: Day(),
    Parameter.YEARS: Whole(1, 120),
    Parameter.DAYS: OptionOr(Whole(1, 366)),
    Parameter.DAY_OF_CALENDAR: OptionOr(OneOf(DAYS_OF_CALENDAR)),
    Parameter.WORDS: Table(Words),
}


def _parameter(kind: Parameter) -> Checked:
    return PARAMETERS.get(kind) or SomeOf(CHOICES[kind])


def check_eligibility_row(row: Any) -> None:
    """A row names a rule of the table and carries exactly its parameters."""
    if not isinstance(row, Mapping):
        raise refuse(T("应为一组键和值。"))
    rule = row.get("rule", "")
    kind = ELIGIBILITY_RULES.get(rule) if isinstance(rule, str) else None
    if kind is None:
        known = "、".join(ELIGIBILITY_RULES)
        message = T("没有规则“%(rule)s”；可用的有：%(known)s。", rule=as_written(rule), known=known)
        raise ValidationError({"rule": [message]})
    parameters = {name: _parameter(each) for name, each in kind.parameters.items()}
    schema_of({"rule": Text(), "clause": Clause(), **parameters}).check(row)


class EligibilityRows(Each):
    """Rows whose keys depend on the rule they name."""

    def __init__(self) -> None:
        super().__init__(check_eligibility_row)

    def inside(self) -> Iterable[tuple[str, Checked]]:
        owners: dict[tuple[str, Parameter], list[str]] = {}
        for rule, kind in ELIGIBILITY_RULES.items():
            for name, parameter in kind.parameters.items():
                owners.setdefault((name, parameter), []).append(rule)
        parameters = [
            (name, _parameter(parameter).only("rule", *rules)) for (name, parameter), rules in owners.items()
        ]
        return [("rule", OneOf(ELIGIBILITY_RULES)), *parameters, ("clause", Clause())]


class DocumentRow(Strict):
    kind = OneOf(DOCUMENT_KINDS)
    clause = Clause()
    due = OneOf(DUE, required=False)
    within_days = OptionOr(Whole(1, 366, required=False))
    before = OneOf(CalendarKey, required=False)
    valid_at = SomeOf(CalendarKey, required=False)
    required_for = OptionOr(OneOf(REQUIRED_FOR, required=False))
    employments = SomeOf(Employment, required=False)
    max_pages = Whole(1, MOST_PAGES, required=False)
    max_megabytes = Whole(1, MOST_MEGABYTES, required=False)
    text = Table(Words, required=False)
    statement = Table(Words, required=False).only("kind", *sorted(SIGNED_KINDS))
    after_signing = OneOf(AFTER_SIGNING, required=False).only("kind", *sorted(SIGNED_KINDS))


class Limit(Checked):
    kind = Kind.LIMIT
    least, most = 1, 10_000

    def check(self, value: Any) -> None:
        if value != "unlimited" and (type(value) is not int or not 1 <= value <= 10_000):
            raise refuse(T("应为正整数，或 unlimited。"))


class LimitTable(Strict):
    limit = Limit()
    clause = Clause()


class ChangesTable(Strict):
    after_deadline = Flag()
    by_written_application = Flag()
    published_again = Flag(required=False)
    clause = Clause()


class RegistrationTable(Strict):
    by = OptionOr(OneOf(REGISTRARS))
    clause = Clause()
    channel = OneOf(CHANNELS, required=False)
    entries_per_unit = Table(LimitTable)
    entries_in_all = Table(LimitTable, required=False)
    changes = Table(ChangesTable, required=False)


class PublicationTable(Strict):
    workdays = OptionOr(Whole(1, 60))
    deadline_day = OptionOr(OneOf(DEADLINE_DAYS))
    clause = Clause()


class ObjectionsTable(Strict):
    by = OneOf(OBJECTORS)
    written = Flag()
    seal = Flag()
    evidence = Flag()
    clause = Clause()


_WINDOW_FROM = "from"  # a keyword of Python, so the field is declared through from_dict
WindowRow = schema_of(
    {
        "code": OneOf(WINDOW_CODES),
        "minutes": OptionOr(Whole(1, 24 * 60)),
        _WINDOW_FROM: OneOf(WINDOW_STARTS),
        "fee": OneOf(FEE_CODES, required=False),
        "clause": Clause(),
    }
)


class FeeRow(Strict):
    code = OneOf(FEE_CODES)
    amount = Whole(0, 1_000_000)
    refunded_when_won = Flag()
    clause = Clause()


PlaceRow = schema_of({"from": Whole(1, 10_000), "to": Whole(1, 10_000), "points": Whole(0, 1_000_000)})


class GradeRow(Strict):
    name = Table(Words)
    least = Whole(0, 1_000_000)


class PointsTable(Strict):
    event_grade = Text()
    places = rows_of(PlaceRow, required=False)
    grades = rows_of(GradeRow, required=False)
    clause = Clause()


class NoticeRow(Strict):
    clause = Clause()
    text = Table(Words)


class OptionScalar(Checked):
    kind = Kind.SCALAR

    def check(self, value: Any) -> None:
        if type(value) not in (str, int):
            raise refuse(T("应为文字或整数。"))


class RangeTable(Strict):
    min = Whole(0, 1_000_000)
    max = Whole(0, 1_000_000)


class Allowed(Checked):
    """What an option may take: a list of values, or a range of whole numbers."""

    kind = Kind.VALUES

    def check(self, value: Any) -> None:
        if isinstance(value, Mapping):
            RangeTable.check(value)
            if value["min"] > value["max"]:
                raise ValidationError({"min": [T("不能大于 max。")]})
        else:
            Each(OptionScalar().check).check(value)


class WordsTable(Checked):
    """What each allowed value means, in both languages."""

    kind = Kind.MAP

    def inside(self) -> Iterable[tuple[str, Checked]]:
        return [(EVERY_KEY, Table(Words))]

    def check(self, value: Any) -> None:
        if not isinstance(value, Mapping):
            raise refuse(T("应为一组键和值。"))
        errors: dict[str, Any] = {}
        for key, words in value.items():
            try:
                Words.check(words)
            except ValidationError as error:
                errors[str(key)] = error.messages
        if errors:
            raise ValidationError(errors)


class InterpretationRow(Strict):
    id = Matching(_INTERPRETATION_ID, "I-A-1")
    option = Matching(_NAME, "deals_per_stage")
    default = OptionScalar()
    allowed = Allowed()
    words = WordsTable(required=False)
    clause = Clause()
    text = Table(Words)


class OptionsTable(Checked):
    """Options with another value than their default."""

    kind = Kind.MAP

    def inside(self) -> Iterable[tuple[str, Checked]]:
        return [(EVERY_KEY, OptionScalar())]

    def check(self, value: Any) -> None:
        if not isinstance(value, Mapping) or not all(type(each) in (str, int) for each in value.values()):
            raise refuse(T("应为选项名和值。"))


class RegulationSchema(Strict):
    """The whole document."""

    format = OneOf([FORMAT])
    version = OneOf([VERSION])
    id = Matching(_REGULATION_ID, "beach-games-landlord-2021")
    game = OneOf(GAMES)
    name = Table(Words)
    event = Table(EventTable)
    entry = Table(EntryTable)
    timezone = OneOf([TIMEZONE])
    calendar = CalendarTable()
    eligibility = EligibilityRows()
    documents = rows_of(DocumentRow, required=False)
    registration = Table(RegistrationTable)
    publication = Table(PublicationTable, required=False)
    objections = Table(ObjectionsTable, required=False)
    scoring = Table(ScoringTable)
    ranking = rows_of(RankingRow)
    stages = rows_of(StageRow)
    penalties = rows_of(PenaltyRow, required=False)
    lateness = Table(LatenessTable, required=False)
    prizes = rows_of(PrizeRow, required=False)
    rewarded = Table(RewardedTable, required=False)
    teams = Table(TeamsTable, required=False)
    pairing = Table(PairingTable, required=False)
    windows = rows_of(WindowRow, required=False)
    fees = rows_of(FeeRow, required=False)
    points = Table(PointsTable, required=False)
    notices = rows_of(NoticeRow, required=False)
    interpretations = rows_of(InterpretationRow)
    options = OptionsTable(required=False)
