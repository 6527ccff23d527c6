from __future__ import annotations

import pytest
from flask.testing import FlaskClient
from marshmallow import ValidationError

from app.web.schemas import Length, Schema, fields


class Counted(Schema):
    count = fields.Integer(required=True)


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


@pytest.mark.parametrize(
    "form",
    [
        {"phone": "1", "phone-x": "2"},
        {"phone-x": "2", "phone": "1"},
        {"phone-0": "1", "phone-0-1": "x"},
        {"phone-²": "1"},
        {"-".join(["phone"] * 3000): "1"},
    ],
)
def test_form_keys_that_no_form_of_ours_has_break_nothing(client: FlaskClient, form: dict[str, str]) -> None:
    assert client.post("/sign-in/code", data=form).status_code in {400, 422}


@pytest.mark.parametrize(
    "body",
    ["[" * 50_000 + "]" * 50_000, '{"phone":' * 50_000 + "1" + "}" * 50_000, '{"phone": "\\ud800"}'],
)
def test_json_no_person_would_send_is_refused(client: FlaskClient, body: str) -> None:
    answer = client.post("/api/v1/sign-in/codes", data=body, content_type="application/json")
    assert answer.status_code in {400, 422}
    assert answer.mimetype == "application/problem+json"


@pytest.mark.parametrize(("written", "expected"), [(2, 2), ("2", 2), ("２", 2), (" 7 ", 7)])
def test_a_whole_number_is_taken_as_a_program_or_a_form_writes_it(written: object, expected: int) -> None:
    assert Counted().load({"count": written}) == {"count": expected}


@pytest.mark.parametrize("written", [2.5, 2.0, True, "2.5", "1e3", "0x10", "2_0", "", None, [], "9" * 30])
def test_what_is_no_whole_number_is_refused_and_never_cut(written: object) -> None:
    with pytest.raises(ValidationError):
        Counted().load({"count": written})


def test_what_a_signed_in_program_reads_is_stored_nowhere(client: FlaskClient) -> None:
    answer = client.get("/api/v1/competitions", headers={"Authorization": "Bearer x"})
    assert answer.headers["Cache-Control"] == "no-store"
    assert {"Authorization", "Cookie", "Accept-Language"} <= set(answer.vary)
    assert client.get("/api/v1/competitions").headers["Cache-Control"] == "no-cache"


def test_a_list_that_is_too_long_is_counted_in_items() -> None:
    class Listed(Schema):
        names = fields.List(fields.String(validate=Length(max=2)), validate=Length(max=1))

    with pytest.raises(ValidationError) as refused:
        Listed().load({"names": ["a", "b"]})
    assert [str(each) for each in refused.value.messages_dict["names"]] == ["最多 1 项。"]
