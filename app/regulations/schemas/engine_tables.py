"""The tables that the engine reads, declared for whoever writes or edits them: keys, kinds, what is allowed.

The values are checked by `scoring_engine` (`rules.reading`), which reports all that is wrong with them; here only the
keys of the outermost table are checked. What a key may hold is taken from the engine's own tables, so that the two cannot
differ; `tests/app/regulations/test_describe.py` holds the keys themselves to what the engine reads.
"""

from collections.abc import Iterable, Mapping
from typing import Any, cast

from app.regulations.schemas.fields import (
    EVERY_KEY,
    Checked,
    Clause,
    Kind,
    Strict,
    refuse,
)
from app.text import T
from scoring_engine.landlord.deals import CLAUSE_KEYS as DEAL_CLAUSES
from scoring_engine.penalties.effects import Effect as ScoreEffect
from scoring_engine.rules import PAIRING_KEYS
from scoring_engine.rules.games import GAMES
from scoring_engine.rules.model import BYE_KINDS, DOUBLINGS
from scoring_engine.rules.round_points import COMPARES, LATE_AT_FORFEIT, MINUTES, SEVERAL_LATE, TIES
from scoring_engine.rules.scoring_parts import SEATS
from scoring_engine.rules.stage_kinds import STAGE_KINDS, Format
from scoring_engine.rules.team_parts import TEAM_TIES, TEAM_UNNAMED
from scoring_engine.tie_breaks import CRITERIA, HIGH, LOW
from scoring_engine.tractor.lateness import LATE_EFFECTS, LATE_MINUTES
from scoring_engine.tractor.levels import PAST_A, Side, level_name
from scoring_engine.tractor.matches.formats import BANKER_ROTATION, EQUAL_LEVELS, MUST_PLAY, TIME_UP
from scoring_engine.tractor.matches.formats import CLAUSE_KEYS as MATCH_CLAUSES
from scoring_engine.tractor.penalties import PER, WARNED_PER
from scoring_engine.tractor.penalties import Effect as MatchEffect
from scoring_engine.tractor.tricks.formats import CLAUSE_KEYS as TRICK_CLAUSES
from scoring_engine.tractor.units import UnitKind

FORMATS: Mapping[str, tuple[str, Format]] = {
    "landlord_knock_out": ("landlord", Format.KNOCK_OUT),
    "landlord_swiss": ("landlord", Format.SWISS),
    "go": ("go", Format.SWISS),
    "xiangqi": ("xiangqi", Format.SWISS),
    "tractor": ("tractor", Format.SWISS),
    "eighty": ("eighty", Format.BRACKET),
}
"""What a regulation can be of: a game in one format, by the code that `When("format", …)` names."""

LANDLORD = ("landlord_knock_out", "landlord_swiss")
BOARD = ("go", "xiangqi")
MATCHES = ("tractor", "eighty")
SWISS = tuple(code for code, (_, played) in FORMATS.items() if played is Format.SWISS)
LEVELS = tuple(level_name(level) for level in range(13))


def format_of(document: Mapping[str, Any]) -> str | None:
    """Which of FORMATS a document is of, by its game and the kind of its first stage; None where they do not say."""
    stages = document.get("stages")
    first = stages[0] if isinstance(stages, list) and stages else None
    kind = first.get("kind") if isinstance(first, Mapping) else None
    game = document.get("game")
    of_game = [code for code, (played, _) in FORMATS.items() if played == game]
    fitting = [
        code for code in of_game if isinstance(kind, str) and FORMATS[code][1] is STAGE_KINDS.get(kind)
    ]
    return next(iter(fitting or of_game), None)


class Given(Checked):
    """A value that the engine checks."""

    def __init__(
        self,
        kind: Kind,
        allowed: Iterable[Any] = (),
        *,
        required: bool = False,
        least: int | None = None,
        most: int | None = None,
        example: str | None = None,
        takes_option: bool = False,
    ) -> None:
        super().__init__(required=required)
        self.kind = kind
        self.allowed = tuple(str(each) for each in allowed)
        self.least, self.most, self.example = least, most, example
        self.takes_option = takes_option

    def check(self, value: Any) -> None:
        if value is None:
            raise refuse(T("不能为空。"))


