"""The pages of corrections: a referee or a player asks, the chief referee looks at the effect and decides; for each kind of sheet."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.commands import command
from app.corrections import queries, service
from app.corrections.rules import RequestState
from app.draws.queries import TableView
from app.floor import queries as floor
from app.results import queries as results_queries
from tests.factories import accounts, duels, results, rounds, sheets

Travel = Callable[[datetime], None]


def asked(table: TableView, slug: str) -> int:
    with command(results.referee(slug)) as ctx:
        return service.ask(ctx, table.token, text="记录有误", key=results.key())


def deals(travel: Travel) -> tuple[str, TableView, dict[str, Any]]:
    drawn = results.prelim(travel)
    for table in drawn.tables:
        results.confirmed(table)
    first = results.seats(drawn.tables[0])[0]
    return "beach", drawn.tables[0], {"deal_number": 2, "landlord": first, "bid": 3, "winner": "defenders"}


def board(travel: Travel) -> tuple[str, TableView, dict[str, Any]]:
    rounds.field(travel)
    table = rounds.drawn().tables[0]
    rounds.confirmed(table)
    return (
        rounds.SLUG,
        table,
        {"result": "second", "violations_first": 1, "violations_second": 0},
    )


def levels(travel: Travel) -> tuple[str, TableView, dict[str, Any]]:
    duels.field(travel)
    table = rounds.drawn(duels.SLUG).tables[0]
    duels.confirmed(table)
    one, other = duels.seats(table)
    return duels.SLUG, table, {f"levels-{one}": "8", f"levels-{other}": "10", "bank": other}


def match(travel: Travel) -> tuple[str, TableView, dict[str, Any]]:
    duels.field(travel)
    table = rounds.drawn(duels.SLUG).tables[0]
    one, _ = duels.seats(table)
    duels.recorded(table, handed_in=True, deals=[duels.deal(one, 40)])
    return (
        duels.SLUG,
        table,
        {"deal_number": 1, "banker": one, "points": 180, "unit": "none", "ended": "played"},
    )


@pytest.mark.parametrize("kind", [deals, board, levels, match])
@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_chief_referee_sees_the_effect_and_corrects_any_kind_of_sheet(
    app: Flask, client: FlaskClient, travel: Travel, kind: Callable[..., Any], language: str
) -> None:
    with app.app_context():
        slug, table, fields = kind(travel)
        request_id = asked(table, slug)
        accounts.sign_in(client, results.chief(slug))
        before = results_queries.sheet(table.token)
    client.get(f"/c/{slug}?lang={language}")
    address = f"/staff/c/{slug}/corrections/{request_id}"
    page = client.get(address).text
    decided = {"zh": "决定", "en": "Decided"}[language]
    assert f"<dt>{decided}</dt>" not in page, "nothing is decided yet, and no empty row says so"
    sent = fields | {
        "base_revision": hidden(page, "base_revision"),
        "idempotency_key": hidden(page, "idempotency_key"),
    }
    shown = client.post(f"{address}/impact", data=sent)
    assert shown.status_code == 200, shown.text
    with app.app_context():
        assert results_queries.sheet(table.token) == before, "looking changes nothing"
    sent |= {"seen": hidden(shown.text, "seen"), "reason": "核对原始记录"}
    for _ in range(2):
        done = client.post(f"{address}/grant", data=sent)
        assert done.status_code == 303, re.findall(r"notice__text.*?</div>", done.text, re.S)
    with app.app_context():
        after = results_queries.sheet(table.token)
        assert after.published_revision == before.revision + 1
        assert after.published != before.published
        assert queries.request(table.event_id, request_id).state is RequestState.GRANTED
    assert "核对原始记录" in client.get(address).text


def test_what_cannot_be_is_said_beside_its_field_and_what_was_typed_stays(
    app: Flask, client: FlaskClient, travel: Travel
) -> None:
    with app.app_context():
        slug, table, fields = deals(travel)
        request_id = asked(table, slug)
        accounts.sign_in(client, results.chief(slug))
    address = f"/staff/c/{slug}/corrections/{request_id}"
    wrong = fields | {"bid": 7, "base_revision": 1, "idempotency_key": "k" * 16, "bombs": "2"}
    answer = client.post(f"{address}/impact", data=wrong)
    assert answer.status_code == 422
    assert "没有 7 分" in answer.text
    assert re.search(r'name="bombs"[^>]*value="2"', answer.text)


def test_a_player_asks_and_takes_it_back_with_his_card_alone(
    app: Flask, client: FlaskClient, travel: Travel
) -> None:
    with app.app_context():
        slug, table, _ = deals(travel)
        card = sheets.cards(table.event_id)[sheets.sides(table)[0]].token
    address = f"/c/{slug}/p/{card}/correction"
    page = client.get(address)
    assert page.status_code == 200
    assert "四(二)8(九)" in page.text
    short = client.post(address, data={"text": "错", "idempotency_key": "player-key-1"})
    assert short.status_code == 422
    assert "错</textarea>" in short.text
    done = client.post(address, data={"text": "第 2 副记错", "idempotency_key": "player-key-1"})
    assert done.status_code == 303
    with app.app_context():
        (request,) = queries.requests(table.event_id)
        assert request.asked_by_entry_id == floor.player_by_token(card).entry_id
    client.post(f"{address}/{request.id}/withdrawal", data={})
    with app.app_context():
        assert queries.requests(table.event_id)[0].state is RequestState.WITHDRAWN


def test_a_card_of_nobody_opens_nothing(app: Flask, client: FlaskClient, travel: Travel) -> None:
    with app.app_context():
        slug, _, _ = deals(travel)
    assert client.get(f"/c/{slug}/p/{'x' * 43}/correction").status_code == 404


def test_a_referee_asks_from_his_table_and_reads_the_list_but_does_not_decide(
    app: Flask, client: FlaskClient, travel: Travel
) -> None:
    with app.app_context():
        slug, table, fields = deals(travel)
        accounts.sign_in(client, results.referee(slug))
    address = f"/c/{slug}/t/{table.token}/correction"
    assert address in client.get(f"/c/{slug}/t/{table.token}").text
    assert (
        client.post(address, data={"text": "第 2 副记错", "idempotency_key": "referee-key"}).status_code
        == 303
    )
    assert "第 2 副记错" in client.get(f"/staff/c/{slug}/corrections").text
    with app.app_context():
        request_id = queries.requests(table.event_id)[0].id
    page = client.get(f"/staff/c/{slug}/corrections/{request_id}").text
    assert "看影响" not in page
    refused = client.post(f"/staff/c/{slug}/corrections/{request_id}/grant", data=fields)
    assert refused.status_code == 403


def test_the_api_asks_shows_the_impact_and_grants(app: Flask, client: FlaskClient, travel: Travel) -> None:
    with app.app_context():
        slug, table, _ = deals(travel)
        content = results_queries.sheet(table.token).published
        assert content is not None
        wanted = [dict(deal) for deal in content.deals]
        wanted[1] |= {"bid": 3, "winner": "defenders"}
        headers = accounts.bearer(app, results.chief(slug))
    body = {"base_revision": 1, "idempotency_key": "api-key-0001", "deals": wanted}
    made = client.post(
        f"/api/v1/tables/{table.token}/corrections", json=body | {"text": "叫分记错"}, headers=headers
    )
    assert made.status_code == 201, made.text
    address = f"/api/v1/competitions/{slug}/corrections/{made.json['id']}"
    assert made.json["proposal"]["deals"][1]["bid"] == 3
    shown = client.post(f"{address}/impact", json=body, headers=headers)
    assert shown.json["impact"]["placings"]
    unseen = client.post(
        f"{address}/grant", json=body | {"reason": "核对", "seen": "0" * 64}, headers=headers
    )
    assert unseen.status_code == 409
    granted = client.post(
        f"{address}/grant", json=body | {"reason": "核对", "seen": shown.json["fingerprint"]}, headers=headers
    )
    assert granted.status_code == 200, granted.text
    assert granted.json["state"] == "granted"
    (listed,) = client.get(f"/api/v1/competitions/{slug}/corrections", headers=headers).json
    assert listed["granted_revision"] == granted.json["granted_revision"]


def hidden(page: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert found, name
    return found[1]
