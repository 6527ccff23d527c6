"""拖拉机 (C) and 八十分 (D), from the first drawn round to the final placings: the downloaded file gives the same."""

from __future__ import annotations

import random
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.commands import command
from app.competitions import queries as competitions
from app.draws import queries as draws
from app.draws.rules import entrant_of
from app.standings import queries, service
from app.standings.rules import NextStageRefusedError
from scoring_engine import event_file
from tests.factories import accounts, duels, registrations, results, rounds
from tests.factories import draws as draws_factory
from tests.factories.publications import Travel


def rules(slug: str = duels.SLUG) -> Any:
    return competitions.competition(slug).event.regulation.scoring_rules()


def verified(event_id: int) -> dict[str, Any]:
    """The public event file, in which nothing differs from what follows from it."""
    document = event_file.parse(queries.event_file_download(event_id).content.decode())
    assert event_file.verify(document, rules()) == []
    return document


def played(drawn: draws.RoundView) -> None:
    """Every table of a round: the first side goes up twice, by more levels the higher its table's number."""
    for table in drawn.tables:
        one, _ = duels.seats(table)
        points = 5 * (table.number % 10)
        duels.confirmed(table, deals=[duels.deal(one, points), duels.deal(one, 40)])


def test_seventeen_pairs_of_tractor_are_drawn_with_cards_then_by_points_to_their_prizes(
    session: Any, travel: Travel
) -> None:
    duels.field(travel, duels.TRACTOR, 17)
    event = competitions.competition(duels.SLUG).event
    met: set[frozenset[str]] = set()
    rested: list[int] = []
    for number in range(1, 6):
        drawn = rounds.drawn(duels.SLUG)
        assert (drawn.stage, drawn.number, len(drawn.tables), len(drawn.direct)) == ("swiss", number, 8, 1)
        with pytest.raises(NextStageRefusedError) as waits:
            rounds.drawn(duels.SLUG)
        assert len(waits.value.extra["waiting"]) == 8
        pairs = {frozenset(duels.seats(table)) for table in drawn.tables}
        assert not met & pairs, "nobody meets again"
        met |= pairs
        rested += [each.entry_id for each in drawn.direct]
        played(drawn)
        verified(event.id)
    assert len(set(rested)) == 5
    with command(registrations.committee(duels.SLUG)) as ctx:
        service.recompute(ctx, event.id)
    snapshot = queries.latest(event.id)
    assert snapshot is not None
    assert snapshot.result == event_file.score(verified(event.id), rules())
    assert snapshot.result["complete"]
    assert snapshot.result["next"]["step"] == "over"
    assert [prize["prize"] for prize in snapshot.result["prizes"]] == [f"rank_{rank}" for rank in range(1, 9)]


def test_fourteen_pairs_of_eighty_points_play_three_rounds_and_those_out_in_one_round_share_a_rank(
    session: Any, travel: Travel
) -> None:
    """五3, I-D-6, I-D-7: 14 pairs leave 7, then 3 and a bye, then 2 who won all three rounds."""
    duels.field(travel, duels.EIGHTY, 14)
    event = competitions.competition(duels.SLUG).event
    with command(registrations.committee(duels.SLUG)) as ctx:
        service.commit_stage(ctx, event.id)
    still_in: set[str] | None = None
    for number, (tables, byes) in enumerate([(7, 0), (3, 1), (2, 0)], start=1):
        drawn = rounds.drawn(duels.SLUG)
        assert (drawn.stage, drawn.number) == ("knockout", number)
        assert (len(drawn.tables), len(drawn.direct)) == (tables, byes)
        assert bool(drawn.commitment) == (number == 1)
        assert still_in is None or still_in == set(drawn.entrants), "who lost is out"
        still_in = {duels.seats(table)[0] for table in drawn.tables}
        still_in |= {str(entrant_of(each.entry_id)) for each in drawn.direct}
        played(drawn)
        verified(event.id)
    with pytest.raises(NextStageRefusedError) as over:
        rounds.drawn(duels.SLUG)
    assert "没有下一轮" in str(over.value.text)
    with command(registrations.committee(duels.SLUG)) as ctx:
        service.recompute(ctx, event.id)
    snapshot = queries.latest(event.id)
    assert snapshot is not None
    result = snapshot.result
    assert result == event_file.score(verified(event.id), rules())
    assert [each["rank"] for each in result["placings"]] == [1] * 2 + [3] * 2 + [5] * 3 + [8] * 7
    assert [len(prize["entrants"]) for prize in result["prizes"]] == [2, 2, 3]


