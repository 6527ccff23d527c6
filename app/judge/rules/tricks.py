"""Tricks of 升级: a question is an object of texts and numbers (`tricks.questions`), on the page as on a line of `saishi judge`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.regulations.rules import Regulation
from scoring_engine.documents import parse_json
from scoring_engine.tractor.tricks.questions import answer


class TrickJudge:
    """Answers the questions under one regulation."""

    def __init__(self, regulation: Regulation) -> None:
        rules = regulation.scoring_rules()
        self.format, self.bottom = rules.tricks, rules.match.bottom

    def __call__(self, line: str) -> dict[str, Any]:
        """The answer to a JSON line. Raises DocumentError for a line that cannot be judged."""
        return self.answer(parse_json(line))

    def answer(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a question. Raises DocumentError with everything that is wrong with it."""
        return answer(question, self.format, self.bottom)
