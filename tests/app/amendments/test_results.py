"""A version that comes after results: what is computed again, what is replayed, what stays as it was stored."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from app.extensions import db
from app.jobs import Job
from app.regulations import queries as regulations
from app.results.models import SheetRevision
from app.standings import queries as standings
from app.standings.models import StandingsSnapshot
from tests.app.amendments.playing import SLUG, event_of, recomputed, seed, two_rounds, verified
from tests.factories import results, rounds
from tests.factories.amendments import chain, option, published
from tests.factories.publications import Travel


def test_standings_are_computed_again_and_the_list_of_rank_changes_holds(
    session: Any, travel: Travel, sent_jobs: list[tuple[Job, dict[str, Any]]]
) -> None:
    two_rounds(travel)
    event = event_of(SLUG)
    old = standings.latest(event.id)
    assert old is not None
    sent_jobs.clear()
    edition = published(SLUG, chain("match_points", "games_moving_second", "lots"))
    assert (Job.RECOMPUTE_STANDINGS, {"event_id": event.id}) in sent_jobs
    new = recomputed(SLUG)
    assert new.regulation_version_id == edition.regulation_version_id != old.regulation_version_id
    ranks = [
        {placing["entrant"]: placing["rank"] for placing in each.result["placings"]} for each in (old, new)
    ]
    assert edition.impact is not None
    assert {each["entrant"]: (each["before"], each["after"]) for each in edition.impact["placings"]} == {
        entrant: (ranks[0][entrant], ranks[1][entrant])
        for entrant in ranks[0]
        if ranks[0][entrant] != ranks[1][entrant]
    }
    assert edition.impact["placings"], "the two chains rank these results otherwise"


def test_nothing_that_was_stored_is_rewritten(session: Any, travel: Travel) -> None:
    two_rounds(travel)

    def stored() -> list[Any]:
        return [
            db.session.execute(select(StandingsSnapshot.__table__).order_by(StandingsSnapshot.id)).all()[:2],
            db.session.execute(select(SheetRevision.__table__).order_by(SheetRevision.id)).all(),
            regulations.edition(event_of(SLUG).id, 1),
        ]

    before = stored()
    published(SLUG, chain("match_points", "lots"))
    recomputed(SLUG)
    assert stored() == before


def test_results_and_rounds_name_the_version_they_were_made_under(session: Any, travel: Travel) -> None:
    two_rounds(travel)
    edition = published(SLUG, chain("match_points", "violations", "lots"))
    third = rounds.drawn(seed=seed(3))
    rounds.played(third)
    assert third.regulation_version_id == edition.regulation_version_id
    named = db.session.scalars(select(SheetRevision.regulation_version_id).order_by(SheetRevision.id)).all()
    first = regulations.edition(edition.event_id, 1).regulation_version_id
    assert named == [first] * 8 + [edition.regulation_version_id] * 4


def test_rounds_drawn_before_are_replayed_by_the_version_they_were_drawn_by(
    session: Any, travel: Travel
) -> None:
    two_rounds(travel)
    edition = published(SLUG, option("first_round", "half_split"))
    event = event_of(SLUG)
    assert edition.impact is not None
    assert {"stage": "swiss", "round": 1} in edition.impact["draws"], (
        "by the new one it would come out otherwise"
    )
    rounds.played(rounds.drawn(seed=seed(3)))
    for number in (1, 2, 3):
        assert standings.replayed(event_of(SLUG), "swiss", number)[1] == []
    document = standings.event_file(event.id)
    first = regulations.edition(event.id, 1)
    assert [each["sha256"] for each in document["earlier_regulations"]] == [first.sha256]
    assert [each.get("regulation_sha256") for each in document["draws"]] == [first.sha256, first.sha256, None]
    assert verified(event)["verified"]


def test_a_change_back_leaves_no_earlier_version_in_the_file(session: Any, travel: Travel) -> None:
    two_rounds(travel)
    before = standings.event_file(event_of(SLUG).id)
    kept = [row["criterion"] for row in event_of(SLUG).regulation.document["ranking"]]
    published(SLUG, chain("match_points", "lots"))
    whole = regulations.edition(event_of(SLUG).id, 1).regulation.document["ranking"]
    published(SLUG, lambda document: document.update(ranking=whole))
    assert [row["criterion"] for row in event_of(SLUG).regulation.document["ranking"]] == kept
    assert standings.event_file(event_of(SLUG).id) == before


def test_a_round_drawn_before_is_replayed_where_its_version_could_not_read_what_came_later(
    session: Any, travel: Travel
) -> None:
    """A violation is named anew, and the last round drawn by the first version is played under the second."""
    two_rounds(travel)

    def renamed(document: dict[str, Any]) -> None:
        rule = next(row for row in document["penalties"] if row["effect"] == "violation")
        rule["id"] = "fault"

    third = rounds.drawn(seed=seed(3))
    edition = published(SLUG, renamed)
    for table in third.tables:
        first_seat, second_seat = results.seats(table)
        rounds.confirmed(table, winner=first_seat, violations={second_seat: 2})
    recomputed(SLUG)
    rounds.drawn(seed=seed(4))
    document = standings.event_file(edition.event_id)
    assert {each["rule"] for each in document["adjustments"]} == {"fault"}
    assert verified(event_of(SLUG))["verified"]
    for number in (1, 2, 3, 4):
        assert standings.replayed(event_of(SLUG), "swiss", number)[1] == []
