"""The feeds of a competition's announcements; a reader who has the newest gets 304."""

from __future__ import annotations

from collections.abc import Callable

from flask import Response, request
from flask_babel import gettext

from app import clock
from app.announcements import feeds, queries
from app.announcements.feeds import ATOM_TYPE, RSS_TYPE, Enclosure, Feed, Item, stable_id
from app.announcements.pages.shared import PUBLIC, blueprint
from app.announcements.queries import AnnouncementView
from app.competitions import queries as competitions
from app.competitions.queries import CompetitionView
from app.web import public
from app.web.i18n import language
from app.web.links import external_url


@blueprint.get(f"{PUBLIC}.atom")
@public
def atom(slug: str) -> Response:
    """Atom."""
    return _answer(slug, "announcements.atom", feeds.atom, ATOM_TYPE)


@blueprint.get(f"{PUBLIC}.rss")
@public
def rss(slug: str) -> Response:
    """RSS 2.0."""
    return _answer(slug, "announcements.rss", feeds.rss, RSS_TYPE)


def _answer(slug: str, endpoint: str, write: Callable[[Feed], bytes], media_type: str) -> Response:
    feed = _feed(competitions.competition(slug), endpoint)
    answer = Response(write(feed), content_type=f"{media_type}; charset=utf-8")
    answer.add_etag()
    answer.last_modified = feed.updated_at
    answer.make_conditional(request)
    return answer


def _feed(competition: CompetitionView, endpoint: str) -> Feed:
    now, spoken = clock.now(), language()
    asked = {"lang": spoken} if request.args.get("lang") == spoken else {}
    base = (competition.slug, competition.created_at.isoformat())
    return Feed(
        id=stable_id(*base, "announcements", spoken),
        title=gettext("%(competition)s公告", competition=competition.name),
        subtitle=gettext("%(competition)s主办方和组委会发布的公告", competition=competition.name),
        author=competition.name,
        language=spoken,
        address=external_url(endpoint, slug=competition.slug, **asked),
        page=external_url("announcements.show", slug=competition.slug, **asked),
        updated_at=queries.last_change(competition.id, now) or competition.created_at,
        items=[_item(competition, each, base, asked) for each in queries.newest(competition.id, now)],
    )


def _item(
    competition: CompetitionView, view: AnnouncementView, base: tuple[str, str], asked: dict[str, str]
) -> Item:
    shown = view.shown(language())
    place = {"slug": competition.slug, "announcement_id": view.id}
    return Item(
        id=stable_id(*base, "announcement", str(view.id)),
        title=shown.title,
        body=shown.body,
        language=shown.language,
        address=external_url("announcements.one", **place, **asked),
        published_at=view.publish_at,
        updated_at=view.updated_at,
        enclosures=tuple(
            Enclosure(
                external_url("announcements.attachment", **place, upload_id=each.upload_id),
                each.media_type,
                each.size,
                each.name,
            )
            for each in view.attachments
        ),
    )
