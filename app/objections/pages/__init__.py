"""The pages of objections: the public form and its receipts, the other side's page, the committee's queue and cases."""

from app.objections.pages import handling as _handling
from app.objections.pages import hearings as _hearings
from app.objections.pages import lodging as _lodging
from app.objections.pages.shared import blueprint

_ = (_handling, _hearings, _lodging)

__all__ = ["blueprint"]
