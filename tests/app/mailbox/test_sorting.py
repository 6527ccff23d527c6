from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.actors import Actor, Role
from app.commands import command
from app.errors import ForbiddenError
from app.extensions import db
from app.jobs import Job
from app.mailbox import queries, service
from app.mailbox.models import IncomingMessage
from app.mailbox.rules import HandedOverError, IncomingState, StillReceivedError, bind_letters
from app.mailbox.rules.permissions import scopes
from app.mailbox.service import sorting
from tests.app.documents.test_leaving_races import in_the_middle
from tests.factories import accounts, competitions, mail
from tests.factories.uploads import photo

SLUG = "beach-2021"


@pytest.fixture
def people(app: Flask) -> dict[str, Actor]:
    """Who may meet letters: by what they hold."""
    with app.app_context():
        here = competitions.competition().id
        return {
            "everywhere": accounts.user(1, Role.COMMITTEE),
            "committee": accounts.user(2, Role.COMMITTEE, competition_id=here),
            "organiser": accounts.user(3, Role.ORGANISER, competition_id=here),
            "referee": accounts.user(4, Role.REFEREE, competition_id=here),
            "leader": accounts.user(5),
        }


def put(app: Flask, *, place: bool = False, files: tuple[tuple[str, bytes], ...] = ()) -> int:
    """A letter that waits, of the competition or (``place`` false) of none."""
    with app.app_context():
        here = competitions.queries.competition_id(SLUG)
        bind_letters(mail.Cases(here if place else None, takes=False))
        return mail.processed(mail.letter(subject="关于名单", text="<b>我们有异议</b>", files=files))


@pytest.mark.parametrize(
    ("who", "codes"),
    [
        ("everywhere", (200, 200)),
        ("committee", (403, 200)),
        ("organiser", (403, 403)),
        ("referee", (403, 403)),
        ("leader", (403, 403)),
    ],
)
def test_who_reads_letters(
    app: Flask, client: FlaskClient, people: dict[str, Actor], who: str, codes: tuple[int, int]
) -> None:
    first, (unplaced, placed) = put(app), codes
    headers = accounts.bearer(app, people[who])
    accounts.sign_in(client, people[who])
    assert client.get(f"/api/v1/mail/{first}", headers=headers).status_code == unplaced
    assert client.get(f"/staff/mail/{first}").status_code == unplaced
    with app.app_context():
        bind_letters(mail.Cases(competitions.queries.competition_id(SLUG), takes=False))
        second = mail.processed(mail.letter(2))
    assert client.get(f"/api/v1/mail/{second}", headers=headers).status_code == placed
    assert client.get(f"/staff/mail/{second}").status_code == placed


def test_a_competitions_committee_is_told_how_many_letters_of_none_wait_and_who_sorts_them(
    app: Flask, client: FlaskClient, people: dict[str, Actor]
) -> None:
    page = f"/staff/c/{SLUG}/mail"
    accounts.sign_in(client, people["committee"])
    assert "看不出是哪个赛事" not in client.get(page).text
    put(app)
    told = client.get(page).text
    assert "另有 1 封来信看不出是哪个赛事，由有全站身份的主办方或组委会分拣" in told
    assert "关于名单" not in told
    accounts.sign_in(client, people["everywhere"])
    assert "另有 1 封" not in client.get(page).text, "who can sort them finds them on his own list"
    accounts.sign_in(client, people["organiser"])
    assert client.get(page).status_code == 403


def test_the_list_shows_who_only_as_far_as_a_colleague_needs_it(
    app: Flask, client: FlaskClient, people: dict[str, Actor]
) -> None:
    put(app)
    accounts.sign_in(client, people["everywhere"])
    page = client.get("/staff/mail").text
    assert "l****@unit1.example.cn" in page
    assert "看不出是哪个赛事" in page
    for private in ("leader1@", "关于名单", "我们有异议"):
        assert private not in page
    accounts.sign_in(client, people["committee"])
    assert "unit1" not in client.get("/staff/mail").text
    assert client.get(f"/staff/c/{SLUG}/mail").status_code == 200


def test_what_a_letter_says_is_shown_as_text(
    app: Flask, client: FlaskClient, people: dict[str, Actor]
) -> None:
    incoming_id = put(app)
    accounts.sign_in(client, people["everywhere"])
    page = client.get(f"/staff/mail/{incoming_id}").text
    assert "&lt;b&gt;我们有异议&lt;/b&gt;" in page


