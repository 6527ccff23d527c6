"""The pages of appeals: the public one, the forms and receipts, the clerks' and the committee's desks, the ledger of fees."""

from app.appeals.pages import clerk as _clerk
from app.appeals.pages import handling as _handling
from app.appeals.pages import ledger as _ledger
from app.appeals.pages import lodging as _lodging
from app.appeals.pages.shared import blueprint

_ = (_clerk, _handling, _ledger, _lodging)

__all__ = ["blueprint"]
