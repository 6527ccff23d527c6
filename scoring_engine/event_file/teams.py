"""Checking the teams that entrants name: each of one unit (同一单位), and not under another unit's name."""

from scoring_engine.documents import Node, Problems
from scoring_engine.rules import TeamRule


def check_teams(root: Node, rule: TeamRule, problems: Problems) -> None:
    """Note every entrant whose team belongs to another unit."""
    # A second reading of what was read: its own faults have been noted already.
    nodes = list(Node(root.value, root.path, Problems()).nodes("entrants"))
    units = {unit for node in nodes if (unit := _word(node, "unit")) is not None}
    owners: dict[str, str | None] = {}
    for node in nodes:
        team, unit = _word(node, "team"), _word(node, "unit")
        if team is None:
            continue
        owner = owners.setdefault(team, team if team in units else unit)
        if owner != unit:
            problems.add(
                node.at("team"),
                f"团队 {team} 的队员须属同一单位（规程 {rule.clause}）。",
                f"The members of team {team} are of one unit (regulation, {rule.clause}).",
            )


def _word(node: Node, key: str) -> str | None:
    value = node.value.get(key)
    return value if isinstance(value, str) else None