class Inner(Given):
    """A table or rows that the engine checks, with the keys inside."""

    def __init__(
        self,
        kind: Kind,
        keys: Iterable[tuple[str, Checked]],
        allowed: Iterable[Any] = (),
        *,
        required: bool = False,
    ) -> None:
        super().__init__(kind, allowed, required=required)
        self.keys = tuple(keys)

    def inside(self) -> Iterable[tuple[str, Checked]]:
        return self.keys


def _choice(allowed: Iterable[Any], *, required: bool = False, takes_option: bool = False) -> Given:
    return Given(Kind.CHOICE, allowed, required=required, takes_option=takes_option)


def _whole(least: int, most: int, *, required: bool = False, takes_option: bool = False) -> Given:
    return Given(Kind.WHOLE, least=least, most=most, required=required, takes_option=takes_option)


def _points(*, required: bool = False, takes_option: bool = False, least: int | None = 0) -> Given:
    return Given(
        Kind.POINTS, least=least, most=1000, example="1.5", required=required, takes_option=takes_option
    )


def _name(example: str) -> Given:
    return Given(Kind.NAME, example=example, required=True)


def _table(keys: Mapping[str, Checked], *, required: bool = False) -> Inner:
    return Inner(Kind.TABLE, keys.items(), required=required)


def _rows(keys: Mapping[str, Checked], *, required: bool = False) -> Inner:
    return Inner(Kind.ROWS, keys.items(), required=required)


def _map(of: Checked, allowed: Iterable[str] = (), *, required: bool = False) -> Inner:
    return Inner(Kind.MAP, [(EVERY_KEY, of)], allowed, required=required)


def _words(*, required: bool = False) -> Given:
    return Given(Kind.WORDS, required=required)


_WORTH = {
    "match_points": _points(required=True, takes_option=True),
    "game_points": _points(required=True, takes_option=True),
}

_OF_FORMAT: Mapping[tuple[str, ...], Mapping[str, Checked]] = {
    LANDLORD: {
        "bids": Given(Kind.NUMBERS, least=1, example="1, 2, 3", required=True),
        "doublings": Given(Kind.CHOICES, DOUBLINGS, required=True),
    },
    ("landlord_swiss",): {
        "seats": Given(Kind.CHOICES, SEATS, required=True),
        "first_bidder": _choice(SEATS, required=True),
        "match_points": _table(
            {
                "scheme": Given(Kind.NAME, example="rank_2_1_0", required=True, takes_option=True),
                "compares": _choice(COMPARES, required=True, takes_option=True),
                "clause": Clause(),
                "schemes": _map(
                    _table(
                        {
                            "ranks": Given(Kind.POINT_LIST, least=0, most=1000, example="2, 1, 0"),
                            "ties": _choice(TIES),
                            "bands": _rows({"from": _points(least=None), "points": _points(required=True)}),
                        }
                    ),
                    required=True,
                ),
            },
            required=True,
        ),
        "byes": _table(
            {kind: _table(_WORTH, required=kind in ("bye", "absent")) for kind in BYE_KINDS}, required=True
        ),
        "forfeit": _table(
            {
                **{who: _table(_WORTH, required=True) for who in ("others", "sole", "offender")},
                "late": _choice(LATE_AT_FORFEIT, required=True, takes_option=True),
                "clause": Clause(),
            },
            required=True,
        ),
        "lateness": _table(
            {
                "tiers": _rows(
                    {
                        "up_to": _whole(1, 24 * 60, required=True),
                        "others": _whole(0, 1000, required=True),
                        "offender": _whole(-1000, 0, required=True),
                    },
                    required=True,
                ),
                "minutes": _choice(MINUTES, required=True, takes_option=True),
                "several": _choice(SEVERAL_LATE, required=True, takes_option=True),
                "clause": Clause(),
            },
            required=True,
        ),
    },
    BOARD: {
        **{
            key: _points(required=True, takes_option=True)
            for key in ("win", "draw", "loss", "forfeit_win", "forfeit_loss")
        },
        "byes": _table(
            {kind: _points(required=kind in ("bye", "absent"), takes_option=True) for kind in BYE_KINDS},
            required=True,
        ),
        "whole_byes": Given(Kind.FLAG),
    },
    MATCHES: {
        "decks": _whole(2, 3, required=True),
        "bottom_cards": _whole(1, 54, required=True),
        "levels": _table(
            {
                "rows": _rows(
                    {
                        "from": _whole(-1000, 1000),
                        "to": _whole(-1000, 1000),
                        "side": _choice(Side, required=True),
                        "levels": _whole(0, 13, required=True),
                        "every": _whole(5, 1000),
                        "clause": Given(Kind.CLAUSE, example=Clause.example),
                    },
                    required=True,
                ),
                "clause": Clause(),
            },
            required=True,
        ),
        "bottom": _table(
            {
                "rows": _rows(
                    {
                        "unit": _choice(UnitKind, required=True),
                        "size": _whole(2, 16),
                        "factor": _whole(1, 1000, required=True),
                        "add": _whole(0, 1000),
                        "times": _whole(1, 10),
                    },
                    required=True,
                ),
                "clause": Clause(),
            },
            required=True,
        ),
        "match": _table(
            {
                "start": _choice(LEVELS, required=True),
                "must_play_levels": Given(Kind.CHOICES, LEVELS),
                "must_play": _choice(MUST_PLAY),
                "banker_rotation": _choice(BANKER_ROTATION),
                "equal_levels": _choice(EQUAL_LEVELS),
                "past_a": _choice(PAST_A),
                "time_up": _choice(TIME_UP),
                "further_deals": _whole(0, 10),
                "given_up_levels": _whole(0, 12),
                "points": _table(
                    {
                        key: _whole(0, 1000, required=True, takes_option=True)
                        for key in ("win", "draw", "loss", "bye")
                    }
                ),
            },
            required=True,
        ),
    },
}

