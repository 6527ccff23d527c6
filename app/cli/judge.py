"""`saishi judge --regulation ID [FILE|-]`: is this a combination (牌型), and does it beat that one?

Lines are answered as they come, so that it can be used like a calculator at the table.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from typing import Any

import click

from app.cli import documents
from app.errors import SaishiError
from app.regulations import library
from app.regulations.rules import Regulation
from scoring_engine.landlord.cards import CardsError
from scoring_engine.landlord.plays import IllegalPlayError, PlayRules, Plays, plays_under
from scoring_engine.rules import RulesError
from scoring_engine.values import Text

GAME = "landlord"
LONGEST_ECHO = 200
"""Characters of a line that are repeated in the answer; no play is as long."""


@click.command("judge")
@click.option(
    "--regulation", "regulation_id", metavar="ID", required=True, help="A shipped regulation of 二打一."
)
@click.option(
    "--option",
    "options",
    metavar="NAME=VALUE",
    multiple=True,
    help="An option of it to choose; may be repeated.",
)
@click.argument("file", default="-")
def command(regulation_id: str, options: tuple[str, ...], file: str) -> None:
    """Judge plays of 二打一, one per line of FILE (standard input if left out): PLAY or PLAY > PLAY.

    Ranks are 3456789TJQKA2 and 10, B and R the small and the big joker; suits may stand with them.
    """
    regulation = _regulation(regulation_id, options)
    try:
        plays = plays_under(PlayRules.from_options(regulation.options))
    except RulesError as error:
        documents.refuse(*(str(problem) for problem in error.problems))
    for line in _lines(file):
        click.echo(json.dumps(judged(line, plays, regulation), ensure_ascii=False))


def _regulation(regulation_id: str, options: tuple[str, ...]) -> Regulation:
    try:
        regulation = library.load(regulation_id)
    except library.UnknownRegulationError as error:
        documents.refuse(f"--regulation: {error.text}{error.next_step}")
    if regulation.game != GAME:
        documents.refuse(f"--regulation: 规程 {regulation.id} 不是二打一，没有可判断的牌型。")
    if not options:
        return regulation
    chosen: dict[str, str] = {}
    for option in options:
        name, sign, value = option.partition("=")
        if not sign:
            documents.refuse(f"--option: “{option}”应写作 名称=值，例如 joker_wings=none。")
        chosen[name.strip()] = value.strip()
    try:
        return regulation.with_changes(options=chosen)
    except SaishiError as error:
        documents.refuse(*(f"--option: {path}: {text}" for path, text in error.fields.items()))


def _lines(name: str) -> Iterator[str]:
    """Each line of a file, or of standard input as it is typed: bytes that are no UTF-8 stand there as �, no card."""
    if name != "-":
        yield from io.StringIO(documents.read_text(name))
        return
    for number, raw in enumerate(sys.stdin.buffer):
        yield raw.decode("utf-8" if number else "utf-8-sig", errors="replace")


def judged(line: str, plays: Plays, regulation: Regulation) -> dict[str, Any]:
    """The answer to one line.

    `legal`, `kind` and `clause` are those of the first play. `beats` is null where there is no second one, and false
    where either is illegal; `reason` (and `reason_en`) says why a play is illegal or how the two compare.
    """
    play, *others = (part.strip() for part in line.strip().replace("＞", ">").split(">"))
    answer: dict[str, Any] = {
        "play": play[:LONGEST_ECHO],
        "legal": False,
        "kind": None,
        "beats": False if others else None,
        "clause": None,
    }
    if others:
        answer["other"] = others[0][:LONGEST_ECHO]
    if len(others) > 1:
        return answer | _reason(Text("一行只能比较两手牌。", "A line compares two plays only."))
    try:
        reading = plays.classify(play)
        answer |= {"legal": True, "kind": reading.kind.value, "clause": plays.clause_of(reading)}
        if not others:
            return answer
        return answer | _compared(play, others[0], plays, regulation)
    except CardsError as error:
        return answer | _reason(error.text)
    except IllegalPlayError as error:
        return answer | _refused(error, regulation)


def _compared(play: str, other: str, plays: Plays, regulation: Regulation) -> dict[str, Any]:
    try:
        found = plays.compare(play, other)
    except CardsError as error:
        return _reason(Text(f"后一手：{error.text.zh}", f"The second play: {error.text.en}"))
    except IllegalPlayError as error:
        refused = _refused(error, regulation)
        text = error.refusal.text
        return refused | _reason(
            Text(f"后一手不是合法牌型：{text.zh}", f"The second play is no combination: {text.en}")
        )
    return {"beats": found.beats, "kind": found.reading.kind.value, "clause": found.clause} | _reason(
        found.text
    )


def _refused(error: IllegalPlayError, regulation: Regulation) -> dict[str, Any]:
    """The clause, and the interpretation (I-A-7 …) where an option of the regulation bars the play."""
    refusal = error.refusal
    interpretations = {each.option: each for each in regulation.interpretations}
    answer = {"clause": refusal.clause} | _reason(refusal.text)
    if refusal.option in interpretations:
        interpretation = interpretations[refusal.option]
        answer |= {"clause": interpretation.clause, "interpretation": interpretation.id}
    return answer


def _reason(text: Text) -> dict[str, str]:
    return {"reason": text.zh, "reason_en": text.en}
