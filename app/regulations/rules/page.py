"""The public rules page (规程页), generated from the same rows that compute.

Every row carries its clause; the first row of a clause has its anchor, to which refusals link, and rows whose clause
is read by an interpretation name it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from app.regulations.rules.calendar import Calendar, CalendarKey
from app.regulations.rules.documents import DocumentRule
from app.regulations.rules.eligibility import listed
from app.regulations.rules.engine_rows import (
    link_name,
    penalty_rows,
    prize_rows,
    scoring_rows,
    stage_rows,
    team_rows,
)
from app.regulations.rules.points import describe_points
from app.regulations.rules.ranking_texts import in_words, meaning
from app.regulations.rules.regulation import Regulation, anchor
from app.regulations.rules.rows import RuleBlock, RuleRow, blocks
from app.regulations.rules.terms import (
    FEE_CODES,
    OBJECTORS,
    REGISTRARS,
    WINDOW_CODES,
    WINDOW_STARTS,
    Interpretation,
    Objections,
    Publication,
)
from app.regulations.rules.texts import Bilingual
from app.regulations.rules.tractor_texts import RuleTable, match_tables
from app.text import T, until
from app.workdays.rules import UnknownWorkdayYearError, Window
from scoring_engine.tractor.matches import MatchFormat


@dataclass(frozen=True, slots=True)
class RuleSection:
    """One heading with its rows."""

    code: str
    title: T
    rows: tuple[RuleRow, ...]
    tables: tuple[RuleTable, ...] = ()
    columns: tuple[T, T] | None = None
    lead: T | None = None
    """columns: headings of a section that reads best as a table, of the rows' labels and of their texts. lead: the
    section in one sentence."""
    anchors: tuple[str, ...] = ()
    """Those of clauses that a key cites and no row of its own says: 八(十), where only 八(十)1…5 are rows."""

    @property
    def blocks(self) -> tuple[RuleBlock, ...]:
        return blocks(self.rows)


@dataclass(frozen=True, slots=True)
class InterpretationRow:
    """One interpretation: what the text leaves open, the reading in force, the other readings."""

    id: str
    option: str
    text: T
    clause: str
    meaning: T
    default_meaning: T
    changed: bool
    alternatives: tuple[T, ...]
    first_of_id: bool
    anchor: str | None = None


@dataclass(frozen=True, slots=True)
class RulesPage:
    """Everything `regulations/_rules.html` shows."""

    title: T
    event: T
    sections: tuple[RuleSection, ...]
    interpretations: tuple[InterpretationRow, ...]
    changed: int
    sha256: str


COLUMNS: dict[str, tuple[T, T]] = {
    "calendar": (T("事项"), T("时间（北京时间）")),
    "penalties": (T("违规"), T("处罚")),
    "windows": (T("事项"), T("时限和费用")),
    "prizes": (T("奖项"), T("获奖者")),
}
"""Sections whose rows have a name and one thing to say of it."""


def rules_page(
    regulation: Regulation, list_days: Window | UnknownWorkdayYearError | None = None
) -> RulesPage:
    """The page of a regulation with the dates and options in force.

    list_days: the days of the publication (公示期) as the calendar of workdays gives them, or the year that is not
    known yet; without them the page says only how they are counted.
    """
    seen: set[str] = set()
    read_by: dict[str, list[str]] = {}
    for each in regulation.interpretations:
        if each.id not in read_by.setdefault(each.clause, []):
            read_by[each.clause].append(each.id)

    def placed(row: RuleRow) -> RuleRow:
        return replace(
            row, anchor=_first(row.clause, seen), interpretations=tuple(read_by.get(row.clause, ()))
        )

    scoring = regulation.scoring_rules().scoring
    tables = match_tables(scoring) if isinstance(scoring, MatchFormat) else ()
    sections = tuple(
        RuleSection(
            code,
            title,
            tuple(placed(row) for row in rows),
            tables if code == "scoring" else (),
            COLUMNS.get(code) if all(row.label is not None for row in rows) else None,
            _chain(regulation) if code == "ranking" else None,
        )
        for code, title, rows in _sections(regulation, list_days)
        if rows
    )
    shown: set[str] = set()
    interpretations = tuple(_interpretation(each, seen, shown) for each in regulation.interpretations)
    return RulesPage(
        title=regulation.title,
        event=regulation.event,
        sections=_with_rowless(sections, set(_cited(regulation.document)) - seen),
        interpretations=interpretations,
        changed=sum(each.changed for each in interpretations),
        sha256=regulation.sha256,
    )


def _cited(node: Any, of_keys: bool = False) -> Iterator[str]:
    """Every clause a document names: of its rows, and of single keys (`clauses`)."""
    if isinstance(node, Mapping):
        for key, inner in node.items():
            if isinstance(inner, str) and (key == "clause" or of_keys):
                yield inner
            else:
                yield from _cited(inner, of_keys=key == "clauses")
    elif isinstance(node, list):
        for inner in node:
            yield from _cited(inner)


def _with_rowless(sections: tuple[RuleSection, ...], clauses: set[str]) -> tuple[RuleSection, ...]:
    """The sections with the anchors of clauses that are no row: each where the first item under it stands, else where points
    are scored, which is what single keys speak of."""
    places: dict[str, list[str]] = {}
    for clause in sorted(clauses):
        under = (
            section.code for section in sections if any(row.clause.startswith(clause) for row in section.rows)
        )
        places.setdefault(next(under, "scoring"), []).append(anchor(clause))
    return tuple(replace(section, anchors=tuple(places.get(section.code, ()))) for section in sections)


def _first(clause: str, seen: set[str]) -> str | None:
    """The anchor of a clause the first time it is shown; an id stands once on a page."""
    if clause in seen:
        return None
    seen.add(clause)
    return anchor(clause)


def _sections(
    regulation: Regulation, list_days: Window | UnknownWorkdayYearError | None
) -> Iterator[tuple[str, T, list[RuleRow]]]:
    rules = regulation.scoring_rules()
    yield "calendar", T("项目和日程"), [_event(regulation), *_calendar(regulation)]
    yield (
        "eligibility",
        T("参赛资格"),
        [RuleRow(rule.describe(), rule.clause) for rule in regulation.eligibility],
    )
    yield "documents", T("参赛材料"), [_document(each, regulation.calendar) for each in regulation.documents]
    yield "registration", T("报名"), _registration(regulation)
    yield "publication", T("公示与异议"), _publication(regulation, list_days)
    yield "stages", T("赛制"), [row for stage in rules.stages for row in stage_rows(stage, rules)]
    yield "scoring", T("计分"), scoring_rows(rules)
    yield (
        "ranking",
        T("名次"),
        [
            RuleRow(
                T("%(number)s. %(criterion)s", number=number, criterion=link_name(link)),
                link.clause,
                note=meaning(link.code),
            )
            for number, link in enumerate(rules.ranking, start=1)
        ],
    )
    yield "teams", Bilingual("团体名次", "Team result"), team_rows(rules.teams)
    yield "penalties", T("判罚"), penalty_rows(rules)
    yield "windows", T("更正与申诉"), _windows(regulation)
    yield "prizes", T("奖励"), prize_rows(rules)
    points = regulation.award_points
    if points is not None:
        yield (
            "points",
            Bilingual("积分与等级", "Points and grades"),
            [RuleRow(sentence, points.clause) for sentence in describe_points(points)],
        )
    yield "notices", T("其他条文"), [RuleRow(each.text, each.clause) for each in regulation.notices]


def _event(regulation: Regulation) -> RuleRow:
    return RuleRow(regulation.event, regulation.clause_of("event"), T("项目"))


def _calendar(regulation: Regulation) -> list[RuleRow]:
    rows = []
    for each in regulation.calendar.in_order():
        closing = each.key is CalendarKey.REGISTRATION_CLOSES
        text = T("%(at)s（含当秒）", at=each.at) if closing else T("%(at)s", at=each.at)
        rows.append(RuleRow(text, each.clause, each.label))
    return rows


def _registration(regulation: Regulation) -> list[RuleRow]:
    terms = regulation.registration
    limit = (
        T("各单位报名人数不限。")
        if terms.entries_per_unit is None
        else T("每单位限报 %(limit)s 对。", limit=terms.entries_per_unit)
        if regulation.in_pairs
        else T("每单位限报 %(limit)s 人。", limit=terms.entries_per_unit)
    )
    if terms.changes_after_deadline:
        changes = T("报名截止后仍可变更。")
    elif terms.changes_by_application:
        changes = (
            T("报名截止后原则上不得变更；特殊情况须提交书面申请，由组委会审核并公示。")
            if terms.changes_published
            else T("报名截止后原则上不得变更；特殊情况须提交书面申请，由组委会审核。")
        )
    else:
        changes = T("报名截止后不得变更。")
    who = REGISTRARS[terms.by]
    entry = T("由%(who)s在平台报名，填写全队队员信息。", who=who)
    if terms.channel == "email":
        entry = Bilingual(
            f"由{who}填写报名表，发送到报名邮箱。",
            "Fill in the entry form and send it to the mailbox for entries.",
        )
    if terms.channel == "qr_form":
        entry = Bilingual("扫描二维码填写报名表报名。", "Scan the QR code and fill in the entry form.")
    pairs = [RuleRow(sentence, clause) for sentence, clause in regulation.entry.describe()]
    rows = [RuleRow(entry, terms.clause), RuleRow(limit, terms.entries_clause), *pairs]
    if terms.entries_in_all is not None:
        in_all = (
            T("总数以 %(limit)s 对为限。", limit=terms.entries_in_all)
            if regulation.in_pairs
            else T("总数以 %(limit)s 人为限。", limit=terms.entries_in_all)
        )
        rows.append(RuleRow(in_all, terms.in_all_clause))
    return [*rows, RuleRow(changes, terms.changes_clause)] if terms.changes_stated else rows


def _chain(regulation: Regulation) -> T:
    """The ranking chain in words."""
    return in_words([link_name(link) for link in regulation.scoring_rules().ranking])


def _document(rule: DocumentRule, calendar: Calendar) -> RuleRow:
    """A document, and the first day on which one may be issued where it has an age."""
    if rule.within_days is None or rule.before not in calendar.dates:
        return RuleRow(rule.describe(), rule.clause)
    earliest = calendar.day(rule.before) - timedelta(days=rule.within_days)
    note = (
        T("即 %(day)s及以后采样。", day=earliest)
        if rule.sampled
        else T("即 %(day)s及以后出具。", day=earliest)
    )
    return RuleRow(rule.describe(), rule.clause, note=note)


def _publication(regulation: Regulation, list_days: Window | UnknownWorkdayYearError | None) -> list[RuleRow]:
    rows = [_period(regulation.publication, list_days)] if regulation.has("publication") else []
    return [*rows, _objection(regulation.objections)] if regulation.has("objections") else rows


def _objection(objections: Objections) -> RuleRow:
    needs = [
        text
        for needed, text in (
            (objections.written, T("书面提出")),
            (objections.seal, T("加盖公章")),
            (objections.evidence, T("提供可供核实的依据")),
        )
        if needed
    ]
    who = OBJECTORS[objections.by]
    objection = (
        T("公示期内，%(who)s可以对参赛资格提出异议，须%(needs)s。", who=who, needs=listed(needs))
        if needs
        else T("公示期内，%(who)s可以对参赛资格提出异议。", who=who)
    )
    return RuleRow(objection, objections.clause)


def _period(publication: Publication, list_days: Window | UnknownWorkdayYearError | None) -> RuleRow:
    period = (
        T("公示期为 %(days)s 个工作日，自报名截止当日起算，末日 24:00 结束。", days=publication.workdays)
        if publication.count_deadline_day
        else T(
            "公示期为报名截止后 %(days)s 个工作日，截止当日不计，末日 24:00 结束。", days=publication.workdays
        )
    )
    return RuleRow(period, publication.clause, note=_days(list_days))


def _days(list_days: Window | UnknownWorkdayYearError | None) -> T | None:
    if list_days is None:
        return None
    if isinstance(list_days, UnknownWorkdayYearError):
        return T("具体日期待 %(year)s 年的放假安排公布后确定。", year=str(list_days.year))
    return T(
        "名单在报名截止后公布的，公示期为 %(first)s至 %(end)s（北京时间）。",
        first=list_days.first_day,
        end=until(list_days.ends_at),
    )


def _windows(regulation: Regulation) -> list[RuleRow]:
    rows = [
        RuleRow(
            T(
                "%(start)s后 %(minutes)s 分钟内（含最后一秒）。",
                start=WINDOW_STARTS[each.starts],
                minutes=each.minutes,
            ),
            each.clause,
            WINDOW_CODES[each.code],
        )
        for each in regulation.windows.values()
    ]
    for fee in regulation.fees.values():
        text = (
            T("%(amount)s 元；成功退还，败诉不退。", amount=fee.amount)
            if fee.refunded_when_won
            else T("%(amount)s 元，不退。", amount=fee.amount)
        )
        rows.append(RuleRow(text, fee.clause, FEE_CODES[fee.code]))
    return rows


def _interpretation(each: Interpretation, seen: set[str], shown: set[str]) -> InterpretationRow:
    first = each.id not in shown
    shown.add(each.id)
    others: tuple[T, ...] = tuple(choice.text for choice in each.choices if choice.value != each.value)
    if each.least is not None and each.most is not None:
        others = (T("可设为 %(least)s 至 %(most)s", least=each.least, most=each.most),)
    return InterpretationRow(
        id=each.id,
        option=each.option,
        text=each.text,
        clause=each.clause,
        meaning=each.meaning(),
        default_meaning=replace(each, value=each.default).meaning(),
        changed=each.changed,
        alternatives=others,
        first_of_id=first,
        anchor=_first(each.clause, seen),
    )
