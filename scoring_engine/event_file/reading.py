"""Reading an event file: every key checked, every problem reported with its JSON path, all at once."""

from collections.abc import Mapping
from typing import Any

from scoring_engine.documents import DocumentError, Node, Problem, Problems, parse_json
from scoring_engine.event_file.adjustments import read_adjustments
from scoring_engine.event_file.draws import read_draws, read_published
from scoring_engine.event_file.ids import Ids
from scoring_engine.event_file.landlord_tables import read_table
from scoring_engine.records import EventRecord, RoundRecord, StageRecord
from scoring_engine.rules import PLAYOFF, RulesError, ScoringRules
from scoring_engine.values import Entrant, EntrantId, StageCode, TeamId, UnitId

FORMAT = "saishi-event"
VERSION = 1

EventFileProblem = Problem


class EventFileError(DocumentError):
    """An event file that cannot be used; `.problems` holds every (path, Chinese and English sentence)."""


def parse(text: str | bytes) -> Mapping[str, Any]:
    """The JSON object of an event file, numbers exact. Raises EventFileError as `documents.parse_json` does."""
    try:
        document = parse_json(text)
    except DocumentError as error:
        raise EventFileError(error.problems) from None
    if not isinstance(document, dict):
        problems = Problems()
        problems.wrong_type("$", dict)
        raise EventFileError(problems.found)
    return document


def read(document: Mapping[str, Any], rules: ScoringRules) -> EventRecord:
    """An event file as records, with its options resolved. Raises EventFileError holding **all** problems.

    Refused are an unknown format, version, regulation, option, stage, entrant or penalty, an id used twice, a seat
    taken twice in a round, and every score the rules or the cards make impossible.
    """
    problems = Problems()
    if not isinstance(document, Mapping):
        problems.wrong_type("$", dict)
        raise EventFileError(problems.found)
    event = _read_event(Node(document, "$", problems), rules, problems)
    if problems or event is None:
        raise EventFileError(problems.found)
    return event


def _read_event(root: Node, rules: ScoringRules, problems: Problems) -> EventRecord | None:
    _check_head(root, rules, problems)
    rules = _with_file_options(root, rules, problems)
    entrants = _read_entrants(root, problems)
    ids = Ids(frozenset(entrant.id for entrant in entrants), rules, problems)
    stages: list[StageRecord] = []
    for node in root.nodes("stages"):
        code = _new_stage_code(node, rules, stages, problems)
        if code is not None:
            stages.append(_read_stage(node, code, ids))
    adjustments = read_adjustments(root, stages, rules, ids)
    draws = read_draws(root, rules, ids)
    published = read_published(root, ids)
    return EventRecord(rules, tuple(entrants), tuple(stages), adjustments, draws, published)


def _check_head(root: Node, rules: ScoringRules, problems: Problems) -> None:
    if root.value.get("format") != FORMAT:
        problems.add("$.format", f"format 应为 {FORMAT}。", f"format must be {FORMAT}.")
    version = root.value.get("version")
    if isinstance(version, bool) or not isinstance(version, int) or version != VERSION:
        problems.add("$.version", f"只认识版本 {VERSION}。", f"Only version {VERSION} is known.")
    regulation = root.value.get("regulation")
    if isinstance(regulation, Mapping):
        path, regulation = "$.regulation.id", regulation.get("id")
    else:
        path = "$.regulation"
    if not isinstance(regulation, str):
        problems.wrong_type(path, str)
    elif regulation != rules.id:
        problems.add(
            path,
            f"本文件的规程是 {regulation}，不是 {rules.id}。",
            f"This file is of regulation {regulation}, not {rules.id}.",
        )


def _with_file_options(root: Node, rules: ScoringRules, problems: Problems) -> ScoringRules:
    if not root.has("options"):
        return rules
    options = root.node("options")
    if options is None:
        return rules
    try:
        return rules.with_options(options.value)
    except RulesError as error:
        for problem in error.problems:
            problems.add(problem.path, problem.zh, problem.en)
        return rules


