"""Pages of a registration; importing the modules puts their routes on the blueprint."""

from app.registrations.pages import changes, changes_committee, committee, leader, mine
from app.registrations.pages.shared import blueprint

__all__ = ["blueprint", "changes", "changes_committee", "committee", "leader", "mine"]
