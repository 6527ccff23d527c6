"""`saishi judge --regulation ID [FILE|-]`: plays of 二打一 and tricks of 升级, judged line by line.

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
from app.judge.rules import JUDGES
from app.regulations import library
from app.regulations.rules import Regulation
from scoring_engine.documents import DocumentError


@click.command("judge")
@click.option(
    "--regulation",
    "regulation_id",
    metavar="ID",
    required=True,
    help="A shipped regulation of 二打一 or 升级.",
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
    """Judge plays of 二打一 or tricks of 升级, one per line of FILE (standard input if left out).

    二打一: PLAY or PLAY > PLAY. Ranks are 3456789TJQKA2 and 10, B and R the small and the big joker; suits may stand with
    them.

    升级: a JSON object per line, {"trump": "♠", "level": "7", …} and

    \b
    "play", "hand"                 may it be led; a list of units says the structure
    "play", "others": [3 hands]    … and does the throw stand
    "hand", "lead"                 what must this hand follow with
    "hand", "lead", "play"         is this follow legal, else which duty is broken
    "lead", "follows": [3 plays]   who wins (0 the leader … 3)
    … "banker": 0…3, "bottom"      … and what the bottom counts

    Cards are "♠444333 ♥10 大王" or "S4 S4 HT R". A line that is no question is answered with its problems; the exit status
    is then 2.
    """
    regulation = _regulation(regulation_id, options)
    judge = documents.computed(lambda: JUDGES[regulation.game](regulation))
    unusable = 0
    for number, line in enumerate(_lines(file), start=1):
        try:
            answer = judge(line)
        except DocumentError as error:
            unusable += 1
            answer = _problems(error)
            click.echo(f"第{number}行：{error.problems[0]}", err=True)
        click.echo(json.dumps(answer, ensure_ascii=False))
    if unusable:
        sys.exit(documents.UNUSABLE)


def _problems(error: DocumentError) -> dict[str, Any]:
    """The answer to a line that cannot be judged."""
    first = error.problems[0]
    return {
        "legal": None,
        "reason": first.zh,
        "reason_en": first.en,
        "clause": None,
        "problems": [{"path": each.path, "reason": each.zh, "reason_en": each.en} for each in error.problems],
    }


def _regulation(regulation_id: str, options: tuple[str, ...]) -> Regulation:
    try:
        regulation = library.load(regulation_id)
    except library.UnknownRegulationError as error:
        documents.refuse(f"--regulation: {error.text}{error.next_step}")
    if regulation.game not in JUDGES:
        documents.refuse(f"--regulation: 规程 {regulation.id} 不是二打一或升级，没有可判断的出牌。")
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
