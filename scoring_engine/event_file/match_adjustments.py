"""Reading the penalties of an event of 升级, and whether its matches, penalties included, can have happened.

A penalty is `{"id", "rule", "entrant", "stage", "round", "deal", "count"}`: `entrant` is the side that committed it; `round` may be
left out where it has one table only. What the text leaves to the referee has `points`, above 0, or `outcome` (`warning`,
`points`, `deal_lost`, `round_lost`); `"insisted": true` says that the defenders insisted on playing. Lateness (rule `late`) has
`minutes` instead; it may stand at the table as well, once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring_engine.documents import Node, exact_number
from scoring_engine.event_file.ids import Ids
from scoring_engine.records import Adjustment, MatchRecord, StageRecord
from scoring_engine.rules import ScoringRules
from scoring_engine.stages.matches import LATE, given_in, match_of
from scoring_engine.stages.names import stage_words
from scoring_engine.tractor.matches import MatchFormat, faults_of
from scoring_engine.tractor.penalties import OUTCOMES
from scoring_engine.values import EntrantId, StageCode

_KEYS = (
    *("id", "rule", "entrant", "stage", "round", "deal", "count", "points"),
    *("outcome", "insisted", "minutes", "note"),
)
_MOST_MINUTES = 24 * 60


@dataclass(frozen=True, slots=True)
class _Seat:
    round: int
    record: MatchRecord


def read_match_adjustments(
    root: Node, stages: Sequence[StageRecord], rules: ScoringRules, ids: Ids
) -> tuple[Adjustment, ...]:
    """Every penalty with its round. Notes what is wrong with one, and everything that makes a match impossible."""
    found: list[Adjustment] = []
    paths: dict[str, str] = {}
    for node in root.nodes("adjustments"):
        adjustment = _read(node, stages, rules, ids)
        if adjustment is None:
            continue
        if adjustment.id in paths:
            ids.problems.add(
                node.at("id"),
                f"判罚编号 {adjustment.id} 重复。",
                f"Penalty id {adjustment.id} is used twice.",
            )
            continue
        paths[adjustment.id] = node.path
        found.append(adjustment)
    if not ids.problems:
        _check_matches(stages, found, paths, rules, ids)
    return tuple(found)


def _read(node: Node, stages: Sequence[StageRecord], rules: ScoringRules, ids: Ids) -> Adjustment | None:
    before = len(ids.problems.found)
    for key in node.value:
        if key not in _KEYS:
            node.problems.add(node.at(str(key)), f"判罚没有 {key} 这一项。", f"A penalty has no key {key}.")
    adjustment_id, rule = node.text("id"), _rule(node, rules.match)
    entrant = ids.known(node.at("entrant"), node.value.get("entrant"))
    code = node.choice("stage", rules.stage_codes)
    number = node.integer("round", 1) if node.has("round") else None
    deal = node.integer("deal", 1) if node.has("deal") else None
    count = node.integer("count", 1) if node.has("count") else 1
    points = node.integer("points") if node.has("points") else None
    outcome = node.choice("outcome", OUTCOMES) if node.has("outcome") else None
    insisted = node.flag("insisted")
    minutes = _minutes(node, rule, rules.match)
    if len(ids.problems.found) > before:
        return None
    assert adjustment_id is not None
    assert rule is not None
    assert entrant is not None
    assert code is not None
    assert count is not None
    stage = next((stage for stage in stages if stage.code == code), StageRecord(StageCode(code), (), ""))
    seat = _seat(node, entrant, number, stage, ids)
    if seat is None:
        return None
    if rule == LATE and entrant in seat.record.match.late:
        node.problems.add(
            node.path,
            f"{entrant} 的迟到已写在第{seat.record.number}桌。",
            f"That {entrant} came late stands at table {seat.record.number} already.",
        )
        return None
    return Adjustment(
        *(adjustment_id, rule, entrant, StageCode(code), seat.round, deal, count, points),
        outcome=outcome,
        insisted=bool(insisted),
        minutes=minutes,
    )


def _rule(node: Node, format_: MatchFormat) -> str | None:
    name = node.text("rule")
    known = (*format_.penalties.rules, *(() if format_.lateness is None else (LATE,)))
    if name is not None and name not in known:
        node.problems.add(
            node.at("rule"),
            f"本规程没有罚则 {name}；有：{'、'.join(known)}。",
            f"This regulation has no penalty {name}; it has: {', '.join(known)}.",
        )
        return None
    return name


def _minutes(node: Node, rule: str | None, format_: MatchFormat) -> Fraction | None:
    """How late the offender was; only lateness has minutes, and it has nothing else."""
    if rule is None:
        return None
    if rule != LATE:
        if node.has("minutes"):
            clause = format_.penalties.rules[rule].clause
            node.problems.add(
                node.at("minutes"),
                f"罚则 {rule} 与分钟数无关（规程 {clause}）。",
                f"Penalty {rule} does not depend on minutes (regulation, {clause}).",
            )
        return None
    for key in ("deal", "count", "points", "outcome", "insisted"):
        if node.has(key):
            node.problems.add(
                node.at(key),
                f"迟到按分钟处罚，没有 {key}。",
                f"Lateness is punished by minutes and has no {key}.",
            )
    minutes = exact_number(node.value.get("minutes"))
    if minutes is None or not 0 < minutes <= _MOST_MINUTES:
        node.problems.add(
            node.at("minutes"), "迟到分钟数应为大于0的数。", "Minutes late are a number above 0."
        )
        return None
    return minutes


def _seat(node: Node, entrant: EntrantId, number: int | None, stage: StageRecord, ids: Ids) -> _Seat | None:
    """The offender's table; a penalty that names no round needs an offender with one table only."""
    seats = [
        _Seat(part.number, record)
        for part in stage.rounds
        for record in part.matches
        if entrant in record.seats and number in (None, part.number)
    ]
    if len(seats) == 1:
        return seats[0]
    if not seats and any(problem.path.startswith("$.stages") for problem in ids.problems.found):
        return None  # his table may be the one that could not be read
    if not seats:
        where = stage_words(stage.code) + ("" if number is None else f"第{number}轮")
        node.problems.add(
            node.at("stage" if number is None else "round"),
            f"{entrant} 在{where}没有座位，判罚无处记分；请记在他参加的一轮。",
            f"{entrant} has no seat in stage {stage.code}{'' if number is None else f', round {number}'}; "
            "name a round he plays in.",
        )
    elif number is None:
        node.problems.add(
            node.at("round"),
            f"{entrant} 在{stage_words(stage.code)}打了{len(seats)}轮，请写明 round。",
            f"{entrant} plays {len(seats)} rounds of stage {stage.code}; name the round.",
        )
    return None


def _check_matches(
    stages: Sequence[StageRecord],
    adjustments: Sequence[Adjustment],
    paths: Mapping[str, str],
    rules: ScoringRules,
    ids: Ids,
) -> None:
    """Note every fault of every match, at its path in the file and with the clause behind it."""
    for stage in stages:
        for part in stage.rounds:
            for record in part.matches:
                given = given_in(stage.code, part.number, record, adjustments)
                match, infringements = match_of(record, given)
                for fault in faults_of(match, rules.match, infringements):
                    path = f"{record.path}.{fault.path}"
                    if fault.path.startswith("penalties["):
                        index, _, key = fault.path.removeprefix("penalties[").partition("].")
                        path = f"{paths[infringements[int(index)].id]}.{key}"
                    ids.problems.add(
                        path,
                        f"{fault.text.zh.removesuffix('。')}（规程 {fault.clause}）。",
                        f"{fault.text.en.removesuffix('.')} (regulation, {fault.clause}).",
                    )
