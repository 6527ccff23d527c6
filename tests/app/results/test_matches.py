"""The sheet of a match of 升级: what each deal brings, what cannot be, and how it is handed in."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.commands import command
from app.draws.queries import TableView
from app.errors import InvalidError
from app.results import service
from app.results.rules import InvalidDealError, InvalidOutcomeError
from app.results.rules.match_words import match_words
from tests.factories import accounts, duels, results, rounds
from tests.factories.publications import Travel


def first_table(travel: Travel, regulation: str = duels.TRACTOR, **options: Any) -> TableView:
    duels.field(travel, regulation, 4, **options)
    return rounds.drawn(duels.SLUG).tables[0]


def record(table: TableView, number: int, **deal: Any) -> None:
    with command(results.referee(duels.SLUG)) as ctx:
        service.record_deal(ctx, table.token, deal_number=number, deal=deal, sent=results.sent(table))


def say(table: TableView, **outcome: Any) -> None:
    with command(results.referee(duels.SLUG)) as ctx:
        service.record_outcome(ctx, table.token, outcome=outcome, sent=results.sent(table))


def hand_in(table: TableView) -> None:
    with command(results.referee(duels.SLUG)) as ctx:
        service.hand_in(ctx, table.token, checked=True, sent=results.sent(table))


def levels(table: TableView) -> dict[str, str]:
    match = duels.sheet(table).match
    assert match is not None
    assert match.score is not None
    return dict(match.score.levels_json())


def told(table: TableView) -> list[tuple[str, str]]:
    view = duels.sheet(table)
    assert view.match is not None
    words = match_words(view.match.score, view.names, view.rules)
    return [(str(each.points), str(each.level)) for each in words.deals]


def test_the_engine_says_in_words_what_each_deal_brings_and_who_banks_next(
    session: Any, travel: Travel
) -> None:
    table = first_table(travel)
    one, other = duels.seats(table)
    a, b = duels.sheet(table).names.values()
    record(table, 1, banker=one, points=110, bottom={"points": 20, "unit": "pair_run", "size": 2})
    record(table, 2, banker=other, points=55)
    assert told(table) == [
        ("防家 210 分（110，抠底 +100）", f"{b}上台，升 1 级，打 3"),
        ("防家 55 分", f"庄家{b}升 2 级，打 5"),
    ]
    view = duels.sheet(table)
    assert view.match is not None
    words = match_words(view.match.score, view.names, view.rules)
    assert str(words.bank_words) == f"下一副由{b}坐庄：庄家的对家接庄"
    assert str(words.result) == f"{b}胜：级数 5 比 2"
    assert levels(table) == {one: "2", other: "5"}
    assert a not in str(words.result)


def test_a_level_that_must_be_played_is_said_with_its_clause_where_it_holds_back_levels(
    session: Any, travel: Travel
) -> None:
    """I-D-2: as 旁家 at level 2 a side gains the bank and no level (五3)."""
    table = first_table(travel, duels.EIGHTY)
    one, other = duels.seats(table)
    b = duels.sheet(table).names[other]
    record(table, 1, banker=one, points=170)
    assert told(table) == [("旁家 170 分", f"{b}上台；2 为必打，须坐庄打过才能升级，本副不升（规程 五3）")]
    record(table, 2, banker=other, points=60)
    assert told(table)[1] == ("旁家 60 分", f"庄家{b}升 2 级，打 4")


@pytest.mark.parametrize(
    ("deal", "refusal"),
    [
        ({"points": 112}, ("points", "5的倍数", "八(六)")),
        ({"points": 5000}, ("points", "不能是5000", "八(六)")),
        (
            {"points": 60, "bottom": {"points": 65, "unit": "single"}},
            ("bottom.points", "不能是65", "八(十八)"),
        ),
        (
            {"points": 60, "bottom": {"points": 20, "unit": "pair_run", "size": 1}},
            ("bottom.size", "", "八(十八)"),
        ),
        ({}, ("points", "请写明防家得分", "八(六)")),
        ({"points": 60, "ended": "unfinished"}, ("ended", "应打完", "八(四)")),
        ({"ended": "given_up"}, ("by", "写明放弃的一方", "十(二)")),
    ],
)
def test_an_impossible_deal_is_refused_beside_its_field_with_the_clause(
    session: Any, travel: Travel, deal: dict[str, Any], refusal: tuple[str, str, str]
) -> None:
    table = first_table(travel)
    one, _ = duels.seats(table)
    field, words, clause = refusal
    with pytest.raises(InvalidDealError) as refused:
        record(table, 1, banker=one, **deal)
    assert words in str(refused.value.fields[field])
    assert refused.value.clause == clause
    assert duels.sheet(table).revision == 0


def test_the_side_that_must_bank_is_named_by_its_players(session: Any, travel: Travel) -> None:
    table = first_table(travel)
    one, other = duels.seats(table)
    names = duels.sheet(table).names
    record(table, 1, banker=one, points=120)
    with pytest.raises(InvalidDealError) as refused:
        record(table, 2, banker=one, points=0)
    text = str(refused.value.fields["banker"])
    assert names[other] in text
    assert other not in text


def test_a_correction_that_moves_the_bank_is_kept_and_must_be_mended_before_the_sheet_is_handed_in(
    session: Any, travel: Travel
) -> None:
    table = first_table(travel)
    one, other = duels.seats(table)
    record(table, 1, banker=one, points=120)
    record(table, 2, banker=other, points=40)
    record(table, 1, banker=one, points=100)
    match = duels.sheet(table).match
    assert match is not None
    assert list(match.faults) == ["deals.1.banker"]
    with pytest.raises(InvalidOutcomeError) as refused:
        hand_in(table)
    assert list(refused.value.fields) == ["deals.1.banker"]
    record(table, 2, banker=one, points=40)
    hand_in(table)
    assert duels.sheet(table).state == "confirmed"


def test_penalties_change_the_points_of_their_deal_by_the_side_that_committed_them(
    session: Any, travel: Travel
) -> None:
    """防家 115 and the banker revokes: 175, 上台 (八(十九), I-C-7)."""
    table = first_table(travel)
    one, other = duels.seats(table)
    record(table, 1, banker=one, points=115)
    say(table, penalties=[{"rule": "revoke", "entrant": one, "deal": 1, "count": 1}])
    names = duels.sheet(table).names
    assert told(table) == [("防家 175 分（115，判罚 +60）", f"{names[other]}上台，不升级")]
    with pytest.raises(InvalidOutcomeError) as refused:
        say(table, penalties=[{"rule": "revoke", "entrant": one, "deal": 4, "count": 1}])
    assert refused.value.clause == "八(十九)"
    assert "penalties.0.deal" in refused.value.fields


def test_a_side_sixteen_minutes_late_gives_the_first_deal_up_which_is_written_down(
    session: Any, travel: Travel
) -> None:
    table = first_table(travel)
    one, other = duels.seats(table)
    say(table, late={one: "15.5"})
    assert duels.sheet(table).deals == ({"ended": "given_up", "by": one},)
    assert levels(table) == {one: "2", other: "3"}
    record(table, 2, banker=other, points=40)
    say(table, late={one: "12"})
    assert duels.sheet(table).deals == ({"banker": other, "points": 40},)
    say(table, late={one: 20.5})
    assert duels.sheet(table).match.score.outcome.decided_by == "forfeit"  # type: ignore[union-attr]  # a match, scored


def test_two_more_deals_are_played_after_time_and_no_third(session: Any, travel: Travel) -> None:
    table = first_table(travel)
    one, _ = duels.seats(table)
    for number in range(1, 4):
        record(table, number, banker=one, points=110)
    say(table, announced_in=1)
    with pytest.raises(InvalidDealError) as refused:
        record(table, 4, banker=one, points=110)
    assert refused.value.clause == "八(四)"


def test_only_the_end_can_be_recorded_and_a_match_without_anything_cannot_be_handed_in(
    session: Any, travel: Travel
) -> None:
    table = first_table(travel, duels.EIGHTY)
    one, other = duels.seats(table)
    with pytest.raises(InvalidError) as nothing:
        hand_in(table)
    assert list(nothing.value.fields) == ["deals"]
    with pytest.raises(InvalidOutcomeError) as wrong:
        say(table, levels={one: "1", other: "9"})
    assert f"levels.{one}" in wrong.value.fields
    say(table, levels={one: "9", other: "9"}, bank=other)
    hand_in(table)
    view = duels.sheet(table)
    assert view.match is not None
    words = match_words(view.match.score, view.names, view.rules)
    assert str(words.result) == f"{view.names[other]}胜：级数同为 9，在位坐庄"


def test_the_last_deal_can_be_taken_out_and_no_other(session: Any, travel: Travel) -> None:
    table = first_table(travel)
    one, _ = duels.seats(table)
    record(table, 1, banker=one, points=110)
    record(table, 2, banker=one, points=90)
    for number, left in ((1, 2), (2, 1)):
        try:
            with command(results.referee(duels.SLUG)) as ctx:
                service.remove_last_deal(ctx, table.token, deal_number=number, sent=results.sent(table))
        except InvalidError:
            assert number == 1
        assert len(duels.sheet(table).deals) == left


def test_a_sheet_of_another_game_takes_no_deal_of_a_match(session: Any, travel: Travel) -> None:
    table = first_table(travel)
    one, _ = duels.seats(table)
    with pytest.raises(InvalidDealError) as refused:
        record(table, 1, landlord=one, bid=3, winner="landlord")
    assert set(refused.value.fields) == {"landlord", "bid", "winner"}


def test_the_page_of_a_match_shows_levels_bank_and_refusals_and_takes_it_to_its_end(
    app: Flask, travel: Travel, client: FlaskClient
) -> None:
    with app.app_context():
        table = first_table(travel)
        one, other = duels.seats(table)
        names = duels.sheet(table).names
        referee, chief = results.referee(duels.SLUG), results.chief(duels.SLUG)
    accounts.sign_in(client, referee)
    here = f"/c/{duels.SLUG}/t/{table.token}"
    page = client.get(here).text
    assert "记下第 1 副" in page
    assert page.count("打 2") >= 2

    def send(path: str, revision: int, **form: Any) -> Any:
        return client.post(
            f"{here}{path}", data={"base_revision": revision, "idempotency_key": results.key(), **form}
        )

    wrong = send("/match/deals", 0, deal_number=1, banker=one, points=112, unit="none", ended="played")
    assert wrong.status_code == 422
    assert 'value="112"' in wrong.text
    assert "clause-八(六)" in wrong.text
    deal = {"deal_number": 1, "banker": one, "points": 110, "ended": "played"}
    assert send("/match/deals", 0, unit="pair_run", size=2, bottom_points=20, **deal).status_code == 303
    page = client.get(here).text
    assert "防家 210 分（110，抠底 +100）" in page
    assert f"下一副由{names[other]}坐庄" in page
    penalty = {"rule": "exposed_card", "entrant": one, "deal": 1, "count": 1}
    assert send("/match/penalties", 1, **penalty).status_code == 303
    assert "防家 220 分" in client.get(here).text
    assert send("/match/penalties/removal", 2, number=1).status_code == 303
    assert send("/match/terms", 3, **{f"late-{one}": "4", "announced_in": "1"}).status_code == 303
    stale = send("/match/terms", 1, **{f"late-{one}": "9"})
    assert stale.status_code == 409
    assert "两份内容不同" in stale.text
    assert send("/hand-in", 4).status_code == 422
    assert send("/hand-in", 4, checked="1").status_code == 303
    assert "已确认" in client.get(here).text
    history = client.get(f"{here}/history").text
    assert "防家 220 分" in history
    accounts.sign_in(client, chief)
    assert send("/reopen", 5, reason="第 1 副底牌记错").status_code == 303
    assert "裁判长已退回更正" in client.get(here).text


def test_a_deal_whose_points_only_penalties_explain_is_taken_with_a_note_on_the_page(
    app: Flask, travel: Travel, client: FlaskClient
) -> None:
    with app.app_context():
        table = first_table(travel)
        one, _ = duels.seats(table)
        record(table, 1, banker=one, points=-20)
        referee = results.referee(duels.SLUG)
    accounts.sign_in(client, referee)
    page = client.get(f"/c/{duels.SLUG}/t/{table.token}").text
    assert "已计入的判罚不要另记" in page


def test_the_api_takes_a_whole_match_and_names_what_cannot_be_by_its_path(
    app: Flask, travel: Travel, client: FlaskClient
) -> None:
    with app.app_context():
        table = first_table(travel)
        one, other = duels.seats(table)
        headers = accounts.bearer(app, results.referee(duels.SLUG))
    path = f"/api/v1/tables/{table.token}"
    sent = {"base_revision": 0, "idempotency_key": "match-api-1", "handed_in": True}
    deals = [{"banker": one, "points": 180}, {"banker": one, "points": 5}]
    wrong = client.post(f"{path}/revisions", json=sent | {"deals": deals}, headers=headers)
    assert wrong.status_code == 422
    assert wrong.get_json()["errors"][0]["pointer"] == "/deals/1/banker"
    deals[1]["banker"] = other
    penalties = [{"rule": "wrong_throw", "entrant": one, "deal": 2}]
    done = client.post(
        f"{path}/revisions", json=sent | {"deals": deals, "penalties": penalties}, headers=headers
    )
    assert done.status_code == 201
    match = done.get_json()["match"]
    assert match["levels"] == {one: "2", other: "6"}
    assert match["winner"] == other
    assert match["deals"][1]["defenders_points"] == "-15"
    assert match["faults"] == []
