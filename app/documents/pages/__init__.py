"""Pages of documents; importing the modules puts their routes on the blueprint."""

from app.documents.pages import review as _review
from app.documents.pages.shared import blueprint

_ = _review

__all__ = ["blueprint"]
