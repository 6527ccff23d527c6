"""Changing a drawn round by hand (人工调整), and taking a round back (作废). Pure decisions.

| rule | implemented |
|---|---|
| only before the first score of the round | `RoundStartedError` |
| each change has a reason that everybody reads | `parse_reason` |
| a second person confirms: nobody who made one of the changes | `require_second_person` |
| the round keeps the shape that was drawn: tables, people at each, byes | `open_points`, asked for at the confirmation |
| until then nobody starts a sheet | `RepairingError`, wherever a sheet is opened |
| a round is taken back only when no later one stands | `require_last` |
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.actors import Actor, Role
from app.draws.rules import DRAWERS, entry_of, round_name, stage_name, with_names
from app.errors import ConflictError, InvalidError, NotFoundError, RefusedError
from app.regulations.rules import Bilingual
from app.text import T, holds_long_number
from scoring_engine.pairing.repairs import ChangeKind, Placed, Repair, RepairError, apply_changes
from scoring_engine.values import EntrantId

Change = Mapping[str, Any]
"""One change as the event file writes it: ``{"swap": ["e3", "e8"]}``, ``{"bye": "e5", "instead_of": "e9"}``, …"""

Names = Mapping[str, str]
"""Names of people by the event file's ids."""


class RoundStartedError(RefusedError):
    def __init__(self, stage: str, number: int, clause: str | None) -> None:
        super().__init__(
            T(
                "%(stage)s第 %(number)s 轮已经开始记分，不能再人工调整。",
                stage=stage_name(stage),
                number=number,
            ),
            clause=clause,
            next_step=T("如需重新编排，请由裁判长作废这一轮。"),
        )


class NoRepairError(NotFoundError):
    def __init__(self) -> None:
        super().__init__(T("这一轮没有正在进行的人工调整。"), next_step=T("请从“抽签编排”开始调整。"))


class RepairingError(RefusedError):
    """A table of a round that is being repaired."""

    def __init__(self, stage: str, number: int) -> None:
        super().__init__(
            T(
                "%(stage)s第 %(number)s 轮正在人工调整，还不能开始记分。",
                stage=stage_name(stage),
                number=number,
            ),
            next_step=T("请等组委会或裁判长确认调整，再看对阵页上的座位。"),
        )


class VoidTableError(RefusedError):
    """A table of a round that was taken back."""

    def __init__(self, stage: str, number: int) -> None:
        super().__init__(
            T("这张桌卡属于已作废的%(stage)s第 %(number)s 轮抽签。", stage=stage_name(stage), number=number),
            next_step=T("请使用重新抽签后的桌卡；已录入的成绩保留在作废记录中，不计入名次。"),
        )


class BadChangeError(InvalidError):
    """A change that cannot be made; ``field`` says where."""

    def __init__(self, text: T, field: str = "change") -> None:
        super().__init__(text, fields={field: text})


class PrivateReasonError(InvalidError):
    def __init__(self) -> None:
        text = T("原因会公开，请不要写电话或证件号码。")
        super().__init__(text, fields={"reason": text})


class RepairConflictError(ConflictError):
    """The repair was changed by somebody else since this one read it; ``extra`` carries both versions."""

    def __init__(self, *, base_revision: int, current: Mapping[str, Any], sent: Mapping[str, Any]) -> None:
        super().__init__(
            T("另一位同事刚改过这次调整，您的内容还没有保存。"),
            next_step=T("请先看现在的座位，再决定是否提交您的调整。"),
            extra={"base_revision": base_revision, "current": dict(current), "sent": dict(sent)},
        )


class SamePersonError(RefusedError):
    def __init__(self) -> None:
        super().__init__(
            T("这次调整中有您自己做的改动，不能由您确认。"),
            next_step=T("请另一位组委会成员或裁判长登录后确认。"),
        )


class NothingChangedError(RefusedError):
    def __init__(self) -> None:
        super().__init__(T("这次调整还没有任何改动，不能确认。"), next_step=T("不需要调整时，请取消调整。"))


class UndoneRepairError(RefusedError):
    """The changes undo each other: confirming them would publish changes that changed nothing."""

    def __init__(self) -> None:
        super().__init__(
            T("这些改动互相抵消，座位和调整之前一样，不能确认。"),
            next_step=T("不需要调整时，请取消调整并写明原因。"),
        )


