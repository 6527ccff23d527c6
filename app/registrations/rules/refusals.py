"""Everything a registration can be refused for, by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from app.errors import ConflictError, InvalidError, NotFoundError, RefusedError
from app.text import Cited, T

WRONG_FIELDS = T("有内容需要修改，请看标出的地方。")


def with_clause(sentence: T, clause: str) -> T:
    """A sentence beside a field, with the clause it rests on."""
    return Cited(sentence, clause)


class RegistrationNotOpenError(RefusedError):
    code = "registration_not_open"

    def __init__(self, opens: datetime, clause: str) -> None:
        super().__init__(
            T("报名将于%(opens)s开始。", opens=opens), clause=clause, next_step=T("请在报名开始后再来填写。")
        )


class RegistrationClosedError(RefusedError):
    """One second past the deadline is late; the regulation says what is still possible."""

    code = "registration_closed"

    leads_to = ("registrations.my_changes", T("变更申请"))

    def __init__(self, closed: datetime, clause: str, *, by_application: bool, still: bool = False) -> None:
        super().__init__(
            T("报名已于%(closed)s截止。", closed=closed),
            clause=clause,
            next_step=T("已提交报名的领队仍可变更，请打开“变更申请”。")
            if still
            else T("如需变更，请向组委会提交书面申请：打开“变更申请”。")
            if by_application
            else T("截止后不接受变更，请联系组委会；需要退赛的，请打开“变更申请”。"),
        )


class ConsentMissingError(RefusedError):
    """No personal data is taken before the privacy notice (个人信息保护声明) was agreed to."""

    code = "consent_missing"

    def __init__(self) -> None:
        text = T("请先阅读并同意《个人信息保护声明》。")
        super().__init__(text, fields={"agreed": text})


class UnitMissingError(RefusedError):
    code = "unit_missing"

    def __init__(self) -> None:
        super().__init__(T("还没有填写单位。"), next_step=T("请先填写单位，再添加队员。"))


class UnitRefusedError(InvalidError):
    code = "unit_refused"

    def __init__(self, fields: Mapping[str, T], clause: str) -> None:
        super().__init__(_summary(fields), fields=fields, clause=clause)


class UnitTakenError(ConflictError):
    """Another leader registered this unit; who that is stays private."""

    code = "unit_taken"

    def __init__(self, *, by_name: bool = False) -> None:
        text = T("这个统一社会信用代码的单位已由另一位领队报名。")
        if by_name:
            text = T("这个名称的单位已由另一位领队报名。")
        super().__init__(
            text,
            fields={"name" if by_name else "credit_code": text},
            next_step=T("请与本单位同事确认由谁报名；如有疑问，请联系组委会核实。"),
        )


class MemberRefusedError(InvalidError):
    """A member's form with every problem at once, each beside its field."""

    code = "member_refused"

    def __init__(self, fields: Mapping[str, T], clause: str) -> None:
        super().__init__(_summary(fields), fields=fields, clause=clause)


class DuplicatePersonError(ConflictError):
    """One person (ID number) enters an event once; the other unit is not named. ``place``: the field of the ID number."""

    code = "duplicate_person"

    def __init__(self, *, same_unit: bool, clause: str, place: str = "id_number") -> None:
        text = (
            T("这位队员已在您的名单中，不能重复报名。")
            if same_unit
            else T("这个身份证号已由其他单位在本项目报名，一人只能报名一次。")
        )
        super().__init__(
            text,
            clause=clause,
            fields={place: with_clause(text, clause)},
            next_step=T("请核对身份证号。") if same_unit else T("请与队员本人核实；如有误，请联系组委会。"),
        )


class QuotaFullError(RefusedError):
    code = "quota_full"

    def __init__(self, limit: int, clause: str, *, pairs: bool = False) -> None:
        super().__init__(
            T("每个单位最多报 %(limit)s 对，名额已满。", limit=limit)
            if pairs
            else T("每个单位最多报 %(limit)s 人，名额已满。", limit=limit),
            clause=clause,
            next_step=T("如需换人，请先移除一对。") if pairs else T("如需换人，请先移除一位队员。"),
        )


class EventFullError(RefusedError):
    code = "event_full"

    def __init__(self, limit: int, clause: str, *, pairs: bool = False) -> None:
        super().__init__(
            T("本项目最多报 %(limit)s 对，名额已满。", limit=limit)
            if pairs
            else T("本项目最多报 %(limit)s 人，名额已满。", limit=limit),
            clause=clause,
            next_step=T("如有人退出，名额会空出；请向组委会询问。"),
        )