def test_a_later_round_of_a_bracket_is_drawn_from_its_committed_seed(session: Any, travel: Travel) -> None:
    duels.field(travel, duels.EIGHTY, 5)
    event = competitions.competition(duels.SLUG).event
    played(rounds.drawn(duels.SLUG, seed=draws_factory.SEED))
    committee = registrations.committee(duels.SLUG)
    with command(committee) as ctx:
        service.commit_stage(ctx, event.id)
    with command(committee) as ctx:
        service.draws.contribute(ctx, event.id, "knockout", 2, "现场观众：三十六")
    second = rounds.drawn(duels.SLUG)
    assert second.commitment is not None
    assert second.commitment.entrants == second.entrants
    assert (len(second.tables), len(second.direct)) == (1, 1)
    verified(event.id)


def test_a_match_at_equal_levels_without_a_banker_asks_for_a_ruling_before_the_next_round(
    session: Any, travel: Travel
) -> None:
    duels.field(travel, duels.EIGHTY, 4)
    first = rounds.drawn(duels.SLUG)
    for table in first.tables:
        one, other = duels.seats(table)
        duels.confirmed(table, levels={one: "5", other: "5"})
    with pytest.raises(NextStageRefusedError) as refused:
        rounds.drawn(duels.SLUG)
    assert "级数相同" in str(refused.value.text)
    assert refused.value.clause == "五3"


def test_penalties_of_a_sheet_stand_among_the_adjustments_of_the_event_file(
    session: Any, travel: Travel
) -> None:
    duels.field(travel, duels.TRACTOR, 4)
    table = rounds.drawn(duels.SLUG).tables[0]
    one, other = duels.seats(table)
    duels.confirmed(
        table,
        deals=[duels.deal(one, 115), duels.deal(other, 60)],
        penalties=[{"rule": "revoke", "entrant": one, "deal": 1}],
        late={other: 6},
    )
    document = verified(table.event_id)
    assert document["adjustments"] == [
        {"id": "swiss-1-1-1", "rule": "revoke", "entrant": one, "stage": "swiss", "round": 1, "deal": 1}
    ]
    told = event_file.score(document, rules())["tables"][0]["deals"][0]
    assert told["defenders_points"] == "155", "60 from the banker's revoke, 20 off for the late defenders"


class Staff:
    """The JSON API as the chief referee and a referee of a competition of pairs use it."""

    def __init__(self, app: Flask, client: FlaskClient) -> None:
        self.client = client
        with app.app_context():
            self.chief = accounts.bearer(app, results.chief(duels.SLUG))
            self.referee = accounts.bearer(app, results.referee(duels.SLUG))
        self.base = f"/api/v1/competitions/{duels.SLUG}"

    def draw(self, **body: Any) -> Any:
        return self.client.post(f"{self.base}/stages/next", json=body, headers=self.chief)

    def newest(self) -> dict[str, Any]:
        rounds = self.client.get(f"{self.base}/draws", headers=self.referee).get_json()
        return dict(max(rounds, key=lambda each: each["round"]))

    def play(self, drawn: dict[str, Any], chance: random.Random) -> None:
        """Every table of a round: deals, a penalty or a forfeit by chance, handed in."""
        for table in drawn["tables"]:
            one, other = (seat["entrant"] for seat in table["seats"])
            said: dict[str, Any] = chance.choice(
                [
                    {"deals": dealt(one, other, chance)},
                    {"deals": dealt(one, other, chance)},
                    {"levels": {one: "K", other: "9"}, "bank": one},
                    {"forfeits": [other]},
                ]
            )
            body = {"base_revision": 0, "idempotency_key": results.key(), "handed_in": True, **said}
            answer = self.client.post(
                f"/api/v1/tables/{table['token']}/revisions", json=body, headers=self.referee
            )
            assert answer.status_code == 201, answer.get_json()
            assert answer.get_json()["state"] == "confirmed"

    def file(self) -> dict[str, Any]:
        return event_file.parse(self.client.get(f"{self.base}/event-file").text)


