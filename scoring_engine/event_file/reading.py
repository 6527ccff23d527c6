"""Reading an event file: every key checked, every problem reported with its JSON path, all at once."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from scoring_engine.documents import DocumentError, Node, Problems, exact_number, parse_json
from scoring_engine.event_file.adjustments import read_adjustments
from scoring_engine.event_file.attendance import check_numbers, check_presence, read_presence
from scoring_engine.event_file.bracket_stages import check_bracket, read_bracket_stage
from scoring_engine.event_file.division import read_division
from scoring_engine.event_file.draws import read_draws, read_published
from scoring_engine.event_file.expulsions import check_expelled, read_expulsion
from scoring_engine.event_file.ids import Ids
from scoring_engine.event_file.knock_out_stages import read_knock_out_stage
from scoring_engine.event_file.lots import read_lots
from scoring_engine.event_file.match_adjustments import read_match_adjustments
from scoring_engine.event_file.swiss_stages import read_swiss_stage
from scoring_engine.event_file.teams import check_teams
from scoring_engine.records import Adjustment, EventRecord, StageRecord
from scoring_engine.rules import Format, RulesError, ScoringRules
from scoring_engine.stages.names import stage_words
from scoring_engine.values import Entrant, EntrantId, Points, StageCode, TeamId, UnitId, points_of

FORMAT = "saishi-event"
VERSION = 1
_MOST_START = 1000


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
    entrants = _read_entrants(root, rules, problems)
    if rules.teams is not None:
        check_teams(root, rules.teams, problems)
    groups = {entrant.id: entrant.group for entrant in entrants}
    ids = Ids(frozenset(groups), rules, problems, groups)
    stages: list[StageRecord] = []
    for node in root.nodes("stages"):
        code = _new_stage_code(node, rules, stages, problems)
        if code is not None:
            stages.append(STAGE_READERS[rules.format](node, code, ids))
    adjustments = ADJUSTMENT_READERS[rules.game](root, stages, rules, ids)
    draws = read_draws(root, rules, ids)
    division = read_division(root, rules, ids)
    published = read_published(root, ids)
    lots = read_lots(root, ids)
    event = EventRecord(rules, tuple(entrants), tuple(stages), adjustments, draws, published, lots, division)
    for check in EVENT_CHECKS.get(rules.format, ()):
        if not problems:
            check(event, ids)
    return event


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


def _read_entrants(root: Node, rules: ScoringRules, problems: Problems) -> list[Entrant]:
    rounds = rules.stages[0].rounds if rules.format is Format.SWISS else None
    entrants: list[Entrant] = []
    seen: set[str] = set()
    for node in root.nodes("entrants", required=True):
        entrant_id = node.text("id")
        name = node.optional_text("name")
        unit, team = node.optional_text("unit"), node.optional_text("team")
        group = node.optional_text("group")
        start = _start(node) if node.has("start") else 0
        number, enters_in, withdrawn_after = read_presence(node, rounds)
        expelled = read_expulsion(node, rules)
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
                group,
                start,
                number,
                enters_in,
                withdrawn_after,
                expelled,
            )
        )
    check_numbers(entrants, problems)
    if any(entrant.group is None for entrant in entrants) and any(entrant.group for entrant in entrants):
        problems.add(
            "$.entrants",
            "有的参赛者写了组别（group），有的没有。",
            "Some entrants have a group and some have none.",
        )
    return entrants


def _start(node: Node) -> Points:
    """起点分: the points an entrant begins with."""
    number = exact_number(node.value["start"])
    if number is None or abs(number) > _MOST_START:
        node.problems.add(
            node.at("start"), "起点分应为数。", "The points an entrant begins with are a number."
        )
        return 0
    return points_of(number)


def _new_stage_code(
    node: Node, rules: ScoringRules, earlier: list[StageRecord], problems: Problems
) -> StageCode | None:
    code = node.choice("code", rules.stage_codes)
    if code is not None and any(stage.code == code for stage in earlier):
        problems.add(node.at("code"), f"{stage_words(code)}出现了两次。", f"Stage {code} stands twice.")
        return None
    return None if code is None else StageCode(code)


STAGE_READERS: Mapping[Format, Callable[[Node, StageCode, Ids], StageRecord]] = {
    Format.KNOCK_OUT: read_knock_out_stage,
    Format.SWISS: read_swiss_stage,
    Format.BRACKET: read_bracket_stage,
}
"""How a stage is read, by the format of its regulation."""

ADJUSTMENT_READERS: Mapping[
    str, Callable[[Node, Sequence[StageRecord], ScoringRules, Ids], tuple[Adjustment, ...]]
] = {
    "landlord": read_adjustments,
    "go": read_adjustments,
    "xiangqi": read_adjustments,
    "tractor": read_match_adjustments,
    "eighty": read_match_adjustments,
}
"""How penalties are read, by the game."""

EVENT_CHECKS: Mapping[Format, Sequence[Callable[[EventRecord, Ids], None]]] = {
    Format.KNOCK_OUT: (check_expelled,),
    Format.BRACKET: (check_expelled, check_bracket),
    Format.SWISS: (check_presence,),
}
"""What only the whole event can show to be impossible; formats without an entry have nothing of the kind."""
