"""`saishi score FILE`: every table, stage, placing, team and prize of an event file."""

from __future__ import annotations

import click

from app.cli import documents


@click.command("score")
@click.argument("file")
def command(file: str) -> None:
    """Recompute an event FILE (- for standard input) and print its results as JSON."""
    from scoring_engine import event_file

    document, rules = documents.read_event(file)
    documents.print_document(documents.computed(lambda: event_file.score(document, rules)))
