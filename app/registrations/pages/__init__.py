"""Pages of a registration; importing the modules puts their routes on the blueprint."""

from app.registrations.pages import committee, leader
from app.registrations.pages.shared import blueprint

__all__ = ["blueprint", "committee", "leader"]
