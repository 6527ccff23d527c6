"""Objections (异议、举报) as pure decisions: who may object, who handles it, what a decision must say."""

from app.objections.rules.handling import Decision, Interest
from app.objections.rules.lodging import Lodger
from app.objections.rules.states import (
    DECIDED,
    FILE_NAMES,
    OPEN,
    OUTCOME_NAMES,
    PURPOSES,
    REQUIREMENT_NAMES,
    STATE_NAMES,
    STEP_NAMES,
    CaseState,
    Channel,
    FileRole,
    HearingId,
    ObjectionId,
    Outcome,
    Requirement,
    StepKind,
    case_number,
)

__all__ = [
    "DECIDED",
    "FILE_NAMES",
    "OPEN",
    "OUTCOME_NAMES",
    "PURPOSES",
    "REQUIREMENT_NAMES",
    "STATE_NAMES",
    "STEP_NAMES",
    "CaseState",
    "Channel",
    "Decision",
    "FileRole",
    "HearingId",
    "Interest",
    "Lodger",
    "ObjectionId",
    "Outcome",
    "Requirement",
    "StepKind",
    "case_number",
]
