"""The API of the floor; importing the modules puts their routes on the blueprint."""

from app.floor.api import hall as _hall
from app.floor.api import players as _players
from app.floor.api import running as _running
from app.floor.api.shared import blueprint

_ = (_hall, _players, _running)

__all__ = ["blueprint"]
