"""The 快乐二打一 regulation of the Dongcheng series 2021 against what its text says."""

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

ID = "dongcheng-landlord-2021"
PATH = FOLDER / "2021" / "dongcheng-landlord.toml"
REGULATION = library.load(ID)


def sentences(
    code: str, language: str = "zh", options: dict[str, Any] | None = None
) -> list[tuple[str, str]]:
    regulation = REGULATION.with_changes(options=options) if options else REGULATION
    (section,) = [each for each in rules_page(regulation).sections if each.code == code]
    return [
        (row.clause, row.text.render(lambda msgid: "en" if language == "en" else msgid))
        for row in section.rows
    ]


def test_members_enter_by_e_mail_three_of_a_unit_until_the_end_of_31_may() -> None:
    deadline = REGULATION.calendar.registration_deadline
    assert deadline.clause == "附件1七4"
    assert deadline.accepts(datetime(2021, 5, 31, 23, 59, 59, 999_999, tzinfo=BEIJING))
    assert not deadline.accepts(datetime(2021, 6, 1, tzinfo=BEIJING))
    terms = REGULATION.registration
    assert (terms.channel, terms.entries_per_unit, terms.entries_clause) == ("email", 3, "附件1七1")
    assert REGULATION.judge(Person(declared=frozenset({"residence_days"}))) == ()
    assert not REGULATION.has("publication")
    assert not REGULATION.has("objections")


def test_four_rounds_of_twelve_deals_and_the_chain_of_the_text() -> None:
    (stage,) = REGULATION.stages
    assert (stage.code, stage.rounds, stage.deals, stage.clause) == ("swiss", 4, 12, "附件4四")
    rules = REGULATION.scoring_rules()
    assert [(link.code, link.clause) for link in rules.ranking] == [
        ("match_points", "附件4六(一)"),
        ("game_points", "附件4六(一)"),
        ("opponent_score", "附件4六(二)"),
        ("rounds_won", "附件4六(三)"),
        ("highest_match_points", "附件4六(四)"),
        ("lots", "附件4六(五)"),
    ]
    assert rules.teams is not None
    assert (rules.teams.size, rules.teams.unnamed, rules.teams.ties) == (2, "best", "chain")


def test_eight_players_and_eight_teams_are_rewarded() -> None:
    prizes = REGULATION.scoring_rules().prizes
    assert [(each.of_teams, each.first_rank, each.last_rank, each.clause) for each in prizes] == [
        (False, 1, 8, "附件4七(一)"),
        (True, 1, 8, "附件4七(二)"),
    ]


def test_the_page_says_how_a_round_is_scored() -> None:
    assert sentences("stages") == [("附件4四", "共 4 轮，每轮三人一桌打 12 副。")]
    scoring = sentences("scoring")
    for row in (
        ("附件4八(二)", "座位依次为西、南、东；第一副由西家首先叫牌，第二副由南家，第三副由东家，以后轮流。"),
        (
            "附件4六(一)",
            "每轮按桌内小分（含迟到和判罚的小分）排名，第一、二、三名得 2、1、0 场分，名次相同的平分。",
        ),
        ("附件4八(六)2", "轮空一轮得 1.5 场分、32 小分。"),
        ("附件4八(六)1", "迟到 1–5 分钟：按时到场者各得 3 小分，迟到者扣 6 小分。"),
        ("附件4八(六)1", "迟到 6–10 分钟：按时到场者各得 6 小分，迟到者扣 12 小分。"),
        ("附件4八(六)2", "一人弃权，其余两人各得 1.5 场分、32 小分。"),
        ("附件4八(六)2", "弃权者得 0 场分、0 小分。"),
    ):
        assert row in scoring
    assert sentences("ranking")[0] == ("附件4六(一)", "1. 累积场分")
    assert sentences("teams")[0][1] == (
        "同一单位 2 名选手的累积场分相加排定团体名次；再相同的依次比较其余各项之和。"
    )


def test_the_page_follows_the_options_chosen() -> None:
    chosen = {"match_points_scheme": "sign_2_1_0", "late_at_forfeit": "counted", "late_minutes": "floor"}
    shown = [text for _, text in sentences("scoring", options=chosen)]
    assert "每轮按小分（含迟到和判罚的小分）得场分：小分不少于 1 得 2；小分不少于 0 得 1；其余得 0。" in shown
    assert any("不足一分钟不计" in text for text in shown)
    assert "有人弃权的一桌，其他人的迟到照计小分。" in shown
    (_, unnamed) = sentences("teams", options={"team_unnamed": "none"})[1]
    assert "不计团体成绩" in unnamed


def test_the_rules_page_is_shown_in_both_languages(client: FlaskClient) -> None:
    answer = client.get(f"/regulations/{ID}")
    assert answer.status_code == 200
    ids = re.findall(r'id="([^"]+)"', answer.text)
    assert len(ids) == len(set(ids))
    assert "每轮三人一桌打 12 副" in answer.text
    english = client.get(f"/regulations/{ID}?lang=en").text
    assert "4 rounds, each of 12 deals at tables of three." in english
    assert "West bids first in deal 1, South in deal 2, East in deal 3, and so on." in english
    assert "1.5 match points and 32 game points" in english
    assert "Team result" in english


def test_saishi_regulations_list_show_and_check_know_the_file() -> None:
    run = CliRunner().invoke
    listed = json.loads(run(cli, ["regulations", "list"]).output)["regulations"]
    assert ID in [each["id"] for each in listed]
    assert json.loads(run(cli, ["regulations", "show", ID]).output)["id"] == ID
    answer = run(cli, ["regulations", "check", str(PATH)])
    assert answer.exit_code == 0
    assert json.loads(answer.output)["id"] == ID


@pytest.mark.parametrize(
    ("play", "literal", "restricted"),
    [
        ("333444+BR", True, False),
        ("5555+BR", True, False),
        ("333444+55", True, True),
        ("5555+39", True, True),
        ("33344", True, True),
        ("JQKA2", False, False),
    ],
)
def test_saishi_judge_reads_the_text_literally_or_as_regulation_a(
    play: str, literal: bool, restricted: bool
) -> None:
    for profile, legal in (("literal", literal), ("restricted", restricted)):
        arguments = ["judge", "--regulation", ID, "--option", f"play_profile={profile}"]
        answer = json.loads(CliRunner().invoke(cli, arguments, input=f"{play}\n").output)
        assert answer["legal"] is legal
    default = CliRunner().invoke(cli, ["judge", "--regulation", ID], input=f"{play}\n")
    assert json.loads(default.output)["legal"] is literal


def test_every_row_names_a_clause_of_its_annex() -> None:
    clauses = set(re.findall(r'clause = "([^"]+)"', PATH.read_text(encoding="utf-8")))
    assert all(clause.startswith(("附件1", "附件4")) for clause in clauses)


def test_no_contact_details_of_the_source_are_shipped() -> None:
    assert not re.search(r"@|https?:|\d{3}-\d{4}|\d{11}|联系人", PATH.read_text(encoding="utf-8"))


def test_every_interpretation_of_the_text_is_an_option() -> None:
    ids = {each.id for each in REGULATION.interpretations}
    assert {f"I-B-{number}" for number in (*range(1, 12), 16, 17, 18)} <= ids