def dealt(one: str, other: str, chance: random.Random) -> list[dict[str, Any]]:
    """Three deals in which the first side keeps the bank; now and then with a bottom of nothing."""
    bottom: dict[str, Any] = {"points": 0, "unit": "single"}
    deals = [duels.deal(one, 5 * chance.randrange(0, 15)) for _ in range(3)]
    return [each | ({"bottom": bottom} if chance.random() < 0.3 else {}) for each in deals]


@pytest.mark.parametrize(
    ("regulation", "field"),
    [(duels.TRACTOR, (17, [8] * 5)), (duels.EIGHTY, (14, [7, 3, 2]))],
    ids=["tractor", "eighty"],
)
def test_by_the_api_a_field_of_pairs_goes_from_its_first_draw_to_its_final_placings(
    app: Flask, travel: Travel, client: FlaskClient, regulation: str, field: tuple[int, list[int]]
) -> None:
    pairs, tables = field
    with app.app_context():
        duels.field(travel, regulation, pairs)
        scoring = rules()
    staff, chance = Staff(app, client), random.Random(regulation)
    for number, count in enumerate(tables, start=1):
        assert staff.draw().status_code == 201
        drawn = staff.newest()
        assert (drawn["round"], len(drawn["tables"])) == (number, count)
        waits = staff.draw()
        assert (waits.status_code, len(waits.get_json()["waiting"])) == (409, count)
        staff.play(drawn, chance)
        assert event_file.verify(staff.file(), scoring) == []
    assert staff.draw().status_code == 409
    with app.app_context(), command(registrations.committee(duels.SLUG)) as ctx:
        service.recompute(ctx, competitions.competition(duels.SLUG).event.id)
    shown = client.get(f"{staff.base}/standings").get_json()
    told = event_file.score(staff.file(), scoring)
    assert shown["provisional"] is False
    assert [(each["rank"], each["entrant"]) for each in shown["placings"]] == [
        (each["rank"], each["entrant"]) for each in told["placings"]
    ]
    assert shown["prizes"] == told["prizes"]
    assert all(" / " in each["name"] for each in shown["placings"])
    first, last = shown["placings"][0]["entrant"], shown["placings"][-1]["entrant"]
    public = f"/c/{duels.SLUG}"
    for language in ("zh", "en"):
        pages = {
            path: client.get(f"{public}{path}{'&' if '?' in path else '?'}lang={language}")
            for path in (
                "/draws",
                "/pairings",
                "/standings",
                "/bracket",
                f"/standings/{first}",
                f"/standings/why?above={first}&below={last}",
            )
        }
        assert {path: page.status_code for path, page in pages.items()} == dict.fromkeys(pages, 200)
    assert "data-prizes" in pages["/standings"].text
    assert ("data-tie" in pages["/bracket"].text) == (regulation == duels.EIGHTY)
    assert (
        "data-match-deals" in pages[f"/standings/{first}"].text
        or "data-match" in pages[f"/standings/{first}"].text
    )


def test_the_cards_that_pairs_drew_stand_beside_their_names(
    app: Flask, travel: Travel, client: FlaskClient
) -> None:
    """八(一), I-C-1: ♦A meets ♥A; the pair whose partner card nobody drew has the bye."""
    with app.app_context():
        duels.field(travel, duels.TRACTOR, 5)
        drawn = rounds.drawn(duels.SLUG, seed=draws_factory.SEED)
        cards = draws.cards(drawn)
        assert len(cards) == 5
        for table in drawn.tables:
            one, other = (cards[seat.entry_id] for seat in table.seats)
            assert one[0] + other[0] in {"♦♥", "♣♠"}
            assert one[1:] == other[1:]
    for page in ("/pairings", "/draws"):
        text = client.get(f"/c/{duels.SLUG}{page}").text
        assert all(card in text for card in cards.values())
    assert "3 对" not in text
    assert "5 对" in text
