from __future__ import annotations

import pytest
from flask.testing import FlaskClient


@pytest.mark.parametrize(
    "path", ["/?q=%00", "/c/%00", "/?%00=1", "/regulations/%00", "/api/v1/competitions?search=%00"]
)
def test_a_nul_character_is_refused_and_breaks_nothing(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 400


def test_a_nul_character_in_a_form_is_refused(client: FlaskClient) -> None:
    assert client.post("/sign-in/code", data={"phone": "138\x00"}).status_code == 400


def test_control_characters_in_json_are_refused_beside_their_field(client: FlaskClient) -> None:
    answer = client.post("/api/v1/sign-in/codes", json={"phone": "138\x00"})
    assert answer.status_code == 422
    assert answer.json["errors"][0]["pointer"] == "/phone"


@pytest.mark.parametrize("number", [2**31, 10**20])
def test_a_number_that_no_id_can_have_is_not_found(client: FlaskClient, number: int) -> None:
    assert client.get(f"/c/beach/publications/{number}").status_code == 404


@pytest.mark.parametrize("body", ["[]", '"text"', "{", "null", '{"phone": {"a": 1}}'])
def test_json_of_another_shape_is_refused(client: FlaskClient, body: str) -> None:
    answer = client.post("/api/v1/sign-in/codes", data=body, content_type="application/json")
    assert answer.status_code in {400, 422}
    assert answer.mimetype == "application/problem+json"
