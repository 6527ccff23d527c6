"""`saishi simulate`: a whole rehearsal event through the public API of a running demonstration, then verified."""

from __future__ import annotations

import os

import click

from app.cli import documents
from app.cli.rehearsal import Rehearsal, RehearsalStoppedError
from app.errors import SaishiError
from app.floor.rules.terms import Confirmation, Publication
from app.regulations import library

DIFFERENT = 1
FEWEST, MOST = 3, 300


@click.command("simulate")
@click.option(
    "--regulation", required=True, help="规程代号，见 saishi regulations list (id of a shipped regulation)"
)
@click.option(
    "--entrants", required=True, type=click.IntRange(FEWEST, MOST), help="参赛人数或对数 (players or pairs)"
)
@click.option(
    "--seed", required=True, help="种子：同样的种子打出同样的比赛 (the same seed plays the same event)"
)
@click.option("--url", default=None, help="演示实例的地址 (a running `saishi demo`; default: this machine)")
@click.option(
    "--token",
    envvar="SAISHI_TOKEN",
    default=None,
    help="主办方的 API 令牌，省去登录 (an organiser's bearer token)",
)
@click.option(
    "--confirmation",
    type=click.Choice([each.value for each in Confirmation]),
    default=Confirmation.PLAYERS.value,
    show_default=True,
    help="成绩怎样确认：当场、选手各自、另一名裁判重录 (how sheets are confirmed)",
)
@click.option(
    "--publication",
    type=click.Choice([each.value for each in Publication]),
    default=Publication.AT_ONCE.value,
    show_default=True,
    help="成绩何时公布：逐桌、逐轮、最后一轮封盘 (when results are published)",
)
@click.pass_context
def command(  # noqa: PLR0917 - click calls it by name
    ctx: click.Context,
    regulation: str,
    entrants: int,
    seed: str,
    url: str | None,
    token: str | None,
    confirmation: str,
    publication: str,
) -> None:
    """演练一场完整的比赛：报名、抽签、成绩、名次、核对 (play a made-up event to its placings and verify it)."""
    from scoring_engine import event_file

    try:
        chosen = library.load(regulation)
    except SaishiError as error:
        documents.refuse(str(error.text), *([str(error.next_step)] if error.next_step else []))
    address = (url or f"http://127.0.0.1:{os.environ.get('SAISHI_PORT', '8000')}").rstrip("/")
    if not address.startswith(("http://", "https://")):
        documents.refuse(f"--url {address}: 应以 http:// 或 https:// 开头。")
    rehearsal = Rehearsal(address, chosen, entrants, seed, token, confirmation, publication)
    try:
        shown = rehearsal.play()
    except RehearsalStoppedError as error:
        documents.refuse(error.sentence)
    document = event_file.parse(rehearsal.event_file().decode())
    rules = chosen.scoring_rules()
    differences = event_file.verify(document, rules)
    documents.print_document(
        {
            "competition": f"{address}/c/{rehearsal.slug}",
            "event_file": f"{address}/api/v1/competitions/{rehearsal.slug}/event-file",
            "placings": len(shown["placings"]),
            "prizes": event_file.score(document, rules)["prizes"],
            "day": dict(sorted(rehearsal.told.items())),
            "verified": not differences,
            "differences": [difference.to_json() for difference in differences],
        }
    )
    if differences:
        ctx.exit(DIFFERENT)
