"""Penalties of 升级 (罚分, 判罚): what each costs, in the defenders' points of the deal it was committed in.

| rule | clause |
|---|---|
| an offender of the defenders: their points −x; of the banker's side: the defenders' points +x | I-C-7, I-D-10 |
| 藏张 60, 甩错 20, 暴露张 10, 越序 10 … each time | C 八(十九)—(二十三) |
| slow play: the first time a warning, then 20 each | C 八(二十五), I-C-31 |
| 甩错, 跟错 10 a card, 有对未跟 20 a pair, 过轮 80 … | D 五11—五24, I-D-11 |
| the banker goes down by himself, unless the defenders insist on playing | D 五11, 五17 |
| the deal is played again; the referee decides | C 八(十一)5, 八(二十一), 八(二十五); D 五25, 五26 |

All of it is data: a `PenaltyBook` is built from rows of a regulation document.

Not here: lateness (lateness.py); penalties beyond the match (取消参赛资格: the pair is withdrawn by the committee); the suit restriction of a 暴露张
(D 五24), the drawing of surplus cards (五23) and level cards made lowest (五18: `Trumps.as_lowered`), which happen at the
table.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from scoring_engine.documents import Node
from scoring_engine.tractor.levels import Side
from scoring_engine.tractor.rows import (
    STEP,
    multiple_of_five,
    raise_problems,
    refuse_other_keys,
    step_fault,
    table_node,
)
from scoring_engine.values import EntrantId, Text


class Effect(StrEnum):
    """What a penalty does."""

    POINTS = "points"  # so many points for each time, card or pair
    AFTER_WARNING = (
        "after_warning"  # the first is a warning, then so many points each (第一次警告，以后每次扣)
    )
    WARNING = "warning"  # kept on record as a 违例; no points
    BANK_LOST = "bank_lost"  # the banker goes down at once, 0 levels, unless the defenders insist (自动下庄)
    REPLAY = "replay"  # both sides wrong: the deal is played again (重新该局比赛)
    DEAL_LOST = "deal_lost"  # the deal is given up; the opponents go up and bank (首局自动放弃)
    ROUND_LOST = "round_lost"  # the round is forfeited (该轮弃权)
    REFEREE = "referee"  # the referee names points or an outcome (视情节)


_COSTLY = (Effect.POINTS, Effect.AFTER_WARNING)
OUTCOMES = (Effect.WARNING, Effect.POINTS, Effect.DEAL_LOST, Effect.ROUND_LOST)
"""What a referee may decide where the text leaves it to him."""
PER = ("time", "card", "pair")
WARNED_PER = ("round", "deal")
MOST_TIMES = 100


@dataclass(frozen=True, slots=True)
class PenaltyRule:
    """One penalty. points: what each costs, below 0, as regulation documents write it, 0 where it costs none.

    per: what `count` counts. by: the only side that can commit it, or None. most: the highest count, where the text or
    the cards give one. insisted: what it costs where the defenders insist on playing (五17: 并罚庄家20分).
    """

    id: str
    effect: Effect
    points: int
    per: str
    by: Side | None
    most: int
    insisted: int
    warned_per: str
    name: Text
    clause: str


_ROW_KEYS = ("id", "effect", "points", "per", "by", "most", "insisted", "warned_per", "name", "clause")


@dataclass(frozen=True, slots=True)
class PenaltyBook:
    """All penalties of one regulation, by id."""

    rules: Mapping[str, PenaltyRule]

    @classmethod
    def from_rows(
        cls,
        rows: Sequence[Mapping[str, Any]],
        path: str = "$",
        options: Mapping[str, bool | int | str] | None = None,
    ) -> "PenaltyBook":
        """The book of these rows. Raises DocumentError with every problem."""
        node = table_node(rows, path)
        book = cls.read(node, "rows", options or {})
        raise_problems(node.problems)
        assert book is not None
        return book

    @classmethod
    def read(cls, node: Node, key: str, options: Mapping[str, bool | int | str]) -> "PenaltyBook | None":
        """The rows under `key`; the option `warned_per` (I-C-31) overrides theirs. None where something is wrong."""
        before = len(node.problems.found)
        rules: dict[str, PenaltyRule] = {}
        for part in node.nodes(key):
            rule = _rule(part, options)
            if rule is not None and rule.id in rules:
                node.problems.add(part.at("id"), f"罚则 {rule.id} 重复。", f"Penalty {rule.id} is repeated.")
            elif rule is not None:
                rules[rule.id] = rule
        return cls(rules) if len(node.problems.found) == before else None


def _rule(node: Node, options: Mapping[str, bool | int | str]) -> PenaltyRule | None:
    before = len(node.problems.found)
    refuse_other_keys(node, _ROW_KEYS)
    rule, clause, name = node.text("id"), node.text("clause"), node.label("name")
    word = node.choice("effect", tuple(Effect))
    effect = None if word is None else Effect(word)
    points: int | None = 0
    if effect in _COSTLY:
        points = multiple_of_five(node, "points", None, -STEP)
    elif effect is not None and node.has("points"):
        node.problems.add(node.at("points"), f"{word} 没有 points。", f"{word} has no points.")
    insisted: int | None = 0
    if node.has("insisted"):
        insisted = multiple_of_five(node, "insisted", None, -STEP)
        if effect is not Effect.BANK_LOST:
            node.problems.add(
                node.at("insisted"), "只有 bank_lost 有 insisted。", "Only bank_lost has insisted."
            )
    per = node.choice("per", PER) if node.has("per") else "time"
    by = node.choice("by", tuple(Side)) if node.has("by") else None
    most = node.integer("most", 1, MOST_TIMES) if node.has("most") else MOST_TIMES
    warned_per = options.get("warned_per", node.value.get("warned_per", "round"))
    if warned_per not in WARNED_PER:
        node.choice("warned_per", WARNED_PER)
    if len(node.problems.found) > before:
        return None
    assert rule is not None
    assert clause is not None
    assert name is not None
    assert effect is not None
    assert points is not None
    assert insisted is not None
    assert per is not None
    assert most is not None
    side = None if by is None else Side(by)
    return PenaltyRule(rule, effect, points, per, side, most, insisted, str(warned_per), name, clause)


@dataclass(frozen=True, slots=True)
class Infringement:
    """One penalty as it was given (判罚). offender: the side, as an entrant; deal: 1, 2 …

    count: times, cards or pairs. points: the referee's own amount, above 0. outcome: what the referee decided, one of
    OUTCOMES. insisted: the defenders insisted on playing (旁家坚持要打).
    """

    id: str
    rule: str
    offender: EntrantId
    deal: int | None = None
    count: int = 1
    points: int | None = None
    outcome: Effect | None = None
    insisted: bool = False


def effect_of(given: Infringement, book: PenaltyBook) -> Effect:
    """What a penalty does as it was given: the referee's decision, or playing on where the defenders insisted."""
    effect = book.rules[given.rule].effect
    if effect is Effect.REFEREE:
        return given.outcome or (Effect.POINTS if given.points is not None else Effect.WARNING)
    if effect is Effect.BANK_LOST and given.insisted:
        return Effect.POINTS
    return effect


