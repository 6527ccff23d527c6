"""Reads the engine's part of a regulation document, noting every problem with its path."""

from collections.abc import Mapping
from typing import Any

from scoring_engine.documents import Node, Problems, key_path
from scoring_engine.penalties.effects import Effect
from scoring_engine.rules.award_points import read_award_points
from scoring_engine.rules.games import GAMES, GameKind
from scoring_engine.rules.model import (
    Criterion,
    Interpretation,
    PenaltyRule,
    RulesError,
    ScoringRules,
    allows,
    as_written,
    shown,
)
from scoring_engine.rules.options import EXPULSION_VALUES, OPTIONAL, OPTIONS, OptionValue, resolved
from scoring_engine.rules.pairing_parts import read_pairing
from scoring_engine.rules.prize_parts import read_prizes, read_rewarded, rounds_of
from scoring_engine.rules.stage_kinds import STAGE_KINDS, Format
from scoring_engine.rules.stage_parts import read_stages
from scoring_engine.rules.team_parts import read_teams
from scoring_engine.tie_breaks import CRITERIA, options_of


def read_rules(mapping: Mapping[str, Any], chosen: Mapping[str, Any]) -> ScoringRules:
    """The rules of a regulation document with these options chosen; see `ScoringRules.from_mapping`."""
    return _Reader(mapping).rules(chosen)


def _ends(allowed: tuple[OptionValue, ...] | range) -> tuple[OptionValue, ...]:
    """The values of a list; of a range its ends, for its numbers lie between them, and there may be very many."""
    return (allowed.start, allowed.stop - 1) if isinstance(allowed, range) else allowed


