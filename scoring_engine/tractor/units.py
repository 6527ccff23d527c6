"""Units of 升级 – single, pair, triple, pair_run, triple_run – and how cards fall into them (牌型).

- 单张; 对子: two identical cards; 刻子 (三条): three identical cards, same suit and rank (C 八(十四)).
- 拖拉机, 连对: adjacent pairs of one effective suit (C 八(十二)); 连刻: adjacent triples (444333). Neighbours are the
  business of `Trumps.above`. Level cards of different suits are no pair, and equal in rank, so two such pairs are no run.
- 俘虏 (triple and pair, also 44433) is no unit (C 八(十六)): `structures` gives every way to name it as several units.

A unit's `size` is the number of pairs or triples of a run, 1 for a single, a pair and a triple, as the event file
writes it. Functions here take cards of **one** effective suit.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from typing import NamedTuple

from scoring_engine.tractor.cards import Card, Suit, Trumps
from scoring_engine.values import Text


class UnitKind(StrEnum):
    """The kinds of units (牌型), from the least significant."""

    SINGLE = "single"
    PAIR = "pair"
    TRIPLE = "triple"
    PAIR_RUN = "pair_run"
    TRIPLE_RUN = "triple_run"


_KINDS = tuple(UnitKind)
_WIDTHS = {
    UnitKind.SINGLE: 1,
    UnitKind.PAIR: 2,
    UnitKind.TRIPLE: 3,
    UnitKind.PAIR_RUN: 2,
    UnitKind.TRIPLE_RUN: 3,
}
_ALONE = {1: UnitKind.SINGLE, 2: UnitKind.PAIR, 3: UnitKind.TRIPLE}
_RUNS = {2: UnitKind.PAIR_RUN, 3: UnitKind.TRIPLE_RUN}
_NAMES = {
    UnitKind.SINGLE: Text("单张", "a single"),
    UnitKind.PAIR: Text("对子", "a pair"),
    UnitKind.TRIPLE: Text("三条", "a triple"),
}


class Shape(NamedTuple):
    """A unit without its cards: the kind, and of how many pairs or triples a run is."""

    kind: UnitKind
    size: int = 1

    @property
    def width(self) -> int:
        """1, 2 or 3 identical cards."""
        return _WIDTHS[self.kind]

    @property
    def cards(self) -> int:
        """How many cards the unit has."""
        return self.width * self.size

    @property
    def significance(self) -> tuple[int, int]:
        """拖拉机, 三条, 对子, 单张 from the most significant (C 八(十七)); of runs, triples and then the longer first."""
        return (_KINDS.index(self.kind), self.size)

    @property
    def name(self) -> Text:
        """单张 / a single … 三连对 / a run of 3 pairs."""
        if self.kind in _NAMES:
            return _NAMES[self.kind]
        zh, en = ("连刻", "triples") if self.kind is UnitKind.TRIPLE_RUN else ("连对", "pairs")
        return Text(f"{chinese_number(self.size)}{zh}", f"a run of {self.size} {en}")


def chinese_number(number: int) -> str:
    """二, 三 … 十三, as in 二连对."""
    digits = "零一二三四五六七八九"
    if number < 10:
        return digits[number]
    return f"十{digits[number - 10] if number > 10 else ''}"


def shape(width: int, size: int) -> Shape:
    """The shape of `size` adjacent groups of `width` identical cards."""
    return Shape(_ALONE[width]) if size == 1 else Shape(_RUNS[width], size)


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit on the table. top: the place of its highest card; cards: highest first, identical ones together."""

    shape: Shape
    suit: Suit
    top: int
    cards: tuple[Card, ...]

    @property
    def kind(self) -> UnitKind:
        """Its kind."""
        return self.shape.kind

    @property
    def size(self) -> int:
        """Of how many pairs or triples a run is; 1 for the others."""
        return self.shape.size

    @property
    def significance(self) -> tuple[tuple[int, int], int]:
        """Orders units: kind, length, then height."""
        return (self.shape.significance, self.top)


