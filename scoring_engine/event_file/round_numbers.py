"""The numbers of the rounds of a stage in an event file: from 1, none twice, none left out, none the text does not have."""

from scoring_engine.documents import Node, Problems
from scoring_engine.rules import StageRule


class RoundNumbers:
    """The numbers met so far in one stage."""

    def __init__(self, rule: StageRule, problems: Problems) -> None:
        self._rule = rule
        self._problems = problems
        self._met: set[int] = set()

    def read(self, part: Node) -> int:
        """The number of a round; 0 where there is none that can be read."""
        rule, number = self._rule, part.integer("number", 1)
        if number is None:
            return 0
        if number in self._met:
            self._problems.add(
                part.at("number"), f"第{number}轮出现了两次。", f"Round {number} stands twice."
            )
        elif number > rule.rounds:
            self._problems.add(
                part.at("number"),
                f"比赛共{rule.rounds}轮，没有第{number}轮（规程 {rule.clause}）。",
                f"There are {rule.rounds} rounds and no round {number} (regulation, {rule.clause}).",
            )
        self._met.add(number)
        return number

    def check_none_missing(self, stage: Node) -> None:
        """Note the first round that is left out; a file may name a round of any size, so none counts up to the last."""
        met, clause = self._met, self._rule.clause
        missing = next(number for number in range(1, len(met) + 2) if number not in met)
        if missing < max(met, default=0):
            self._problems.add(
                stage.at("rounds"),
                f"缺少第{missing}轮（规程 {clause}）。",
                f"Round {missing} is missing (regulation, {clause}).",
            )
