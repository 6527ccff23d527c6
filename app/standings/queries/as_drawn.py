"""What the results before a drawn round were when it was drawn, where they were changed since (抽签时的成绩)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from app.draws.queries import RoundView
from app.draws.rules import entrant_of
from app.regulations.rules import Regulation
from app.results import queries as results
from app.results.rules import Content, game_of
from app.standings.rules.given import Adjustment, given_rulings, known_to
from scoring_engine.rules import ScoringRules

Changed = Mapping[int, Sequence[tuple[int, Content]]]


def as_drawn(
    rounds: tuple[RoundView, ...],
    contents: Mapping[int, Content],
    given: Sequence[Adjustment],
    version_of: Callable[[RoundView], Regulation],
) -> dict[int, dict[str, Any]]:
    """By the round's id: the tables of earlier rounds that said something else, and the penalties if they were others.

    ``contents`` and ``given`` are those of now, ``version_of`` the version a round is replayed by. Rounds drawn from what stands now,
    and those drawn before results had versions, are left out.
    """
    if len(rounds) < 2:
        return {}
    changed = results.changed_since(rounds[0].event_id)
    found: dict[int, dict[str, Any]] = {}
    for place, each in enumerate(rounds):
        if not place or each.results_version is None:
            continue
        before, rules = rounds[:place], version_of(each).scoring_rules()
        then = _contents_at(each.results_version, contents, changed)
        said: dict[str, Any] = {}
        if tables := _other_tables(before, contents, then, rules):
            said["tables"] = tables
        ruled = given_rulings(each.event_id, each.results_version)
        penalties = adjustments_of(before, then, rules, known_to(rules, ruled), ())
        if penalties != adjustments_of(before, contents, rules, known_to(rules, given), ()):
            said["adjustments"] = penalties
        if said:
            found[each.id] = said
    return found


def _contents_at(version: int, contents: Mapping[int, Content], changed: Changed) -> dict[int, Content]:
    then = dict(contents)
    for table_id, told in changed.items():
        known = [content for since, content in told if since <= version]
        if table_id in then and known:
            then[table_id] = known[-1]
    return then


def _other_tables(
    before: Sequence[RoundView],
    contents: Mapping[int, Content],
    then: Mapping[int, Content],
    rules: ScoringRules,
) -> list[dict[str, Any]]:
    game = game_of(rules)
    return [
        {"stage": each.stage, "round": each.number}
        | game.table_json(table.number, [entrant_of(seat.entry_id) for seat in table.seats], then[table.id])
        for each in before
        for table in each.tables
        if table.id in then and then[table.id] != contents.get(table.id)
    ]


def adjustments_of(
    rounds: tuple[RoundView, ...],
    contents: Mapping[int, Content],
    rules: ScoringRules,
    given: Sequence[Adjustment],
    lifted: Collection[str],
) -> list[dict[str, Any]]:
    """The penalties of every sheet in force, as a version of the regulation names them, then the rulings about who sat there.

    A ruling about a deal that the sheet does not have says nothing of it.
    """
    found: list[dict[str, Any]] = []
    seated: dict[tuple[str, int, str], Content] = {}
    game = game_of(rules)
    for each in rounds:
        for table in each.tables:
            if table.id not in contents:
                continue
            found += game.adjustments(each.stage, each.number, table.number, contents[table.id], rules)
            places = ((each.stage, each.number, entrant_of(seat.entry_id)) for seat in table.seats)
            seated |= dict.fromkeys(places, contents[table.id])
    found += [dict(each) for each in given if (each["stage"], each["round"], each["entrant"]) in seated]
    return [each for each in found if each["id"] not in lifted]
