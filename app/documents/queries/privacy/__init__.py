"""What a member sees of himself: who looked at what (访问记录), which documents are kept, what is handed out as a copy."""

from app.documents.queries.privacy.copies import copy_of, copy_of_unit
from app.documents.queries.privacy.files import CopiedFile
from app.documents.queries.privacy.kept import KeptDocument, kept_documents
from app.documents.queries.privacy.log import LOGGED, Access, access_log, access_log_of_unit

__all__ = [
    "LOGGED",
    "Access",
    "CopiedFile",
    "KeptDocument",
    "access_log",
    "access_log_of_unit",
    "copy_of",
    "copy_of_unit",
    "kept_documents",
]
