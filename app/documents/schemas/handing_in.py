from __future__ import annotations

from typing import Any

from app.documents.queries.requests import EVERYBODY
from app.documents.rules import ChecklistState, FieldType, NextStep, Row, WarningKind, open_places
from app.regulations.rules import DOCUMENT_KINDS
from app.web.i18n import show
from app.web.schemas import Length, OneOf, Schema, fields


class HandInSchema(Schema):
    """A document as it is handed in; ``rules.check`` reports every wrong field at once, such as ``values.valid_to``."""

    idempotency_key = fields.String(
        required=True,
        validate=Length(min=8, max=64),
        metadata={"description": "made once per handing-in; sent again it changes nothing"},
    )
    uploads = fields.List(
        fields.String(validate=Length(max=64)),
        load_default=list,
        validate=Length(max=100),
        metadata={"description": "tokens of ready uploads of the purpose proof, in order"},
    )
    values = fields.Dict(
        keys=fields.String(validate=Length(max=40)),
        values=fields.String(validate=Length(max=200)),
        load_default=dict,
        metadata={
            "description": "the kind's fields; after needs_changes only the flagged ones",
            "example": {"issued_on": "2021-10-20"},
        },
    )


class DocumentRequestSchema(Schema):
    """The committee asks for a document."""

    kind = fields.String(required=True, validate=OneOf(list(DOCUMENT_KINDS)))
    until = fields.Date(
        required=True, metadata={"description": "the last day on which it is taken, in Beijing"}
    )
    subject = fields.String(
        load_default=EVERYBODY,
        validate=Length(max=16),
        metadata={"description": "m12 a member, u3 a unit; left out: all whom the text asks"},
    )


class DocumentRequestViewSchema(Schema):
    kind = fields.String()
    subject = fields.String()
    until = fields.Date()
    asked_at = fields.DateTime()


class ChecklistDueSchema(Schema):
    day = fields.Date(metadata={"description": "the day in Beijing"})
    at = fields.DateTime(allow_none=True, metadata={"description": "null: the end of the day"})
    clause = fields.String()


class ChecklistWarningSchema(Schema):
    kind = fields.String(metadata={"enum": [kind.value for kind in WarningKind]})
    day = fields.Date()
    text = fields.Function(lambda warned: show(warned.text))


class ChecklistFieldSchema(Schema):
    """What is typed beside a document, and why."""

    name = fields.String()
    label = fields.Function(lambda each: show(each.label))
    why = fields.Function(lambda each: show(each.why))
    type = fields.String(metadata={"enum": [kind.value for kind in FieldType]})
    required = fields.Boolean()
    choices = fields.Function(lambda each: {value: show(name) for value, name in each.choices.items()})


class ChecklistReasonSchema(Schema):
    code = fields.String()
    text = fields.Function(lambda reason: show(reason.describe()))


class ChecklistRowSchema(Schema):
    """One document of one member or unit: what is asked, by when, and where it stands."""

    kind = fields.String()
    name = fields.Function(lambda row: show(row.name))
    clause = fields.String()
    description = fields.Function(lambda row: show(row.description))
    required = fields.Boolean()
    state = fields.String(metadata={"enum": [state.value for state in ChecklistState]})
    next_step = fields.String(metadata={"enum": [step.value for step in NextStep]})
    open = fields.Boolean(metadata={"description": "whether it may be handed in now"})
    open_places = fields.Function(
        lambda row: sorted(open_places(row)) if row.open else [],
        metadata={"description": "the fields that are taken now; pages stands for the uploads"},
    )
    due = fields.Nested(ChecklistDueSchema, allow_none=True)
    earliest = fields.Date(allow_none=True, metadata={"description": "issued or sampled no earlier"})
    valid_on = fields.Function(
        lambda row: [day.isoformat() for day in row.must_hold] if row.must_hold else None,
        metadata={"description": "first and last day on which it has to be valid"},
    )
    valid_until = fields.Date(allow_none=True)
    max_files = fields.Integer(attribute="max_pages")
    max_megabytes = fields.Integer(
        metadata={"description": "of one file; a picture's own limit may be lower"}
    )
    fields_asked = fields.List(fields.Nested(ChecklistFieldSchema), attribute="fields", data_key="fields")
    warnings = fields.List(fields.Nested(ChecklistWarningSchema))
    reasons = fields.Dict(keys=fields.String(), values=fields.Nested(ChecklistReasonSchema))
    events = fields.Function(
        lambda row: [
            {"event": show(each.event), "clause": each.rule.clause, "description": show(each.rule.describe())}
            for each in row.demands
        ],
        metadata={"description": "what each event asks"},
    )


class SubjectListSchema(Schema):
    subject = fields.String(metadata={"description": "m12 a member, u3 the unit"})
    name = fields.String()
    rows = fields.List(fields.Nested(ChecklistRowSchema))


class MyDocumentsSchema(Schema):
    unit_id = fields.Integer()
    to_do = fields.Integer(metadata={"description": "how many the leader can hand in or mend now"})
    lists = fields.List(fields.Nested(SubjectListSchema))


class MyDocumentSchema(Schema):
    """One document: its row, what was typed, and what is said before it is taken."""

    subject = fields.String()
    name = fields.String()
    row = fields.Nested(ChecklistRowSchema)
    values = fields.Dict(keys=fields.String(), values=fields.String())
    revision = fields.Integer()
    document_id = fields.Integer(allow_none=True)
    purpose = fields.String(metadata={"description": "why it is asked, who sees it"})
    deleted_on = fields.Date(metadata={"description": "the day on which it is deleted"})


def row_values(row: Row) -> dict[str, Any]:
    """What the newest revision holds; empty where nothing was handed in."""
    return dict(row.handed_in.values) if row.handed_in else {}
