"""Commands of documents: what the leader hands in and takes back, what the committee asks for, what is told of it."""

from app.documents.service.handing_in import hand_in, withdraw
from app.documents.service.requests import ask
from app.documents.service.warning import warn

__all__ = ["ask", "hand_in", "warn", "withdraw"]
