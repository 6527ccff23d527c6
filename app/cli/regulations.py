"""`saishi regulations list | show ID | check FILE`: the shipped regulations, and checking one's own file."""

from __future__ import annotations

from pathlib import Path

import click

from app.cli import documents
from app.regulations import library
from app.regulations.rules import Regulation, RegulationFileError
from scoring_engine.documents import DocumentError, parse_json


@click.group("regulations")
def command() -> None:
    """List, show and check regulations."""


def summary(regulation: Regulation) -> dict[str, object]:
    return {
        "id": regulation.id,
        "game": regulation.game,
        "season": str(regulation.season),
        "name": {"zh": regulation.name("zh"), "en": regulation.name("en")},
        "sha256": regulation.sha256,
    }


@command.command("list")
def list_shipped() -> None:
    """The shipped regulations, as JSON."""
    documents.print_document(
        {"regulations": [summary(library.load(regulation_id)) for regulation_id in library.shipped()]}
    )


@command.command("show")
@click.argument("regulation_id", metavar="ID")
def show(regulation_id: str) -> None:
    """The whole regulation ID, as JSON that an event file may carry."""
    try:
        documents.print_document(library.load(regulation_id).document)
    except library.UnknownRegulationError as error:
        documents.refuse(f"{error.text}{error.next_step}")


@command.command("check")
@click.argument("file")
def check(file: str) -> None:
    """Check a regulation FILE (TOML or JSON; - for standard input); every problem is named."""
    text = documents.read_text(file)
    name = "-" if file == "-" else Path(file).name
    is_json = file.endswith(".json") or (not file.endswith(".toml") and text.lstrip().startswith("{"))
    try:
        if is_json:
            regulation = library.parse_document(parse_json(text), name)
        else:
            regulation = library.parse_toml(text, name)
    except DocumentError as error:
        documents.refuse(*(f"{name}: {problem}" for problem in error.problems))
    except RegulationFileError as error:
        documents.refuse(*(f"{name}: {sentence}" for sentence in documents.regulation_sentences(error)))
    documents.print_document(summary(regulation) | {"options": dict(regulation.options)})
