"""What the editor's pages and its API take and answer."""

from __future__ import annotations

from typing import Any

from app.regulations.rules.errors import MOST_TOLD
from app.regulations.rules.preview import MOST_ENTRANTS
from app.regulations.schemas.form.problems import Missing
from app.web.i18n import show
from app.web.schemas import Length, Range, Schema, fields


class PreviewSchema(Schema):
    entrants = fields.Integer(
        required=True,
        validate=Range(min=1, max=MOST_ENTRANTS),
        metadata={"description": "how many enter, pairs where pairs enter", "example": 34},
    )


_SOURCE = "library:ID, version:NUMBER or draft:NUMBER"


class ComparisonSchema(Schema):
    before = fields.String(validate=Length(max=100), metadata={"description": _SOURCE})
    after = fields.String(validate=Length(max=100), metadata={"description": _SOURCE})


class TwoSourcesSchema(Schema):
    before = fields.String(required=True, validate=Length(max=100), metadata={"description": _SOURCE})
    after = fields.String(required=True, validate=Length(max=100), metadata={"description": _SOURCE})


class NewDraftSchema(Schema):
    source = fields.String(
        validate=Length(max=100), metadata={"description": "library:ID or version:NUMBER to begin from"}
    )
    toml = fields.String(metadata={"description": "instead of a source: a whole regulation as TOML"})


class SavedDraftSchema(Schema):
    document = fields.Dict(required=True, metadata={"description": "the whole regulation; it may be wrong"})
    base_revision = fields.Integer(
        required=True, metadata={"description": "the revision that was read before the changes"}
    )


class RegulationProblemSchema(Schema):
    path = fields.String()
    detail = fields.Function(lambda problem: show(problem.text))
    clause = fields.String(allow_none=True)


class DraftSummarySchema(Schema):
    id = fields.Integer()
    revision = fields.Integer()
    open = fields.Boolean()
    saved_at = fields.DateTime()


class RegulationDraftSchema(DraftSummarySchema):
    document = fields.Dict()
    problems = fields.List(
        fields.Nested(RegulationProblemSchema),
        metadata={"description": "what stands in the way of publishing it: the first hundred"},
    )
    problem_count = fields.Integer(metadata={"description": "how many there are in all"})


class DraftListSchema(Schema):
    drafts = fields.List(fields.Nested(DraftSummarySchema))


class PreviewSentenceSchema(Schema):
    label = fields.Function(lambda row: show(row.label) if row.label is not None else None)
    text = fields.Function(lambda row: show(row.text))
    clause = fields.String()


class PreviewSectionSchema(Schema):
    code = fields.String()
    title = fields.Function(lambda section: show(section.title))
    rows = fields.List(fields.Nested(PreviewSentenceSchema))


class RegulationPreviewSchema(Schema):
    entrants = fields.Integer()
    pairs = fields.Boolean()
    warnings = fields.List(fields.Nested(PreviewSentenceSchema))
    sections = fields.List(fields.Nested(PreviewSectionSchema))


class RegulationDifferenceSchema(Schema):
    path = fields.String()
    section = fields.Function(lambda change: show(change.section))
    where = fields.Function(lambda change: [show(each) for each in change.where])
    before = fields.Function(lambda change: show(change.before) if change.before is not None else None)
    after = fields.Function(lambda change: show(change.after) if change.after is not None else None)
    clause = fields.String(allow_none=True)


class RegulationComparisonSchema(Schema):
    changes = fields.List(fields.Nested(RegulationDifferenceSchema))


def draft_document(draft: Any, problems: tuple[Missing, ...]) -> dict[str, Any]:
    """A draft with what is wrong in it."""
    kept = ("id", "revision", "open", "saved_at", "document")
    return {key: getattr(draft, key) for key in kept} | {
        "problems": problems[:MOST_TOLD],
        "problem_count": len(problems),
    }
