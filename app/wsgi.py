"""The WSGI application that Granian serves."""

from __future__ import annotations

from app import create_app, garbage
from app.cli.processes import WEB_READING, WEB_WORKING
from app.web.senders import Senders

application = Senders(create_app(), reading=WEB_READING, working=WEB_WORKING)
garbage.settle()
