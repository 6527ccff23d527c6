"""Questions about one trick of 升级, and their answers, both as plain objects of texts and numbers.

`answer` reads what is asked from the keys of the question:

| keys | asked | answered besides `legal`, `reason`, `reason_en`, `clause` |
|---|---|---|
| `play` | may this be led (`lead`); `hand`: the leader's | `suit`, `throw`, `units` |
| … `others` | legal only if the throw stands against these three hands | `stands`, `beaten`, `choices`, `blocked_cards` |
| `hand`, `lead` | what must this hand follow with (`duty`) | `must` |
| `hand`, `lead`, `play` | is this follow legal (`follow`) | `must`; illegal: `duty`, `cards_short`, `pairs_short` |
| `lead`, `follows` | who wins the trick (`trick`) | `winner`, `won_with`, `ruffed`, `points` |
| … `banker`, `bottom` | and, of the last trick, what the bottom counts | `bottom`: `dug`, `points`, `factor`, `counts` |

Every question has `trump` (♠, S, 黑桃 …) and `level` ("2" … "10", "J" … "A"). Cards are texts that `parse_cards` reads; a `play`
to lead and a `lead` may be lists of them, one text for each unit: the structure that was said (甩牌结构). Players are counted
from the leader, 0, in the order of play. `lowered`: whose level cards are the lowest trumps, where the text has that
rule (D 五18); `player`, 1…3, then says whose `hand` is asked about.

Not here: whether the hands of earlier tricks agree, and penalties.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring_engine.documents import DocumentError, Node, Problems
from scoring_engine.tractor.bottom import Bottom, BottomMultipliers
from scoring_engine.tractor.cards import (
    Card,
    CardTextError,
    cards_text,
    parse_cards,
    parse_suit,
    points_in,
)
from scoring_engine.tractor.levels import level_of
from scoring_engine.tractor.rows import raise_problems, refuse_other_keys
from scoring_engine.tractor.tricks.breaches import Breach, IllegalPlayError
from scoring_engine.tractor.tricks.follows import Obligation, judge_follow, must_follow
from scoring_engine.tractor.tricks.formats import Duty, TrickFormat, TrickRules
from scoring_engine.tractor.tricks.leads import Lead, judge_throw, read_lead
from scoring_engine.tractor.tricks.winning import PLAYERS, TrickResult, bottom_dug, decide_trick
from scoring_engine.tractor.units import Shape, Unit
from scoring_engine.values import Text

Answer = dict[str, Any]

_COMMON = ("trump", "level", "lowered")
_WHO = (
    Text("领出者", "The leader"),
    Text("下家", "The next player"),
    Text("对家", "The leader's partner"),
    Text("上家", "The player before the leader"),
)


def answer(question: object, format_: TrickFormat, multipliers: BottomMultipliers) -> Answer:
    """The answer to a question under one regulation: its `ScoringRules.tricks` and `match.bottom`.

    Raises DocumentError with every problem of a question that cannot be judged; an illegal play is an answer.
    """
    problems = Problems()
    if not isinstance(question, Mapping):
        problems.wrong_type("$", dict)
        raise DocumentError(problems.found)
    node = Node(question, "$", problems)
    asked = _asked(node)
    raise_problems(problems)
    keys, judge = _QUESTIONS[asked]
    refuse_other_keys(node, (*_COMMON, *keys))
    rules, lowered = _rules(node, format_), _lowered(node, format_)
    raise_problems(problems)
    assert rules is not None
    return {"question": asked, **judge(_Question(node, rules, lowered, multipliers))}


def _asked(node: Node) -> str:
    if node.has("follows"):
        return "trick"
    if node.has("lead"):
        return "follow" if node.has("play") else "duty"
    if not node.has("play"):
        node.problems.add(
            "$",
            "问题应有 play（可否领出）、hand 和 lead（怎样跟），或 lead 和 follows（谁大）。",
            "A question has play (a lead), hand and lead (how to follow), or lead and follows (who wins).",
        )
    return "lead"


def _rules(node: Node, format_: TrickFormat) -> TrickRules | None:
    trump, level = node.text("trump"), node.text("level")
    suit = None if trump is None else parse_suit(trump)
    if trump is not None and suit is None:
        node.problems.add(
            node.at("trump"),
            "主花色应为 ♠、♥、♣、♦ 之一（不打无主）。",
            "The trump suit is one of ♠, ♥, ♣, ♦; there is no play without trumps.",
        )
    index = None if level is None else level_of(level.strip().upper())
    if level is not None and index is None:
        node.problems.add(
            node.at("level"),
            "级数应为 2、3 … 10、J、Q、K、A。",
            "A level is one of 2, 3 … 10, J, Q, K, A.",
        )
    return None if suit is None or index is None else format_.rules(suit, index)


def _lowered(node: Node, format_: TrickFormat) -> int | None:
    if not node.has("lowered"):
        return None
    if format_.lowered_clause is None:
        node.problems.add(
            node.at("lowered"),
            "这份规程没有级牌降为最小主牌的规定。",
            "This regulation has no rule that makes level cards the lowest trumps.",
        )
        return None
    return node.integer("lowered", 0, PLAYERS - 1)


@dataclass(frozen=True, slots=True)
class _Question:
    """A question whose trumps are known; its methods read cards, noting what is wrong."""

    node: Node
    rules: TrickRules
    lowered: int | None
    multipliers: BottomMultipliers

    def of_player(self, player: int) -> TrickRules:
        return self.rules.for_player(player, self.lowered)

    def follower(self) -> TrickRules:
        """The rules of the one who follows; where level cards are lowered it must be said who he is."""
        if self.lowered is None and not self.node.has("player"):
            return self.rules
        return self.of_player(self.node.integer("player", 1, PLAYERS - 1) or 0)

    def parsed(self, path: str, text: object) -> tuple[Card, ...]:
        if not isinstance(text, str) or not text.strip():
            self.node.problems.add(path, "这里应写牌，例如 ♠AK。", "Cards stand here, for example ♠AK.")
            return ()
        try:
            return parse_cards(text)
        except CardTextError as error:
            self.node.problems.add(path, error.text.zh, error.text.en)
            return ()

    def cards(self, key: str) -> tuple[Card, ...]:
        return self.parsed(self.node.at(key), self.node.value.get(key))

    def said(self, key: str) -> tuple[tuple[Card, ...], list[tuple[Card, ...]] | None]:
        """Cards to lead, and the structure said where they are a list."""
        if isinstance(self.node.value.get(key), str):
            return self.cards(key), None
        units = [self.parsed(path, text) for path, text in self.node.items(key, required=True)]
        return tuple(card for unit in units for card in unit), units

    def hands(self, key: str) -> list[tuple[Card, ...]]:
        hands = [self.parsed(path, text) for path, text in self.node.items(key, required=True)]
        if len(hands) != PLAYERS - 1:
            self.node.problems.add(
                self.node.at(key),
                "这里应为其余三人，按出牌次序。",
                "The three others stand here, in the order of play.",
            )
        return hands

    def lead(self) -> Lead:
        """What was led. Raises DocumentError where that is no legal lead."""
        cards, said = self.said("lead")
        raise_problems(self.node.problems)
        try:
            return read_lead(cards, self.of_player(0), declared=said)
        except IllegalPlayError as error:
            text, clause = error.breach.text, error.breach.clause
            self.node.problems.add(
                self.node.at("lead"),
                f"不能这样领出（{clause}）：{text.zh}",
                f"This is no lead ({clause}): {text.en}",
            )
        raise DocumentError(self.node.problems.found)

    def check_copies(self, *parts: Iterable[Card]) -> None:
        """Raise DocumentError for everything wrong so far, and for more copies of a card than the packs have."""
        decks = self.rules.format.decks
        counts = Counter(card for cards in parts for card in cards)
        over = sorted(card for card, count in counts.items() if count > decks)
        if over:
            self.node.problems.add(
                "$",
                f"{decks}副牌没有这么多：{cards_text(over)}。",
                f"{decks} packs do not have so many of: {cards_text(over)}.",
            )
        raise_problems(self.node.problems)


def _lead(question: _Question) -> Answer:
    cards, said = question.said("play")
    hand = question.cards("hand") if question.node.has("hand") else None
    others = question.hands("others") if question.node.has("others") else None
    question.check_copies(hand or (), *(others or ()))
    rules = question.of_player(0)
    try:
        lead = read_lead(cards, rules, hand=hand, declared=said)
    except IllegalPlayError as error:
        return _broken(error.breach, rules.format)
    led = Text(f"可以领出：{_units_text(lead.units).zh}。", f"This may be led: {_units_text(lead.units).en}.")
    found = _verdict(True, led, rules.format.clauses[Duty.LEAD_ONE_SUIT])
    found |= {"suit": lead.suit.value, "throw": lead.is_throw, "units": _listed(lead.units)}
    if others is None or not lead.is_throw:
        return found
    verdict = judge_throw(lead, others, question.rules, lowered_player=question.lowered)
    return {
        **found,
        **_verdict(verdict.stands, verdict.text, verdict.clause),
        "stands": verdict.stands,
        "beaten": _listed(verdict.beaten),
        "choices": _listed(verdict.choices),
        "blocked_cards": verdict.blocked_cards,
    }


def _owed(question: _Question) -> tuple[tuple[Card, ...], Lead, TrickRules, Obligation]:
    hand, rules = question.cards("hand"), question.follower()
    lead = question.lead()
    question.check_copies(hand, lead.cards)
    if len(hand) < len(lead.cards):
        question.node.problems.add(
            question.node.at("hand"),
            f"手牌{len(hand)}张，少于领出的{len(lead.cards)}张。",
            f"The hand has {len(hand)} cards, fewer than the {len(lead.cards)} led.",
        )
    raise_problems(question.node.problems)
    return hand, lead, rules, must_follow(hand, lead, rules)


def _duty(question: _Question) -> Answer:
    owed = _owed(question)[-1]
    return {**_verdict(None, owed.text, "、".join(owed.clauses)), "must": _must(owed)}


def _follow(question: _Question) -> Answer:
    play = question.cards("play")
    hand, lead, rules, owed = _owed(question)
    breach = judge_follow(hand, lead, play, rules)
    if breach is None:
        return {**_verdict(True, owed.text, "、".join(owed.clauses)), "must": _must(owed)}
    short = {"cards_short": breach.cards_short, "pairs_short": breach.pairs_short}
    return {**_broken(breach, rules.format), **short, "must": _must(owed)}


def _trick(question: _Question) -> Answer:
    node, deck = question.node, question.multipliers.deck
    follows = question.hands("follows")
    last = node.has("banker") or node.has("bottom")
    banker = node.integer("banker", 0, PLAYERS - 1) if last else None
    bottom = question.cards("bottom") if last else ()
    if bottom and len(bottom) != deck.bottom_cards:
        node.problems.add(
            node.at("bottom"),
            f"底牌应为{deck.bottom_cards}张。",
            f"The bottom has {deck.bottom_cards} cards.",
        )
    lead = question.lead()
    for path, cards in zip((path for path, _ in node.items("follows")), follows, strict=True):
        if len(cards) != len(lead.cards):
            node.problems.add(
                path,
                f"领出{len(lead.cards)}张，这里是{len(cards)}张。",
                f"{len(lead.cards)} cards were led; here are {len(cards)}.",
            )
    question.check_copies(lead.cards, *follows, bottom)
    result = decide_trick(lead, follows, question.rules, lowered_player=question.lowered)
    who, units = _WHO[result.winner], _units_text(result.units)
    text = Text(
        f"{who.zh}{'将吃，' if result.ruffed else ''}以{units.zh} 赢得本轮，共{result.points}分。",
        f"{who.en} wins{' by a ruff' if result.ruffed else ''} with {units.en}: {result.points} points.",
    )
    found = {
        **_verdict(None, text, result.clause),
        "winner": result.winner,
        "won_with": _listed(result.units),
        "ruffed": result.ruffed,
        "points": result.points,
    }
    return found if banker is None else found | _bottom(question, result, banker, bottom, text)


def _bottom(
    question: _Question, result: TrickResult, banker: int, bottom: Sequence[Card], text: Text
) -> Answer:
    format_, points = question.rules.format, points_in(bottom)
    dug = bottom_dug(result, banker, format_, question.multipliers)
    if dug is None:
        kept = Text("庄家一方赢得，底牌不计分。", " The banker's side won: the bottom does not count.")
        said = _verdict(None, Text(text.zh + kept.zh, text.en + kept.en), format_.bottom_clause)
        return {**said, "bottom": {"dug": None, "points": points, "factor": 0, "counts": 0}}
    factor, counts = question.multipliers.of(dug.shape), question.multipliers.won(Bottom(points, dug.shape))
    more = Text(
        f"防家以{dug.shape.name.zh}得底牌：{points}分×{factor}，计{counts}分。",
        f" The defenders win the bottom with {dug.shape.name.en}: {points} times {factor} is {counts}.",
    )
    return {
        **_verdict(None, Text(text.zh + more.zh, text.en + more.en), dug.clause),
        "bottom": {"dug": _shape(dug.shape), "points": points, "factor": factor, "counts": counts},
    }


_QUESTIONS: Mapping[str, tuple[tuple[str, ...], Callable[[_Question], Answer]]] = {
    "lead": (("play", "hand", "others"), _lead),
    "duty": (("hand", "lead", "player"), _duty),
    "follow": (("hand", "lead", "play", "player"), _follow),
    "trick": (("lead", "follows", "banker", "bottom"), _trick),
}
"""Question -> its keys and who answers it."""


def _verdict(legal: bool | None, text: Text, clause: str) -> Answer:
    return {"legal": legal, "reason": text.zh, "reason_en": text.en, "clause": clause}


def _broken(breach: Breach, format_: TrickFormat) -> Answer:
    found = {**_verdict(False, breach.text, breach.clause), "duty": breach.duty.value}
    reading = format_.interpretation_of(breach.duty)
    return found if reading is None else {**found, "interpretation": reading}


def _must(owed: Obligation) -> Answer:
    return {
        "cards": owed.cards,
        "suit": owed.suit.value,
        "suit_cards": owed.suit_cards,
        "units": [_shape(shape) for shape in owed.shapes],
        "clauses": list(owed.clauses),
    }


def _shape(shape: Shape) -> Answer:
    return {"unit": shape.kind.value, "size": shape.size}


def _listed(units: Iterable[Unit]) -> list[Answer]:
    return [{**_shape(unit.shape), "cards": cards_text(unit.cards)} for unit in units]


def _units_text(units: Sequence[Unit]) -> Text:
    return Text(
        "、".join(f"{unit.shape.name.zh} {cards_text(unit.cards)}" for unit in units),
        " and ".join(f"{unit.shape.name.en} {cards_text(unit.cards)}" for unit in units),
    )
