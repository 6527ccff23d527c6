"""The Go and Xiangqi regulations of the Dongcheng series 2021 against what their text says."""

import json
import re
from datetime import datetime
from typing import Any

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient

from app.cli import cli
from app.regulations import library
from app.regulations.library import FOLDER
from app.regulations.rules import Person, rules_page
from app.text import BEIJING
from scoring_engine import event_file
from tests.scoring_engine.board_events import GO, XIANGQI, event, value

IDS = ("dongcheng-go-2021", "dongcheng-xiangqi-2021")
GO_ID, XIANGQI_ID = IDS


def sentences(regulation_id: str, code: str, language: str = "zh") -> list[str]:
    (section,) = [each for each in rules_page(library.load(regulation_id)).sections if each.code == code]
    return [row.text.render(lambda msgid: "en" if language == "en" else msgid) for row in section.rows]


@pytest.mark.parametrize("regulation_id", IDS)
def test_the_deadline_is_the_end_of_31_may(regulation_id: str) -> None:
    regulation = library.load(regulation_id)
    deadline = regulation.calendar.registration_deadline
    assert deadline.clause == "附件1七4"
    assert deadline.accepts(datetime(2021, 5, 31, 23, 59, 59, 999_999, tzinfo=BEIJING))
    assert not deadline.accepts(datetime(2021, 6, 1, tzinfo=BEIJING))
    assert regulation.season == 2021
    assert not regulation.has("publication")
    assert not regulation.has("objections")
    assert regulation.runs_here
    assert not regulation.asks_employment


@pytest.mark.parametrize("regulation_id", IDS)
def test_members_enter_by_e_mail_two_of_a_unit(regulation_id: str) -> None:
    regulation = library.load(regulation_id)
    terms = regulation.registration
    assert (terms.channel, terms.entries_per_unit, terms.changes_stated) == ("email", 2, False)
    assert regulation.judge(Person(declared=frozenset({"residence_days"}))) == ()
    assert [(each.clause, each.field) for each in regulation.judge(Person())] == [
        ("附件1八", "declared.residence_days")
    ]
    assert sentences(regulation_id, "eligibility") == [
        "协会的单位会员和个人会员均可报名参加。",
        "比赛前 15 日内不得离开北京。",
    ]
    assert sentences(regulation_id, "registration") == [
        "由单位会员、个人会员填写报名表，发送到报名邮箱。",
        "每单位限报 2 人。",
        "每名选手一份报名。",
    ]


def test_the_chains_are_those_of_the_text() -> None:
    assert library.load(GO_ID).scoring_rules().chain == GO
    assert library.load(XIANGQI_ID).scoring_rules().chain == XIANGQI


def test_go_has_groups_of_20_to_32_and_at_least_five_rounds() -> None:
    regulation = library.load(GO_ID)
    (stage,) = regulation.stages
    assert (stage.code, stage.rounds, stage.group, stage.clause) == ("swiss", 5, (20, 32), "附件2一3")
    assert regulation.with_changes(options={"rounds": 7}).stages[0].rounds == 7
    answer = event_file.score({**event(19, []), "regulation": GO_ID}, regulation.scoring_rules())
    ruling = answer["stages"][0]["needs_ruling"]
    assert ruling["clause"] == "附件2一3"
    assert "I-B-14" in ruling["reason"]


def test_xiangqi_has_five_rounds_and_no_size_of_a_group() -> None:
    (stage,) = library.load(XIANGQI_ID).stages
    assert (stage.code, stage.rounds, stage.group, stage.clause) == ("swiss", 5, None, "附件3一2")


@pytest.mark.parametrize("regulation_id", IDS)
def test_points_are_2_1_0_and_the_first_six_get_certificates(regulation_id: str) -> None:
    rules = library.load(regulation_id).scoring_rules()
    board = rules.board
    assert (board.win, board.draw, board.loss, board.forfeit_win, board.forfeit_loss) == (2, 1, 0, 2, 0)
    assert board.byes == {"bye": 2, "absent": 0}
    assert [(each.prize, each.first_rank, each.last_rank) for each in rules.prizes] == [("certificate", 1, 6)]
    assert rules.options["team_result"] == "off"


ALTERNATIVES = [
    # (regulation, option, chosen value, criterion, its own option, the value it then has)
    (GO_ID, "bye_opponent_score", "own_score", "opponent_score", "own_unplayed", "own_score"),
    (GO_ID, "forfeit_opponent", "unplayed", "opponent_score", "forfeits", "unplayed"),
    (GO_ID, "head_to_head_scope", "group", "head_to_head", "scope", "group"),
    (GO_ID, "forfeit_meeting", "not_counted", "head_to_head", "forfeits", "not_counted"),
    (GO_ID, "progressive_cut_variant", "own_first", "progressive_cut", "variant", "own_first"),
    (XIANGQI_ID, "bye_wins", "counted", "wins", "byes", "counted"),
    (XIANGQI_ID, "forfeit_wins", "not_counted", "wins", "forfeits", "not_counted"),
    (XIANGQI_ID, "forfeit_moving_second", "counted", "wins_moving_second", "forfeits", "counted"),
    (XIANGQI_ID, "previous_rank", "points", "previous_round_rank", "compares", "points"),
]


