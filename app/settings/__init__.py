"""Settings (配置): one frozen object from the environment, every name with the prefix ``SAISHI_``.

A bad value stops the start with the name of the setting, what was found and what is allowed. ``.env.example``
documents each name; a test holds the two together.
"""

from __future__ import annotations

from app.settings.buckets import Bucket
from app.settings.errors import PREFIX, SHORTEST_SECRET, SettingsError
from app.settings.installation import NAMES, Settings

__all__ = ["NAMES", "PREFIX", "SHORTEST_SECRET", "Bucket", "Settings", "SettingsError"]
