"""Everything an appeal, or an act on one, can be refused for, by name."""

from __future__ import annotations

from collections.abc import Mapping

from app.appeals.rules.states import STATE_NAMES, AppealState
from app.errors import ConflictError, ForbiddenError, InvalidError, NotFoundError, RefusedError
from app.regulations.rules import Deadline
from app.regulations.rules.terms import Notice
from app.text import T

WRONG_FIELDS = T("有内容需要修改，请看标出的地方。")


class NotTakenError(RefusedError):
    """An appeal that is not taken in; who tried is not noted, what it lacked is (``lacked``)."""

    lacked = "appeal"


class NoAppealsError(RefusedError):
    """The text knows no appeals: no window, no fee, no committee for them."""

    code = "no_appeals"

    def __init__(self, interpreter: Notice | None) -> None:
        ask = (
            T(
                "请当场向裁判长提出；对条文的理解，请问有解释权的单位：%(who)s",
                who=interpreter.text,
            )
            if interpreter
            else T("请当场向裁判长提出；对条文的理解，请向主办方询问。")
        )
        super().__init__(
            T("本规程没有申诉的条文：没有写申诉的时限、费用和仲裁机构，本站不受理申诉。"),
            clause=interpreter.clause if interpreter else None,
            next_step=ask,
        )


class RoundRunningError(NotTakenError):
    """The clocks start with the recorded end of the round."""

    code = "round_running"
    lacked = "end"

    def __init__(self, clause: str) -> None:
        super().__init__(
            T("这一轮还没有记录结束，申诉的时限还没有开始。"),
            clause=clause,
            next_step=T("现在请先向裁判长口头提出；裁判长记录本轮结束以后，时限开始计算，结束前说的也算数。"),
        )


class AppealLateError(NotTakenError):
    """The first second after the window is late; the server's clock decides. ``which``: oral or written."""

    code = "appeal_late"

    def __init__(self, which: str, deadline: Deadline, *, remains: T, field: str) -> None:
        text = (
            T("口头申诉的时限是 %(end)s（含当秒），已经过了。", end=deadline.at)
            if which == "oral"
            else T("书面申诉的时限是 %(end)s（含当秒），已经过了。", end=deadline.at)
        )
        super().__init__(
            text,
            clause=deadline.clause,
            next_step=remains,
            fields={field: text},
            extra={"window": which, "ended": deadline.at.isoformat()},
        )
        self.lacked = which


class OralMissingError(NotTakenError):
    """A written appeal without the oral one before it (须在本轮赛后5分钟之内口头提出)."""

    code = "oral_missing"
    lacked = "oral"

    def __init__(self, deadline: Deadline) -> None:
        text = T("没有口头申诉的记录：须先在 %(end)s 前口头向裁判长提出。", end=deadline.at)
        super().__init__(
            text,
            clause=deadline.clause,
            next_step=T("已经口头提出的，请写明提出的时间，由记录的裁判员核实。"),
            fields={"oral_at": text},
        )


class SaidLaterError(InvalidError):
    code = "said_later"

    def __init__(self, field: str = "said_at") -> None:
        text = T("这个时间还没有到，请检查。")
        super().__init__(text, fields={field: text})


class NotPlayingError(RefusedError):
    """Only who was in the round appeals against what happened in it."""

    code = "not_in_round"

    def __init__(self, clause: str) -> None:
        text = T("这名选手没有参加这一轮，不能就这一轮申诉。")
        super().__init__(text, clause=clause, fields={"entry_id": text})


class NotYoursError(ForbiddenError):
    """Somebody who neither leads the entry's unit nor holds its card."""

    code = "not_yours"

    def __init__(self, clause: str) -> None:
        super().__init__(
            T("申诉由当事选手或其领队提出；您不是这名选手的领队。"),
            clause=clause,
            next_step=T("选手本人请扫选手卡上的二维码提出，领队请用报名时的手机号登录。"),
        )


class AlreadyAppealedError(RefusedError):
    code = "already_appealed"

    def __init__(self, number: str) -> None:
        super().__init__(
            T("同一件事已经有申诉 %(number)s，不需要再提出。", number=number),
            next_step=T("请在原申诉里补充证据。"),
            extra={"number": number},
        )


class AppealInvalidError(InvalidError):
    """What was typed is wrong in places; nothing is stored."""

    code = "appeal_invalid"

    def __init__(self, fields: Mapping[str, T], clause: str | None = None) -> None:
        sentence = next(iter(fields.values())) if len(fields) == 1 else WRONG_FIELDS
        super().__init__(sentence, clause=clause, fields=fields)


