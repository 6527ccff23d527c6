"""Reading and printing JSON documents for the commands that recompute (`score`, `verify`, `pair`, `regulations`).

Problems are sentences on the error stream, each with its JSON path, and the exit status is 2. Input is UTF-8 with or
without a byte order mark, whatever the locale.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import click

from app.errors import SaishiError
from app.regulations import library
from app.regulations.rules import Regulation, RegulationFileError
from scoring_engine.documents import DocumentError, key_path
from scoring_engine.rules import ScoringRules

UNUSABLE = 2
EVENT_FORMAT = "saishi-event"
EVENT_VERSION = 1

Answer = TypeVar("Answer")


class Unusable(click.ClickException):  # click's own name for what ends a command
    """The input cannot be used: one sentence per line, exit status 2."""

    exit_code = UNUSABLE

    def __init__(self, sentences: Iterable[str]) -> None:
        self.sentences = tuple(sentences)
        super().__init__("\n".join(self.sentences))

    def show(self, file: Any = None) -> None:
        for sentence in self.sentences:
            click.echo(sentence, err=True)


def refuse(*sentences: str) -> NoReturn:
    raise Unusable(sentences)


def print_document(document: Any) -> None:
    """One JSON document, Chinese as it is."""
    click.echo(json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False))


def read_text(name: str) -> str:
    """A file's text, or standard input for `-`; UTF-8, a byte order mark is skipped."""
    try:
        raw = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        reason = "没有这个文件" if isinstance(error, FileNotFoundError) else (error.strerror or str(error))
        refuse(f"{name}: 无法读取：{reason}。")
    except ValueError:
        refuse("文件名含有不可用的字符。")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        refuse(f"{name}: 不是 UTF-8 文本（第 {error.start + 1} 字节）。请另存为 UTF-8。")


def from_dotted(dotted: str, root: str = "$") -> str:
    """`stages.0.deals` as `$.stages[0].deals`."""
    path = root
    for part in dotted.split(".") if dotted else ():
        path = f"{path}[{part}]" if part.isdigit() else key_path(path, part)
    return path


def read_event(name: str) -> tuple[Mapping[str, Any], ScoringRules]:
    """An event file and the scoring rules of its regulation; the engine applies the file's options as it reads it."""
    from scoring_engine import event_file

    text = read_text(name)
    document = computed(lambda: event_file.parse(text))
    sentences = []
    if document.get("format") != EVENT_FORMAT:
        sentences.append(f'$.format: 应为 "{EVENT_FORMAT}"。')
    if type(document.get("version")) is not int or document["version"] != EVENT_VERSION:
        sentences.append(f"$.version: 不认识的版本；本程序读取版本 {EVENT_VERSION}。")
    if sentences:
        refuse(*sentences)
    return document, _regulation(document.get("regulation")).scoring_rules()


def earlier_rules(document: Mapping[str, Any]) -> dict[str, ScoringRules]:
    """The rules of the earlier versions an event file holds, by SHA-256; each must be the regulation it says."""
    found: dict[str, ScoringRules] = {}
    for index, each in enumerate(document.get("earlier_regulations") or ()):
        given = each["regulation"]
        path = f"$.earlier_regulations[{index}]"
        try:
            regulation = library.parse_document(given, "regulation")
        except RegulationFileError as error:
            refuse(*regulation_sentences(error, f"{path}.regulation"))
        if regulation.sha256 != each["sha256"]:
            refuse(f"{path}.sha256: 这不是所附规程的 SHA-256，应为 {regulation.sha256}。")
        found[regulation.sha256] = regulation.scoring_rules()
    return found


def _regulation(given: Any) -> Regulation:
    if isinstance(given, str):
        try:
            return library.load(given)
        except library.UnknownRegulationError as error:
            refuse(f"$.regulation: {error.text}{error.next_step}")
    if isinstance(given, Mapping):
        try:
            return library.parse_document(given, "regulation")
        except RegulationFileError as error:
            refuse(*regulation_sentences(error, "$.regulation"))
    refuse("$.regulation: 应为规程 id，或一份完整的规程。")


def regulation_sentences(error: RegulationFileError, root: str = "$") -> list[str]:
    """One sentence per problem: JSON path, clause, what is allowed."""
    return [
        f"{from_dotted(problem.path, root)}{f'（{problem.clause}）' if problem.clause else ''}: {problem.message}"
        for problem in error.problems
    ]


def computed(compute: Callable[[], Answer]) -> Answer:
    """What the engine computes; its refusals as sentences."""
    try:
        return compute()
    except DocumentError as error:
        refuse(*(str(problem) for problem in error.problems))
    except SaishiError as error:
        refuse(str(error.text))
