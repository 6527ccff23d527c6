"""The parts of a regulation beside eligibility and calendar: what is declared, published, objected to, paid, left open."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from app.regulations.rules.texts import Bilingual
from app.text import T

WINDOW_CODES: Mapping[str, T] = {
    "correction": T("更正记分错误"),
    "appeal_oral": T("口头申诉"),
    "appeal_written": T("书面申诉"),
}

WINDOW_STARTS: Mapping[str, T] = {
    "results_published": T("成绩公布"),
    "round_ended": T("本轮结束"),
}

FEE_CODES: Mapping[str, T] = {"appeal": T("申诉费")}

OBJECTORS: Mapping[str, T] = {
    "participating_unit": T("任何参赛单位"),
    "anybody": T("任何人"),
}

REGISTRARS: Mapping[str, T] = {
    "team_leader": T("参赛队领队"),
    "player": T("运动员本人"),
    "member": Bilingual("单位会员、个人会员", "unit members and individual members"),
}

CHANNELS = ("platform", "email", "qr_form")
"""How entries come in (报名方式); where a regulation does not say, on this platform."""

RESUBMISSIONS: Mapping[str, Bilingual] = {
    "latest_per_person": Bilingual(
        "重复填写报名表的，以最新一次为准：新表使含其中任何一人的旧表失效，并告知被换下的同伴。",
        "Of several forms the latest counts: it voids every older one with either player, and a dropped partner is told.",
    ),
    "latest_per_pair": Bilingual(
        "重复填写报名表的，以最新一次为准：只替换同样两人的旧表。",
        "Of several forms the latest counts: it replaces only an older one of the same two players.",
    ),
}
"""What a second form does to the first (重复填写)."""

OptionValue = int | str
"""What an option of a regulation document may be: a word or a number. The engine would also take true and false."""


@dataclass(frozen=True, slots=True)
class Registration:
    """Who registers, how many per unit and in all (`None`: unlimited), and what may still change after the deadline.

    changes_published: a change that the committee allows is published again.
    `changes_stated` is False where the text says nothing of changes; then nothing may change.
    """

    by: str
    channel: str
    clause: str
    entries_per_unit: int | None
    entries_clause: str
    changes_after_deadline: bool
    changes_by_application: bool
    changes_clause: str
    changes_stated: bool
    changes_published: bool
    entries_in_all: int | None
    in_all_clause: str

    @classmethod
    def of(cls, table: Mapping[str, Any]) -> "Registration":
        per_unit = table["entries_per_unit"]
        in_all = table.get("entries_in_all", {"limit": "unlimited", "clause": table["clause"]})
        silent = {"after_deadline": False, "by_written_application": False, "clause": table["clause"]}
        changes = table.get("changes", silent)
        return cls(
            by=table["by"],
            channel=table.get("channel", "platform"),
            clause=table["clause"],
            entries_per_unit=_limit(per_unit),
            entries_clause=per_unit["clause"],
            changes_after_deadline=changes["after_deadline"],
            changes_by_application=changes["by_written_application"],
            changes_clause=changes["clause"],
            changes_stated="changes" in table,
            changes_published=changes.get("published_again", False),
            entries_in_all=_limit(in_all),
            in_all_clause=in_all["clause"],
        )


def _limit(table: Mapping[str, Any]) -> int | None:
    limit = table["limit"]
    return None if limit == "unlimited" else int(limit)


@dataclass(frozen=True, slots=True)
class Entry:
    """What one entry is (报名单位): a player, or a pair of two. Teams are no entries (`ScoringRules.teams`).

    complete: all its players stand in one form. resubmission: what a second form does to the first (RESUBMISSIONS), and its clause; None where the text says nothing.
    """

    shape: str
    complete: bool
    resubmission: tuple[str, str] | None
    clause: str

    @classmethod
    def of(cls, table: Mapping[str, Any]) -> "Entry":
        again = table.get("resubmission")
        said = None if again is None else (again["reading"], again["clause"])
        return cls(table["shape"], table.get("complete", False), said, table["clause"])

    def describe(self) -> tuple[tuple[Bilingual, str], ...]:
        """What the text asks of an entry, each sentence with its clause."""
        if self.shape == "single":
            return ((Bilingual("每名选手一份报名。", "Each player is one entry."), self.clause),)
        shape = Bilingual("每 2 名选手组成一对报名。", "Two players enter as a pair.")
        rows = [(shape, self.clause)]
        if self.complete:
            text = Bilingual(
                "报名表须同时填写两名选手的信息方可提交。", "A form is sent in only with both players' data."
            )
            rows.append((text, self.clause))
        return (*rows, *self.resubmission_terms())

    def resubmission_terms(self) -> tuple[tuple[Bilingual, str], ...]:
        """What a second form does, with its clause; nothing where the text does not say."""
        if self.resubmission is None:
            return ()
        reading, clause = self.resubmission
        return ((RESUBMISSIONS[reading], clause),)


@dataclass(frozen=True, slots=True)
class Publication:
    """公示: N working days after the registration deadline, whose own day counts or not (I-A-14)."""

    workdays: int
    count_deadline_day: bool
    clause: str

    @classmethod
    def of(cls, table: Mapping[str, Any]) -> "Publication":
        return cls(table["workdays"], table["deadline_day"] == "counted", table["clause"])


@dataclass(frozen=True, slots=True)
class Objections:
    """异议/举报: who may object and what an objection must carry."""

    by: str
    written: bool
    seal: bool
    evidence: bool
    clause: str

    @classmethod
    def of(cls, table: Mapping[str, Any]) -> "Objections":
        return cls(table["by"], table["written"], table["seal"], table["evidence"], table["clause"])


@dataclass(frozen=True, slots=True)
class TimeWindow:
    """A window of minutes after an event; its last second is in time."""

    code: str
    minutes: int
    starts: str
    clause: str
    fee: str | None = None

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "TimeWindow":
        return cls(row["code"], row["minutes"], row["from"], row["clause"], row.get("fee"))

    @property
    def length(self) -> timedelta:
        return timedelta(minutes=self.minutes)


@dataclass(frozen=True, slots=True)
class Fee:
    """A fee in yuan, refunded if the case is won."""

    code: str
    amount: int
    refunded_when_won: bool
    clause: str

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "Fee":
        return cls(row["code"], row["amount"], row["refunded_when_won"], row["clause"])


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence of the text that people must read and software cannot enforce."""

    clause: str
    text: Bilingual

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "Notice":
        return cls(row["clause"], Bilingual.of(row["text"]))


