"""Unbound extensions; ``create_app`` binds them."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from flask_babel import Babel, Domain
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address
from flask_login import LoginManager
from flask_migrate import Migrate
from flask_sqlalchemy import SQLAlchemy
from flask_wtf import CSRFProtect
from sqlalchemy import MetaData

from app.text import counted

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
"""Constraint names, so that migrations can name what they change on both databases."""


class Sentences(Domain):
    """``gettext`` in Python: translated, told one from several, and then given its values."""

    def gettext(self, string: str, **variables: Any) -> str:
        sentence: str = self.get_translations().ugettext(string)
        return counted(sentence, variables) % variables if variables else sentence


class _Babel(Babel):
    @cached_property
    def domain_instance(self) -> Domain:
        return Sentences()


db = SQLAlchemy(metadata=MetaData(naming_convention=NAMING))
migrate = Migrate()
babel = _Babel()
login = LoginManager()
csrf = CSRFProtect()
limiter = Limiter(get_remote_address, headers_enabled=True)
