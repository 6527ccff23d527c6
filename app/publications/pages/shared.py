"""What the public pages and the committee's share."""

from __future__ import annotations

from flask import Blueprint

from app.publications.queries import PublicationView
from app.regulations.rules import Bilingual
from app.web.i18n import show

blueprint = Blueprint("publications", __name__)


def event_name(publication: PublicationView, event: Bilingual) -> str:
    """The frozen name of the event; where that is the regulation's, in the reader's language."""
    return show(event) if publication.event_name == event.zh else publication.event_name