class _Reader:
    """Reads one regulation document into ScoringRules."""

    def __init__(self, mapping: Mapping[str, Any]) -> None:
        self.problems = Problems()
        self.root = Node(mapping, "$", self.problems)
        self.readings: Mapping[str, Interpretation] = {}

    def rules(self, chosen: Mapping[str, Any]) -> ScoringRules:
        root = self.root
        regulation_id = root.text("id")
        game = root.choice("game", tuple(GAMES))
        format_ = self._format(game)
        interpretations = self._interpretations(game, format_)
        self.readings = interpretations
        options = self._options(interpretations, chosen)
        kind = GAMES[game][format_] if game is not None and format_ is not None else None
        scoring = root.node("scoring")
        scoring_clause = scoring.text("clause") if scoring else None
        part = None
        if scoring and kind:
            part = kind.read_scoring(root if kind.reads_document else scoring, options)
        ranking = self._ranking(options)
        stages = read_stages(root, options, format_)
        penalties = self._penalties(kind)
        teams = read_teams(root, options, format_, [link.code for link in ranking])
        prizes = read_prizes(root, options, rounds_of(stages))
        rewarded = read_rewarded(root, options)
        pairing = read_pairing(root, options, game, format_)
        points = read_award_points(root)
        if self.problems or regulation_id is None or game is None or part is None:
            raise RulesError(self.problems.found)
        return ScoringRules(
            id=regulation_id,
            game=game,
            scoring=part,
            scoring_clause=scoring_clause or "",
            ranking=ranking,
            stages=stages,
            penalties=penalties,
            prizes=prizes,
            interpretations=interpretations,
            options=options,
            source=root.value,
            rewarded=rewarded,
            teams=teams,
            pairing=pairing,
            points=points,
        )

    def _format(self, game: str | None) -> Format | None:
        """The format of the first stage, if this game is played so; a game of one format needs no look at it."""
        if game is None:
            return None
        known = tuple(GAMES[game])
        rows = self.root.value.get("stages")
        first = rows[0] if isinstance(rows, list | tuple) and rows else None
        kind = first.get("kind") if isinstance(first, Mapping) else None
        found = STAGE_KINDS.get(kind) if isinstance(kind, str) else None
        return found if found in known else known[0]

    def _interpretations(self, game: str | None, format_: Format | None) -> dict[str, Interpretation]:
        found: dict[str, Interpretation] = {}
        known = OPTIONS[game, format_] if game is not None and format_ is not None else {}
        of_format = EXPULSION_VALUES.get(format_, {}) if format_ is not None else {}
        followed = {**OPTIONAL.get(game or "", {}), **of_format, **known}
        named: set[object] = set()
        for node in self.root.nodes("interpretations", required=True):
            if not node.has("option"):
                continue  # an interpretation without an option only informs the reader
            reading, option = node.text("id"), node.text("option")
            named.add(option)
            allowed = self._allowed(node)
            default = node.value.get("default")
            if reading is None or option is None or allowed is None:
                continue
            if option in found:
                self.problems.add(node.at("option"), f"选项 {option} 重复。", f"Option {option} is repeated.")
                continue
            engine_values = followed.get(option)
            if engine_values is not None and (
                unusable := [value for value in _ends(allowed) if not allows(engine_values, value)]
            ):
                self.problems.add(
                    node.at("allowed"),
                    f"计分引擎没有选项 {option} 的取值 {as_written(unusable[0])}；可用的有：{shown(engine_values, '、')}。",
                    f"The engine has no value {as_written(unusable[0])} of option {option}; there are: {shown(engine_values)}.",
                )
                continue
            if not isinstance(default, OptionValue) or not allows(allowed, default):
                self.problems.add(
                    node.at("default"),
                    "默认值不在允许的取值中。",
                    "The default is not among the allowed values.",
                )
                continue
            clause = node.optional_text("clause")
            found[option] = Interpretation(reading, option, default, allowed, clause or "")
        for option in known:
            if option not in named:
                self.problems.add(
                    "$.interpretations",
                    f"缺少选项 {option} 的解释条目。",
                    f"The interpretation of option {option} is missing.",
                )
        return found

    def _allowed(self, node: Node) -> tuple[OptionValue, ...] | range | None:
        value = node.value.get("allowed")
        if isinstance(value, Mapping):
            bounds = Node(value, node.at("allowed"), self.problems)
            low, high = bounds.integer("min"), bounds.integer("max")
            if low is None or high is None:
                return None
            if low <= high:
                return range(low, high + 1)
        elif isinstance(value, list | tuple) and value:
            words = tuple(v for v in value if isinstance(v, OptionValue))
            if len(words) == len(value):
                return words
        self.problems.add(
            node.at("allowed"),
            "这里应为取值列表，或 {min, max}（min 不大于 max）。",
            "This must be a list of values or {min, max} with min not above max.",
        )
        return None

    def _options(
        self, interpretations: Mapping[str, Interpretation], chosen: Mapping[str, Any]
    ) -> dict[str, OptionValue]:
        options: dict[str, OptionValue] = {name: reading.default for name, reading in interpretations.items()}
        own = self.root.value.get("options", {})
        if not isinstance(own, Mapping):
            self.problems.wrong_type("$.options", dict)
            own = {}
        for name, value in {**own, **chosen}.items():
            path = key_path("$.options", str(name))
            if name not in interpretations:
                known = list(interpretations)
                self.problems.add(
                    path,
                    f"本规程没有选项 {name}；有：{'、'.join(known)}。",
                    f"This regulation has no option {name}; it has: {', '.join(known)}.",
                )
            elif problem := interpretations[name].problem_with(value):
                self.problems.add(path, problem.zh, problem.en)
            else:
                options[name] = value
        return options

    def _ranking(self, options: Mapping[str, OptionValue]) -> tuple[Criterion, ...]:
        chain: list[Criterion] = []
        for node in self.root.nodes("ranking", required=True):
            code, clause = node.choice("criterion", tuple(CRITERIA)), node.text("clause")
            if code is None or clause is None:
                continue
            if code in (criterion.code for criterion in chain):
                self.problems.add(node.at("criterion"), f"{code} 重复。", f"{code} is repeated.")
            direction = node.value.get("direction", CRITERIA[code].direction)
            if direction != CRITERIA[code].direction:
                wanted = CRITERIA[code].direction
                self.problems.add(
                    node.at("direction"),
                    f"{code} 的方向是 {wanted}。",
                    f"The direction of {code} is {wanted}.",
                )
            label = node.label("label") if node.has("label") else None
            chain.append(Criterion(code, clause, self._criterion_options(node, code, options), label))
        if not chain and not self.problems:
            self.problems.add(
                "$.ranking", "至少要有一条名次依据。", "At least one ranking criterion is needed."
            )
        return tuple(chain)

    def _criterion_options(
        self, node: Node, code: str, options: Mapping[str, OptionValue]
    ) -> dict[str, OptionValue]:
        """The options of one criterion; each is a value, or refers to an option of the regulation."""
        known = CRITERIA[code].options
        table = node.node("options") if node.has("options") else None
        chosen: dict[str, OptionValue] = {}
        for key in table.value if table is not None else ():
            assert table is not None
            value = resolved(table, str(key), options)
            if key not in known:
                self.problems.add(
                    table.at(str(key)),
                    f"{code} 没有选项 {key}；可用的有：{'、'.join(known) or '无'}。",
                    f"{code} has no option {key}; there are: {', '.join(known) or 'none'}.",
                )
            elif not allows(known[key], value):
                self.problems.add(
                    table.at(str(key)),
                    f"这里应为：{shown(known[key], '、')}。",
                    f"This must be one of: {shown(known[key])}.",
                )
            elif unusable := self._unusable(table.value[key], known[key]):
                self.problems.add(
                    table.at(str(key)),
                    f"选项 {table.value[key]['option']} 的取值 {as_written(unusable[0])} 不能用在这里；"
                    f"可用的有：{shown(known[key], '、')}。",
                    f"The value {as_written(unusable[0])} of option {table.value[key]['option']} cannot be used here; "
                    f"there are: {shown(known[key])}.",
                )
            else:
                chosen[str(key)] = value
        return dict(options_of(code, chosen))

    def _unusable(self, written: object, usable: tuple[OptionValue, ...] | range) -> list[OptionValue]:
        """The values of the option a place refers to that could be chosen, but that the place cannot use."""
        if not isinstance(written, Mapping):
            return []
        allowed = self.readings[written["option"]].allowed
        return [value for value in _ends(allowed) if not allows(usable, value)]

    def _penalties(self, game: GameKind | None) -> dict[str, PenaltyRule]:
        found: dict[str, PenaltyRule] = {}
        if game is not None and game.reads_document:
            return found
        for node in self.root.nodes("penalties"):
            rule, clause, name = node.text("id"), node.text("clause"), node.label("name")
            effect = node.choice("effect", tuple(Effect) if game is None else game.effects)
            if rule is None or clause is None or name is None or effect is None:
                continue
            if rule in found:
                self.problems.add(node.at("id"), f"罚则 {rule} 重复。", f"Penalty {rule} is repeated.")
            costs_points = effect in (Effect.POINTS, Effect.WARNINGS)
            points = node.integer("points", None, -1) if costs_points else 0
            every = node.integer("every", 1) if effect == Effect.WARNINGS else 1
            if points is not None and every is not None:
                found[rule] = PenaltyRule(rule, Effect(effect), points, every, name, clause)
        return found
