"""Leads and throws (首引, 甩牌): what is led, as which units, and whether a throw stands.

- A lead is one unit, or a throw of several units of one effective suit (C 八(十五); D 五8, which names thrown singles
  alone: I-D-30).
- 俘虏 – triple and pair, 44433 too – may only be thrown, and its structure must be said (C 八(十六)).
- A throw stands when no other hand has a higher unit of the same shape in that suit; equal cards do not beat it, for the
  first one played stands. A ruff does not count: it is the highest *of its suit* (这门花色).
- A throw that does not stand is void and the unit that was wrong is played; of several, the next player chooses one
  (C 八(二十)). D names none: the smallest (I-D-27). Penalties: C a flat sum each time, D by `blocked_cards` (五12).

Not here: the penalties themselves, and the restricted suits of an exposed card (罚张, D 五24).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from scoring_engine.tractor.cards import Card, Suit, Trumps, cards_text
from scoring_engine.tractor.tricks.breaches import Breach, IllegalPlayError
from scoring_engine.tractor.tricks.formats import Duty, TrickFormat, TrickRules
from scoring_engine.tractor.units import Shape, Unit, UnitKind, placements, sole_suit, structures
from scoring_engine.values import Text


@dataclass(frozen=True, slots=True)
class Lead:
    """What was led: its units, most significant first."""

    units: tuple[Unit, ...]

    @property
    def suit(self) -> Suit:
        """The effective suit led."""
        return self.units[0].suit

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards led."""
        return tuple(card for unit in self.units for card in unit.cards)

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """The shapes of the units; a ruff must match them."""
        return tuple(unit.shape for unit in self.units)

    @property
    def is_throw(self) -> bool:
        """Whether it is a throw (甩牌): more than one unit."""
        return len(self.units) > 1


def read_lead(
    cards: Sequence[Card],
    rules: TrickRules,
    *,
    hand: Sequence[Card] | None = None,
    declared: Sequence[Sequence[Card]] | None = None,
) -> Lead:
    """The lead these cards make.

    hand: the leader's hand before he plays, where it is known. declared: the structure he said (甩牌结构), as the cards of
    each unit. Raises IllegalPlayError: no card, cards not in hand, several suits, a structure that the cards do not
    have, or one that had to be said and was not. Whether a throw stands is `judge_throw`'s to say.
    """
    if not cards:
        raise _illegal(Duty.CARD_COUNT, Text("没有出牌。", "No card was led."), rules.format)
    over = [card for card, count in Counter(cards).items() if count > rules.format.decks]
    missing = [] if hand is None else sorted((Counter(cards) - Counter(hand)).elements())
    if missing or over:
        raise _illegal(Duty.NOT_IN_HAND, _not_held(missing or over), rules.format)
    if sole_suit(cards, rules.trumps) is None:
        raise _illegal(
            Duty.LEAD_ONE_SUIT,
            Text(
                "一次领出的牌须为同一花色（主牌算一门）。",
                "Cards led together are of one suit; all trumps are one.",
            ),
            rules.format,
        )
    found = structures(cards, rules.trumps)
    if rules.format.throw_units == "singles" and all(map(_throws_more_than_singles, found)):
        raise _illegal(
            Duty.THROW_SINGLES, Text("只可甩散张。", "Only singles may be thrown together."), rules.format
        )
    if declared is not None:
        return Lead(_declared(found, cards, declared, rules))
    if rules.format.undeclared_throw == "refuse" and (len(found) > 1 or _is_captive(found[0])):
        raise _illegal(
            Duty.DECLARE_STRUCTURE,
            Text(
                f"甩牌须说明结构：{_shown(found).zh}。",
                f"The structure of this throw must be said: {_shown(found).en}.",
            ),
            rules.format,
        )
    return Lead(found[0])


def _throws_more_than_singles(units: Sequence[Unit]) -> bool:
    return len(units) > 1 and any(unit.kind is not UnitKind.SINGLE for unit in units)


def _is_captive(units: Sequence[Unit]) -> bool:
    """俘虏: a triple and a pair."""
    return [unit.kind for unit in units] == [UnitKind.TRIPLE, UnitKind.PAIR]


def _declared(
    found: Sequence[tuple[Unit, ...]],
    cards: Sequence[Card],
    declared: Sequence[Sequence[Card]],
    rules: TrickRules,
) -> tuple[Unit, ...]:
    """The structure that was said. Which of the level cards alike in rank stands in which unit does not matter."""
    same_cards = Counter(cards) == Counter(card for unit in declared for card in unit)
    said = sorted(_heights(unit, rules.trumps) for unit in declared)
    for units in found:
        meant = sorted(_heights(unit.cards, rules.trumps) for unit in units)
        if same_cards and said == meant and all(map(_has_even_groups, declared)):
            return units
    raise _illegal(
        Duty.DECLARED_STRUCTURE,
        Text(
            f"所说结构与牌不符，可为：{_shown(found).zh}。",
            f"The cards do not have this structure; they may be {_shown(found).en}.",
        ),
        rules.format,
    )


def _heights(cards: Sequence[Card], trumps: Trumps) -> list[int]:
    return sorted(trumps.position(card) for card in cards)


