"""Expulsion (取消参赛资格) in a knock-out, of which the texts say nothing: who is in no later draw, who is not ranked, and why.

| what is open | option |
|---|---|
| whose place he had | `expelled_place`: the next placed moves up, the opponent he beat, nobody, or the committee rules (I-A-27, I-D-36) |
| whether he keeps the rank he had played for | `expelled_rank`: none, or kept (I-A-28, I-D-37) |

His tables stay as they were played, and so do the others' scores. A round drawn with him stays too: he is out of those after it.
In Swiss events nobody's place is free; there `withdrawn_after` says from when he is not paired.
"""

from collections.abc import Sequence
from typing import Any

from scoring_engine.records import EventRecord
from scoring_engine.rules import ScoringRules
from scoring_engine.rules.options import EXPULSION_VALUES
from scoring_engine.values import EntrantId, NeedsRuling, StageCode, Text, names_of


def reading(rules: ScoringRules, option: str) -> str:
    """The chosen word; of a regulation that has no such interpretation the first one the engine knows."""
    return str(rules.options.get(option, EXPULSION_VALUES[rules.format][option][0]))


def left_out(event: EventRecord, code: str, number: int = 1) -> frozenset[EntrantId]:
    """Who is in no draw after this round of this stage."""
    codes = [stage.code for stage in event.rules.stages]
    here = codes.index(StageCode(code)), number
    return frozenset(
        entrant.id
        for entrant in event.entrants
        if entrant.expelled is not None
        and (codes.index(entrant.expelled.stage), entrant.expelled.round) <= here
    )


def unranked(event: EventRecord) -> frozenset[EntrantId]:
    """Who has no rank and no prize: expelled and not let in again, unless the option lets him keep them."""
    if reading(event.rules, "expelled_rank") == "kept":
        return frozenset()
    return frozenset(each.id for each in event.entrants if each.expelled and not each.expelled.reinstated)


def expelled_json(event: EventRecord) -> list[dict[str, Any]]:
    """`[{"entrant", "stage", "round", "ranked", "reinstated"}]` of the score document, in the order of the file."""
    without = unranked(event)
    return [
        {
            "entrant": each.id,
            "stage": each.expelled.stage,
            "round": each.expelled.round,
            "ranked": each.id not in without,
            "reinstated": each.expelled.reinstated,
        }
        for each in event.entrants
        if each.expelled is not None
    ]


def note(event: EventRecord, gone: list[EntrantId], up: list[EntrantId], clause: str) -> NeedsRuling:
    """That the expelled left places, and who has them now."""
    names, others = names_of(gone), names_of(up)
    named = interpretation(event.rules, "expelled_place")
    if up:
        return NeedsRuling(
            Text(
                f"{names.zh}被取消参赛资格，由{others.zh}递补{named.zh}。",
                f"{names.en} expelled; {others.en} moved up{named.en}.",
            ),
            clause,
        )
    return NeedsRuling(
        Text(
            f"{names.zh}被取消参赛资格，不参加以后的编排{named.zh}。",
            f"{names.en} expelled: in no later draw{named.en}.",
        ),
        clause,
    )


def interpretation(rules: ScoringRules, option: str) -> Text:
    """The id of the interpretation in brackets, empty where the regulation has none."""
    found = rules.interpretations.get(option)
    return Text("", "") if found is None else Text(f"（{found.id}）", f" ({found.id})")


def free_places(event: EventRecord, gone: list[EntrantId], missing: int, clause: str) -> NeedsRuling:
    """The committee has to say who has the places that expulsions left free."""
    names, named = names_of(gone), interpretation(event.rules, "expelled_place")
    return NeedsRuling(
        Text(
            f"{names.zh}被取消参赛资格，空出{missing}个名额，由组委会裁定由谁递补{named.zh}。",
            f"{names.en} expelled: the committee rules who has the {missing} places left free{named.en}.",
        ),
        clause,
        Text("建议由后一名递补。", "The next placed could move up."),
    )


def no_third(tied: Sequence[EntrantId], clause: str) -> NeedsRuling:
    """A shared rank of the final that cannot be played off, because a finalist was expelled and a table takes three."""
    names = names_of(tied)
    return NeedsRuling(
        Text(
            f"{names.zh}并列，有决赛选手被取消参赛资格，凑不满三人加赛，规程没有规定下一步。",
            f"{names.en} share a rank; a finalist was expelled, so three cannot play it off, and the text does not say what follows.",
        ),
        clause,
        Text("建议抽签。", "Drawing lots is suggested."),
    )