_SCORING_KEYS = [
    (key, field.only("format", *formats))
    for formats, keys in _OF_FORMAT.items()
    for key, field in keys.items()
]
_CLAUSES = [
    ("clauses", _map(Clause(), DEAL_CLAUSES).only("format", *LANDLORD)),
    ("clauses", _map(Clause(), (*MATCH_CLAUSES, *TRICK_CLAUSES)).only("format", *MATCHES)),
]


class EngineTable(Strict):
    """A table the engine checks in depth; here its keys are known ones and it has its clause."""

    described: tuple[tuple[str, Checked], ...] = ()

    @classmethod
    def keys(cls) -> Iterable[tuple[str, Checked]]:
        return cls.described


def engine_table(keys: Iterable[tuple[str, Checked]]) -> type[EngineTable]:
    """The schema of these keys and a clause; a key may come several times, with its conditions."""
    described = (*keys, ("clause", Clause()))
    # Which keys must stand there depends on the game and on each other: the engine says what is missing.
    always = {key for key, field in described if field.required and field.when is None}
    declared: dict[str, Checked] = {key: Given(Kind.TEXT, required=key in always) for key, _ in described}
    table = cast("type[EngineTable]", EngineTable.from_dict({**declared, "clause": Clause()}))
    table.described = described
    return table


def _option_by_name(least: int, most: int) -> Given:
    """A number, or the name of an option that is one."""
    field = _whole(least, most, takes_option=True)
    field.option_by_name = True
    return field


def _formats_pairing(key: str, allowed: tuple[str, ...] | range) -> list[str]:
    """The formats whose rounds are paired with this key and these values."""
    return [code for code in SWISS if PAIRING_KEYS[FORMATS[code][0]].get(key) == allowed]


_COSTING = (ScoreEffect.POINTS, ScoreEffect.WARNINGS, MatchEffect.AFTER_WARNING)

ScoringTable = engine_table([*_SCORING_KEYS, *_CLAUSES])


def _criterion_options() -> Iterable[tuple[str, Checked]]:
    """The options of all criteria, each for those criteria that have it with these values."""
    owners: dict[tuple[str, tuple[str, ...] | range], list[str]] = {}
    for code, criterion in CRITERIA.items():
        for key, allowed in criterion.options.items():
            owners.setdefault((key, allowed), []).append(code)
    for (key, allowed), codes in owners.items():
        yield key, _value_of(allowed).only("criterion", *codes)


