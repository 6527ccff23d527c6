"""The published JSON Schema of the event file, asked by tests: what does it refuse, and which keys does it describe?"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator, ValidationError

from scoring_engine.documents import key_path

PATH = Path(__file__).resolve().parent.parent.parent / "docs" / "event-file.schema.json"
SCHEMA: dict[str, Any] = json.loads(PATH.read_text(encoding="utf-8"))
EVERY = "*"
"""A place of a list, or a key that is the file's own (an option, an entrant)."""


def _laid_out(node: Any, made: dict[str, Any]) -> Any:
    """A part of the schema with its definitions in the place of `$ref`: the same schema, and half the time to ask it."""
    if isinstance(node, list):
        return [_laid_out(each, made) for each in node]
    if not isinstance(node, dict):
        return node
    if "$ref" not in node:
        return {key: _laid_out(inner, made) for key, inner in node.items()}
    name = node["$ref"].removeprefix("#/$defs/")
    if name not in made:
        made[name] = _laid_out(SCHEMA["$defs"][name], made)
    own = {key: _laid_out(inner, made) for key, inner in node.items() if key != "$ref"}
    return {**own, "allOf": [made[name], *own.get("allOf", [])]} if own else made[name]


_VALIDATOR = Draft202012Validator(_laid_out({key: SCHEMA[key] for key in SCHEMA if key != "$defs"}, {}))


def json_path(parts: Sequence[str | int]) -> str:
    """`["stages", 0, "code"]` as `$.stages[0].code`."""
    path = "$"
    for part in parts:
        path = f"{path}[{part}]" if isinstance(part, int) else key_path(path, part)
    return path


def refused(document: Any) -> list[str]:
    """The JSON paths of everything the schema refuses; a missing key, or one too many, by its own path."""
    return [json_path(place) for error in _VALIDATOR.iter_errors(document) for place in _places(error)]


def _places(error: ValidationError) -> Iterator[list[str | int]]:
    at = list(error.absolute_path)
    if error.validator == "required":
        yield from ([*at, key] for key in error.validator_value if key not in error.instance)
    elif error.validator == "additionalProperties" and error.validator_value is False:
        yield from ([*at, key] for key in error.instance if key not in error.schema["properties"])
    else:
        yield at


def described(place: Sequence[str]) -> set[str]:
    """The keys the schema describes at a place (`["entrants", "*"]`); `*` is among them where any key may stand."""
    return {key for schema in _schemas(place) for part in _parts(schema) for key in _keys(part)}


def _schemas(place: Sequence[str]) -> list[Mapping[str, Any]]:
    found: list[Mapping[str, Any]] = [SCHEMA]
    for step in place:
        found = [
            inner for schema in found for part in _parts(schema) for inner in _inside(part, step) if inner
        ]
    return found


def _parts(schema: Any) -> Iterator[Mapping[str, Any]]:
    """A schema and all that it is made of: what it refers to and every alternative."""
    if not isinstance(schema, Mapping):
        return
    yield schema
    if "$ref" in schema:
        yield from _parts(SCHEMA["$defs"][schema["$ref"].removeprefix("#/$defs/")])
    for branch in ("then", "else"):
        yield from _parts(schema.get(branch))
    for branch in ("anyOf", "oneOf", "allOf"):
        for part in schema.get(branch, ()):
            yield from _parts(part)


def _inside(schema: Mapping[str, Any], step: str) -> Iterator[Mapping[str, Any]]:
    own = schema.get("properties", {})
    if step in own:
        yield own[step]
    elif isinstance(schema.get("additionalProperties"), Mapping):
        yield schema["additionalProperties"]
    if step == EVERY and "items" in schema:
        yield schema["items"]


def _keys(schema: Mapping[str, Any]) -> Iterator[str]:
    yield from (key for key, inner in schema.get("properties", {}).items() if inner is not False)
    if isinstance(schema.get("additionalProperties"), Mapping):
        yield EVERY


def places() -> set[tuple[str, ...]]:
    """Every key the schema describes, by its place."""
    found: set[tuple[str, ...]] = set()
    waiting: list[tuple[str, ...]] = [()]
    while waiting:
        place = waiting.pop()
        steps = described(place) | ({EVERY} if _is_list(place) else set())
        for step in steps:
            inner = (*place, step)
            if inner not in found:
                found.add(inner)
                waiting.append(inner)
    return found


def _is_list(place: Sequence[str]) -> bool:
    return any("items" in part for schema in _schemas(place) for part in _parts(schema))


def all_properties() -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every described key, and every definition, by a name to show."""
    yield from SCHEMA["$defs"].items()
    for owner, holder in [("$", SCHEMA), *SCHEMA["$defs"].items()]:
        for key, inner in holder.get("properties", {}).items():
            yield f"{owner}.{key}", inner


def referred(described_: Mapping[str, Any]) -> Mapping[str, Any]:
    """The definition a schema refers to."""
    found: Mapping[str, Any] = SCHEMA["$defs"][described_["$ref"].removeprefix("#/$defs/")]
    return found
