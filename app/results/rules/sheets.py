"""What a score sheet may hold, and who may write on it when. Pure decisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from app.actors import Actor, Role
from app.errors import ConflictError, InvalidError, RefusedError
from app.regulations.rules import Bilingual, Deadline, TimeWindow
from app.text import T
from scoring_engine.landlord.deals import Deal, DealScore, Side, faults_of, score_deal
from scoring_engine.landlord.tables import counts_as_deal
from scoring_engine.rules import ScoringRules, StageRule
from scoring_engine.values import EntrantId

RECORDERS = (Role.REFEREE, Role.CHIEF_REFEREE, Role.COMMITTEE)
"""Who records and hands in a sheet."""

CORRECTORS = (Role.CHIEF_REFEREE, Role.COMMITTEE)
"""Who re-opens a confirmed sheet."""

DealRecord = dict[str, Any]
"""One deal as the event file writes it: ``{"landlord", "bid", "winner", …}`` or ``{"passed_out": true}``."""

PASSED_OUT: DealRecord = {"passed_out": True}


class SheetConflictError(ConflictError):
    """The sheet was changed on another device since this one read it; ``extra`` carries both versions."""

    def __init__(self, *, base_revision: int, current: Mapping[str, Any], sent: Mapping[str, Any]) -> None:
        super().__init__(
            T("这张记分表刚在另一台设备上改过，您的内容还没有保存。"),
            next_step=T("请对照两份内容，保留对方的，或再次提交您的。"),
            extra={"base_revision": base_revision, "current": dict(current), "sent": dict(sent)},
        )


class InvalidDealError(InvalidError):
    """A deal that cannot have happened; ``fields`` says where."""

    def __init__(self, fields: Mapping[str, T], *, clause: str | None, prefix: str = "") -> None:
        placed = {f"{prefix}{key}": text for key, text in fields.items()}
        super().__init__(next(iter(placed.values())), clause=clause, fields=placed)


class DealNumberError(InvalidError):
    """A deal beyond the regulation's number, or one that leaves a gap."""

    def __init__(self, text: T, *, clause: str | None, field: str = "deal_number") -> None:
        super().__init__(text, clause=clause, fields={field: text})


class DealsMissingError(InvalidError):
    """Handing in before every deal is recorded."""

    def __init__(self, recorded: int, needed: int, *, clause: str | None) -> None:
        text = T("还差 %(missing)s 副没有录入，不能交表。", missing=needed - recorded)
        super().__init__(text, clause=clause, fields={"deals": text})


class NotCheckedError(InvalidError):
    """Handing in without the players' check (三名选手核对)."""

    sentence = T("请让三名选手核对后，勾选“三名选手已核对”。")

    def __init__(self, *, clause: str | None) -> None:
        super().__init__(self.sentence, clause=clause, fields={"checked": self.sentence})


class CorrectionClosedError(RefusedError):
    """After the correction window (更正时限)."""

    def __init__(self, ended_at: datetime, window: TimeWindow, *, reopened: bool = False) -> None:
        next_step = T("逾时只能由仲裁委员会按申诉裁定更改。")
        if reopened:
            next_step = T("请裁判长恢复已确认的成绩；逾时只能由仲裁委员会按申诉裁定更改。")
        super().__init__(
            T(
                "成绩公布 %(minutes)s 分钟内可以更正，已于 %(ended)s 截止。",
                minutes=window.minutes,
                ended=ended_at,
            ),
            clause=window.clause,
            next_step=next_step,
        )


class LaterRoundDrawnError(RefusedError):
    """A later round was drawn from this table's result."""

    def __init__(self, *, clause: str | None) -> None:
        super().__init__(
            T("后面的轮次已按这一桌的成绩抽签，不能退回记分表。"),
            clause=clause,
            next_step=T("请由裁判长和组委会裁定。"),
        )