Counts = Mapping[Card, int]


def sole_suit(cards: Iterable[Card], trumps: Trumps) -> Suit | None:
    """The effective suit all these cards have, or None."""
    suits = {trumps.suit_of(card) for card in cards}
    return suits.pop() if len(suits) == 1 else None


def _unit(groups: Sequence[Card], width: int, trumps: Trumps) -> Unit:
    cards = tuple(card for card in groups for _ in range(width))
    return Unit(shape(width, len(groups)), trumps.suit_of(cards[0]), trumps.position(cards[0]), cards)


def placements(counts: Counts, wanted: Shape, trumps: Trumps) -> Iterator[tuple[Card, ...]]:
    """Every choice of cards that makes the shape, highest first, as the run's distinct cards from the top down."""
    places: dict[int, list[Card]] = {}
    for card, count in counts.items():
        if count >= wanted.width:
            places.setdefault(trumps.position(card), []).append(card)
    for cards in places.values():
        cards.sort(reverse=True)

    def upwards(run: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
        if len(run) == wanted.size:
            yield run
            return
        above = trumps.above(trumps.suit_of(run[0]), trumps.position(run[0]))
        for card in places.get(above, ()) if above is not None else ():
            yield from upwards((card, *run))

    for position in sorted(places, reverse=True):
        for card in places[position]:
            yield from upwards((card,))


def packings(counts: Counts, shapes: Iterable[Shape], trumps: Trumps) -> Iterator[tuple[Unit, ...]]:
    """Every way to lay these shapes out of the cards, no card used twice; cards may be left over.

    Units come most significant first. Ways that differ only in the order of like units come once. Numerous for many
    singles out of more cards; exact fits (no card left over) are cheap.
    """
    ordered = sorted(shapes, key=lambda wanted: wanted.significance, reverse=True)
    for units, _ in _lay(Counter(counts), ordered, trumps, None):
        yield units


def _lay(
    counts: Counter[Card],
    shapes: Sequence[Shape],
    trumps: Trumps,
    ceiling: tuple[int, tuple[Card, ...]] | None,
) -> Iterator[tuple[tuple[Unit, ...], Counter[Card]]]:
    """Lay the shapes one after the other; `ceiling` keeps like shapes in falling order."""
    if not shapes:
        yield (), counts
        return
    head, rest = shapes[0], shapes[1:]
    if head.kind is UnitKind.SINGLE and counts.total() == len(shapes):
        yield tuple(_unit((card,), 1, trumps) for card in trumps.sorted(counts.elements())), Counter()
        return
    for groups in placements(counts, head, trumps):
        key = (trumps.position(groups[0]), groups)
        if ceiling is not None and key > ceiling:
            continue
        left = counts.copy()
        for card in groups:
            left[card] -= head.width
        unit = _unit(groups, head.width, trumps)
        for units, remaining in _lay(left, rest, trumps, key if rest and rest[0] == head else None):
            yield (unit, *units), remaining


def contains(counts: Counts, shapes: Iterable[Shape], trumps: Trumps) -> bool:
    """Whether the cards hold all these shapes at once, no card used twice."""
    ordered = sorted(shapes, key=lambda wanted: wanted.significance, reverse=True)
    if sum(counts.values()) < sum(wanted.cards for wanted in ordered):
        return False
    runs = [wanted for wanted in ordered if wanted.size > 1]
    triples = sum(wanted.kind is UnitKind.TRIPLE for wanted in ordered)
    pairs = sum(wanted.kind is UnitKind.PAIR for wanted in ordered)
    for _, left in _lay(Counter(counts), runs, trumps, None):
        threes = sum(count >= 3 for count in left.values())
        twos = sum(count == 2 for count in left.values())
        # A triple gives one triple or one pair: what is left of a pair taken from it is a single.
        if threes >= triples and threes - triples + twos >= pairs:
            return True
    return False


def structures(cards: Sequence[Card], trumps: Trumps) -> tuple[tuple[Unit, ...], ...]:
    """Every structure (结构) of these cards: the ways to part them into units that no joining makes coarser.

    AA and K have one; 44433 has two, 4433+4 and 444+33 (C 八(十六)). Structures alike in kinds, lengths and heights
    count once. The first has the most significant units. Raises ValueError for no card, several effective suits, or
    more than three copies of a card.
    """
    counts = Counter(cards)
    if sole_suit(cards, trumps) is None or max(counts.values()) > 3:
        raise ValueError(f"{len(cards)} cards are not of one suit of at most three decks")
    found: dict[tuple[tuple[tuple[int, int], int], ...], tuple[Unit, ...]] = {}
    for split in _splits(counts, trumps):
        pairs = [card for card, count in counts.items() if count == 2 or card in split]
        triples = [card for card, count in counts.items() if count == 3 and card not in split]
        singles = [card for card, count in counts.items() if count == 1 or card in split]
        for pair_runs in _chains(pairs, trumps):
            # A triple is broken only for a run with a real pair; a run of broken triples alone is a 连刻.
            joined = {card for run in pair_runs if any(counts[other] == 2 for other in run) for card in run}
            if not split <= joined:
                continue
            for triple_runs in _chains(triples, trumps):
                units = [
                    *(_unit(run, 3, trumps) for run in triple_runs),
                    *(_unit(run, 2, trumps) for run in pair_runs),
                    *(_unit((card,), 1, trumps) for card in singles),
                ]
                units.sort(key=lambda unit: (unit.significance, unit.cards), reverse=True)
                found.setdefault(tuple(unit.significance for unit in units), tuple(units))
    ordered = sorted(found, key=lambda key: ([kind for kind, _ in key], key), reverse=True)
    return tuple(found[key] for key in ordered)


def _splits(counts: Counts, trumps: Trumps) -> Iterator[frozenset[Card]]:
    """The sets of triples that may be broken for a run of pairs: those joined to a real pair by neighbours."""
    reached = {card for card, count in counts.items() if count == 2}
    groups = [card for card, count in counts.items() if count >= 2]
    grown = True
    while grown:
        near = {card for card in groups if card not in reached and _adjoins(card, reached, trumps)}
        reached |= near
        grown = bool(near)
    breakable = sorted(card for card in reached if counts[card] == 3)
    for size in range(len(breakable) + 1):
        for split in combinations(breakable, size):
            yield frozenset(split)


def _adjoins(card: Card, others: Iterable[Card], trumps: Trumps) -> bool:
    suit, position = trumps.suit_of(card), trumps.position(card)
    return any(
        trumps.above(suit, position) == trumps.position(other)
        or trumps.above(suit, trumps.position(other)) == position
        for other in others
    )


def _chains(groups: Sequence[Card], trumps: Trumps) -> Iterator[list[tuple[Card, ...]]]:
    """The longest runs of these pairs (or triples), each from the top down.

    Where level cards of several suits stand at one place, one of them carries the run on from below and one – the same
    or another – begins the run upwards; every such choice is given.
    """
    if not groups:
        yield []
        return
    places: dict[int, list[Card]] = {}
    for card in sorted(groups):
        places.setdefault(trumps.position(card), []).append(card)
    suit = trumps.suit_of(groups[0])
    # Only the level cards share a place, so at most one place holds several.
    several = next((cards for cards in places.values() if len(cards) > 1), [groups[0]])
    for below in several:
        for upward in several:
            runs: list[list[Card]] = []
            last: int | None = None
            for position in sorted(places):
                if last is None or trumps.above(suit, last) != position:
                    runs.append([])
                last = position
                here = places[position]
                if len(here) == 1:
                    runs[-1].append(here[0])
                    continue
                runs[-1].append(below)
                spare = [[card] for card in here if card not in (below, upward)]
                runs[-1:] = [*spare, runs[-1]] if below == upward else [*spare, runs[-1], [upward]]
            yield [tuple(reversed(run)) for run in runs]
