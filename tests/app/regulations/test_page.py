"""The rules page (规程页): generated sentences, anchors, interpretations; the library's pages and API."""

import re
from html.parser import HTMLParser

import pytest
from flask.testing import FlaskClient
from sqlalchemy.orm import Session

from app.regulations import library, queries
from app.regulations.rules import RuleSection, RulesPage, anchor, rules_page
from app.regulations.rules.ranking_texts import MEANINGS
from scoring_engine.tie_breaks import CRITERIA

REGULATION = library.load("beach-games-landlord-2021")
PAGE = rules_page(REGULATION)
URL = "/regulations/beach-games-landlord-2021"


def section(page: RulesPage, code: str) -> RuleSection:
    (found,) = [each for each in page.sections if each.code == code]
    return found


def sentences(code: str) -> list[str]:
    (section,) = [section for section in PAGE.sections if section.code == code]
    return [f"{row.label}：{row.text}" if row.label else str(row.text) for row in section.rows]


def test_the_sections_follow_the_regulation() -> None:
    assert [section.code for section in PAGE.sections] == [
        "calendar",
        "eligibility",
        "documents",
        "registration",
        "publication",
        "stages",
        "scoring",
        "ranking",
        "penalties",
        "windows",
        "prizes",
        "points",
        "notices",
    ]


@pytest.mark.parametrize(
    ("section", "sentence"),
    [
        ("calendar", "报名截止：2021年10月31日（周日）18:00（含当秒）"),
        ("eligibility", "兼职、派驻、借调人员不得参赛。"),
        ("documents", "报到前 5 日内的核酸检测阴性报告。"),
        ("registration", "各单位报名人数不限。"),
        ("publication", "公示期为报名截止后 5 个工作日，截止当日不计，末日 24:00 结束。"),
        (
            "publication",
            "公示期内，任何参赛单位可以对参赛资格提出异议，须书面提出、加盖公章、提供可供核实的依据。",
        ),
        ("ranking", "1. 总得分"),
        ("penalties", "在禁烟区域吸烟：每次扣 3 分"),
        ("penalties", "出牌超过 30 秒的警告：每 3 次扣 3 分"),
        ("windows", "口头申诉：本轮结束后 5 分钟内（含最后一秒）。"),
        ("windows", "申诉费：500 元；成功退还，败诉不退。"),
        ("prizes", "获奖证书：第 4 至 9 名"),
        ("prizes", "体育道德风尚奖：由主办方评选 2 名"),
    ],
)
def test_sentences_are_made_from_the_rows_that_compute(section: str, sentence: str) -> None:
    assert sentence in sentences(section)


def test_changed_dates_and_options_are_on_the_page_and_marked() -> None:
    changed = rules_page(REGULATION.with_changes(options={"deals_per_stage": 4, "deadline_day": "counted"}))
    stages = next(section for section in changed.sections if section.code == "stages")
    assert "每组打 4 副" in str(stages.rows[0].text)
    assert changed.changed == 2
    marked = {each.option: each for each in changed.interpretations if each.changed}
    assert set(marked) == {"deals_per_stage", "deadline_day"}
    assert str(marked["deals_per_stage"].default_meaning) == "10"
    publication = next(section for section in changed.sections if section.code == "publication")
    assert "自报名截止当日起算" in str(publication.rows[0].text)


def test_every_clause_has_its_anchor_exactly_once() -> None:
    rows = [row for section in PAGE.sections for row in section.rows]
    clauses = {row.clause for row in rows} | {each.clause for each in PAGE.interpretations}
    anchors = [row.anchor for row in rows if row.anchor] + [
        e.anchor for e in PAGE.interpretations if e.anchor
    ]
    assert sorted(anchors) == sorted(anchor(clause) for clause in clauses)


def test_rows_name_the_interpretations_of_their_clause() -> None:
    publication = next(section for section in PAGE.sections if section.code == "publication")
    assert "I-A-14" in publication.rows[0].interpretations


