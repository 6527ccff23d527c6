"""Who says that a handed-in sheet is right (确认), who holds a sheet, and how that is refused. Pure decisions."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from enum import StrEnum
from itertools import zip_longest

from app.actors import ROLE_NAMES, Actor, Role
from app.errors import ConflictError, ForbiddenError, InvalidError, RefusedError
from app.floor.rules import Confirmation
from app.results.rules.content import Content, Names, Outcome
from app.results.rules.games import Kind, game_of
from app.results.rules.match_words import match_words
from app.results.rules.matches import match_sheet
from app.results.rules.sheets import CORRECTORS, RECORDERS
from app.results.rules.states import SheetState
from app.text import T
from scoring_engine.rules import ScoringRules

DECIDERS = (Role.CHIEF_REFEREE,)
"""Who decides a dispute, and speaks for a side that is away."""


class Said(StrEnum):
    """What was said of one handed-in revision."""

    CONFIRMED = "confirmed"
    DISPUTED = "disputed"
    DECIDED = "decided"


class Way(StrEnum):
    """How it was said: by the player's card (选手卡), his PIN, his signature, through a referee, or by the chief referee."""

    CARD = "card"
    PIN = "pin"
    SIGNATURE = "signature"
    REFEREE = "referee"
    RULING = "ruling"


class Decision(StrEnum):
    """What the chief referee makes of a dispute."""

    UPHOLD = "uphold"
    SEND_BACK = "send_back"


def sides_to_hear(sides: Sequence[int], forfeited: Collection[int]) -> tuple[int, ...]:
    """Whose word a sheet needs, by entry: everybody's who was there. Where all forfeited, that of all, for the chief referee to give."""
    present = tuple(side for side in sides if side not in forfeited)
    return present or tuple(sides)


def missing_sides(
    state: SheetState,
    confirmation: Confirmation,
    sides: Sequence[int],
    forfeited: Collection[int],
    confirmed: Collection[int],
) -> tuple[int, ...]:
    """Which sides have not said that the handed-in sheet is right; none unless it waits for them."""
    if state is not SheetState.ENTERED or confirmation is Confirmation.BLIND:
        return ()
    return tuple(side for side in sides_to_hear(sides, forfeited) if side not in confirmed)


def differing(first: Content, second: Content, names: Names, rules: ScoringRules) -> tuple[T, ...]:
    """Where two entries of one sheet differ, in words; empty where they say the same.

    Where one of them holds the deals of a match and the other only its end, the ends are compared.
    """
    if game_of(rules).kind is Kind.MATCH and bool(first.deals) is not bool(second.deals):
        same = _end(first, names, rules) == _end(second, names, rules)
        return () if same else (T("各副以外的结果"),)
    places = [
        T("第 %(number)s 副", number=number)
        for number, (one, other) in enumerate(zip_longest(first.deals, second.deals), start=1)
        if one != other
    ]
    if _canonical(first.outcome) != _canonical(second.outcome):
        places.append(T("各副以外的结果"))
    return tuple(places)


def _end(content: Content, names: Names, rules: ScoringRules) -> tuple[dict[str, str], list[str]]:
    """The levels of both sides at the end of a match, and who forfeited."""
    words = match_words(match_sheet(content, names, rules).score, names, rules)
    return {str(side): level for side, level in words.levels.items()}, sorted(content.forfeits)


def _canonical(outcome: Outcome | None) -> str:
    """An outcome as text: the order of what was broken says nothing, nor does a key without anything in it."""
    said = {key: value for key, value in (outcome or {}).items() if value not in ({}, [])}
    if "penalties" in said:
        said["penalties"] = sorted(json.dumps(each, sort_keys=True) for each in said["penalties"])
    if "forfeits" in said:
        said["forfeits"] = sorted(said["forfeits"])
    return json.dumps(said, sort_keys=True, default=str)


class NotAtTableError(ForbiddenError):
    """Only who sits at the table says whether its sheet is right."""

    def __init__(self) -> None:
        super().__init__(T("这张选手卡不是本桌的。"), next_step=T("请核对桌号，或请裁判员处理。"))


class OutdatedWordError(ConflictError):
    """What was looked at is no longer what the sheet says."""

    def __init__(self, *, seen: int, revision: int) -> None:
        super().__init__(
            T("成绩在您核对之后改过，请重新核对。"),
            next_step=T("请刷新本页，核对新的成绩后再确认。"),
            extra={"revision": revision, "seen": seen},
        )


