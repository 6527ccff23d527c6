"""Pages of documents; importing the modules puts their routes on the blueprint."""

from app.documents.pages.shared import blueprint

__all__ = ["blueprint"]
