from __future__ import annotations

from typing import Any

from marshmallow import post_load

from app.text import BEIJING
from app.web.i18n import show
from app.web.schemas import Length, Schema, fields


class PublishSchema(Schema):
    """What publishing a draft asks for. A moment without a zone is Beijing time."""

    reason = fields.String(load_default="", metadata={"description": "变更原因, shown to everybody"})
    base_revision = fields.Integer(
        required=True, metadata={"description": "the revision of the draft whose impact was read"}
    )
    ruling = fields.Boolean(
        load_default=False,
        metadata={
            "description": "the chief referee confirms a change of scoring, chain or penalties after a result"
        },
    )
    in_force_from = fields.DateTime(
        load_default=None, metadata={"description": "at once where it is left out"}
    )

    @post_load
    def _beijing(self, body: dict[str, Any], **_: Any) -> dict[str, Any]:
        moment = body["in_force_from"]
        if moment is not None and moment.tzinfo is None:
            body["in_force_from"] = moment.replace(tzinfo=BEIJING)
        return body


class SaveDraftSchema(Schema):
    document = fields.Dict(
        required=True, metadata={"description": "the whole regulation; judged when it is published"}
    )
    base_revision = fields.Integer(required=True)


class StartDraftSchema(Schema):
    regulation = fields.String(
        load_default=None,
        validate=Length(max=80),
        metadata={
            "description": "id of a shipped regulation to begin from; the newest version where left out"
        },
    )


class DraftProblemSchema(Schema):
    path = fields.String()
    detail = fields.Function(lambda problem: show(problem.message))
    clause = fields.String()


class DraftSchema(Schema):
    """The draft of the next version (规程草稿)."""

    id = fields.Integer()
    revision = fields.Integer()
    base_sha256 = fields.String()
    started_at = fields.DateTime()
    saved_at = fields.DateTime()
    document = fields.Dict()
    problems = fields.List(
        fields.Nested(DraftProblemSchema),
        metadata={"description": "why it could not be published as it is: the first hundred"},
    )
    problem_count = fields.Integer(metadata={"description": "how many there are in all"})


class ClauseSentenceSchema(Schema):
    clause = fields.String()
    label = fields.Function(lambda sentence: show(sentence.label))
    text = fields.Function(lambda sentence: show(sentence.text))


class ClauseChangeSchema(Schema):
    """One clause that two versions say otherwise."""

    section = fields.Function(lambda change: show(change.section))
    before = fields.List(fields.Nested(ClauseSentenceSchema))
    after = fields.List(fields.Nested(ClauseSentenceSchema))


class ProspectSchema(Schema):
    """What publishing the draft now would do (影响)."""

    revision = fields.Integer()
    changed = fields.List(fields.String())
    ruling = fields.Boolean(metadata={"description": "whether only the chief referee may publish it"})
    impact = fields.Dict()
    differences = fields.List(fields.Nested(ClauseChangeSchema))


class EditionSchema(Schema):
    """One version (第 n 版) of an event's regulation with its notice."""

    number = fields.Integer()
    sha256 = fields.String(metadata={"description": "of the canonical JSON, the file at document_url"})
    document_url = fields.String()
    page_url = fields.String()
    pdf_url = fields.String()
    reason = fields.String()
    ruling = fields.Boolean()
    published_at = fields.DateTime()
    published_as = fields.String(metadata={"description": "the role; none of the first version"})
    in_force_from = fields.DateTime()
    in_force = fields.Boolean(metadata={"description": "whether the event runs by this one now"})
    impact = fields.Dict(
        metadata={"description": "what it affected when it was published; entries as counts"}
    )


class WholeEditionSchema(EditionSchema):
    document = fields.Dict()
    differences = fields.List(
        fields.Nested(ClauseChangeSchema), metadata={"description": "to the version before"}
    )