class AlreadyPublicError(RefusedError):
    """After publication a side asks for a correction; it no longer disputes."""

    def __init__(self, *, clause: str | None) -> None:
        super().__init__(
            T("本桌成绩已经公布，不能再提出争议。"),
            clause=clause,
            next_step=T("请在更正时限内向裁判员申请更正；逾时请提出申诉。"),
        )


class AlreadyDecidedError(RefusedError):
    """What the chief referee decided is not disputed again."""

    def __init__(self, *, clause: str | None) -> None:
        super().__init__(
            T("裁判长已经裁定了本桌成绩的争议。"), clause=clause, next_step=T("不服裁定的，请提出申诉。")
        )


class AwaitsSecondRefereeError(RefusedError):
    """盲录复核: the word of the sides does not confirm this sheet."""

    def __init__(self) -> None:
        super().__init__(
            T("本赛事由另一名裁判员重录核对，不需要选手确认。"), next_step=T("有异议的，请提出争议。")
        )


class NoSecondRefereeError(RefusedError):
    """Nobody re-enters a sheet where the sides confirm."""

    def __init__(self) -> None:
        super().__init__(T("本赛事不用重录核对。"), next_step=T("请由本桌选手确认成绩。"))


class SamePersonError(ForbiddenError):
    """The second word has to be another person's."""

    def __init__(self) -> None:
        super().__init__(
            T("这张记分表是您录入的，须由另一个人核对。"), next_step=T("请另一名裁判员登录后打开本桌。")
        )


class RoundNotReadyError(RefusedError):
    """A round that is held back is published as a whole: each of its tables is confirmed first."""

    def __init__(self, tables: Sequence[int], disputed: Sequence[int], *, clause: str | None) -> None:
        super().__init__(
            T("这一轮还不能公布，未确认的桌：%(tables)s。", tables="、".join(map(str, tables))),
            clause=clause,
            next_step=T("请先裁定有争议的桌：%(tables)s。", tables="、".join(map(str, disputed)))
            if disputed
            else T("请催促各桌交表并确认，再公布本轮。"),
            extra={"tables": list(tables), "disputed": list(disputed)},
        )


class ReasonMissingError(InvalidError):
    def __init__(self) -> None:
        text = T("请写明理由，至少两个字。")
        super().__init__(text, fields={"reason": text})


class DisputeNoteMissingError(InvalidError):
    def __init__(self) -> None:
        text = T("请写明哪里不对，至少两个字。")
        super().__init__(text, fields={"note": text})


class WordKeyUsedError(ConflictError):
    """The key was used for another word on this sheet."""

    def __init__(self) -> None:
        super().__init__(T("这次提交和上一次不一样，没有保存。"), next_step=T("请刷新本页，核对后再提交。"))


class SheetHeldError(ConflictError):
    """Another device writes on this sheet (记分中); it is taken over (接管) with a reason."""

    def __init__(
        self, *, role: Role | None, phone_masked: str | None, since: datetime, same_person: bool
    ) -> None:
        if same_person:
            text = T("您自 %(since)s 起在另一台设备上记这张表，这里还没有保存。", since=since)
        else:
            text = T(
                "%(role)s %(phone)s 自 %(since)s 起在另一台设备上记这张表，这里还没有保存。",
                role=ROLE_NAMES[role] if role else T("工作人员"),
                phone=phone_masked or "",
                since=since,
            )
        super().__init__(
            text,
            next_step=T("请先接管这张表，写明原因，再提交一次。"),
            extra={
                "held_since": since.isoformat(),
                "held_by": phone_masked,
                "same_person": same_person,
            },
        )


def require_may_sign_for(actor: Actor, competition_id: int) -> None:
    """A signature by finger is taken on the referee's own phone."""
    actor.require(competition_id, *RECORDERS)


def require_may_decide(actor: Actor, competition_id: int) -> None:
    actor.require(competition_id, *DECIDERS)


def require_may_publish(actor: Actor, competition_id: int) -> None:
    actor.require(competition_id, *CORRECTORS)


def require_another_person(user_id: int | None, writers: Collection[int | None]) -> None:
    """Raises ``SamePersonError`` where who speaks wrote on the sheet."""
    if user_id is not None and user_id in writers:
        raise SamePersonError


def require_words(text: str | None, error: Callable[[], InvalidError]) -> str:
    """A reason or note in at least two characters. Raises ``error``."""
    said = (text or "").strip()
    if len(said) < 2:
        raise error()
    return said