class UndrawingNotTypedError(InvalidError):
    """What was entered is lost to the standings: the number of deals is typed, so that it was read."""

    def __init__(self, deals: int) -> None:
        text = T("请输入将作废的副数 %(deals)s，确认您知道这些成绩不再计入名次。", deals=deals)
        super().__init__(text, fields={"deals": text}, extra={"deals": deals})


class NothingToRestoreError(RefusedError):
    """Only a re-opened sheet has confirmed scores to go back to."""

    def __init__(self, *, clause: str | None) -> None:
        super().__init__(T("这张记分表没有退回更正，没有可恢复的成绩。"), clause=clause)


def require_may_record(actor: Actor, competition_id: int) -> None:
    """Referees of this competition, its chief referee and its committee."""
    actor.require(competition_id, *RECORDERS)


def require_may_reopen(actor: Actor, competition_id: int) -> None:
    actor.require(competition_id, *CORRECTORS)


def require_may_undraw(actor: Actor, competition_id: int, *, started: bool) -> None:
    """Before the first score whoever draws; after it the chief referee."""
    if started:
        actor.require(competition_id, Role.CHIEF_REFEREE)
    else:
        actor.require(competition_id, *CORRECTORS)


def require_deals_typed(typed: int | None, deals: int) -> None:
    """Raises ``UndrawingNotTypedError``."""
    if typed != deals:
        raise UndrawingNotTypedError(deals)


def require_in_correction_window(
    now: datetime, published_at: datetime, window: TimeWindow, *, reopened: bool = False
) -> None:
    """Up to and including the window's last second after the first publication (四(二)8(九) in regulation A)."""
    deadline = Deadline(published_at + window.length, window.clause)
    if not deadline.accepts(now):
        raise CorrectionClosedError(deadline.at, window, reopened=reopened)


def is_passed_out(record: Mapping[str, Any]) -> bool:
    return bool(record.get("passed_out"))


def normal_record(record: Mapping[str, Any]) -> DealRecord:
    """A deal with every key present, so that equal deals are equal JSON."""
    if is_passed_out(record):
        return dict(PASSED_OUT)
    return {
        "landlord": record.get("landlord"),
        "bid": record.get("bid"),
        "winner": record.get("winner"),
        "rockets": record.get("rockets") or 0,
        "bombs": record.get("bombs") or 0,
        "spring": bool(record.get("spring")),
        "anti_spring": bool(record.get("anti_spring")),
    }


def to_deal(record: Mapping[str, Any], seats: Sequence[EntrantId]) -> Deal:
    """A stored deal as the engine's."""
    if is_passed_out(record):
        return Deal.passed_out(tuple(seats))
    return Deal(
        seats=tuple(seats),
        landlord=EntrantId(record["landlord"]),
        bid=record["bid"],
        winner=Side(record["winner"]),
        rockets=record["rockets"],
        bombs=record["bombs"],
        spring=record["spring"],
        anti_spring=record["anti_spring"],
    )


def score(record: Mapping[str, Any], seats: Sequence[EntrantId], rules: ScoringRules) -> DealScore:
    """Points of the three players in a recorded deal."""
    return score_deal(to_deal(record, seats), rules.bids, rules.doublings)


def checked_deal(
    sent: Mapping[str, Any], seats: Mapping[EntrantId, str], rules: ScoringRules, prefix: str = ""
) -> DealRecord:
    """``sent`` as it is stored. Raises ``InvalidDealError`` with a sentence beside every wrong field.

    ``seats`` maps the entrants of the table, in seat order, to their names. Scores that were sent along are held
    against the engine's: they must be the same, and so add up to 0.
    """
    record = normal_record(sent)
    faults = _missing(record) or _impossible(record, seats, rules)
    if not faults and sent.get("scores") is not None:
        faults = _score_faults(sent["scores"], record, seats, rules)
    if faults:
        first = next(iter(faults))
        raise InvalidDealError(faults, clause=rules.clause_of(first), prefix=prefix)
    return record


