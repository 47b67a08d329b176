"""JSON schemas small enough to be paid for in every prompt, and results and mistakes as JSON."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError

Schema = dict[str, Any]
_DULL = frozenset({"title", "maxLength"})
_LESS = _DULL | {"default", "required", "minItems", "maxItems"}
"""What a result's schema leaves out, too: who fills it in is the program."""


def of_arguments(model: type[BaseModel]) -> Schema:
    """Return the schema of what a tool takes, under the names that are shown."""
    schema = model.model_json_schema()
    for each in (schema, *schema.get("$defs", {}).values()):
        del each["description"]
    for each in schema["properties"].values():
        if each.get("default") in ("", []):
            del each["default"]
    return _slim(schema, _DULL)


def of_result(shape: TypeAdapter[Any], *, writes: bool) -> Schema:
    """Return the schema of what a tool returns; one that *writes* says what was `left_out`, too."""
    schema = shape.json_schema(mode="serialization")
    if writes:
        schema["properties"] = {**schema["properties"], "left_out": {"type": "string"}}
    for each in (schema, *schema.get("$defs", {}).values()):
        each.pop("description", None)
    return _slim(schema, _LESS)


def _slim(schema: Schema, dull: frozenset[str]) -> Schema:
    """Leave out what tells a model nothing: titles, docstrings, how long a text may be."""
    kept = {key: value for key, value in schema.items() if key not in dull}
    for key in {"properties", "$defs"} & kept.keys():
        kept[key] = {name: _slim(each, dull) for name, each in kept[key].items()}
    kinds = [each.get("type") for each in kept.get("anyOf", ())]
    if len(kinds) > 1 and all(kinds):
        del kept["anyOf"]
        kept["type"] = kinds
    return kept


def mistakes(tool: str, model: type[BaseModel], error: ValidationError) -> str:
    """Say in a sentence what is wrong with the arguments of *tool*, and what it takes."""
    takes = ", ".join(of_arguments(model)["properties"]) or "no arguments"
    within = model.model_json_schema().get("$defs", {})
    found = error.errors(include_url=False)
    why = "; ".join(dict.fromkeys(_mistake(each, within) for each in found))
    return f"{tool}: {why}. It takes {takes}."


def _mistake(error: Any, within: Schema) -> str:  # noqa: ANN401  # pydantic's ErrorDetails
    name = ".".join(str(part) for part in error["loc"]) or "the arguments"
    if error["type"] == "extra_forbidden":
        return f"there is no argument {name}"
    if error["type"] == "missing":
        return f"{name} is missing"
    if error["type"] in {"model_type", "dataclass_type"}:
        fields = within.get(error["ctx"]["class_name"], {}).get("properties", ())
        return f"{name}: give an object with {', '.join(fields)}"
    message = error["msg"]
    return f"{name}: {message[:1].lower()}{message[1:]}"
