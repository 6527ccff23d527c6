"""Reads what a round at a table of three is worth: `match_points`, `byes`, `forfeit`, `lateness` of `scoring`."""

from collections.abc import Mapping
from itertools import pairwise

from scoring_engine.documents import Node, exact_number
from scoring_engine.rules.options import OptionValue, resolved
from scoring_engine.rules.round_points import (
    COMPARES,
    LATE_AT_FORFEIT,
    MINUTES,
    SEVERAL_LATE,
    TIES,
    Band,
    Forfeits,
    Lateness,
    LateTier,
    MatchPointScheme,
    RoundPoints,
    Worth,
)
from scoring_engine.values import Points, points_of

_SEATS = 3
_MOST_POINTS = 1000
_MOST_MINUTES = 24 * 60

Options = Mapping[str, OptionValue]


class RoundReader:
    """Reads the tables of one `scoring`; each method answers None where it noted a problem."""

    def __init__(self, node: Node, options: Options, bye_kinds: tuple[str, ...]) -> None:
        self.node = node
        self.options = options
        self.bye_kinds = bye_kinds

    def read(self) -> RoundPoints | None:
        """The whole of it."""
        table = self.node.node("match_points")
        scheme = None if table is None else self._scheme(table)
        compares = None if table is None else self._word(table, "compares", COMPARES)
        clause = None if table is None else table.text("clause")
        byes, forfeits, lateness = self._byes(), self._forfeits(), self._lateness()
        if scheme is None or compares is None or clause is None or forfeits is None or lateness is None:
            return None
        return RoundPoints(scheme, compares, byes, forfeits, lateness, clause)

    def _word(self, node: Node, key: str, allowed: tuple[str, ...]) -> str | None:
        value = resolved(node, key, self.options)
        if isinstance(value, str) and value in allowed:
            return value
        node.problems.add(
            node.at(key), f"这里应为：{'、'.join(allowed)}。", f"This must be one of: {', '.join(allowed)}."
        )
        return None

    def _points(self, node: Node, key: str) -> Points | None:
        number = exact_number(resolved(node, key, self.options))
        if number is None or not 0 <= number <= _MOST_POINTS:
            node.problems.add(
                node.at(key), "这里应为不小于 0 的分数。", "This must be a number of points not below 0."
            )
            return None
        return points_of(number)

    def _scheme(self, node: Node) -> MatchPointScheme | None:
        """Every scheme is read, so that none is wrong unseen; the one chosen is answered."""
        schemes = node.node("schemes")
        if schemes is None:
            return None
        read = {
            str(name): self._one_scheme(each)
            for name in schemes.value
            if (each := schemes.node(str(name))) is not None
        }
        chosen = self._word(node, "scheme", tuple(read))
        return None if chosen is None else read[chosen]

    def _one_scheme(self, node: Node) -> MatchPointScheme | None:
        if node.has("ranks") == node.has("bands"):
            node.problems.add(
                node.path,
                "ranks 与 bands 应有且只有一个。",
                "Exactly one of ranks and bands must stand.",
            )
            return None
        return self._ranks(node) if node.has("ranks") else self._bands(node)

    def _ranks(self, node: Node) -> MatchPointScheme | None:
        ties = self._word(node, "ties", TIES)
        numbers = [exact_number(item) for _, item in node.items("ranks")]
        ranks = [points_of(number) for number in numbers if number is not None and number >= 0]
        if len(ranks) != _SEATS or len(numbers) != _SEATS or ranks != sorted(ranks, reverse=True):
            node.problems.add(
                node.at("ranks"),
                f"应为{_SEATS}个不增的分数：桌内第一、二、三名的场分。",
                f"This must be {_SEATS} points that do not rise: those of first, second and third at the table.",
            )
            return None
        return None if ties is None else MatchPointScheme(tuple(ranks), ties)

    def _bands(self, node: Node) -> MatchPointScheme | None:
        """`[{ points = 0 }, { from = 0, points = 1 }, …]`: rising without a gap, the first without a lower end."""
        bands: list[Band] = []
        for index, part in enumerate(node.nodes("bands")):
            least = exact_number(part.value.get("from"))
            points = self._points(part, "points")
            if ("from" in part.value) != (index > 0) or (index > 0 and least is None):
                part.problems.add(
                    part.at("from"),
                    "第一段没有下限，其余各段的 from 应为小分。",
                    "The first band has no lower end; `from` of the others is a number of game points.",
                )
            elif points is not None:
                bands.append(Band(None if least is None else points_of(least), points))
        ends = [band.least for band in bands if band.least is not None]
        worth = [band.points for band in bands]
        if not bands or any(a >= b for a, b in pairwise(ends)) or worth != sorted(worth):
            node.problems.add(
                node.at("bands"),
                "各段应由低到高，场分不减。",
                "Bands rise, and so do their match points.",
            )
            return None
        return MatchPointScheme(bands=tuple(bands))

    def _worth(self, node: Node, key: str) -> Worth | None:
        part = node.node(key)
        if part is None:
            return None
        match, game = self._points(part, "match_points"), self._points(part, "game_points")
        return None if match is None or game is None else Worth(match, game)

    def _byes(self) -> dict[str, Worth]:
        found: dict[str, Worth] = {}
        table = self.node.node("byes")
        for key in table.value if table is not None else ():
            assert table is not None
            if key not in self.bye_kinds:
                known = self.bye_kinds
                table.problems.add(
                    table.at(str(key)),
                    f"没有轮空方式 {key}；可用的有：{'、'.join(known)}。",
                    f"There is no bye {key}; there are {', '.join(known)}.",
                )
            elif (worth := self._worth(table, str(key))) is not None:
                found[str(key)] = worth
        for needed in ("bye", "absent"):
            if table is not None and needed not in table.value:
                table.problems.add(
                    table.at(needed),
                    f"缺少轮空方式 {needed} 的分数。",
                    f"The points of {needed} are missing.",
                )
        return found

    def _forfeits(self) -> Forfeits | None:
        node = self.node.node("forfeit")
        if node is None:
            return None
        others, sole, offender = (self._worth(node, key) for key in ("others", "sole", "offender"))
        late, clause = self._word(node, "late", LATE_AT_FORFEIT), node.text("clause")
        if others is None or sole is None or offender is None or late is None or clause is None:
            return None
        return Forfeits(others, sole, offender, late, clause)

    def _lateness(self) -> Lateness | None:
        node = self.node.node("lateness")
        if node is None:
            return None
        tiers: list[LateTier] = []
        for part in node.nodes("tiers", required=True):
            up_to = part.integer("up_to", tiers[-1].up_to + 1 if tiers else 1, _MOST_MINUTES)
            others, offender = part.integer("others", 0), part.integer("offender", None, 0)
            if up_to is not None and others is not None and offender is not None:
                tiers.append(LateTier(up_to, others, offender))
        if not tiers:
            node.problems.add(
                node.at("tiers"), "至少要有一档迟到时间。", "At least one tier of lateness is needed."
            )
        minutes, several = (
            self._word(node, key, allowed)
            for key, allowed in (("minutes", MINUTES), ("several", SEVERAL_LATE))
        )
        clause = node.text("clause")
        if not tiers or minutes is None or several is None or clause is None:
            return None
        return Lateness(tuple(tiers), minutes, several, clause)