def _missing(record: DealRecord) -> dict[str, T]:
    if is_passed_out(record):
        return {}
    wanted = {"landlord": T("请选择庄家或流局。"), "bid": T("请选择叫分。"), "winner": T("请选择胜方。")}
    return {key: text for key, text in wanted.items() if record[key] is None}


def _impossible(record: DealRecord, seats: Mapping[EntrantId, str], rules: ScoringRules) -> dict[str, T]:
    if is_passed_out(record):
        return {}
    faults = {
        key: Bilingual(text.zh, text.en) for key, text in faults_of(to_deal(record, tuple(seats)), rules.bids)
    }
    # the engine names entrants by id; a referee knows people
    texts = {
        "landlord": T("庄家不在本桌，本桌是 %(names)s。", names="、".join(seats.values())),
        "bid": T(
            "叫分只有 %(bids)s 分，没有 %(bid)s 分。",
            bids="、".join(str(bid) for bid in rules.bids),
            bid=record["bid"],
        ),
    }
    return {key: texts.get(key, text) for key, text in faults.items()}


def _score_faults(
    sent: Mapping[str, int], record: DealRecord, seats: Mapping[EntrantId, str], rules: ScoringRules
) -> dict[str, T]:
    total = sum(sent.values())
    if total:
        return {"scores": T("三人得分之和应为 0，现在是 %(total)s。", total=total)}
    if dict(sent) != dict(score(record, tuple(seats), rules).points):
        return {"scores": T("三人得分与叫分、胜方、倍数不符。")}
    return {}


def counted(records: Sequence[Mapping[str, Any]], rules: ScoringRules) -> int:
    """How many of these deals count towards the stage's number; the engine knows which do (I-A-2)."""
    return sum(counts_as_deal(to_deal(record, ()), rules) for record in records)


def complete(records: Sequence[Mapping[str, Any]], deals: int, rules: ScoringRules) -> bool:
    return counted(records, rules) == deals


def with_deal(
    records: Sequence[DealRecord], number: int, record: DealRecord, *, clause: str
) -> list[DealRecord]:
    """The deals with this one added or replaced. Raises ``DealNumberError`` for a gap."""
    if not 1 <= number <= len(records) + 1:
        raise DealNumberError(T("请先录入第 %(number)s 副。", number=len(records) + 1), clause=clause)
    return [*records[: number - 1], record, *records[number:]]


def require_not_too_many(
    records: Sequence[Mapping[str, Any]],
    stage: StageRule,
    deals: int,
    rules: ScoringRules,
    field: str = "deal_number",
) -> None:
    """No eleventh deal of ten (``deals_per_stage``, I-A-1)."""
    if counted(records, rules) > deals:
        raise DealNumberError(
            T("本阶段每桌 %(deals)s 副，没有第 %(number)s 副。", deals=deals, number=deals + 1),
            clause=stage.clause,
            field=field,
        )


def require_complete(
    records: Sequence[Mapping[str, Any]], stage: StageRule, deals: int, rules: ScoringRules
) -> None:
    if not complete(records, deals, rules):
        raise DealsMissingError(counted(records, rules), deals, clause=stage.clause)


def totals(
    records: Sequence[Mapping[str, Any]], seats: Sequence[EntrantId], rules: ScoringRules
) -> dict[EntrantId, int]:
    """Each player's points so far."""
    sums = dict.fromkeys(seats, 0)
    for record in records:
        for entrant, points in score(record, seats, rules).points.items():
            sums[entrant] += points
    return sums


def stage_rule(rules: ScoringRules, code: str) -> tuple[StageRule, int]:
    """The rule of a table's stage and its number of deals; a play-off (加赛) has the deals the engine gives every one."""
    stage = rules.stage(code)
    if stage is not None:
        return stage, stage.deals
    with_playoff = max(rules.stages, key=lambda each: each.playoff_deals)
    return with_playoff, with_playoff.playoff_deals