class Ids(HTMLParser):
    """Collects ids and in-page links."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.ids.append(value)
            if name == "href" and value and value.startswith("#"):
                self.links.append(value[1:])


def test_the_page_has_unique_ids_and_every_inner_link_leads_somewhere(client: FlaskClient) -> None:
    answer = client.get(URL)
    assert answer.status_code == 200
    found = Ids()
    found.feed(answer.text)
    assert len(found.ids) == len(set(found.ids))
    assert set(found.links) <= set(found.ids)
    assert "clause-三(三)1" in found.ids
    assert {f"interpretation-I-A-{number}" for number in range(1, 18)} <= set(found.ids)
    assert REGULATION.sha256 in answer.text


def test_the_english_page_shows_the_files_english_texts(client: FlaskClient) -> None:
    text = client.get(f"{URL}?lang=en").text
    assert "Smoking in a no-smoking area" in text
    assert "2nd China Workers" in text


def test_the_list_leads_to_every_regulation(client: FlaskClient) -> None:
    text = client.get("/regulations").text
    assert all(f'href="/regulations/{regulation_id}"' in text for regulation_id in library.shipped())


def test_an_unknown_regulation_is_not_found(client: FlaskClient) -> None:
    assert client.get("/regulations/nobody-2021").status_code == 404
    answer = client.get("/api/v1/regulations/nobody-2021")
    assert answer.status_code == 404
    assert "beach-games-landlord-2021" in answer.get_json()["next_step"]


def test_the_api_lists_and_gives_the_whole_document(client: FlaskClient) -> None:
    listed = client.get("/api/v1/regulations").get_json()["regulations"]
    assert [each["id"] for each in listed] == list(library.shipped())
    shown = client.get("/api/v1/regulations/beach-games-landlord-2021").get_json()
    assert library.parse_document(shown["document"], "api") == REGULATION
    assert shown["sha256"] == REGULATION.sha256
    assert re.fullmatch(r"[0-9a-f]{64}", shown["sha256"])


def test_the_publication_names_its_days_where_the_calendar_of_workdays_has_them(session: Session) -> None:
    (note,) = [
        row.note
        for row in section(queries.rules_page(REGULATION), "publication").rows
        if row.note is not None
    ]
    assert str(note) == (
        "名单在报名截止后公布的，公示期为 2021年11月1日（周一）至 2021年11月5日（周五）24:00（北京时间）。"
    )


def test_a_year_without_a_calendar_of_workdays_is_named_and_no_day_is_guessed(session: Session) -> None:
    later = REGULATION.with_changes(
        calendar={
            "notice": "2099-10-22",
            "registration_opens": "2099-10-22T00:00:00+08:00",
            "registration_closes": "2099-10-31T18:00:00+08:00",
            "check_in": "2099-12-02",
            "play_from": "2099-12-03",
            "play_to": "2099-12-05",
            "leave_by": "2099-12-06T12:00:00+08:00",
        }
    )
    (note,) = [
        row.note for row in section(queries.rules_page(later), "publication").rows if row.note is not None
    ]
    assert str(note) == "具体日期待 2099 年的放假安排公布后确定。"


def test_a_document_with_an_age_names_its_first_day() -> None:
    (note,) = [row.note for row in section(PAGE, "documents").rows if row.note is not None]
    assert str(note) == "即 2021年11月27日（周六）及以后采样。"


def test_the_chain_is_told_in_one_sentence_and_each_link_is_explained() -> None:
    ranking = section(PAGE, "ranking")
    assert str(ranking.lead) == (
        "先比总得分，相同的再比胜局数，相同的再比单副最高得分依次；仍相同的名次并列，其后的名次空出。"
    )
    assert all(row.note is not None for row in ranking.rows)
    xiangqi = section(rules_page(library.load("dongcheng-xiangqi-2021")), "ranking")
    assert str(xiangqi.lead).endswith("相同的由抽签决定。")
    assert [str(row.note) for row in xiangqi.rows][3] == "违例、犯规的次数；少者在前。"


def test_every_criterion_has_its_meaning() -> None:
    assert set(MEANINGS) == set(CRITERIA)


def test_sentences_of_one_clause_stand_together_and_name_it_once() -> None:
    blocks = section(PAGE, "scoring").blocks
    # what may be bid stands in 通则2, what a deal is worth in 通则7
    assert [(block.clause, len(block.rows)) for block in blocks] == [
        ("四(二)比赛通则2", 1),
        ("四(二)比赛通则7", 3),
    ]
    assert section(PAGE, "penalties").columns is not None
