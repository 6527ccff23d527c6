"""Checking a regulation document: every problem at once, each with its key, its row's clause and what is allowed.

A row without a clause, an unknown key, an unknown rule name or an option that does not exist is refused. The engine's
tables are checked again, in depth, by `scoring_engine`.
"""

from app.regulations.schemas.validation import validate

__all__ = ["validate"]
