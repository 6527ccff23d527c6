from __future__ import annotations

from typing import Any

from marshmallow import post_load

from app.documents.queries.review import Filter
from app.documents.rules import REASONS, DocumentId, DocumentState
from app.documents.rules.reading import Agreement
from app.documents.rules.review import LONGEST_REASON, MOST_AT_ONCE, DecisionKind, PictureKind, Written
from app.documents.service.review import Seen
from app.regulations.rules import DOCUMENT_KINDS
from app.web.i18n import show
from app.web.schemas import MOST, Length, OneOf, Range, Schema, fields

DECISIONS = [DecisionKind.ACCEPT, DecisionKind.NEEDS_CHANGES, DecisionKind.REJECT]
STATES = [state for state in DocumentState if state is not DocumentState.WITHDRAWN]
ALL = "all"


def _id(**metadata: Any) -> fields.Integer:
    return fields.Integer(load_default=None, validate=Range(min=1, max=MOST), metadata=metadata)


class DocumentFilterSchema(Schema):
    """Which documents of the queue; nothing of it: all that wait."""

    kind = fields.String(load_default=None, validate=OneOf(list(DOCUMENT_KINDS)))
    unit = _id(description="id of a unit")
    event = _id(description="id of an event of the competition")
    state = fields.String(
        load_default=DocumentState.UPLOADED.value, validate=OneOf([*(state.value for state in STATES), ALL])
    )
    expiring = fields.Boolean(
        load_default=False, metadata={"description": "only what stops to be valid within a week"}
    )

    @post_load
    def _filter(self, loaded: dict[str, Any], **_: Any) -> dict[str, Any]:
        state = None if loaded["state"] == ALL else DocumentState(loaded["state"])
        wanted = Filter(loaded["kind"], loaded["unit"], loaded["event"], state, loaded["expiring"])
        return {"wanted": wanted} | {key: value for key, value in loaded.items() if key not in FILTERS}


FILTERS = frozenset({"kind", "unit", "event", "state", "expiring"})


class DocumentQueueArgsSchema(DocumentFilterSchema):
    page = fields.Integer(load_default=1, validate=Range(min=1, max=MOST))


class NextDocumentSchema(DocumentFilterSchema):
    leaving = fields.Integer(
        load_default=None,
        validate=Range(min=1, max=MOST),
        metadata={"description": "id of a document to give back first; the search goes on after it"},
    )


class WrittenReasonSchema(Schema):
    code = fields.String(load_default="", validate=Length(max=40), metadata={"enum": ["", *REASONS]})
    text = fields.String(load_default="", validate=Length(max=LONGEST_REASON))

    @post_load
    def _written(self, loaded: dict[str, Any], **_: Any) -> Written:
        return Written(**loaded)


class DocumentDecisionSchema(Schema):
    kind = fields.String(
        required=True, data_key="decision", validate=OneOf([kind.value for kind in DECISIONS])
    )
    revision = fields.Integer(
        required=True,
        validate=Range(min=1, max=MOST),
        metadata={"description": "the handing-in that was looked at; a newer one is a conflict"},
    )
    reasons = fields.Dict(
        keys=fields.String(validate=Length(max=40)),
        values=fields.Nested(WrittenReasonSchema),
        load_default=dict,
        metadata={
            "description": "why, by place: pages (the pictures), holder (whose it is) or a typed field; "
            "required unless it is accepted",
            "example": {"pages": {"code": "unreadable", "text": ""}},
        },
    )

    @post_load
    def _kind(self, loaded: dict[str, Any], **_: Any) -> dict[str, Any]:
        return loaded | {"kind": DecisionKind(loaded["kind"])}


class SeenDocumentSchema(Schema):
    document_id = fields.Integer(required=True, validate=Range(min=1, max=MOST))
    revision = fields.Integer(required=True, validate=Range(min=1, max=MOST))


class DocumentBatchSchema(Schema):
    documents = fields.List(
        fields.Nested(SeenDocumentSchema), load_default=list, validate=Length(max=MOST_AT_ONCE)
    )

    @post_load
    def _seen(self, loaded: dict[str, Any], **_: Any) -> dict[str, Any]:
        return {
            "seen": [Seen(DocumentId(each["document_id"]), each["revision"]) for each in loaded["documents"]]
        }


class TakeBackDecisionSchema(Schema):
    reason = fields.String(load_default="", validate=Length(max=LONGEST_REASON))


class DocumentVerdictSchema(Schema):
    rule = fields.Function(lambda verdict: show(verdict.rule))
    clause = fields.String()
    steps = fields.Function(lambda verdict: [show(step) for step in verdict.steps])
    met = fields.Boolean()
    refusal = fields.Function(lambda verdict: show(verdict.refusal) or None)


class DocumentReasonSchema(Schema):
    code = fields.String()
    text = fields.String()
    sentence = fields.Function(lambda reason: show(reason.describe()))


