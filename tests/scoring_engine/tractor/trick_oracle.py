"""A second, slow reading of tricks under the two texts, which shares no code with the engine but the names of duties.

The oracle knows cards as (suit, rank) words and the order of a suit as a written-out ladder. It enumerates every play of
the right number of cards and grades it by what the clauses ask for, best first: a follow is legal when no play of the
hand has a better grade. Structures come from every way to part the cards into heaps.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, permutations
from typing import Any

from scoring_engine.tractor.tricks import Duty

# Trumps are hearts. Under level 5 the ranks 4 and 6 meet; under level A the king meets the other level cards.
LADDERS: dict[int, dict[str, list[list[str]]]] = {
    level: {suit: [step.split("=") for step in ladder.split()] for suit, ladder in ladders.items()}
    for level, ladders in {
        3: {
            "T": "H2 H3 H4 H6 H7 H8 H9 HT HJ HQ HK HA S5=C5=D5 H5 B R",
            "S": "S2 S3 S4 S6 S7 S8 S9 ST SJ SQ SK SA",
        },
        12: {
            "T": "H2 H3 H4 H5 H6 H7 H8 H9 HT HJ HQ HK SA=CA=DA HA B R",
            "S": "S2 S3 S4 S5 S6 S7 S8 S9 ST SJ SQ SK",
        },
    }.items()
}


class Oracle:
    """The second reading of one deal."""

    def __init__(self, level: int, decks: int) -> None:
        self.ladders = LADDERS[level]
        self.decks = decks
        self.height = {
            card: (suit, step)
            for suit, ladder in self.ladders.items()
            for step, cards in enumerate(ladder)
            for card in cards
        }

    def suit(self, card: str) -> str:
        return self.height[card][0] if card in self.height else card[0]

    def step(self, card: str) -> int:
        return self.height[card][1] if card in self.height else -1

    def shape(self, cards: Sequence[str]) -> tuple[int, int] | None:
        """(width, length) of a unit, or None."""
        counts = Counter(cards)
        if len({self.suit(card) for card in cards}) != 1 or len(set(counts.values())) != 1:
            return None
        width = next(iter(counts.values()))
        steps = sorted(self.step(card) for card in counts)
        if len(steps) == 1:
            return (width, 1)
        if width == 1 or steps != list(range(steps[0], steps[0] + len(steps))):
            return None
        return (width, len(steps))

    def top(self, cards: Sequence[str]) -> int:
        return max(self.step(card) for card in cards)

    def chain_lengths(self, cards: Sequence[str], width: int, limit: int) -> tuple[int, ...]:
        """The longest runs first, at most `limit` groups in all, tried over every order of the groups."""
        groups = [card for card, count in Counter(cards).items() if count >= width]
        best: tuple[int, ...] = ()
        for size in range(1, min(limit, len(groups)) + 1):
            for order in permutations(groups, size):
                lengths = [1]
                for lower, upper in pairwise(order):
                    if self.step(upper) == self.step(lower) + 1:
                        lengths[-1] += 1
                    else:
                        lengths.append(1)
                best = max(best, tuple(sorted(lengths, reverse=True)))
        return best

    def grade(self, cards: Sequence[str], led: tuple[int, int], option: dict[str, str]) -> tuple[Any, ...]:
        """How well cards of the suit answer one led unit, the first number first."""
        width, length = led
        pairs = min(length, sum(count >= 2 for count in Counter(cards).values()))
        triples = min(length, sum(count >= 3 for count in Counter(cards).values()))
        runs = self.chain_lengths(cards, 2, length)
        if led == (1, 1):
            return ()
        if led == (2, 1):
            return (pairs,)
        if led == (3, 1):
            return (triples, pairs)
        if width == 2:
            if option["run_following"] == "pairs":
                return (pairs,)
            if option["run_following"] == "full_length":
                return (int(runs[:1] == (length,)), pairs)
            return (runs,)
        triple_runs = self.chain_lengths(cards, 3, length)
        if triple_runs[:1] == (length,):
            return (3,)
        if runs[:1] == (length,):
            return (2,)
        if option["triple_run_fill"] == "one_triple":
            return (1, min(1, triples), pairs if not triples else 0)
        if option["triple_run_fill"] == "triples_then_pairs":
            return (1, triples, min(length, sum(count >= 2 for count in Counter(cards).values())))
        return (1, triples, 0 if triples else pairs)

    def grades(
        self, cards: Sequence[str], led: Sequence[tuple[int, int]], option: dict[str, str]
    ) -> tuple[tuple[Any, ...], ...]:
        """The best grades over every way to deal the cards out to the led units."""
        if not led:
            return ()
        size = min(len(cards), led[0][0] * led[0][1])
        best: tuple[tuple[Any, ...], ...] | None = None
        for chosen in combinations(range(len(cards)), size):
            part = [cards[index] for index in chosen]
            rest = [card for index, card in enumerate(cards) if index not in chosen]
            found = (self.grade(part, led[0], option), *self.grades(rest, led[1:], option))
            best = found if best is None else max(best, found)
        assert best is not None
        return best

    def duty(
        self, led: tuple[int, int], owed: tuple[Any, ...], paid: tuple[Any, ...], option: dict[str, str]
    ) -> Duty:
        """What the first differing number stands for."""
        at = next(index for index, (best, got) in enumerate(zip(owed, paid, strict=False)) if best != got)
        if led == (2, 1):
            return Duty.FOLLOW_PAIR
        if led == (3, 1):
            return (Duty.FOLLOW_TRIPLE, Duty.FOLLOW_PAIR)[at]
        if led[0] == 2:
            if option["run_following"] == "pairs":
                return Duty.FOLLOW_PAIR
            if option["run_following"] == "full_length":
                return (Duty.FOLLOW_TRACTOR, Duty.FOLLOW_PAIR)[at]
            wanted, got = (*owed[0], 0), (*paid[0], 0, 0, 0, 0)
            short = next(length for length, other in zip(wanted, got, strict=False) if length != other)
            return Duty.FOLLOW_TRACTOR if short > 1 else Duty.FOLLOW_PAIR
        if at == 0:
            return {3: Duty.FOLLOW_TRIPLE_RUN, 2: Duty.FOLLOW_TRACTOR}[owed[0]]
        return (Duty.FOLLOW_TRIPLE, Duty.FOLLOW_PAIR)[at - 1]

    def follows(
        self, hand: Sequence[str], led: Sequence[tuple[int, int]], led_suit: str, option: dict[str, str]
    ) -> dict[tuple[str, ...], Duty | None]:
        """Every play of the right number of cards, with the duty it breaks or None."""
        number = sum(width * length for width, length in led)
        plays = {tuple(sorted(cards)) for cards in combinations(hand, number)}
        suited = {play: [card for card in play if self.suit(card) == led_suit] for play in plays}
        most = max(len(cards) for cards in suited.values())
        graded = {
            play: self.grades(cards, led, option) for play, cards in suited.items() if len(cards) == most
        }
        best = max(graded.values())
        verdicts: dict[tuple[str, ...], Duty | None] = {}
        for play in plays:
            if play not in graded:
                verdicts[play] = Duty.FOLLOW_SUIT
            elif graded[play] == best:
                verdicts[play] = None
            else:
                at = next(i for i in range(len(led)) if graded[play][i] != best[i])
                verdicts[play] = self.duty(led[at], best[at], graded[play][at], option)
        return verdicts

    def matched(
        self, cards: Sequence[str], led: Sequence[tuple[int, int]]
    ) -> Iterator[list[tuple[str, ...]]]:
        """Every way to cut the cards into heaps of exactly the led shapes."""
        if not led:
            yield []
            return
        size = led[0][0] * led[0][1]
        for chosen in combinations(range(len(cards)), size):
            part = tuple(cards[index] for index in chosen)
            if self.shape(part) == led[0]:
                rest = [card for index, card in enumerate(cards) if index not in chosen]
                for others in self.matched(rest, led[1:]):
                    yield [part, *others]

    def winner(self, led: list[tuple[str, ...]], follows: Sequence[Sequence[str]]) -> int:
        """0 for the leader: of each kind the highest unit, runs, triples, pairs, singles (C 八(十七))."""
        shapes = sorted((self.shape(unit) or (0, 0) for unit in led), key=self.importance, reverse=True)
        led_suit = self.suit(led[0][0])

        def height(units: list[tuple[str, ...]]) -> list[int]:
            kinds = sorted(set(shapes), key=self.importance, reverse=True)
            return [max(self.top(unit) for unit in units if self.shape(unit) == kind) for kind in kinds]

        best, winner = (False, height(led)), 0
        for player, cards in enumerate(follows, start=1):
            suits = {self.suit(card) for card in cards}
            if len(suits) != 1 or not suits <= {led_suit, "T"}:
                continue
            for units in self.matched(cards, shapes):
                found = (suits != {led_suit}, height(units))
                if found > best:
                    best, winner = found, player
        return winner

    @staticmethod
    def importance(shape: tuple[int, int]) -> tuple[bool, int, int]:
        width, length = shape
        return (length > 1, width, length)

    def partings(self, cards: Sequence[str]) -> list[list[list[int]]]:
        """Every way to part the cards (by index) into units."""
        if not cards:
            return [[]]
        found: list[list[list[int]]] = []

        def add(index: int, heaps: list[list[int]]) -> None:
            if index == len(cards):
                if all(self.shape([cards[i] for i in heap]) for heap in heaps):
                    found.append([list(heap) for heap in heaps])
                return
            for heap in heaps:
                heap.append(index)
                add(index + 1, heaps)
                heap.pop()
            heaps.append([index])
            add(index + 1, heaps)
            heaps.pop()

        add(0, [])
        return found

    def coarsest(self, cards: Sequence[str]) -> set[tuple[tuple[tuple[int, int], int], ...]]:
        """The partings that are a finer parting of no other, as shapes and heights."""
        partings = [[frozenset(heap) for heap in heaps] for heaps in self.partings(cards)]
        kept = [
            fine
            for fine in partings
            if not any(
                coarse != fine
                and len(coarse) < len(fine)
                and all(any(heap <= other for other in coarse) for heap in fine)
                for coarse in partings
            )
        ]
        return {
            tuple(
                sorted(
                    (self.shape([cards[i] for i in heap]) or (0, 0), self.top([cards[i] for i in heap]))
                    for heap in heaps
                )
            )
            for heaps in kept
        }
