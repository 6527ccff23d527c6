from __future__ import annotations

from flask import Blueprint

blueprint = Blueprint("announcements", __name__)

PUBLIC = "/c/<slug>/announcements"