class QueuedDocumentSchema(Schema):
    id = fields.Integer()
    kind = fields.String(metadata={"enum": list(DOCUMENT_KINDS)})
    kind_name = fields.Function(lambda row: show(row["kind_name"]))
    name = fields.String(
        metadata={"description": "of the member, or of the unit where the document is the unit's"}
    )
    of_unit = fields.Boolean()
    unit_id = fields.Integer()
    unit_name = fields.String()
    state = fields.String(metadata={"enum": [state.value for state in STATES]})
    revision = fields.Integer()
    pages = fields.Integer()
    handed_in_at = fields.DateTime()
    valid_to = fields.Date(allow_none=True)
    expiring = fields.Boolean()
    verdicts = fields.List(fields.Nested(DocumentVerdictSchema))
    claimed_by = fields.String(
        allow_none=True, metadata={"description": "masked number of who has it, while the claim holds"}
    )
    claimed_until = fields.DateTime(allow_none=True)
    mine = fields.Boolean(metadata={"description": "whether the claim is the reader's"})
    own_unit = fields.Boolean(metadata={"description": "of the unit the reader leads: others decide"})


class DocumentQueueSchema(Schema):
    documents = fields.List(fields.Nested(QueuedDocumentSchema))
    matching = fields.Integer()
    page = fields.Integer()
    pages = fields.Integer()
    states = fields.Dict(keys=fields.String(), values=fields.Integer())
    kinds = fields.Dict(
        keys=fields.String(), values=fields.Integer(), metadata={"description": "what waits, by kind"}
    )
    claimed = fields.Integer(metadata={"description": "how many of them a reviewer has now"})
    oldest = fields.DateTime(allow_none=True)


class DocumentPictureSchema(Schema):
    revision = fields.Integer()
    position = fields.Integer()
    page = fields.Integer()
    width = fields.Integer(allow_none=True)
    height = fields.Integer(allow_none=True)
    media_type = fields.String(allow_none=True)
    preview_url = fields.String()
    thumbnail_url = fields.String()
    content_url = fields.String(metadata={"description": "the whole file; of a PDF with all its pages"})
    notes = fields.List(
        fields.String(), metadata={"description": "what cleaning changed in the file, a sentence each"}
    )


class PastDocumentDecisionSchema(Schema):
    decision = fields.String(attribute="kind.value", metadata={"enum": [kind.value for kind in DecisionKind]})
    revision = fields.Integer()
    reasons = fields.Dict(keys=fields.String(), values=fields.Nested(DocumentReasonSchema))
    decided_at = fields.DateTime()
    decided_by = fields.String(metadata={"description": "masked phone number"})


class DocumentFindingSchema(Schema):
    agreement = fields.String(metadata={"enum": [each.value for each in Agreement]})
    read = fields.String(metadata={"description": "what stands there instead, where it is doubted"})
    text = fields.Function(lambda finding: show(finding.words))


class DocumentDeskSchema(Schema):
    document = fields.Nested(QueuedDocumentSchema)
    revision = fields.Integer(metadata={"description": "the handing-in that is shown"})
    member_id = fields.Integer(allow_none=True)
    employment = fields.String(allow_none=True)
    values = fields.Dict(keys=fields.String(), values=fields.String())
    reasons = fields.Dict(
        keys=fields.String(),
        values=fields.List(fields.String()),
        metadata={"description": "the codes that fit each place"},
    )
    reading = fields.Dict(
        keys=fields.String(),
        values=fields.Nested(DocumentFindingSchema),
        metadata={
            "description": "what the text check read, by place; a mark, it decides nothing; empty without it"
        },
    )
    pictures = fields.List(fields.Nested(DocumentPictureSchema))
    decisions = fields.List(fields.Nested(PastDocumentDecisionSchema))


class TakenDocumentSchema(Schema):
    document = fields.Nested(DocumentDeskSchema, allow_none=True)


class DocumentTallySchema(Schema):
    key = fields.String(metadata={"description": "a kind, or the id of a unit"})
    name = fields.Function(lambda tally: show(tally.name))
    states = fields.Function(lambda tally: {state.value: count for state, count in tally.states.items()})
    median_wait_seconds = fields.Function(
        lambda tally: None if tally.median_wait is None else int(tally.median_wait.total_seconds()),
        metadata={"description": "from handing in to the first decision"},
    )
    oldest = fields.DateTime(allow_none=True, metadata={"description": "since when the oldest waits"})


class DocumentStatisticsSchema(Schema):
    whole = fields.Nested(DocumentTallySchema)
    kinds = fields.List(fields.Nested(DocumentTallySchema))
    units = fields.List(fields.Nested(DocumentTallySchema))


class DocumentLookSchema(Schema):
    at = fields.DateTime()
    what = fields.String(attribute="action.value")
    role = fields.String(metadata={"enum": ["leader", "committee", "organiser"]})
    who = fields.String(allow_none=True, metadata={"description": "masked phone number"})
    revision = fields.Integer(allow_none=True)
    picture = fields.String(
        attribute="page", allow_none=True, metadata={"enum": [kind.value for kind in PictureKind]}
    )
