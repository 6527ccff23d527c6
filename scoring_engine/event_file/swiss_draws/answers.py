"""The next round of a Swiss event as `saishi pair` answers it.

`report` says how each group was drawn (`groups`, with its `totals`), why these sit at a table (`reasons`, by number), who has
a bye and why (`bye_reasons`), who is not paired (`absent`), and every rule that is not kept (`broken`). Where the committee has
to rule, `tables` is empty, `needs_ruling` says on what, `rulings` lists every question, and `least_bad` holds the draw that
breaks least. Where the entrants have to be divided into groups first, `division` is a division drawn from the seed.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from scoring_engine.documents import Problem
from scoring_engine.event_file.reading import EventFileError
from scoring_engine.event_file.shown import no_round_json
from scoring_engine.event_file.swiss_draws.history import Away, SwissHistory
from scoring_engine.event_file.swiss_draws.rounds import WholeRound, draw_whole_round
from scoring_engine.event_file.swiss_games import SWISS_GAMES
from scoring_engine.pairing.division import divide
from scoring_engine.pairing.groups_of_three import proof_of
from scoring_engine.pairing.reasons import Topic
from scoring_engine.records import EventRecord
from scoring_engine.rules import Format
from scoring_engine.stages.swiss import ruling_on_group_sizes
from scoring_engine.values import EntrantId, NeedsRuling, Text


def history_of(event: EventRecord, path: str) -> SwissHistory:
    """The rounds of a Swiss event. Raises EventFileError at the path where the regulation does not say how it pairs."""
    pairing = event.rules.pairing
    if pairing is None:
        raise EventFileError(
            [
                Problem(
                    path,
                    "规程没有写怎样编排（pairing），只能计算成绩和名次。",
                    "The regulation does not say how rounds are paired (pairing); scores and ranks are computed.",
                )
            ]
        )
    game = SWISS_GAMES[event.rules.game]
    return SwissHistory(event, pairing, game.scoring, game.forfeited)


def pair_swiss(event: EventRecord, seed: bytes, source: str) -> dict[str, Any]:
    """The next round. Raises EventFileError naming the tables it waits for."""
    history = history_of(event, "$.regulation")
    if waiting := history.waiting():
        raise EventFileError(
            [
                Problem(
                    path, "本桌还没有打完，不能编排下一轮。", "This table has not ended; no next round yet."
                )
                for path in waiting
            ]
        )
    number = len(history.results) + 1
    if number > history.rule.rounds:
        return _answer(event, None, {"complete": True})
    away = history.away(number)
    available = sorted(entrant.id for entrant in event.entrants if entrant.id not in away)
    report: dict[str, Any] = {
        "complete": False,
        "seed_source": source,
        "entrants": len(available),
        "absent": [{"entrant": one, "reason": away[one].value} for one in sorted(away)],
    }
    sizes = _group_sizes(event) if number == 1 else None
    if sizes is not None and (division := _division(event, seed)) is not None:
        return _answer(event, None, {**report, "division": division}, [sizes])
    game = SWISS_GAMES[event.rules.game]
    drawn = draw_whole_round(history, game.draw, number, seed, available)
    rulings = [*([sizes] if sizes else []), *(one for group in drawn.groups for one in group.drawn.rulings)]
    if not available:
        nobody = Text("没有可以编排的参赛者。", "There is nobody to pair.")
        rulings.append(NeedsRuling(nobody, history.pairing.clause))
    return _answer(event, (drawn, seed), {**report, **_report(drawn)}, rulings)


def _answer(
    event: EventRecord,
    made: tuple[WholeRound, bytes] | None,
    report: dict[str, Any],
    rulings: Sequence[NeedsRuling] = (),
) -> dict[str, Any]:
    """The answer: the round made with its seed, or, where somebody has to rule, that round as the least bad."""
    ruling = _joined(rulings)
    asked = None if ruling is None else ruling.to_json()
    report = {"complete": report["complete"], "needs_ruling": asked, **report}
    answer = no_round_json()
    if made is not None:
        drawn, seed = made
        answer |= {"stage": event.rules.stages[0].code, "round": drawn.number}
        if ruling is None:
            answer |= _round_json(drawn, seed)
        else:
            report |= {"least_bad": _round_json(drawn, seed)}
    if rulings:
        report |= {"rulings": [one.to_json() for one in rulings]}
    return {**answer, "needs_ruling": asked, "report": report}


def _round_json(drawn: WholeRound, seed: bytes) -> dict[str, Any]:
    groups = [group.name for group in drawn.groups for _ in group.drawn.tables]
    return {
        "tables": [
            {"number": number, "entrants": list(table), **({} if name is None else {"group": name})}
            for number, (table, name) in enumerate(zip(drawn.tables, groups, strict=True), start=1)
        ],
        "byes": list(drawn.byes),
        "seed": seed.hex(),
        "proof": proof_of(seed, drawn.entrants, drawn.tables, drawn.byes),
    }


def _report(drawn: WholeRound) -> dict[str, Any]:
    reasons: list[dict[str, Any]] = []
    for group in drawn.groups:
        before = len(reasons)
        reasons += [_numbered(reason, before) for reason in group.drawn.reasons]
    return {
        "method": drawn.groups[0].drawn.method if drawn.groups else None,
        "tables": len(drawn.tables),
        "byes": len(drawn.byes),
        "reasons": [{"number": number, **reason} for number, reason in enumerate(reasons, start=1)],
        "bye_reasons": [dict(reason) for group in drawn.groups for reason in group.drawn.bye_reasons],
        "broken": [dict(each) for group in drawn.groups for each in group.drawn.broken],
        "groups": [
            {
                "group": group.name,
                "seed": group.seed.hex(),
                "entrants": len(group.entrants),
                "tables": len(group.drawn.tables),
                "totals": dict(group.drawn.totals),
                **group.drawn.more,
            }
            for group in drawn.groups
        ],
    }


def _numbered(reason: Mapping[str, Any], before: int) -> dict[str, Any]:
    """The reason of a table, with the tables of the groups before its own, whose numbers are taken already."""
    if not before:
        return dict(reason)
    text = Text(
        f"前面各组用去第1至{before}号桌，本组接着编。",
        f"The groups before take tables 1 to {before}; this one goes on.",
    )
    return {
        **reason,
        "why": reason["why"] + text.zh,
        "why_en": f"{reason['why_en']} {text.en}",
        "said": [*reason["said"], {"about": Topic.NUMBER.value, "zh": text.zh, "en": text.en}],
    }


def _joined(rulings: Sequence[NeedsRuling]) -> NeedsRuling | None:
    """Every question to the committee as one, with the clause and the suggestion of the first."""
    if len(rulings) < 2:
        return rulings[0] if rulings else None
    reason = Text("".join(one.reason.zh for one in rulings), " ".join(one.reason.en for one in rulings))
    return NeedsRuling(reason, rulings[0].clause, rulings[0].suggestion)


def _group_sizes(event: EventRecord) -> NeedsRuling | None:
    sizes: dict[str | None, int] = {}
    for entrant in event.entrants:
        sizes[entrant.group] = sizes.get(entrant.group, 0) + 1
    return ruling_on_group_sizes(event.rules.stages[0], sizes, event.rules)


def _division(event: EventRecord, seed: bytes) -> dict[str, Any] | None:
    """A division into groups, where none are written and one is possible."""
    sizes = event.rules.stages[0].group
    if sizes is None or any(entrant.group is not None for entrant in event.entrants):
        return None
    divided = divide([(entrant.id, entrant.unit) for entrant in event.entrants], sizes, seed)
    if divided.needs_ruling is not None or len(divided.groups) < 2:
        return None
    return {
        "seed": seed.hex(),
        "groups": [
            {"group": str(number), "entrants": list(members)}
            for number, members in enumerate(divided.groups, start=1)
        ],
    }


def not_paired(event: EventRecord) -> tuple[int | None, dict[EntrantId, Away]]:
    """The round to be drawn next, and who will not be paired in it, and why, as far as it is known now.

    None and nobody once every round is drawn, and in an event that is no Swiss one or does not say how it pairs.
    """
    if event.rules.format is not Format.SWISS or event.rules.pairing is None:
        return None, {}
    history = history_of(event, "$.regulation")
    number = len(history.results) + 1
    return (None, {}) if number > history.rule.rounds else (number, history.away(number))
