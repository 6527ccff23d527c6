"""`saishi pair FILE [--seed HEX]`: the next round of an event file."""

from __future__ import annotations

import click

from app.cli import documents


@click.command("pair")
@click.argument("file")
@click.option("--seed", metavar="HEX", help="The published seed of the draw, whole bytes in hexadecimal.")
def command(file: str, seed: str | None) -> None:
    """Draw or pair the next round of an event FILE (- for standard input) and print it as JSON."""
    from scoring_engine import event_file
    from scoring_engine.pairing.seeds import SeedError, seed_from_hex

    try:
        drawn_from = None if seed is None else seed_from_hex(seed)
    except SeedError:
        documents.refuse(f"--seed: “{seed}”不是种子；请写整字节的十六进制数，例如 00ff12。")
    document, rules = documents.read_event(file)
    documents.print_document(documents.computed(lambda: event_file.pair(document, rules, drawn_from)))