class TeamFullError(RefusedError):
    """The form names as many members for the unit's team as a team has."""

    code = "team_full"

    def __init__(self, size: int, clause: str) -> None:
        text = T("每队 %(size)s 人，本单位已写明 %(size)s 人。", size=size)
        super().__init__(
            text,
            clause=clause,
            fields={"in_team": with_clause(text, clause)},
            next_step=T("请先取消另一位队员的团体名额。"),
        )


class TeamIncompleteError(RefusedError):
    code = "team_incomplete"

    def __init__(self, named: int, size: int, clause: str) -> None:
        super().__init__(
            T("每队 %(size)s 人，本单位只写明了 %(named)s 人。", size=size, named=named),
            clause=clause,
            next_step=T("请写明全队，或一人也不写明。"),
        )


class EntryShapeError(RefusedError):
    """One player was sent where pairs enter, or the other way round."""

    code = "entry_shape"

    def __init__(self, clause: str, *, pairs: bool) -> None:
        super().__init__(
            T("本项目以两名选手为一对报名。") if pairs else T("本项目以个人报名。"),
            clause=clause,
            next_step=T("请在一张表中填写两名选手。") if pairs else T("请逐一添加队员。"),
        )


class NoUnitAskedError(RefusedError):
    code = "no_unit_asked"

    def __init__(self, clause: str) -> None:
        super().__init__(
            T("本项目由选手自己报名，单位写在每名选手的资料里。"),
            clause=clause,
            next_step=T("请直接填写选手。"),
        )


class MemberWithdrawnError(RefusedError):
    code = "member_withdrawn"

    def __init__(self) -> None:
        super().__init__(T("这位队员已退赛，不能再修改。"), next_step=T("如需再次报名，请重新添加队员。"))


class PairWithdrawnError(RefusedError):
    code = "pair_withdrawn"

    def __init__(self) -> None:
        super().__init__(T("这一对已退赛，不能再修改。"), next_step=T("如需再次报名，请重新填写。"))


class UnknownPairError(NotFoundError):
    def __init__(self) -> None:
        super().__init__(T("您的名单中没有这一对。"), next_step=T("请从报名名单进入。"))


class UnknownMemberError(NotFoundError):
    def __init__(self) -> None:
        super().__init__(T("您的名单中没有这位队员。"), next_step=T("请从队员名单进入。"))


class UnknownEntryError(NotFoundError):
    def __init__(self) -> None:
        super().__init__(T("本赛事没有这条报名。"), next_step=T("请从报名审核名单进入。"))


class NothingToSubmitError(RefusedError):
    code = "nothing_to_submit"

    def __init__(self, *, empty: bool, pairs: bool = False) -> None:
        if pairs:
            nobody, nobody_new = (
                T("还没有填写选手，不能提交。"),
                T("没有需要提交的新报名，已提交的名单不变。"),
            )
            first = T("请先填写两名选手。")
        else:
            nobody, nobody_new = T("还没有队员，不能提交。"), T("没有需要提交的新队员，已提交的名单不变。")
            first = T("请先添加队员。")
        super().__init__(
            nobody if empty else nobody_new, next_step=first if empty else T("可在“我的”查看审核进度。")
        )


class DecisionRefusedError(InvalidError):
    """A batch of decisions in which some cannot stand; none is stored."""

    code = "decision_refused"

    def __init__(self, fields: Mapping[str, T], clause: str | None = None) -> None:
        super().__init__(_summary(fields), fields=fields, clause=clause)


class EntriesDrawnError(RefusedError):
    """The draw was made from the decided entries; from then on only a ruling changes who plays."""

    code = "entries_drawn"

    def __init__(self, clause: str) -> None:
        super().__init__(
            T("已按审核通过的名单抽签，报名不能再审核。"),
            clause=clause,
            next_step=T("参赛资格有变，请由裁判长和组委会裁定。"),
        )


class EntryChangedError(ConflictError):
    """The leader changed an entry after the committee's page was opened."""

    code = "entry_changed"

    def __init__(self, entries: Sequence[Mapping[str, int]]) -> None:
        super().__init__(
            T("有 %(count)s 条报名在您打开页面后被修改，这次审核没有保存。", count=len(entries)),
            next_step=T("请刷新名单，重新查看后再审核。"),
            extra={"entries": [dict(entry) for entry in entries]},
        )


def _summary(fields: Mapping[str, T]) -> T:
    """The one sentence if there is one, else where to look."""
    return next(iter(fields.values())) if len(fields) == 1 else WRONG_FIELDS
