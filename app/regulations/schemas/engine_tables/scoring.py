"""The keys of `scoring`, by the formats that have them."""

from collections.abc import Mapping

from app.regulations.schemas.engine_tables.formats import BOARD, LANDLORD, LEVELS, MATCHES
from app.regulations.schemas.engine_tables.given import Given, choice, keyed, points, rows, table, whole
from app.regulations.schemas.fields import (
    Checked,
    Clause,
    Kind,
)
from scoring_engine.rules.model import BYE_KINDS, DOUBLINGS
from scoring_engine.rules.round_points import COMPARES, LATE_AT_FORFEIT, MINUTES, SEVERAL_LATE, TIES
from scoring_engine.rules.scoring_parts import SEATS
from scoring_engine.tractor.levels import PAST_A, Side
from scoring_engine.tractor.matches.formats import BANKER_ROTATION, EQUAL_LEVELS, MUST_PLAY, TIME_UP
from scoring_engine.tractor.units import UnitKind

_WORTH = {
    "match_points": points(required=True, takes_option=True),
    "game_points": points(required=True, takes_option=True),
}

OF_FORMAT: Mapping[tuple[str, ...], Mapping[str, Checked]] = {
    LANDLORD: {
        "bids": Given(Kind.NUMBERS, least=1, example="1, 2, 3", required=True),
        "doublings": Given(Kind.CHOICES, DOUBLINGS, required=True),
    },
    ("landlord_swiss",): {
        "seats": Given(Kind.CHOICES, SEATS, required=True),
        "first_bidder": choice(SEATS, required=True),
        "match_points": table(
            {
                "scheme": Given(Kind.NAME, example="rank_2_1_0", required=True, takes_option=True),
                "compares": choice(COMPARES, required=True, takes_option=True),
                "clause": Clause(),
                "schemes": keyed(
                    table(
                        {
                            "ranks": Given(Kind.POINT_LIST, least=0, most=1000, example="2, 1, 0"),
                            "ties": choice(TIES),
                            "bands": rows({"from": points(least=None), "points": points(required=True)}),
                        }
                    ),
                    required=True,
                ),
            },
            required=True,
        ),
        "byes": table(
            {kind: table(_WORTH, required=kind in ("bye", "absent")) for kind in BYE_KINDS}, required=True
        ),
        "forfeit": table(
            {
                **{who: table(_WORTH, required=True) for who in ("others", "sole", "offender")},
                "late": choice(LATE_AT_FORFEIT, required=True, takes_option=True),
                "clause": Clause(),
            },
            required=True,
        ),
        "lateness": table(
            {
                "tiers": rows(
                    {
                        "up_to": whole(1, 24 * 60, required=True),
                        "others": whole(0, 1000, required=True),
                        "offender": whole(-1000, 0, required=True),
                    },
                    required=True,
                ),
                "minutes": choice(MINUTES, required=True, takes_option=True),
                "several": choice(SEVERAL_LATE, required=True, takes_option=True),
                "clause": Clause(),
            },
            required=True,
        ),
    },
    BOARD: {
        **{
            key: points(required=True, takes_option=True)
            for key in ("win", "draw", "loss", "forfeit_win", "forfeit_loss")
        },
        "byes": table(
            {kind: points(required=kind in ("bye", "absent"), takes_option=True) for kind in BYE_KINDS},
            required=True,
        ),
        "whole_byes": Given(Kind.FLAG),
    },
    MATCHES: {
        "decks": whole(2, 3, required=True),
        "bottom_cards": whole(1, 54, required=True),
        "levels": table(
            {
                "rows": rows(
                    {
                        "from": whole(-1000, 1000),
                        "to": whole(-1000, 1000),
                        "side": choice(Side, required=True),
                        "levels": whole(0, 13, required=True),
                        "every": whole(5, 1000),
                        "clause": Given(Kind.CLAUSE, example=Clause.example),
                    },
                    required=True,
                ),
                "clause": Clause(),
            },
            required=True,
        ),
        "bottom": table(
            {
                "rows": rows(
                    {
                        "unit": choice(UnitKind, required=True),
                        "size": whole(2, 16),
                        "factor": whole(1, 1000, required=True),
                        "add": whole(0, 1000),
                        "times": whole(1, 10),
                    },
                    required=True,
                ),
                "clause": Clause(),
            },
            required=True,
        ),
        "match": table(
            {
                "start": choice(LEVELS, required=True),
                "must_play_levels": Given(Kind.CHOICES, LEVELS),
                "must_play": choice(MUST_PLAY),
                "banker_rotation": choice(BANKER_ROTATION),
                "equal_levels": choice(EQUAL_LEVELS),
                "past_a": choice(PAST_A),
                "time_up": choice(TIME_UP),
                "further_deals": whole(0, 10),
                "given_up_levels": whole(0, 12),
                "points": table(
                    {
                        key: whole(0, 1000, required=True, takes_option=True)
                        for key in ("win", "draw", "loss", "bye")
                    }
                ),
            },
            required=True,
        ),
    },
}
