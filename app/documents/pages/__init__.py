"""Pages of documents; importing the modules puts their routes on the blueprint."""

from app.documents.pages import asking as _asking
from app.documents.pages import handing_in as _handing_in
from app.documents.pages import keeping as _keeping
from app.documents.pages import own as _own
from app.documents.pages import review as _review
from app.documents.pages import undertaking as _undertaking
from app.documents.pages.shared import blueprint, for_registration

_ = (_asking, _handing_in, _keeping, _own, _review, _undertaking)

__all__ = ["blueprint", "for_registration"]