def _has_even_groups(cards: Sequence[Card]) -> bool:
    """Whether each card of a said unit stands in it equally often, as in every unit."""
    return len(set(Counter(cards).values())) == 1


def _shown(found: Sequence[tuple[Unit, ...]]) -> Text:
    shown = [" + ".join(cards_text(unit.cards) for unit in units) for units in found]
    return Text("；或".join(shown), "; or ".join(shown))


def _not_held(cards: Sequence[Card]) -> Text:
    shown = cards_text(cards)
    return Text(f"手中没有这些牌：{shown}。", f"These cards are not in the hand: {shown}.")


def _illegal(duty: Duty, text: Text, format_: TrickFormat) -> IllegalPlayError:
    return IllegalPlayError(Breach(duty, text, format_.clauses[duty]))


@dataclass(frozen=True, slots=True)
class ThrowVerdict:
    """Whether a throw stands (甩牌成立).

    beaten: the units that another hand beats, the smallest first. choices: the units of which one is played instead;
    `forced` is that unit where there is no choice, None where the throw stands or the next player (下家) has to choose.
    blocked_cards: cards of the beaten units (被卡牌张数).
    """

    beaten: tuple[Unit, ...]
    choices: tuple[Unit, ...]
    text: Text
    clause: str

    @property
    def stands(self) -> bool:
        """Whether it stands."""
        return not self.beaten

    @property
    def forced(self) -> Unit | None:
        """The unit that is played, where nobody has to choose."""
        return self.choices[0] if len(self.choices) == 1 else None

    @property
    def blocked_cards(self) -> int:
        """被卡牌张数."""
        return sum(len(unit.cards) for unit in self.beaten)


def judge_throw(
    lead: Lead, others: Sequence[Sequence[Card]], rules: TrickRules, *, lowered_player: int | None = None
) -> ThrowVerdict:
    """Whether a throw stands against the three other hands, given in the order of play.

    lowered_player: 0 for the leader, 1 for the next player … whose level cards are the lowest trumps (D 五18). A lead of
    one unit always stands.
    """
    beaten = (
        [unit for unit in lead.units if _is_beaten(unit, others, rules, lowered_player)]
        if lead.is_throw
        else []
    )
    loose = [unit for unit in lead.units if unit.kind is UnitKind.PAIR]
    if (
        rules.format.connected_pairs == "always"
        and len(loose) > 1
        and _holds_run(lead.suit, others, rules, lowered_player)
    ):
        beaten.extend(unit for unit in loose[-2:] if unit not in beaten)
    beaten.sort(key=lambda unit: unit.significance)
    choices = tuple(beaten)
    if rules.format.failed_throw == "smallest_beaten":
        choices = choices[:1]
    clause = rules.format.throw_clause if beaten else rules.format.clauses[Duty.LEAD_ONE_SUIT]
    return ThrowVerdict(tuple(beaten), choices, _throw_text(beaten, choices), clause)


def _throw_text(beaten: Sequence[Unit], choices: Sequence[Unit]) -> Text:
    if not beaten:
        return Text("甩牌成立。", "The throw stands.")
    shown, shown_en = (mark.join(cards_text(unit.cards) for unit in beaten) for mark in ("；", "; "))
    if len(choices) == 1:
        played = cards_text(choices[0].cards)
        return Text(
            f"甩牌不成立，被管住的是：{shown}；须出 {played}。",
            f"The throw does not stand; beaten: {shown_en}. {played} must be played.",
        )
    return Text(
        f"甩牌不成立，被管住的是：{shown}；由下家指定出其中一种。",
        f"The throw does not stand; beaten: {shown_en}. The next player chooses which of them is played.",
    )


def _suited(cards: Sequence[Card], suit: Suit, trumps: Trumps) -> Counter[Card]:
    return Counter(card for card in cards if trumps.suit_of(card) is suit)


def _is_beaten(
    unit: Unit, others: Sequence[Sequence[Card]], rules: TrickRules, lowered_player: int | None
) -> bool:
    for player, hand in enumerate(others, start=1):
        trumps = rules.for_player(player, lowered_player).trumps
        highest = next(placements(_suited(hand, unit.suit, trumps), unit.shape, trumps), None)
        if highest is not None and _top(highest, trumps) > unit.top:
            return True
    return False


def _top(groups: Sequence[Card], trumps: Trumps) -> int:
    return trumps.position(groups[0])


def _holds_run(
    suit: Suit, others: Sequence[Sequence[Card]], rules: TrickRules, lowered_player: int | None
) -> bool:
    run = Shape(UnitKind.PAIR_RUN, 2)
    for player, hand in enumerate(others, start=1):
        trumps = rules.for_player(player, lowered_player).trumps
        if any(True for _ in placements(_suited(hand, suit, trumps), run, trumps)):
            return True
    return False


def forced_lead(verdict: ThrowVerdict, chosen: Unit | None = None) -> Lead:
    """The lead that a failed throw becomes: its forced unit, or the one the next player chose.

    Raises ValueError where the throw stands, where a choice is owed, or for a unit that is no choice.
    """
    unit = verdict.forced if chosen is None else chosen
    if unit is None or unit not in verdict.choices:
        raise ValueError(
            "the next player chooses one of the beaten units" if verdict.beaten else "the throw stands"
        )
    return Lead((unit,))
