"""What the card of one entrant (个人成绩单) is made of: places in every ranking, rounds, matches in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from app.competitions.queries import CompetitionView
from app.regulations.rules import Bilingual
from app.results import queries as results
from app.results.rules import Content, Kind, game_of, match_sheet
from app.results.rules.match_words import MatchWords, match_words
from app.standings.queries import SnapshotView
from app.standings.rules import OVERALL, Explanation, neighbours, same_group


def matches_in_words(
    competition: CompetitionView, played: Sequence[results.TableInForce]
) -> list[tuple[results.TableInForce, MatchWords]]:
    """The confirmed matches of 升级 in words; none of another game."""
    rules = competition.event.regulation.scoring_rules()
    if game_of(rules).kind is not Kind.MATCH:
        return []
    found = []
    for each in played:
        names = {side: seat.name for side, seat in results.seats_of(each.table).items()}
        match = match_sheet(each.content or Content(), names, rules)
        found.append((each, match_words(match.score, names, rules)))
    return found


def noted_tables(snapshot: SnapshotView | None) -> list[tuple[Mapping[str, Any], Bilingual]]:
    """What the committee should look at on confirmed sheets that are scored all the same, with the table."""
    tables = snapshot.result["tables"] if snapshot else ()
    return [
        (table, Bilingual(note["reason"], note["reason_en"]))
        for table in tables
        for note in table.get("notes", ())
    ]


def rounds_of(snapshot: SnapshotView, entrant: str) -> list[Mapping[str, Any]]:
    """The rounds of one entrant in a stage paired by points: opponents, and what each was worth."""
    return [
        each
        for stage in snapshot.result["stages"]
        for placing in stage["placings"]
        if placing["entrant"] == entrant
        for each in placing.get("rounds", ())
    ]


def placings_of(
    snapshot: SnapshotView, entrant: str
) -> list[tuple[str, Mapping[str, Any], Explanation | None, Explanation | None]]:
    """Each ranking in which this entrant stands: (code, placing, why behind the one above, why ahead of the next)."""
    found = []
    rankings = [(str(stage["code"]), stage["placings"]) for stage in snapshot.result["stages"]]
    for code, placings in [(OVERALL, snapshot.result["placings"]), *rankings]:
        own = next((placing for placing in placings if placing["entrant"] == entrant), None)
        if own is None or (code == OVERALL and len([one for one in rankings if one[1]]) < 2):
            continue
        ranked = [placing for placing in placings if same_group(own, placing)]
        order = [placing["entrant"] for placing in ranked]
        reasons = neighbours(ranked)
        place = order.index(entrant)
        following = order[place + 1] if place + 1 < len(order) else None
        found.append((code, own, reasons.get(entrant), reasons[following] if following else None))
    return found