class UnfinishedRepairError(RefusedError):
    """After the changes somebody has no place, or a table has too few."""

    def __init__(self, points: Sequence[T]) -> None:
        super().__init__(
            T("调整还没有完成：%(points)s", points=joined(points)),
            next_step=T("请继续调整，使每桌满员、每个人都有位置。"),
        )


class RepairOpenError(RefusedError):
    def __init__(self) -> None:
        super().__init__(
            T("这一轮正在人工调整，不能作废。"), next_step=T("请先确认或取消这次调整，再作废这一轮。")
        )


class LaterRoundsStandError(RefusedError):
    """Rounds drawn later hang on this one."""

    def __init__(self, later: Sequence[tuple[str, int]]) -> None:
        named = joined([round_name(stage, number) for stage, number in later])
        super().__init__(
            T("后面的轮次依据这一轮编排，须先作废：%(later)s。", later=named),
            next_step=T("请从最后一轮开始，逐轮作废。"),
            extra={"later": [{"stage": stage, "round": number} for stage, number in later]},
        )


class AnotherDrawError(ConflictError):
    """The round was taken back and drawn again since the page was opened."""

    def __init__(self, sent: str, current: str) -> None:
        super().__init__(
            T("这一轮已经重新抽签，您看到的是以前的抽签，没有作废任何内容。"),
            next_step=T("请重新打开这一页，核对现在的抽签。"),
            extra={"current": {"seed": current}, "sent": {"seed": sent}},
        )


def joined(texts: Sequence[T]) -> T:
    """Several phrases as one."""
    phrase = texts[0]
    for text in texts[1:]:
        phrase = T("%(left)s；%(right)s", left=phrase, right=text)
    return phrase


def listed(names: Sequence[str]) -> T:
    """Several names as one phrase."""
    phrase = T("%(name)s", name=names[0])
    for name in names[1:]:
        phrase = T("%(left)s、%(right)s", left=phrase, right=name)
    return phrase


def parse_reason(written: str) -> str:
    """A reason as it is published. Raises ``PrivateReasonError`` where it holds a long number."""
    if holds_long_number(written):
        raise PrivateReasonError
    return written


def made_as(actor: Actor, competition_id: int) -> Role:
    """The role that is named beside a change, in place of a person."""
    return next((role for role in DRAWERS if actor.has(competition_id, role)), Role.COMMITTEE)


def require_second_person(actor: Actor, authors: Collection[int | None]) -> None:
    """Whoever made one of the changes does not confirm them. Raises ``SamePersonError``."""
    if actor.require_signed_in() in authors:
        raise SamePersonError


def require_last(later: Sequence[tuple[str, int]]) -> None:
    """No later round stands. Raises ``LaterRoundsStandError``, the last one first."""
    if later:
        raise LaterRoundsStandError(tuple(reversed(later)))


def placed_from(stored: Mapping[str, Any]) -> Placed:
    """A round as a repair stores it."""
    tables = tuple(tuple(map(EntrantId, table)) for table in stored["tables"])
    return Placed(tables, tuple(map(EntrantId, stored["byes"])))


def as_stored(placed: Placed) -> dict[str, Any]:
    return {"tables": [list(table) for table in placed.tables], "byes": list(placed.byes)}


def repair_of(change: Change) -> Repair:
    """A change as the engine takes it. Raises ``BadChangeError``; who exists is asked by ``made``."""
    kinds = [kind for kind in ChangeKind if change.get(kind.value) is not None]
    if len(kinds) != 1 or (change.get("instead_of") and kinds[0] is not ChangeKind.BYE):
        raise BadChangeError(T("请选择一种调整，并填好它的人或桌。"))
    return _READERS[kinds[0]](change)


def _swap(change: Change) -> Repair:
    people = tuple(map(EntrantId, change["swap"]))
    if len(people) != 2 or len(set(people)) != 2:
        raise BadChangeError(T("请选择两个不同的人。"), "swap")
    return Repair("", "", ChangeKind.SWAP, people)


def _swap_tables(change: Change) -> Repair:
    tables = tuple(change["swap_tables"])
    if len(tables) != 2 or len(set(tables)) != 2:
        raise BadChangeError(T("请选择两张不同的桌子。"), "swap_tables")
    return Repair("", "", ChangeKind.SWAP_TABLES, tables=tables)


def _bye(change: Change) -> Repair:
    other = change.get("instead_of")
    return Repair(
        *("", "", ChangeKind.BYE, (EntrantId(change["bye"]),)), other=EntrantId(other) if other else None
    )