def _read_entrants(root: Node, problems: Problems) -> list[Entrant]:
    entrants: list[Entrant] = []
    seen: set[str] = set()
    for node in root.nodes("entrants", required=True):
        entrant_id = node.text("id")
        name = node.optional_text("name")
        unit, team = node.optional_text("unit"), node.optional_text("team")
        if entrant_id is None:
            continue
        if not entrant_id.isprintable():
            problems.add(
                node.at("id"), "编号里有不可见的字符。", "The id holds characters that cannot be shown."
            )
            continue
        if entrant_id in seen:
            problems.add(node.at("id"), f"编号 {entrant_id} 重复。", f"Id {entrant_id} is used twice.")
            continue
        seen.add(entrant_id)
        entrants.append(
            Entrant(
                EntrantId(entrant_id),
                name or entrant_id,
                None if unit is None else UnitId(unit),
                None if team is None else TeamId(team),
            )
        )
    return entrants


def _new_stage_code(
    node: Node, rules: ScoringRules, earlier: list[StageRecord], problems: Problems
) -> StageCode | None:
    code = node.choice("code", rules.stage_codes)
    if code is not None and any(stage.code == code for stage in earlier):
        problems.add(node.at("code"), f"阶段 {code} 出现了两次。", f"Stage {code} stands twice.")
        return None
    return None if code is None else StageCode(code)


def _read_stage(node: Node, code: StageCode, ids: Ids) -> StageRecord:
    rules, problems = ids.rules, ids.problems
    rounds: list[RoundRecord] = []
    rule = rules.stage(code)
    deals = rule.deals if rule else max(stage.playoff_deals for stage in rules.stages)
    for part in node.nodes("rounds"):
        number = part.integer("number", 1)
        if number is not None and any(other.number == number for other in rounds):
            problems.add(part.at("number"), f"第{number}轮出现了两次。", f"Round {number} stands twice.")
        elif code != PLAYOFF and rounds:
            problems.add(
                part.path,
                f"阶段 {code} 只有一轮（规程 {rule.clause if rule else ''}）。",
                f"Stage {code} has one round (regulation, {rule.clause if rule else ''}).",
            )
        rounds.append(_read_round(part, number or 0, deals, code, ids))
    record = StageRecord(code, tuple(rounds), node.path)
    _check_byes(record, ids)
    return record


def _read_round(node: Node, number: int, deals: int, code: StageCode, ids: Ids) -> RoundRecord:
    seated: dict[EntrantId, int] = {}
    numbers: set[int] = set()
    tables = []
    for part in node.nodes("tables"):
        table = read_table(part, deals, code, ids)
        if table is None:
            continue
        if table.number in numbers:
            ids.problems.add(
                part.at("number"),
                f"桌号 {table.number} 重复。",
                f"Table number {table.number} is used twice.",
            )
        numbers.add(table.number)
        for index, seat in enumerate(table.seats):
            if seat in seated:
                ids.problems.add(
                    f"{part.at('seats')}[{index}]",
                    f"{seat} 本轮已坐在第{seated[seat]}桌。",
                    f"{seat} already sits at table {seated[seat]} in this round.",
                )
            seated[seat] = table.number
        tables.append(table)
    byes: list[EntrantId] = []
    for path, value in node.items("byes"):
        bye = ids.known(path, value)
        if bye is None:
            continue
        if bye in seated or bye in byes:
            ids.problems.add(
                path, f"{bye} 本轮已有座位或已轮空。", f"{bye} already has a seat or a bye in this round."
            )
        byes.append(bye)
    return RoundRecord(number, tuple(tables), tuple(byes), node.path)


def _check_byes(record: StageRecord, ids: Ids) -> None:
    """A 剩余的1或2人 go straight on; a field too small for the text may be played as the committee rules."""
    first, field = ids.rules.stages[0], len(ids.entrants)
    if first.places is not None and field < first.places:
        return
    allowed = field % 3 if record.code == first.code else 0
    for part in record.rounds:
        for index in range(allowed, len(part.byes)):
            ids.problems.add(
                f"{part.path}.byes[{index}]",
                f"{field}人参赛，本阶段只能有{allowed}人直接晋级（规程 {first.clause}）。",
                f"With {field} entrants {allowed} may go straight on in this stage (regulation, {first.clause}).",
            )