def _value_of(allowed: tuple[str, ...] | range, *, required: bool = False) -> Given:
    """One value of an engine's table of allowed ones, or what an option says."""
    if isinstance(allowed, range):
        return _whole(allowed.start, allowed.stop - 1, required=required, takes_option=True)
    return _choice(allowed, required=required, takes_option=True)


RankingRow = engine_table(
    [
        ("criterion", _choice(CRITERIA, required=True)),
        ("direction", _choice((HIGH, LOW))),
        ("options", Inner(Kind.TABLE, _criterion_options())),
        ("label", _words()),
    ]
)

_KNOCK_OUT = tuple(kind for kind, of in STAGE_KINDS.items() if of is Format.KNOCK_OUT)
StageRow = engine_table(
    [
        ("code", _name("prelim")),
        ("kind", _choice(STAGE_KINDS, required=True)),
        ("deals", _option_by_name(1, 1000).only("kind", *_KNOCK_OUT, "swiss")),
        ("places", _whole(3, 10_000).only("kind", "drawn", "seeded")),
        ("playoff_deals", _whole(0, 1000).only("kind", *_KNOCK_OUT)),
        ("rounds", _option_by_name(1, 100).only("kind", "swiss", "bracket")),
        ("group", Given(Kind.SPAN, least=1, example="20, 32").only("kind", "swiss")),
        ("minutes", _whole(1, 24 * 60).only("kind", "swiss", "bracket")),
    ]
)

PenaltyRow = engine_table(
    [
        ("id", _name("smoking")),
        ("name", _words(required=True)),
        *(
            ("effect", _choice(kind.effects, required=True).only("format", code))
            for code, (game, played) in FORMATS.items()
            if (kind := GAMES[game][played]).effects
        ),
        ("effect", _choice(MatchEffect, required=True).only("format", *MATCHES)),
        ("points", _whole(-1000, -1).only("effect", *_COSTING)),
        ("every", _whole(1, 100).only("effect", ScoreEffect.WARNINGS)),
        ("per", _choice(PER).only("format", *MATCHES)),
        ("most", _whole(1, 100).only("format", *MATCHES)),
        ("by", _choice(Side).only("format", *MATCHES)),
        ("insisted", _whole(-1000, -5).only("effect", MatchEffect.BANK_LOST)),
        ("warned_per", _choice(WARNED_PER).only("effect", MatchEffect.AFTER_WARNING)),
    ]
)

LatenessTable = engine_table(
    [
        (
            "rows",
            _rows(
                {
                    "to": _whole(1, 24 * 60),
                    "effect": _choice(LATE_EFFECTS, required=True),
                    "points": _whole(-1000, -5).only("effect", MatchEffect.POINTS),
                    "clause": Given(Kind.CLAUSE, example=Clause.example),
                },
                required=True,
            ),
        ),
        ("late_minutes", _choice(LATE_MINUTES)),
    ]
)

PrizeRow = engine_table(
    [
        ("prize", _name("certificate")),
        ("label", _words(required=True)),
        ("ranks", Given(Kind.SPAN, least=1, example="1, 8")),
        ("chosen", _whole(1, 1000)),
        ("amount", Given(Kind.POINTS, least=0, example="1500")),
        ("goods", Given(Kind.FLAG)),
        ("of", _choice(("individual", "team"))),
        ("passed", _whole(0, 100).only("format", "eighty")),
        ("by", _choice(("rounds", "counts", "percents"), takes_option=True).only("format", "eighty")),
        ("count", _whole(0, 10_000, takes_option=True).only("format", "eighty")),
        ("percent", _whole(0, 100, takes_option=True).only("format", "eighty")),
    ]
)
RewardedTable = engine_table([("percent", _whole(0, 100, required=True, takes_option=True))])
TeamsTable = engine_table(
    [
        ("size", _whole(1, 100, required=True)),
        ("unnamed", _choice(TEAM_UNNAMED, required=True, takes_option=True)),
        ("ties", _choice(TEAM_TIES, required=True, takes_option=True)),
    ]
)
PairingTable = engine_table(
    [
        (key, _value_of(allowed, required=True).only("format", *_formats_pairing(key, allowed)))
        for key, allowed in {
            (key, allowed): None for keys in PAIRING_KEYS.values() for key, allowed in keys.items()
        }
    ]
)
