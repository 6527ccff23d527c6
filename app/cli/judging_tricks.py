"""Lines of `saishi judge` for 升级: a question about one trick, a JSON object per line (`tricks.questions`)."""

from __future__ import annotations

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
        """The answer. Raises DocumentError for a line that cannot be judged."""
        return answer(parse_json(line), self.format, self.bottom)