def _set_table(change: Change) -> Repair:
    wanted = change["set_table"]
    people = tuple(map(EntrantId, wanted["entrants"]))
    if len(set(people)) != len(people):
        raise BadChangeError(T("同一个人不能坐两个座位。"), "set_table.entrants")
    return Repair("", "", ChangeKind.SET_TABLE, people, tables=(wanted["number"],))


_READERS = {
    ChangeKind.SWAP: _swap,
    ChangeKind.SWAP_TABLES: _swap_tables,
    ChangeKind.BYE: _bye,
    ChangeKind.SET_TABLE: _set_table,
}


def made(before: Placed, changes: Sequence[Change], names: Names) -> Placed:
    """The round after these changes. Raises ``BadChangeError`` in people's names where one cannot be made."""
    repairs = [repair_of(change) for change in changes]
    for repair in repairs:
        _require_shape(before, repair)
    try:
        return apply_changes(before, repairs)
    except RepairError as error:
        people = {entry_of(entrant): name for entrant, name in names.items()}
        raise BadChangeError(with_names(Bilingual(error.text.zh, error.text.en), people)) from error


def _require_shape(before: Placed, repair: Repair) -> None:
    """The tables and byes that were drawn are all there are."""
    for number in repair.tables:
        if not 1 <= number <= len(before.tables):
            raise BadChangeError(T("没有第 %(number)s 桌。", number=number), repair.kind.value)
    if repair.kind is ChangeKind.BYE and not before.byes:
        raise BadChangeError(T("这一轮没有轮空，也没有直接晋级的人。"), "bye")
    size = table_size(before)
    if repair.kind is ChangeKind.SET_TABLE and len(repair.entrants) != size:
        raise BadChangeError(T("每桌 %(size)s 人，请填满每个座位。", size=size), "set_table.entrants")


def table_size(placed: Placed) -> int:
    return max(map(len, placed.tables), default=0)


def open_points(before: Placed, after: Placed, names: Names) -> tuple[T, ...]:
    """What is still to be put right before the round can be confirmed."""
    points: list[T] = []
    if after.left_over:
        people = listed([names.get(each, each) for each in after.left_over])
        points.append(T("还没有位置：%(people)s", people=people))
    size = table_size(before)
    for number, table in enumerate(after.tables, start=1):
        if len(table) != size:
            points.append(
                T(
                    "第 %(number)s 桌有 %(count)s 人，应为 %(size)s 人",
                    number=number,
                    count=len(table),
                    size=size,
                )
            )
    if len(after.byes) != len(before.byes):
        points.append(
            T(
                "轮空或直接晋级的有 %(count)s 人，应为 %(size)s 人",
                count=len(after.byes),
                size=len(before.byes),
            )
        )
    return tuple(points)


@dataclass(frozen=True, slots=True)
class TableDifference:
    """A table that is not as it was drawn, by the event file's ids in seat order; ``number`` None are the byes."""

    number: int | None
    drawn: tuple[EntrantId, ...]
    repaired: tuple[EntrantId, ...]


def differences(drawn: Placed, repaired: Placed) -> tuple[TableDifference, ...]:
    """Every table, and the byes, where the repaired round differs from the engine's draw."""
    found = [
        TableDifference(number, one, other)
        for number, (one, other) in enumerate(zip(drawn.tables, repaired.tables, strict=True), start=1)
        if one != other
    ]
    if drawn.byes != repaired.byes:
        found.append(TableDifference(None, drawn.byes, repaired.byes))
    return tuple(found)


def change_text(change: Change, names: Names) -> T:
    """One change in words."""
    repair = repair_of(change)
    people = [names.get(each, each) for each in repair.entrants]
    if repair.kind is ChangeKind.SWAP:
        return T("%(one)s与%(other)s对调", one=people[0], other=people[1])
    if repair.kind is ChangeKind.SWAP_TABLES:
        one, other = repair.tables
        return T("第 %(one)s 桌与第 %(other)s 桌对调桌号", one=one, other=other)
    if repair.kind is ChangeKind.SET_TABLE:
        return T("第 %(number)s 桌改为%(people)s", number=repair.tables[0], people=listed(people))
    if repair.other is None:
        return T("%(person)s改为轮空或直接晋级", person=people[0])
    return T(
        "%(person)s改为轮空或直接晋级，%(other)s上桌",
        person=people[0],
        other=names.get(repair.other, repair.other),
    )
