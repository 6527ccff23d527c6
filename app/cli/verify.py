"""`saishi verify FILE`: does everything in an event file follow from it? Exit status 1 if not."""

from __future__ import annotations

import click

from app.cli import documents

DIFFERENT = 1


@click.command("verify")
@click.argument("file")
@click.pass_context
def command(ctx: click.Context, file: str) -> None:
    """Recompute draws, scores and published ranks of an event FILE (- for standard input); list every difference."""
    from scoring_engine import event_file

    document, rules = documents.read_event(file)
    documents.computed(lambda: event_file.read(document, rules))
    earlier = documents.earlier_rules(document)
    differences = documents.computed(lambda: event_file.verify(document, rules, earlier))
    notes = documents.computed(lambda: event_file.notes(document, rules, earlier))
    documents.print_document(
        {
            "format": "saishi-verify",
            "version": 1,
            "verified": not differences,
            "differences": [difference.to_json() for difference in differences],
            "notes": [note.to_json() for note in notes],
        }
    )
    if differences:
        ctx.exit(DIFFERENT)
