"""The tables themselves, each with the keys that the engine reads."""

from collections.abc import Iterable
from typing import cast

from app.regulations.schemas.engine_tables.formats import (
    FORMATS,
    LANDLORD,
    MATCHES,
    SWISS,
)
from app.regulations.schemas.engine_tables.given import (
    Given,
    Inner,
    choice,
    keyed,
    name,
    rows,
    whole,
    words,
)
from app.regulations.schemas.engine_tables.scoring import OF_FORMAT
from app.regulations.schemas.fields import (
    Checked,
    Clause,
    Kind,
    Strict,
)
from scoring_engine.landlord.deals import CLAUSE_KEYS as DEAL_CLAUSES
from scoring_engine.penalties.effects import Effect as ScoreEffect
from scoring_engine.rules import PAIRING_KEYS
from scoring_engine.rules.games import GAMES
from scoring_engine.rules.stage_kinds import STAGE_KINDS, Format
from scoring_engine.rules.team_parts import TEAM_TIES, TEAM_UNNAMED
from scoring_engine.tie_breaks import CRITERIA, HIGH, LOW
from scoring_engine.tractor.lateness import LATE_EFFECTS, LATE_MINUTES
from scoring_engine.tractor.levels import Side
from scoring_engine.tractor.matches.formats import CLAUSE_KEYS as MATCH_CLAUSES
from scoring_engine.tractor.penalties import PER, WARNED_PER
from scoring_engine.tractor.penalties import Effect as MatchEffect
from scoring_engine.tractor.tricks.formats import CLAUSE_KEYS as TRICK_CLAUSES

_SCORING_KEYS = [
    (key, field.only("format", *formats))
    for formats, keys in OF_FORMAT.items()
    for key, field in keys.items()
]
_CLAUSES = [
    ("clauses", keyed(Clause(), DEAL_CLAUSES).only("format", *LANDLORD)),
    ("clauses", keyed(Clause(), (*MATCH_CLAUSES, *TRICK_CLAUSES)).only("format", *MATCHES)),
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
    made = cast("type[EngineTable]", EngineTable.from_dict({**declared, "clause": Clause()}))
    made.described = described
    return made


def _option_by_name(least: int, most: int) -> Given:
    """A number, or the name of an option that is one."""
    field = whole(least, most, takes_option=True)
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
        return whole(allowed.start, allowed.stop - 1, required=required, takes_option=True)
    return choice(allowed, required=required, takes_option=True)


RankingRow = engine_table(
    [
        ("criterion", choice(CRITERIA, required=True)),
        ("direction", choice((HIGH, LOW))),
        ("options", Inner(Kind.TABLE, _criterion_options())),
        ("label", words()),
    ]
)

_KNOCK_OUT = tuple(kind for kind, of in STAGE_KINDS.items() if of is Format.KNOCK_OUT)
StageRow = engine_table(
    [
        ("code", name("prelim")),
        ("kind", choice(STAGE_KINDS, required=True)),
        ("deals", _option_by_name(1, 1000).only("kind", *_KNOCK_OUT, "swiss")),
        ("places", whole(3, 10_000).only("kind", "drawn", "seeded")),
        ("playoff_deals", whole(0, 1000).only("kind", *_KNOCK_OUT)),
        ("rounds", _option_by_name(1, 100).only("kind", "swiss", "bracket")),
        ("group", Given(Kind.SPAN, least=1, example="20, 32").only("kind", "swiss")),
        ("minutes", whole(1, 24 * 60).only("kind", "swiss", "bracket")),
        ("call_minutes", whole(1, 24 * 60).only("kind", "swiss", "bracket")),
    ]
)

PenaltyRow = engine_table(
    [
        ("id", name("smoking")),
        ("name", words(required=True)),
        *(
            ("effect", choice(kind.effects, required=True).only("format", code))
            for code, (game, played) in FORMATS.items()
            if (kind := GAMES[game][played]).effects
        ),
        ("effect", choice(MatchEffect, required=True).only("format", *MATCHES)),
        ("points", whole(-1000, -1).only("effect", *_COSTING)),
        ("every", whole(1, 100).only("effect", ScoreEffect.WARNINGS)),
        ("per", choice(PER).only("format", *MATCHES)),
        ("most", whole(1, 100).only("format", *MATCHES)),
        ("by", choice(Side).only("format", *MATCHES)),
        ("insisted", whole(-1000, -5).only("effect", MatchEffect.BANK_LOST)),
        ("warned_per", choice(WARNED_PER).only("effect", MatchEffect.AFTER_WARNING)),
    ]
)

LatenessTable = engine_table(
    [
        (
            "rows",
            rows(
                {
                    "to": whole(1, 24 * 60),
                    "effect": choice(LATE_EFFECTS, required=True),
                    "points": whole(-1000, -5).only("effect", MatchEffect.POINTS),
                    "clause": Given(Kind.CLAUSE, example=Clause.example),
                },
                required=True,
            ),
        ),
        ("late_minutes", choice(LATE_MINUTES)),
    ]
)

PrizeRow = engine_table(
    [
        ("prize", name("certificate")),
        ("label", words(required=True)),
        ("ranks", Given(Kind.SPAN, least=1, example="1, 8")),
        ("chosen", whole(1, 1000)),
        ("amount", Given(Kind.POINTS, least=0, example="1500")),
        ("goods", Given(Kind.FLAG)),
        ("of", choice(("individual", "team"))),
        ("passed", whole(0, 100).only("format", "eighty")),
        ("by", choice(("rounds", "counts", "percents"), takes_option=True).only("format", "eighty")),
        ("count", whole(0, 10_000, takes_option=True).only("format", "eighty")),
        ("percent", whole(0, 100, takes_option=True).only("format", "eighty")),
    ]
)
RewardedTable = engine_table([("percent", whole(0, 100, required=True, takes_option=True))])
TeamsTable = engine_table(
    [
        ("size", whole(1, 100, required=True)),
        ("unnamed", choice(TEAM_UNNAMED, required=True, takes_option=True)),
        ("ties", choice(TEAM_TIES, required=True, takes_option=True)),
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