class UnknownAppealError(NotFoundError):
    code = "unknown_appeal"

    def __init__(self) -> None:
        super().__init__(T("没有这件申诉。"), next_step=T("请从回执或工作台进入。"))


class AppealConflictError(ForbiddenError):
    """A member of the arbitration committee who is concerned (回避): he neither reads nor decides."""

    code = "conflict_of_interest"

    def __init__(self, *, recused: bool) -> None:
        super().__init__(
            T("您已回避这件申诉，不能再查看或办理。")
            if recused
            else T("这件申诉与您有关，您应当回避，不能查看或办理。"),
            next_step=T("请由仲裁委员会的其他成员办理；没有其他成员时，由主办方增加。"),
        )


class AppealChangedError(ConflictError):
    """A colleague did something in between."""

    code = "appeal_changed"

    def __init__(self, seen: int, now: int) -> None:
        super().__init__(
            T("另一位成员刚刚办理了这件申诉，您的操作没有保存。"),
            next_step=T("请看最新的办理记录，再决定；填写的内容还在。"),
            extra={"seen": seen, "revision": now},
        )


class AppealStateError(RefusedError):
    """The act does not fit where the appeal stands."""

    code = "appeal_state"

    def __init__(self, state: AppealState, clause: str | None = None) -> None:
        super().__init__(
            T("这件申诉目前是“%(state)s”，不能这样办理。", state=STATE_NAMES[state]),
            clause=clause,
            next_step=T("请看办理记录。"),
            extra={"state": state.value},
        )


class OralUnconfirmedError(RefusedError):
    """The oral appeal was claimed and not confirmed: it is logged first, or the appeal is refused."""

    code = "oral_unconfirmed"

    def __init__(self, clause: str) -> None:
        super().__init__(
            T("口头申诉还没有核实，不能听证。"),
            clause=clause,
            next_step=T("请当时在场的裁判员登记口头申诉的时间；没有口头提出的，不予受理。"),
        )


class FeeMissingError(RefusedError):
    code = "fee_missing"

    def __init__(self, amount: int, clause: str) -> None:
        super().__init__(
            T("还没有登记申诉费 %(amount)s 元，不能听证。", amount=amount),
            clause=clause,
            next_step=T("请裁判员收取并登记申诉费；不交的，不予受理。"),
        )


class NoFeeError(RefusedError):
    code = "no_fee"

    def __init__(self, clause: str) -> None:
        super().__init__(T("规程没有规定申诉费，不能收取。"), clause=clause)


class FeeReceivedError(RefusedError):
    code = "fee_received"

    def __init__(self, clause: str) -> None:
        super().__init__(
            T("这件申诉的费用已经登记过，没有重复登记。"),
            clause=clause,
            next_step=T("登记有误的，请由组委会或裁判长冲正后重新登记。"),
        )


class FeeAmountError(InvalidError):
    code = "fee_amount"

    def __init__(self, amount: int, clause: str) -> None:
        text = T("申诉费为 %(amount)s 元，请如数收取。", amount=amount)
        super().__init__(text, clause=clause, fields={"amount": text})


class FeeReferenceError(InvalidError):
    code = "fee_reference"

    def __init__(self, longest: int | None = None) -> None:
        text = T("请写转账的流水号。") if longest is None else T("最多 %(high)s 个字。", high=longest)
        super().__init__(text, fields={"reference": text})


class FeeNotDueError(RefusedError):
    """The state of the appeal does not call for this."""

    code = "fee_not_due"

    def __init__(self, state: AppealState, clause: str) -> None:
        super().__init__(
            T("这件申诉目前是“%(state)s”，申诉费不能这样处理。", state=STATE_NAMES[state]),
            clause=clause,
            next_step=T("成立的退还，驳回的不退；办理中的等裁定。"),
        )


class NothingHeldError(RefusedError):
    code = "nothing_held"

    def __init__(self, clause: str) -> None:
        super().__init__(
            T("这件申诉没有在管的费用：已经退还，或没有收过。"),
            clause=clause,
            next_step=T("请看申诉费台账。"),
        )


class NotReversibleError(RefusedError):
    code = "not_reversible"

    def __init__(self) -> None:
        super().__init__(
            T("这笔记录不能冲正：它已经冲正过，或本身就是冲正，或款项已经退还、转为不退。"),
            next_step=T("请先冲正后面的记录，再冲正这一笔。"),
        )