@dataclass(frozen=True, slots=True)
class Choice:
    """One value an option may take, in words."""

    value: OptionValue
    text: Bilingual


@dataclass(frozen=True, slots=True)
class Interpretation:
    """A sentence that is silent, garbled or contradictory, read as a named option with a default."""

    id: str
    option: str
    default: OptionValue
    clause: str
    text: Bilingual
    choices: tuple[Choice, ...] = ()
    least: int | None = None
    most: int | None = None
    value: OptionValue = ""

    @classmethod
    def of(cls, row: Mapping[str, Any], value: OptionValue) -> "Interpretation":
        allowed = row["allowed"]
        ranged = isinstance(allowed, Mapping)
        return cls(
            id=row["id"],
            option=row["option"],
            default=row["default"],
            clause=row["clause"],
            text=Bilingual.of(row["text"]),
            choices=()
            if ranged
            else tuple(Choice(each, Bilingual.of(row["words"][str(each)])) for each in allowed),
            least=allowed["min"] if ranged else None,
            most=allowed["max"] if ranged else None,
            value=value,
        )

    @property
    def changed(self) -> bool:
        """Whether another value than the default is in force."""
        return not same(self.value, self.default)

    def allows(self, value: object) -> bool:
        """Whether the option may take this value: of the same type, never `1` for `true`."""
        if self.choices:
            return any(same(value, choice.value) for choice in self.choices)
        return (
            type(value) is int
            and self.least is not None
            and self.most is not None
            and self.least <= value <= self.most
        )

    def allowed_text(self) -> str:
        """What the option may take, for an error message."""
        if self.choices:
            return "、".join(str(choice.value) for choice in self.choices)
        return f"{self.least}–{self.most}"

    def meaning(self) -> T:
        """The value in force, in words."""
        for choice in self.choices:
            if same(choice.value, self.value):
                return choice.text
        return T("%(value)s", value=self.value)


def same(left: object, right: object) -> bool:
    """Equal and of the same type: JSON's `true` is not `1`."""
    return type(left) is type(right) and left == right
