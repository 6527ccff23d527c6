"""Sentences of the rules page for team results (团体名次), made from the row that computes."""

from app.regulations.rules.texts import Bilingual
from scoring_engine.rules import TeamRule

TIES = {
    "chain": Bilingual(
        "再相同的依次比较其余各项之和", "then the sums of the further criteria are compared in turn"
    ),
    "game_points": Bilingual("再相同的比较小分之和", "then the sums of game points are compared"),
    "shared": Bilingual("相同的名次并列", "equal sums share the rank"),
}


def team_result(teams: TeamRule) -> list[Bilingual]:
    """Who makes a team, what is added up, and what separates equal teams."""
    ties = TIES[teams.ties]
    return [
        Bilingual(
            f"同一单位 {teams.size} 名选手的累积场分相加排定团体名次；{ties.zh}。",
            f"The match points of {teams.size} players of one unit are added up for the team; {ties.en}.",
        ),
        Bilingual(
            f"报名表写明的 {teams.size} 名队员成队；没有写明的，取名次最好的 {teams.size} 人。",
            f"The {teams.size} named on the entry form are the team; where none are named, the {teams.size} best placed.",
        )
        if teams.unnamed == "best"
        else Bilingual(
            f"报名表写明的 {teams.size} 名队员成队；没有写明的，不计团体成绩。",
            f"The {teams.size} named on the entry form are the team; a unit that names none has no team result.",
        ),
    ]
