"""Follow duty (跟牌): what a hand owes a lead, whether a follow pays it, and every follow that does.

First the suit: as many cards of the led effective suit as the lead has, or all there are (藏张, C 八(十九); D 五12).
Then the structure, out of the cards of that suit; the first line that the hand can pay is owed, the rest is free:

- pair: a pair, even out of a run or a triple (C 八(十三)); D 五7: a pair, else any cards.
- triple (C): a triple; else a pair and a card; else any (八(十四)).
- run of pairs: C a run, else as many pairs as there are, else any (八(十二)); with none as long as the lead, the longest
  shorter run first (I-C-23). D: as many pairs as there are; a run is not owed (五7, 五12, I-D-23).
- 444333 (C): a run of triples; else a run of two pairs and two cards; else triples; else two pairs and two cards
  (八(十二)); longer ones likewise. I-C-24 for what goes with a triple.
- throw: unit by unit, the most significant first (I-C-25, I-D-25).

Not here: penalties, the restricted suits of an exposed card (罚张, D 五24), and plays out of turn.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scoring_engine.tractor.cards import Card, Suit, cards_text, suit_name
from scoring_engine.tractor.tricks.breaches import Breach
from scoring_engine.tractor.tricks.formats import Duty, TrickFormat, TrickRules
from scoring_engine.tractor.tricks.leads import Lead
from scoring_engine.tractor.units import Shape, UnitKind, contains, packings, shape
from scoring_engine.values import Text

_DUTIES = {
    UnitKind.PAIR: Duty.FOLLOW_PAIR,
    UnitKind.TRIPLE: Duty.FOLLOW_TRIPLE,
    UnitKind.PAIR_RUN: Duty.FOLLOW_TRACTOR,
    UnitKind.TRIPLE_RUN: Duty.FOLLOW_TRIPLE_RUN,
}


@dataclass(frozen=True, slots=True)
class Owed:
    """One unit a follow must hold, and the unit led that asks for it."""

    shape: Shape
    led: Shape

    @property
    def duty(self) -> Duty:
        """The duty that is broken without it."""
        return _DUTIES[self.shape.kind]


@dataclass(frozen=True, slots=True)
class Obligation:
    """What one hand owes one lead: so many cards, so many of them of the suit, and these units among those."""

    cards: int
    suit: Suit
    suit_cards: int
    units: tuple[Owed, ...]
    text: Text
    clauses: tuple[str, ...]

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """The shapes owed."""
        return tuple(owed.shape for owed in self.units)


def must_follow(hand: Sequence[Card], lead: Lead, rules: TrickRules) -> Obligation:
    """What this hand, before it plays, owes the lead, with a sentence and the clauses.

    `rules.for_player` gives the rules of a player whose level cards are lowered. Raises ValueError for a hand with fewer
    cards than were led.
    """
    wanted = len(lead.cards)
    if len(hand) < wanted:
        raise ValueError(f"a hand of {len(hand)} cards cannot follow {wanted}")
    held = _of_suit(hand, lead.suit, rules)
    suit_cards = min(wanted, held.total())
    units: list[Owed] = []
    for unit in lead.units:
        if lead.is_throw and rules.format.throw_following == "suit_only":
            break
        for alternative in _alternatives(unit.shape, rules.format):
            if contains(held, [*(owed.shape for owed in units), *alternative], rules.trumps):
                units.extend(Owed(owed, unit.shape) for owed in alternative)
                break
    clauses = [rules.format.clauses[Duty.FOLLOW_SUIT], *(_clause(owed, rules.format) for owed in units)]
    text = _sentence(wanted, lead.suit, suit_cards, units)
    return Obligation(wanted, lead.suit, suit_cards, tuple(units), text, tuple(dict.fromkeys(clauses)))


def judge_follow(hand: Sequence[Card], lead: Lead, cards: Sequence[Card], rules: TrickRules) -> Breach | None:
    """The first duty this follow breaks – number of cards, cards held, suit, then structure – or None if it is legal."""
    owed = must_follow(hand, lead, rules)
    if len(cards) != owed.cards:
        return _breach(
            Duty.CARD_COUNT,
            Text(
                f"须跟{owed.cards}张，出了{len(cards)}张。",
                f"{owed.cards} cards are due, {len(cards)} were played.",
            ),
            rules.format,
        )
    missing = sorted((Counter(cards) - Counter(hand)).elements())
    if missing:
        shown = cards_text(missing)
        return _breach(
            Duty.NOT_IN_HAND,
            Text(f"手中没有这些牌：{shown}。", f"These cards are not in the hand: {shown}."),
            rules.format,
        )
    played = _of_suit(cards, lead.suit, rules)
    cards_short = owed.suit_cards - played.total()
    pairs_due = sum(unit.shape.size for unit in owed.units if unit.shape.width == 2)
    pairs_short = max(0, pairs_due - sum(count >= 2 for count in played.values()))
    if cards_short:
        name = suit_name(lead.suit)
        return Breach(
            Duty.FOLLOW_SUIT,
            Text(
                f"须跟{name.zh}{owed.suit_cards}张，少跟了{cards_short}张。",
                f"{owed.suit_cards} {name.en} are due; {cards_short} of them were not played.",
            ),
            rules.format.clauses[Duty.FOLLOW_SUIT],
            cards_short,
            pairs_short,
        )
    for number, unit in enumerate(owed.units, start=1):
        if not contains(played, owed.shapes[:number], rules.trumps):
            text = Text(
                f"{owed.text.zh}未跟{unit.shape.name.zh}。", f"{owed.text.en} {_capital(unit)} is missing."
            )
            return Breach(unit.duty, text, _clause(unit, rules.format), 0, pairs_short)
    return None


def legal_follows(hand: Sequence[Card], lead: Lead, rules: TrickRules) -> Iterator[tuple[Card, ...]]:
    """Every legal follow once, as cards in the order of a sorted hand; two copies of a card are the same.

    There is always at least one. There can be very many – a void hand may play anything –, so they come one by one.
    """
    owed = must_follow(hand, lead, rules)
    held = _of_suit(hand, lead.suit, rules)
    if held.total() <= owed.cards:
        rest = Counter(hand) - held
        for fill in _choices(rest, owed.cards - held.total()):
            yield rules.trumps.sorted((held + fill).elements())
        return
    seen: set[tuple[Card, ...]] = set()
    for units in packings(held, owed.shapes, rules.trumps):
        laid = Counter(card for unit in units for card in unit.cards)
        for fill in _choices(held - laid, owed.cards - laid.total()):
            follow = rules.trumps.sorted((laid + fill).elements())
            if follow not in seen:
                seen.add(follow)
                yield follow


def _of_suit(cards: Sequence[Card], suit: Suit, rules: TrickRules) -> Counter[Card]:
    return Counter(card for card in cards if rules.trumps.suit_of(card) is suit)


def _choices(counts: Counter[Card], size: int) -> Iterator[Counter[Card]]:
    """Every choice of so many cards, copies being alike."""
    cards = sorted(counts)

    def choose(index: int, left: int) -> Iterator[dict[Card, int]]:
        if left == 0:
            yield {}
            return
        if index == len(cards):
            return
        card = cards[index]
        for count in range(min(left, counts[card]), -1, -1):
            for further in choose(index + 1, left - count):
                yield {card: count, **further} if count else further

    for chosen in choose(0, size):
        yield Counter(chosen)


def _alternatives(led: Shape, format_: TrickFormat) -> Iterator[list[Shape]]:
    """What follows one led unit, best first; the last is nothing at all."""
    pairs = [[Shape(UnitKind.PAIR)] * count for count in range(led.size, 0, -1)]
    triples = [[Shape(UnitKind.TRIPLE)] * count for count in range(led.size, 0, -1)]
    if led.kind is UnitKind.PAIR:
        yield from pairs
    elif led.kind is UnitKind.TRIPLE:
        yield from triples
        yield from pairs
    elif led.kind is UnitKind.PAIR_RUN:
        if format_.run_following != "pairs":
            yield from _runs(led.size, 2, format_)
        yield from pairs
    elif led.kind is UnitKind.TRIPLE_RUN:
        yield from _runs(led.size, 3, format_)
        yield from _runs(led.size, 2, format_)
        yield from _triples(triples, led.size, format_)
        yield from pairs
    yield []


def _runs(size: int, width: int, format_: TrickFormat) -> Iterator[list[Shape]]:
    """The run as long as the one led; by I-C-23 then the longest shorter one with the best of the rest."""
    if format_.run_following != "longest_first":
        yield [shape(width, size)]
        return
    for parts in _partings(size, size):
        if parts and parts[0] > 1:
            yield [shape(width, part) for part in parts]


def _partings(total: int, longest: int) -> Iterator[tuple[int, ...]]:
    """3 -> (3), (2, 1), (2), (1, 1, 1), (1, 1), (1), (): falling lengths, the longest first."""
    for first in range(min(total, longest), 0, -1):
        for rest in _partings(total - first, first):
            yield (first, *rest)
    yield ()


def _triples(triples: list[list[Shape]], size: int, format_: TrickFormat) -> Iterator[list[Shape]]:
    """Triples in the place of a run of triples (I-C-24)."""
    if format_.triple_run_fill == "one_triple":
        yield triples[-1]
        return
    for some in triples:
        if format_.triple_run_fill == "triples_then_pairs":
            for pairs in range(size - len(some), 0, -1):
                yield [*some, *[Shape(UnitKind.PAIR)] * pairs]
        yield some


def _clause(owed: Owed, format_: TrickFormat) -> str:
    """The clause of the unit **led**: a pair owed to a triple stands in that of the triple."""
    return format_.clauses[_DUTIES[owed.led.kind]]


def _breach(duty: Duty, text: Text, format_: TrickFormat) -> Breach:
    return Breach(duty, text, format_.clauses[duty])


def _capital(owed: Owed) -> str:
    name = owed.shape.name.en
    return name[0].upper() + name[1:]


def _sentence(cards: int, suit: Suit, suit_cards: int, units: Sequence[Owed]) -> Text:
    name = suit_name(suit)
    if not suit_cards:
        return Text(
            f"无{name.zh}，可出任意{cards}张。", f"There are no {name.en}: any {cards} cards will do."
        )
    zh, en = f"须跟{name.zh}{suit_cards}张", f"{suit_cards} {name.en} are due"
    if units:
        shapes = Counter(owed.shape for owed in units)
        zh += "，其中须有" + "、".join(
            f"{owed.name.zh}{f'×{count}' if count > 1 else ''}" for owed, count in shapes.items()
        )
        en += ", among them " + " and ".join(
            f"{owed.name.en}{f' ({count} times)' if count > 1 else ''}" for owed, count in shapes.items()
        )
    if suit_cards < cards:
        zh += f"，另{cards - suit_cards}张任意"
        en += f", and any {cards - suit_cards} others"
    return Text(f"{zh}。", f"{en}.")