def infringement_faults(given: Infringement, book: PenaltyBook) -> list[tuple[str, Text]]:
    """What is wrong with a penalty by itself, as (key, sentence); whether its deal was played is for the match."""
    rule = book.rules.get(given.rule)
    if rule is None:
        return [
            (
                "rule",
                Text(
                    f"本规程没有罚则 {given.rule}；有：{'、'.join(book.rules)}。",
                    f"This regulation has no penalty {given.rule}; it has: {', '.join(book.rules)}.",
                ),
            )
        ]
    faults: list[tuple[str, Text]] = []
    if given.count not in range(1, rule.most + 1):
        faults.append(("count", Text(f"次数（张数、对数）为1—{rule.most}。", f"The count is 1…{rule.most}.")))
    by_referee = rule.effect is Effect.REFEREE
    if given.points is not None:
        if not by_referee:
            faults.append(
                (
                    "points",
                    Text("分数由规程规定，不能另写。", "The regulation sets the points; none can be given."),
                )
            )
        elif given.points <= 0:
            faults.append(("points", Text("判罚的分数应大于0。", "The points of a penalty are above 0.")))
        elif (fault := step_fault(given.points)) is not None:
            faults.append(("points", fault))
    if given.outcome is not None and (not by_referee or given.outcome not in OUTCOMES):
        faults.append(
            (
                "outcome",
                Text(
                    f"裁判裁量的罚则才可写 outcome：{'、'.join(OUTCOMES)}。",
                    f"Only a penalty left to the referee has an outcome: {', '.join(OUTCOMES)}.",
                ),
            )
        )
    elif given.outcome is not None and (given.outcome is Effect.POINTS) != (given.points is not None):
        faults.append(("points", Text("判罚分数与 outcome 不符。", "The points do not go with the outcome.")))
    if given.insisted and rule.effect is not Effect.BANK_LOST:
        faults.append(
            (
                "insisted",
                Text("此罚则不问旁家是否坚持要打。", "With this penalty the defenders are not asked."),
            )
        )
    if (
        not faults
        and given.deal is None
        and effect_of(given, book) not in (Effect.WARNING, Effect.ROUND_LOST)
    ):
        faults.append(("deal", Text("请写明第几副。", "Name the deal.")))
    return faults


@dataclass(frozen=True, slots=True)
class PlayedDeal:
    """What penalties need to know of a deal: its number, who banks, the defenders' points with the bottom."""

    number: int
    banker: EntrantId
    defenders_points: int