def test_a_letter_is_given_to_a_competition_by_page(
    app: Flask, client: FlaskClient, people: dict[str, Actor]
) -> None:
    incoming_id = put(app)
    accounts.sign_in(client, people["everywhere"])
    answer = client.post(
        f"/staff/mail/{incoming_id}/assign", data={"competition": "", "case_number": "YY2021-0007"}
    )
    assert answer.status_code == 422
    assert 'value="YY2021-0007"' in answer.text
    answer = client.post(
        f"/staff/mail/{incoming_id}/assign",
        data={"competition": SLUG, "unit_id": "", "case_number": "YY2021-0007"},
    )
    assert answer.status_code == 303
    with app.app_context():
        cases = mail.Cases(None)
        bind_letters(cases)
        mail.process(incoming_id)
        assert cases.taken == [incoming_id]
        assert queries.letter(incoming_id).case_numbers == ("YY2021-0007",)
    assert client.get(f"/staff/mail/{incoming_id}").status_code == 409, "the case has it now"
    assert f"YY2021-{incoming_id:04d}" in client.get("/staff/mail?state=processed").text


def test_the_api_does_what_the_pages_do(app: Flask, client: FlaskClient, people: dict[str, Actor]) -> None:
    incoming_id = put(app)
    headers = accounts.bearer(app, people["everywhere"])
    (listed,) = client.get("/api/v1/mail", headers=headers).json
    assert (listed["id"], listed["state"], listed["reason"]) == (incoming_id, "triage", "unplaced")
    assert (
        client.post(f"/api/v1/mail/{incoming_id}/set-aside", headers=headers, json={"note": ""}).status_code
        == 422
    )
    answer = client.post(f"/api/v1/mail/{incoming_id}/set-aside", headers=headers, json={"note": "广告"})
    assert answer.json["state"] == "set_aside"
    assert client.get("/api/v1/mail?state=set_aside", headers=headers).json[0]["id"] == incoming_id
    assert client.post(f"/api/v1/mail/{incoming_id}/take-up", headers=headers).json["state"] == "triage"
    answer = client.post(f"/api/v1/mail/{incoming_id}/assign", headers=headers, json={"competition": SLUG})
    assert answer.json["state"] == "new"
    assert client.get(f"/api/v1/mail/{incoming_id}", headers=headers).status_code == 409, "the worker has it"


def test_without_a_mailbox_nothing_is_told_of_its_health(
    app: Flask, client: FlaskClient, people: dict[str, Actor]
) -> None:
    with app.app_context(), command(people["everywhere"]) as ctx:
        service.note_failure(ctx, "INBOX", "login")
    told = client.get("/api/v1/mailbox", headers=accounts.bearer(app, people["everywhere"])).json
    assert told == {"polled_at": None, "failing_since": None, "why": None}


@pytest.mark.usefixtures("watched")
def test_the_health_of_the_mailbox_is_told(app: Flask, client: FlaskClient, people: dict[str, Actor]) -> None:
    headers = accounts.bearer(app, people["everywhere"])
    assert client.get("/api/v1/mailbox", headers=headers).json == {
        "polled_at": None,
        "failing_since": None,
        "why": None,
    }
    with app.app_context(), command(people["everywhere"]) as ctx:
        service.note_failure(ctx, "INBOX", "login")
    told = client.get("/api/v1/mailbox", headers=headers).json
    assert told["failing_since"] == "2021-10-25T04:00:00+00:00"
    assert told["why"] == "用户名或密码不对"
    accounts.sign_in(client, people["everywhere"])
    assert "用户名或密码不对" in client.get("/staff/mail").text


def test_a_cleaned_attachment_is_shown_with_the_readers_number(
    app: Flask, client: FlaskClient, people: dict[str, Actor], tmp_path: Path
) -> None:
    incoming_id = put(app, place=True, files=(("公函.jpg", photo()),))
    with app.app_context():
        (file,) = queries.letter(incoming_id).files
        assert file.upload_id is not None
    accounts.sign_in(client, people["committee"])
    assert "检查中" in client.get(f"/staff/mail/{incoming_id}").text
    with app.app_context():
        mail.check(file.upload_id, tmp_path)
    assert f"/staff/mail/{incoming_id}/files/1/1" in client.get(f"/staff/mail/{incoming_id}").text
    answer = client.get(f"/staff/mail/{incoming_id}/files/1/1")
    assert (answer.status_code, answer.mimetype) == (200, "image/jpeg")
    accounts.sign_in(client, people["organiser"])
    assert client.get(f"/staff/mail/{incoming_id}/files/1/1").status_code == 403


def test_what_somebody_dealt_with_is_not_dealt_with_again(session: Any) -> None:
    competition = competitions.competition()
    bind_letters(mail.Cases(competition.id))
    incoming_id = mail.processed(mail.letter())
    reader = accounts.user(1, Role.COMMITTEE)
    for act in (service.look, service.take_up):
        with pytest.raises(HandedOverError), command(reader) as ctx:
            act(ctx, incoming_id)
    bounce = mail.processed(mail.letter(2, headers="Auto-Submitted: auto-replied\r\n"))
    with command(reader) as ctx:
        service.take_up(ctx, bounce)
    assert queries.detail(bounce).view.state is IncomingState.TRIAGE
    with command(reader) as ctx:
        service.assign(ctx, bounce, competition_id=competition.id)
    with pytest.raises(StillReceivedError), command(reader) as ctx:
        service.assign(ctx, bounce, competition_id=competition.id)


