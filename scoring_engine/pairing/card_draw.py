"""Draw with cards (以扑克牌抽签, C 赛制): everybody draws a card, and the cards say who meets whom.

| `opponents` | who meets | duels in a pack | |
|---|---|---|---|
| `colour_and_rank` | ♦x–♥x, ♣x–♠x | 26 | the text's own example, ♦A–♥A (I-C-1) |
| `suit_and_rank` | ♦x–♦x of two equal packs | 52 of two packs | 同样花色, word for word |

Only as many cards are used as are needed, so that every card has its partner in the draw: A down to 2, and within a
rank red before black. With more duels than a pack holds, a second pack with another back is added, and so on; cards
meet only within their pack. With an odd number one card stays on the table; whoever holds its partner has the bye.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring_engine.pairing.byes import bye_candidates
from scoring_engine.pairing.seeds import SeedStream
from scoring_engine.values import EntrantId

RANKS = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2")

PARTNERS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "colour_and_rank": (("♦", "♥"), ("♣", "♠")),
    "suit_and_rank": (("♦", "♦"), ("♥", "♥"), ("♣", "♣"), ("♠", "♠")),
}
"""The suits that meet within a rank, in the order of tables."""


@dataclass(frozen=True, slots=True)
class Card:
    """A card as it was drawn; `pack` counts packs (or, where equal cards meet, pairs of packs) from 1."""

    pack: int
    suit: str
    rank: str

    def __str__(self) -> str:
        return f"{self.suit}{self.rank}" if self.pack == 1 else f"{self.pack}:{self.suit}{self.rank}"


@dataclass(frozen=True, slots=True)
class CardDraw:
    """A round drawn with cards.

    cards: each entrant and the card drawn, in the order of drawing (ids sorted as text), so that a hall can check it.
    tables: who meets, in the order of the cards; the first holds the card named first in the pair (♦ before ♥).
    byes: the one whose partner card stayed on the table, where the number is odd. left: that card.
    """

    cards: tuple[tuple[EntrantId, Card], ...]
    tables: tuple[tuple[EntrantId, EntrantId], ...]
    byes: tuple[EntrantId, ...]
    left: Card | None


def pairs_of_cards(duels: int, opponents: str) -> list[tuple[Card, Card]]:
    """The cards of so many duels: pack by pack, A down to 2, the suits of `PARTNERS` in their order."""
    suits = PARTNERS[opponents]
    pairs: list[tuple[Card, Card]] = []
    for number in range(duels):
        pack, place = divmod(number, len(RANKS) * len(suits))
        rank, partner = divmod(place, len(suits))
        one, other = suits[partner]
        pairs.append((Card(pack + 1, one, RANKS[rank]), Card(pack + 1, other, RANKS[rank])))
    return pairs


def draw_cards(
    entrants: Sequence[EntrantId],
    seed: bytes,
    *,
    opponents: str = "colour_and_rank",
    byes_had: Mapping[EntrantId, int] | None = None,
    bye_reading: str = "spread",
) -> CardDraw:
    """Draw a card for everyone and pair those whose cards belong together (C 赛制, I-C-1).

    The seed shuffles the cards, laid out pair after pair; the entrants, sorted as text, take them from the top. With an
    odd number the last card stays. Where the one without a partner may not have the bye (`byes.bye_candidates`), he
    exchanges his card with a candidate, the one at `below(count)` of the candidates sorted as text.
    """
    if len(set(entrants)) != len(entrants):
        raise ValueError("an entrant stands twice in the draw")
    everyone = sorted(entrants)
    pairs = pairs_of_cards((len(everyone) + 1) // 2, opponents)
    # Equal cards of two packs are told apart by their place only, so places are shuffled, not cards.
    stream = SeedStream(seed)
    places = stream.shuffle(range(2 * len(pairs)))
    holders = dict(zip(places, everyone, strict=False))
    left = None
    byes: tuple[EntrantId, ...] = ()
    if len(everyone) % 2:
        left = places[-1]
        lone = left ^ 1  # the other place of the same pair
        candidates = bye_candidates(everyone, byes_had or {}, bye_reading)
        if holders[lone] not in candidates:
            chosen = candidates[stream.below(len(candidates))]
            place = next(place for place, holder in holders.items() if holder == chosen)
            holders[lone], holders[place] = holders[place], holders[lone]
        byes = (holders[lone],)
    taken = {holder: place for place, holder in holders.items()}
    return CardDraw(
        tuple((entrant, pairs[taken[entrant] // 2][taken[entrant] % 2]) for entrant in everyone),
        tuple(
            (holders[2 * duel], holders[2 * duel + 1])
            for duel in range(len(pairs))
            if left is None or duel != left // 2
        ),
        byes,
        None if left is None else pairs[left // 2][left % 2],
    )