@dataclass(frozen=True, slots=True)
class PenaltyLine:
    """One line of the explanation. defenders: what it adds to the defenders' points; text: in words."""

    rule: str
    offender: EntrantId
    defenders: int
    text: Text
    clause: str


@dataclass(frozen=True, slots=True)
class Adjusted:
    """The defenders' points with the penalties, which may be below 0 or above all the points there are."""

    defenders_points: int
    lines: tuple[PenaltyLine, ...]


def signed(points: int, *, offender_banks: bool) -> int:
    """What x points against an offender change in the defenders' points (I-C-7, I-D-10)."""
    return points if offender_banks else -points


def apply(given: Iterable[Infringement], deal: PlayedDeal, book: PenaltyBook) -> Adjusted:
    """The defenders' points of one deal after its penalties, line by line.

    given: every penalty of the match, in the order they were given: warnings of earlier deals count towards this one.
    Penalties of other deals cost nothing here. Raises ValueError where `infringement_faults` finds anything, or for a
    penalty that only the other side can commit.
    """
    given = sorted(given, key=lambda one: one.deal or 0)
    points, lines = deal.defenders_points, []
    for index, one in enumerate(given):
        if one.deal != deal.number:
            continue
        if faults := infringement_faults(one, book):
            raise ValueError(faults[0][1].zh)
        rule = book.rules[one.rule]
        banks = one.offender == deal.banker
        if (fault := side_fault(rule, offender_banks=banks)) is not None:
            raise ValueError(fault.zh)
        cost = _cost(one, rule, given[:index], book)
        change = signed(cost, offender_banks=banks)
        points += change
        lines.append(
            PenaltyLine(
                rule.id, one.offender, change, _words(rule, one, change, effect_of(one, book)), rule.clause
            )
        )
    return Adjusted(points, tuple(lines))


def record(given: Iterable[Infringement], number: int, book: PenaltyBook) -> tuple[PenaltyLine, ...]:
    """The penalties of a deal that has no points: on record, and costing nothing."""
    given = sorted(given, key=lambda one: one.deal or 0)
    lines = []
    for index, one in enumerate(given):
        if one.deal == number:
            rule = book.rules[one.rule]
            effect = Effect.POINTS if _cost(one, rule, given[:index], book) else effect_of(one, book)
            text = _words(rule, one, 0, effect)
            lines.append(PenaltyLine(rule.id, one.offender, 0, text, rule.clause))
    return tuple(lines)


def side_fault(rule: PenaltyRule, *, offender_banks: bool) -> Text | None:
    """Why this side cannot have committed this, or None."""
    if rule.by is None or (rule.by is Side.BANKER) == offender_banks:
        return None
    zh = "庄家一方" if rule.by is Side.BANKER else "防家一方"
    return Text(f"“{rule.name.zh}”只能是{zh}的犯规。", f"Only the {rule.by} can commit this: {rule.name.en}.")


def _cost(one: Infringement, rule: PenaltyRule, earlier: Sequence[Infringement], book: PenaltyBook) -> int:
    """The points, above 0, that a penalty costs its offender."""
    effect = effect_of(one, book)
    if effect is Effect.AFTER_WARNING:
        before = sum(
            other.count
            for other in earlier
            if (other.rule, other.offender) == (one.rule, one.offender)
            and (rule.warned_per == "round" or other.deal == one.deal)
        )
        return -rule.points * (one.count if before else one.count - 1)
    if effect is not Effect.POINTS:
        return 0
    if rule.effect is Effect.REFEREE:
        return one.points or 0
    return -rule.insisted if rule.effect is Effect.BANK_LOST else -rule.points * one.count


_UNITS = {"time": Text("次", "times"), "card": Text("张", "cards"), "pair": Text("对", "pairs")}
_WITHOUT_POINTS = {
    Effect.AFTER_WARNING: Text("第一次，警告", "the first time, a warning"),
    Effect.WARNING: Text("警告", "a warning"),
    Effect.BANK_LOST: Text("庄家自动下庄", "the banker goes down"),
    Effect.REPLAY: Text("重新比赛", "the deal is played again"),
    Effect.DEAL_LOST: Text("本副判负", "the deal is lost"),
    Effect.ROUND_LOST: Text("本轮判负", "the round is lost"),
    Effect.POINTS: Text("不扣分", "no points"),
}


def _words(rule: PenaltyRule, one: Infringement, change: int, effect: Effect) -> Text:
    unit = _UNITS[rule.per]
    zh = rule.name.zh if one.count == 1 else f"{rule.name.zh}，{one.count}{unit.zh}"
    en = rule.name.en if one.count == 1 else f"{rule.name.en}, {one.count} {unit.en}"
    if change:
        return Text(f"{zh}：防家{change:+d}分", f"{en}: defenders {change:+d}")
    return Text(f"{zh}：{_WITHOUT_POINTS[effect].zh}", f"{en}: {_WITHOUT_POINTS[effect].en}")