def test_scopes_follow_the_roles(session: Any) -> None:
    here = competitions.competition().id
    assert scopes(accounts.user(1, Role.ORGANISER)) == {None}
    assert scopes(accounts.user(5, Role.COMMITTEE)) is None
    assert scopes(accounts.user(2, Role.COMMITTEE, competition_id=here)) == {here}
    assert scopes(accounts.user(3, Role.ORGANISER, competition_id=here)) == set()
    with pytest.raises(ForbiddenError), command(accounts.user(4)) as ctx:
        service.look(ctx, 999)


def test_every_letter_is_on_some_page_of_the_list(
    app: Flask, client: FlaskClient, people: dict[str, Actor], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "PER_PAGE", 2)
    with app.app_context():
        bind_letters(None)
        ids = [mail.processed(mail.letter(number)) for number in range(1, 6)]
        for each in ids[:3]:
            with command(people["everywhere"]) as ctx:
                service.set_aside(ctx, each, note="与比赛无关")
    accounts.sign_in(client, people["everywhere"])
    for state, expected in (("triage", ids[3:]), ("set_aside", ids[2::-1])):
        path: str | None = f"/staff/mail?state={state}"
        seen: list[int] = []
        while path is not None:
            page = client.get(path).get_data(as_text=True)
            seen += [int(each) for each in re.findall(r'href="/staff/mail/(\d+)"', page)]
            further = re.search(r'href="(/staff/mail\?state=\w+&amp;beyond=\d+)">', page)
            path = further[1].replace("&amp;", "&") if further else None
        assert seen == expected
    headers = accounts.bearer(app, people["everywhere"])
    told = client.get(f"/api/v1/mail?state=set_aside&beyond={ids[2]}", headers=headers).get_json()
    assert [each["id"] for each in told] == [ids[1], ids[0]]
    assert client.get("/staff/mail?beyond=x").status_code == 200
    assert client.get("/api/v1/mail?beyond=x", headers=headers).status_code == 422


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_of_two_who_sort_a_letter_at_once_the_first_gives_it_away(
    app: Flask, people: dict[str, Actor], monkeypatch: pytest.MonkeyPatch, sent_jobs: list[Any]
) -> None:
    incoming_id = put(app)
    with app.app_context():
        here = competitions.queries.competition_id(SLUG)
        other = competitions.competition(slug="other", name="另一赛事").id
        second_person = accounts.user(11, Role.COMMITTEE)
        sent_jobs.clear()

        def assign(who: Actor, to: int) -> Callable[[], str]:
            def act() -> str:
                with command(who) as ctx:
                    service.assign(ctx, incoming_id, competition_id=to)
                return "assigned"

            return act

        first, second = in_the_middle(
            app,
            monkeypatch,
            assign(people["everywhere"], here),
            (sorting, "led_by"),
            assign(second_person, other),
        )
        assert first == "assigned"
        assert isinstance(second, StillReceivedError)
        row = db.session.get_one(IncomingMessage, incoming_id)
        assert (row.competition_id, row.processed_by_id) == (here, people["everywhere"].user_id)
        assert [job for job, _ in sent_jobs].count(Job.PROCESS_MAIL) == 1


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
@pytest.mark.parametrize("assigned_first", [True, False], ids=["given away first", "set aside first"])
def test_a_letter_given_away_and_set_aside_at_once_is_one_of_them(
    app: Flask, people: dict[str, Actor], monkeypatch: pytest.MonkeyPatch, assigned_first: bool
) -> None:
    incoming_id = put(app)
    with app.app_context():
        here = competitions.queries.competition_id(SLUG)

        def assign() -> str:
            with command(people["everywhere"]) as ctx:
                service.assign(ctx, incoming_id, competition_id=here)
            return "assigned"

        def lay_aside() -> str:
            with command(people["everywhere"]) as ctx:
                service.set_aside(ctx, incoming_id, note="与比赛无关")
            return "set aside"

        acts = (assign, lay_aside) if assigned_first else (lay_aside, assign)
        first, second = in_the_middle(app, monkeypatch, acts[0], (sorting, "led_by"), acts[1])
        state = db.session.get_one(IncomingMessage, incoming_id).state
    if assigned_first:
        assert (first, type(second), state) == ("assigned", StillReceivedError, "new")
    else:
        # what was set aside may be given away after all
        assert (first, second, state) == ("set aside", "assigned", "new")
