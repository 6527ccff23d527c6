"""Pages of the floor; importing the modules puts their routes on the blueprint."""

from app.floor.pages import hall as _hall
from app.floor.pages import keys as _keys
from app.floor.pages import player as _player
from app.floor.pages import running as _running
from app.floor.pages.player import told_to_nobody
from app.floor.pages.shared import blueprint
from app.floor.pages.strip import strip_place

_ = (_hall, _keys, _player, _running)

__all__ = ["blueprint", "strip_place", "told_to_nobody"]
