"""Checking a regulation document: every problem at once, each with its key, its row's clause and what is allowed.

A row without a clause, an unknown key, an unknown rule name or an option that does not exist is refused. The engine's
tables are checked again, in depth, by `scoring_engine`. `describe` tells of every key what it is, in both languages.
"""

from app.regulations.schemas.description import AllowedValue, FieldHelp, describe, help_at
from app.regulations.schemas.engine_tables import format_of
from app.regulations.schemas.fields import Kind, When
from app.regulations.schemas.validation import validate

__all__ = ["AllowedValue", "FieldHelp", "Kind", "When", "describe", "format_of", "help_at", "validate"]
