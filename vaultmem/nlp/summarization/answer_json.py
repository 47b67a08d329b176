"""JSON as models write it: found in what stands around it, read into a model, or refused."""

from __future__ import annotations

import json
import re
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from vaultmem.errors import Unusable

_OPENS_A_LINE = re.compile(r"^[ \t]*([{\[])", re.MULTILINE)
_OPENS = re.compile(r"([{\[])")
# A string is kept as it is; a comma before a closing bracket goes.
_TRAILING = re.compile(r'("(?:[^"\\]|\\.)*+")|,(?=\s*[}\]])', re.DOTALL)

_Model = TypeVar("_Model", bound=BaseModel)


def read(model: type[_Model], text: str) -> _Model:
    """Return the *model* that *text* holds as JSON; raises Unusable with what is wrong."""
    found = _json(text)
    if isinstance(found, list) and len(model.model_fields) == 1:
        found = dict.fromkeys(model.model_fields, found)
    try:
        return model.model_validate(found)
    except ValidationError as e:
        error = e.errors(include_input=False, include_url=False)[0]
        field = ".".join(map(str, error["loc"])) or "the answer"
        raise Unusable(f"{field}: {error['msg'].removeprefix('Value error, ')}") from e


def _json(text: str) -> object:
    """Return the first JSON object or array in *text*, whatever stands around it."""
    start = _OPENS_A_LINE.search(text) or _OPENS.search(text)
    if start is None:
        raise Unusable("no JSON object")
    found = text[start.start(1) :]
    try:
        return _decoded(found)
    except ValueError:
        found = _TRAILING.sub(lambda m: m[1] or "", found)
    try:
        return _decoded(found)
    except ValueError as e:
        raise Unusable("no valid JSON") from e


def _decoded(text: str) -> object:
    try:
        value: object = json.JSONDecoder().raw_decode(text)[0]
    except RecursionError as e:
        raise ValueError("too deep") from e
    return value


def schema(model: type[BaseModel]) -> str:
    """Return the JSON schema of *model*, as strict as structured outputs want it."""
    return json.dumps(_strict(model.model_json_schema()), ensure_ascii=False)


def _strict(schema: object) -> object:
    """Return *schema* with every property required, no other allowed, and no remarks."""
    if isinstance(schema, list):
        return [_strict(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    # Properties of these names are mappings, remarks are not.
    remarks = {"title", "description", "default"}
    strict = {
        key: _strict(value)
        for key, value in schema.items()
        if key not in remarks or isinstance(value, dict)
    }
    if strict.get("type") == "object":
        strict |= {"required": list(schema["properties"]), "additionalProperties": False}
    return strict
