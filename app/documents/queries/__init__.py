from __future__ import annotations

from app.documents.queries.documents import DecisionView as DecisionView
from app.documents.queries.documents import DocumentView as DocumentView
from app.documents.queries.documents import PageView as PageView
from app.documents.queries.documents import RevisionView as RevisionView
from app.documents.queries.documents import any_document as any_document
from app.documents.queries.documents import document as document
from app.documents.queries.documents import document_of as document_of
from app.documents.queries.documents import documents_by_id as documents_by_id
from app.documents.queries.documents import handed_in as handed_in
from app.documents.queries.entries import due_with_entries as due_with_entries
from app.documents.queries.lists import SubjectList as SubjectList
from app.documents.queries.lists import UnitLists as UnitLists
from app.documents.queries.lists import demands as demands
from app.documents.queries.lists import my_lists as my_lists
from app.documents.queries.lists import unit_lists as unit_lists
from app.documents.queries.mine import MyDocument as MyDocument
from app.documents.queries.mine import deletion_day as deletion_day
from app.documents.queries.mine import my_document as my_document
from app.documents.queries.requests import RequestView as RequestView
from app.documents.queries.requests import asked_for as asked_for
from app.documents.queries.requests import requests as requests
from app.documents.queries.undertakings import SignatureView as SignatureView
from app.documents.queries.undertakings import Verified as Verified
from app.documents.queries.undertakings import signature_of as signature_of
from app.documents.queries.undertakings import to_sign as to_sign
from app.documents.queries.undertakings import verified as verified
