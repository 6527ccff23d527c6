from __future__ import annotations

from app.publications.queries.board import waiting as waiting
from app.publications.queries.lists import Verified as Verified
from app.publications.queries.lists import awaited_mail as awaited_mail
from app.publications.queries.lists import difference_before as difference_before
from app.publications.queries.lists import due_events as due_events
from app.publications.queries.lists import entries_at as entries_at
from app.publications.queries.lists import entry_states as entry_states
from app.publications.queries.lists import held_lists as held_lists
from app.publications.queries.lists import in_force as in_force
from app.publications.queries.lists import in_force_at as in_force_at
from app.publications.queries.lists import latest as latest
from app.publications.queries.lists import numbers as numbers
from app.publications.queries.lists import numbers_of as numbers_of
from app.publications.queries.lists import publication as publication
from app.publications.queries.lists import publications as publications
from app.publications.queries.lists import verify as verify
from app.publications.queries.planning import Plan as Plan
from app.publications.queries.planning import Readiness as Readiness
from app.publications.queries.planning import plan as plan
from app.publications.queries.planning import readiness as readiness
from app.publications.queries.planning import supplement as supplement
from app.publications.queries.planning import today_of as today_of
from app.publications.queries.views import PublicationView as PublicationView
from app.publications.queries.views import lines_of as lines_of
from app.publications.rules import PublishedEntry as PublishedEntry
