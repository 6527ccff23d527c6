from __future__ import annotations

from app.web.schemas import Length, Schema, fields


class NextStageSchema(Schema):
    seed = fields.String(
        load_default=None,
        validate=Length(max=200),
        metadata={"description": "种子, hexadecimal, 16 to 64 bytes; made by the server if left out"},
    )


class DrawnStageSchema(Schema):
    stage = fields.String()
    round = fields.Integer()
    tables = fields.Integer()


class ValueSchema(Schema):
    criterion = fields.String()
    value = fields.Raw(metadata={"description": "decimal string, list of them, or null where unknown"})
    counted = fields.Boolean()


class PlacingSchema(Schema):
    """One placing; ``decided_by`` put it apart from the entrant above (null for rank 1 and for a shared rank)."""

    rank = fields.Integer()
    entrant = fields.String()
    name = fields.String()
    unit = fields.String()
    values = fields.List(fields.Nested(ValueSchema))
    decided_by = fields.String()
    stage = fields.String()
    rounds = fields.List(
        fields.Dict(),
        metadata={
            "description": "of a stage paired by points: opponents of each round, or the bye, and what it was worth"
        },
    )


class TeamSchema(Schema):
    """One team (团体): a unit, its members, the sums that were compared."""

    rank = fields.Integer()
    team = fields.String()
    name = fields.String()
    members = fields.List(fields.String())
    values = fields.List(fields.Nested(ValueSchema))
    decided_by = fields.String()


class StageSchema(Schema):
    code = fields.String()
    complete = fields.Boolean()
    placings = fields.List(fields.Nested(PlacingSchema))
    direct = fields.List(fields.String())
    advance = fields.List(
        fields.String(),
        metadata={
            "description": "who is sure to go on; all who do, besides ``direct``, only of a complete stage"
        },
    )
    needs_ruling = fields.Dict()
    playoffs = fields.List(fields.Dict())
    rounds = fields.List(
        fields.Dict(),
        metadata={"description": "of a bracket: entrants, byes, who goes on and who is out of each round"},
    )


class StandingsSchema(Schema):
    """Standings (名次) as the newest snapshot has them; ``provisional`` (暂定) while a drawn table is open."""

    results_version = fields.Integer(metadata={"description": "0 before the first confirmed sheet"})
    computed_at = fields.AwareDateTime(format="iso")
    input_sha256 = fields.String(metadata={"description": "SHA-256 of the event file that was computed"})
    regulation_version = fields.Integer()
    regulation_number = fields.Integer(
        metadata={"description": "the version (第 n 版) of the event's regulation they were computed by"}
    )
    provisional = fields.Boolean()
    tables = fields.Integer()
    confirmed = fields.Integer()
    placings = fields.List(fields.Nested(PlacingSchema))
    stages = fields.List(fields.Nested(StageSchema))
    unplaced = fields.List(fields.String())
    expelled = fields.List(
        fields.Dict(),
        metadata={
            "description": "取消参赛资格 in a knock-out: entrant, the last stage and round drawn with him, whether he is ranked, and "
            "whether it was taken back after a later draw (reinstated)"
        },
    )
    teams = fields.List(fields.Nested(TeamSchema))
    prizes = fields.List(
        fields.Dict(),
        metadata={
            "description": "奖励, as the score document has them: prize, label, entrants, amount, clause"
        },
    )
    points = fields.Dict(
        allow_none=True,
        metadata={
            "description": "职工赛事积分 and grades beyond the event, where the regulation has the tables: event_grade, clause, "
            "entrants (entrant, rank, points, grade); nobody has any while the event is not decided"
        },
    )