@pytest.mark.parametrize("row", ALTERNATIVES, ids=lambda row: row[1])
def test_every_option_reaches_its_criterion(row: tuple[str, ...]) -> None:
    regulation_id, option, chosen, criterion, key, expected = row
    rules = library.load(regulation_id).scoring_rules({option: chosen})
    options = next(link.options for link in rules.ranking if link.code == criterion)
    assert options[key] == expected


def test_a_bye_can_be_worth_less() -> None:
    assert library.load(GO_ID).scoring_rules({"bye_points": 1}).board.byes["bye"] == 1


@pytest.mark.parametrize("regulation_id", IDS)
def test_saishi_regulations_check_accepts_the_file(regulation_id: str) -> None:
    path = FOLDER / "2021" / f"{regulation_id.removesuffix('-2021')}.toml"
    answer = CliRunner().invoke(cli, ["regulations", "check", str(path)])
    assert answer.exit_code == 0
    assert json.loads(answer.output)["id"] == regulation_id


def scored(document: dict[str, Any]) -> dict[str, Any]:
    answer = CliRunner().invoke(cli, ["score", "-"], input=json.dumps(document))
    assert answer.exit_code == 0, answer.output
    found: dict[str, Any] = json.loads(answer.output)
    return found


def test_saishi_score_ranks_a_go_event_by_its_shipped_regulation() -> None:
    rounds = ["1+5 2+6 3-7 4+8", "1+2 7-4 5+6 3+8", "1-4 2+7 5-3 6-8"]
    answer = scored({**event(8, rounds), "regulation": GO_ID})
    order = [placing["entrant"] for placing in answer["placings"]]
    assert order == ["e4", "e1", "e3", "e2", "e7", "e8", "e5", "e6"]
    assert not answer["complete"]


def test_saishi_score_ranks_a_xiangqi_event_with_a_foul_and_a_bye() -> None:
    foul = {"id": "p1", "rule": "foul", "entrant": "e1", "stage": "swiss", "round": 1}
    answer = scored(
        {
            **event(3, ["1+2"], {1: ["e3"]}, adjustments=[foul]),
            "regulation": XIANGQI_ID,
            "options": {"bye_wins": "counted"},
        }
    )
    own = {placing["entrant"]: placing for placing in answer["placings"]}
    assert [value(own["e1"], code) for code in ("match_points", "wins", "violations")] == ["2", "1", "1"]
    assert value(own["e3"], "wins") == "1"
    assert own["e1"]["decided_by"] == "violations"
    assert answer["adjustments"][0]["clause"] == "附件3二"


@pytest.mark.parametrize("regulation_id", IDS)
def test_the_rules_page_is_shown_in_both_languages(client: FlaskClient, regulation_id: str) -> None:
    answer = client.get(f"/regulations/{regulation_id}")
    assert answer.status_code == 200
    ids = re.findall(r'id="([^"]+)"', answer.text)
    assert len(ids) == len(set(ids))
    assert "胜一局得 2 分，和一局得 1 分，负一局得 0 分。" in answer.text
    assert "共 5 轮" in answer.text
    english = client.get(f"/regulations/{regulation_id}?lang=en").text
    assert "5 rounds, one game each" in english
    assert "A bye is worth 2." in english
    codes = [section.code for section in rules_page(library.load(regulation_id)).sections]
    assert "publication" not in codes


@pytest.mark.parametrize("regulation_id", IDS)
def test_every_row_names_a_clause_of_its_annex(regulation_id: str) -> None:
    annex = "附件2" if regulation_id == GO_ID else "附件3"
    clauses = set(re.findall(r'clause = "([^"]+)"', _text(regulation_id)))
    assert all(clause.startswith(("附件1", annex)) for clause in clauses)


@pytest.mark.parametrize("regulation_id", IDS)
def test_no_contact_details_of_the_source_are_shipped(regulation_id: str) -> None:
    assert not re.search(r"@|https?:|\d{3}-\d{4}|\d{11}|联系人", _text(regulation_id))


def _text(regulation_id: str) -> str:
    path = FOLDER / "2021" / f"{regulation_id.removesuffix('-2021')}.toml"
    return path.read_text(encoding="utf-8")
