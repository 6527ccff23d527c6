"""拖拉机: round 1 with cards (以扑克牌抽签), and every later one too where the organiser says so (I-C-2)."""

from scoring_engine.event_file.swiss_draws.drawn import GroupDraw, said_json
from scoring_engine.event_file.swiss_draws.history import RoundToDraw
from scoring_engine.event_file.swiss_draws.two_players import draw_matches
from scoring_engine.pairing.card_draw import draw_cards
from scoring_engine.pairing.reasons import Topic, those
from scoring_engine.values import Text

_BY_CARD = Text(
    "桌号按牌从大到小：A在前，2在后；同一点数先红后黑。",
    "Tables are numbered by card: A first, 2 last, red before black.",
)


def draw_tractor(drawing: RoundToDraw, seed: bytes) -> GroupDraw:
    """A round of 拖拉机: with cards, or by points after the first."""
    by_points = drawing.number > 1 and drawing.pairing.word("later_rounds") == "points"
    return draw_matches(drawing, seed) if by_points else _with_cards(drawing, seed)


def _with_cards(drawing: RoundToDraw, seed: bytes) -> GroupDraw:
    drawn = draw_cards(
        sorted(drawing.available),
        seed,
        opponents=drawing.pairing.word("card_opponents"),
        byes_had={one: past.byes for one, past in drawing.past.items()},
        bye_reading=drawing.pairing.word("bye_reading"),
    )
    cards = {entrant: str(card) for entrant, card in drawn.cards}
    return GroupDraw(
        method="cards",
        tables=drawn.tables,
        byes=drawn.byes,
        reasons=[
            {
                "cards": [cards[one], cards[other]],
                **said_json(
                    those(
                        (
                            Topic.MEETING,
                            Text(
                                f"{one}抽到{cards[one]}，{other}抽到{cards[other]}，互为对手。",
                                f"{one} drew {cards[one]} and {other} drew {cards[other]}: they meet.",
                            ),
                        ),
                        (Topic.NUMBER, _BY_CARD),
                    )
                ),
            }
            for one, other in drawn.tables
        ],
        bye_reasons=[
            {
                "entrant": bye,
                "cards": [cards[bye], str(drawn.left)],
                **said_json(
                    those(
                        (
                            Topic.BYE,
                            Text(
                                f"{bye}持{cards[bye]}，对应的{drawn.left}无人抽到，轮空。",
                                f"{bye} holds {cards[bye]} and nobody holds {drawn.left}, its partner: a bye.",
                            ),
                        )
                    )
                ),
            }
            for bye in drawn.byes
        ],
        more={"cards": [{"entrant": entrant, "card": card} for entrant, card in cards.items()]},
    )
