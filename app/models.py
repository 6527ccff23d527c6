"""Imports every feature's models, so that the metadata is whole for migrations and tests."""

from app import secrets_check
from app.accounts import models as accounts
from app.announcements import models as announcements
from app.appeals import models as appeals
from app.audit import models as audit
from app.competitions import models as competitions
from app.corrections import models as corrections
from app.documents import models as documents
from app.draws import models as draws
from app.floor import models as floor
from app.mailbox import models as mailbox
from app.notifications import models as notifications
from app.objections import models as objections
from app.publications import models as publications
from app.registrations import models as registrations
from app.regulations import models as regulations
from app.reports import models as reports
from app.results import models as results
from app.rulings import models as rulings
from app.standings import models as standings
from app.uploads import models as uploads
from app.workdays import models as workdays

__all__ = [
    "accounts",
    "announcements",
    "appeals",
    "audit",
    "competitions",
    "corrections",
    "documents",
    "draws",
    "floor",
    "mailbox",
    "notifications",
    "objections",
    "publications",
    "registrations",
    "regulations",
    "reports",
    "results",
    "rulings",
    "secrets_check",
    "standings",
    "uploads",
    "workdays",
]
