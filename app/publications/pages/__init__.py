"""Pages of the lists; importing the modules puts their routes on the blueprint."""

from app.publications.pages import committee, public
from app.publications.pages.shared import blueprint

__all__ = ["blueprint", "committee", "public"]
