"""Reads the engine's part of a regulation document, noting every problem with its path."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from scoring_engine.documents import Node, Problems, exact_number, key_path
from scoring_engine.landlord.deals import DEAL_KEYS
from scoring_engine.penalties.effects import Effect
from scoring_engine.rules.model import (
    DOUBLINGS,
    GAMES,
    PLAYOFF,
    STAGE_KINDS,
    Criterion,
    Interpretation,
    PenaltyRule,
    PrizeRule,
    RulesError,
    ScoringRules,
    StageRule,
    allows,
)
from scoring_engine.rules.options import OPTIONS, OptionValue
from scoring_engine.tie_breaks import CRITERIA
from scoring_engine.values import StageCode


def read_rules(mapping: Mapping[str, Any], chosen: Mapping[str, Any]) -> ScoringRules:
    """The rules of a regulation document with these options chosen; see `ScoringRules.from_mapping`."""
    return _Reader(mapping).rules(chosen)


class _Reader:
    """Reads one regulation document into ScoringRules."""

    def __init__(self, mapping: Mapping[str, Any]) -> None:
        self.problems = Problems()
        self.root = Node(mapping, "$", self.problems)

    def rules(self, chosen: Mapping[str, Any]) -> ScoringRules:
        root = self.root
        regulation_id = root.text("id")
        game = root.choice("game", GAMES)
        interpretations = self._interpretations(game)
        options = self._options(interpretations, chosen)
        scoring = root.node("scoring")
        bids = self._bids(scoring)
        doublings = self._doublings(scoring)
        scoring_clause = scoring.text("clause") if scoring else None
        deal_clauses = self._deal_clauses(scoring)
        ranking = self._ranking()
        stages = self._stages(options)
        penalties = self._penalties()
        prizes = self._prizes()
        if self.problems or regulation_id is None or game is None:
            raise RulesError(self.problems.found)
        return ScoringRules(
            id=regulation_id,
            game=game,
            bids=bids,
            doublings=doublings,
            scoring_clause=scoring_clause or "",
            deal_clauses=deal_clauses,
            ranking=ranking,
            stages=stages,
            penalties=penalties,
            prizes=prizes,
            interpretations=interpretations,
            options=options,
            source=root.value,
        )

    def _interpretations(self, game: str | None) -> dict[str, Interpretation]:
        found: dict[str, Interpretation] = {}
        known = OPTIONS.get(game or "", {})
        for node in self.root.nodes("interpretations", required=True):
            if not node.has("option"):
                continue  # an interpretation without an option only informs the reader
            reading, option = node.text("id"), node.text("option")
            allowed = self._allowed(node)
            default = node.value.get("default")
            if reading is None or option is None or allowed is None:
                continue
            if option in found:
                self.problems.add(node.at("option"), f"选项 {option} 重复。", f"Option {option} is repeated.")
                continue
            engine_values = known.get(option)
            # The ends speak for a range: its numbers lie between them, and there may be very many.
            ends = (allowed.start, allowed.stop - 1) if isinstance(allowed, range) else allowed
            if engine_values is not None and (unusable := [v for v in ends if not allows(engine_values, v)]):
                self.problems.add(
                    node.at("allowed"),
                    f"计分引擎没有选项 {option} 的取值 {unusable[0]}。",
                    f"The engine has no value {unusable[0]} of option {option}.",
                )
                continue
            if not isinstance(default, OptionValue) or not allows(allowed, default):
                self.problems.add(
                    node.at("default"),
                    "默认值不在允许的取值中。",
                    "The default is not among the allowed values.",
                )
                continue
            found[option] = Interpretation(reading, option, default, allowed)
        for option in known:
            if option not in found:
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
                self.problems.add(path, f"本规程没有选项 {name}。", f"This regulation has no option {name}.")
            elif problem := interpretations[name].problem_with(value):
                self.problems.add(path, problem.zh, problem.en)
            else:
                options[name] = value
        return options

    def _bids(self, scoring: Node | None) -> tuple[int, ...]:
        if scoring is None:
            return ()
        bids = [item for _, item in scoring.items("bids", required=True)]
        numbers = tuple(bid for bid in bids if isinstance(bid, int) and not isinstance(bid, bool) and bid > 0)
        if not bids or len(numbers) != len(bids) or list(numbers) != sorted(set(numbers)):
            self.problems.add(
                scoring.at("bids"), "叫分应为由小到大的正整数。", "Bids must be rising whole numbers above 0."
            )
        return numbers

    def _doublings(self, scoring: Node | None) -> tuple[str, ...]:
        if scoring is None:
            return ()
        words = [item for _, item in scoring.items("doublings", required=True)]
        known = tuple(word for word in words if word in DOUBLINGS)
        if len(known) != len(words) or len(set(known)) != len(known):
            self.problems.add(
                scoring.at("doublings"),
                f"加倍项只能是：{'、'.join(DOUBLINGS)}，各一次。",
                f"Doublings can only be {', '.join(DOUBLINGS)}, each once.",
            )
        return known

    def _deal_clauses(self, scoring: Node | None) -> dict[str, str]:
        """`scoring.clauses`: the clause of a single key of a deal, where the text treats it apart."""
        if scoring is None or not scoring.has("clauses") or (table := scoring.node("clauses")) is None:
            return {}
        found: dict[str, str] = {}
        for key in table.value:
            clause = table.text(str(key))
            if key not in DEAL_KEYS:
                known = "、".join(DEAL_KEYS)
                self.problems.add(
                    table.at(str(key)),
                    f"一副牌没有 {key} 这一项；可用的有：{known}。",
                    f"A deal has no key {key}; there are {', '.join(DEAL_KEYS)}.",
                )
            elif clause is not None:
                found[key] = clause
        return found

    def _ranking(self) -> tuple[Criterion, ...]:
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
            chain.append(Criterion(code, clause))
        if not chain and not self.problems:
            self.problems.add(
                "$.ranking", "至少要有一条名次依据。", "At least one ranking criterion is needed."
            )
        return tuple(chain)

    def _stages(self, options: Mapping[str, OptionValue]) -> tuple[StageRule, ...]:
        stages: list[StageRule] = []
        nodes = list(self.root.nodes("stages", required=True))
        for index, node in enumerate(nodes):
            code, kind, clause = node.text("code"), node.choice("kind", STAGE_KINDS), node.text("clause")
            deals = self._deals(node, options)
            last = index == len(nodes) - 1
            places = None if last else node.integer("places", 1)
            playoff_deals = node.integer("playoff_deals", 0) if node.has("playoff_deals") else 0
            if code is None or kind is None or clause is None or deals is None or playoff_deals is None:
                continue
            if code == PLAYOFF or any(stage.code == code for stage in stages):
                self.problems.add(
                    node.at("code"),
                    f"阶段代码 {code} 重复或被保留。",
                    f"Stage code {code} is repeated or reserved.",
                )
            if (kind == "drawn") != (index == 0) or (kind == "final") != last:
                self.problems.add(
                    node.at("kind"),
                    "第一阶段应为 drawn，最后阶段应为 final，其余为 seeded。",
                    "The first stage must be drawn, the last final, the others seeded.",
                )
            if places is not None and places % 3:
                self.problems.add(node.at("places"), "名额应为 3 的倍数。", "Places must be a multiple of 3.")
            stages.append(StageRule(StageCode(code), kind, deals, places, playoff_deals, clause))
        if not stages and not self.problems:
            self.problems.add("$.stages", "至少要有一个阶段。", "At least one stage is needed.")
        return tuple(stages)

    def _deals(self, node: Node, options: Mapping[str, OptionValue]) -> int | None:
        value = node.value.get("deals")
        if isinstance(value, str):
            chosen = options.get(value)
            if isinstance(chosen, int) and not isinstance(chosen, bool):
                return chosen
            self.problems.add(
                node.at("deals"),
                f"没有名为 {value} 的局数选项。",
                f"There is no option {value} that is a number.",
            )
            return None
        return node.integer("deals", 1)

    def _penalties(self) -> dict[str, PenaltyRule]:
        found: dict[str, PenaltyRule] = {}
        for node in self.root.nodes("penalties"):
            rule, clause, name = node.text("id"), node.text("clause"), node.label("name")
            effect = node.choice("effect", tuple(Effect))
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

    def _prizes(self) -> tuple[PrizeRule, ...]:
        prizes: list[PrizeRule] = []
        for node in self.root.nodes("prizes"):
            prize, label, clause = node.text("prize"), node.label("label"), node.text("clause")
            amount = self._amount(node)
            if node.has("chosen") == node.has("ranks"):
                self.problems.add(
                    node.path,
                    "ranks 与 chosen 应有且只有一个。",
                    "Exactly one of ranks and chosen must stand.",
                )
                continue
            chosen = node.integer("chosen", 1) if node.has("chosen") else None
            ranks = self._ranks(node) if node.has("ranks") else (None, None)
            if prize is None or label is None or clause is None:
                continue
            prizes.append(PrizeRule(prize, label, *ranks, chosen, amount, clause))
        return tuple(prizes)

    def _ranks(self, node: Node) -> tuple[int | None, int | None]:
        ranks = [item for _, item in node.items("ranks")]
        if len(ranks) == 2 and all(isinstance(rank, int) and not isinstance(rank, bool) for rank in ranks):
            first, last = ranks
            if 1 <= first <= last:
                return first, last
        self.problems.add(
            node.at("ranks"), "这里应为 [起, 止] 两个名次。", "This must be two ranks [from, to]."
        )
        return None, None

    def _amount(self, node: Node) -> Fraction | None:
        value = node.value.get("amount")
        if value is None or value == "":
            return None
        amount = exact_number(value)
        if amount is None or amount < 0:
            self.problems.add(
                node.at("amount"), "金额应为不小于 0 的数。", "An amount is a number not below 0."
            )
            return None
        return amount
