"""Find credentials in JSON, and blank them out in its values: what is left is JSON as before.

A text of it is looked through for itself, so that nothing beside it is taken for a part of what it
holds, and by what it is called; then the whole, for what only the JSON as it is written tells.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from vaultmem.documents import foreign_fields, inner_json
from vaultmem.documents.secrets import scanner, tables
from vaultmem.documents.secrets.scanner import Finding

_VALUE = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s"{}\[\]:,]+')
_LONGEST = 200
"""Characters of a text that may be a credential by its name alone."""

_RULE = "secret-in-json"
_MARK = "[REDACTED:"
_HELD = frozenset(("value", "val", "text", "content", "data"))
"""Keys of what an object holds that says in another text what that is: `{"name": "password", …}`"""

_MANY_SENSES = re.compile(r"token|pass(?:es)?$")
"""Names of what may say where a list goes on, or which tests did: it has to look like one."""


def redact_json(value: object) -> object:
    """Return the JSON *value* with every credential in it replaced by `[REDACTED:<rule>]`."""
    told = _redacted(value, frozenset())
    text = json.dumps(told, ensure_ascii=False)
    found = scanner.find(text)
    return json.loads(_blanked(text, found)) if found else told


def _redacted(value: object, names: AbstractSet[str]) -> object:
    """Return *value*, which is called by *names*, with no credential in any text of it."""
    if isinstance(value, str):
        inner = inner_json.of(value)
        if inner is None:
            return _text(value, names)
        made = redact_json(inner)
        return value if made == inner else json.dumps(made, ensure_ascii=False)
    if isinstance(value, list):
        return [_redacted(part, names) for part in value]
    if isinstance(value, Mapping):
        said = frozenset(it for it in value.values() if isinstance(it, str) and _kind(it))
        return {
            scanner.redact(key): _redacted(part, said | {key} if key in _HELD else {key})
            for key, part in value.items()
        }
    return value


def _text(text: str, names: AbstractSet[str]) -> str:
    kinds = filter(None, map(_kind, names)) if len(text) <= _LONGEST else ()
    if any(tables.is_secret(text, kind) for kind in kinds):
        return f"{_MARK}{_RULE}]"
    return scanner.redact(text)


def _kind(name: str) -> str:
    """Return what is called *name*: a `long` secret, a `short` one, or none."""
    if len(name) > _LONGEST or _MANY_SENSES.search(name.lower()):
        return ""
    return tables.kind(foreign_fields.key_of(name))


def _blanked(text: str, found: Sequence[Finding]) -> str:
    """Return the JSON *text* with what is *found* blanked out, each in the value it begins in.

    A text that is JSON itself was looked through as such.
    """
    pieces, end, starts = list[str](), 0, [it.start for it in found]
    for value in _VALUE.finditer(text):
        first, last = (bisect_left(starts, at) for at in value.span())
        inside = found[first:last]
        if inside and inner_json.of(str(json.loads(value[0]))) is None:
            pieces += [text[end : value.start()], _cut(value, inside)]
            end = value.end()
    return "".join([*pieces, text[end:]])


def _cut(value: re.Match[str], found: Sequence[Finding]) -> str:
    """Return a *value* as JSON without what is *found* in it: all of it where it is no text."""
    whole = json.dumps(f"{_MARK}{found[0].rule}]")
    if value[0][0] != '"':
        return whole
    text, at = value[0], value.start()
    for it in reversed(found):
        first, last = max(it.start - at, 1), min(it.end - at, len(text) - 1)
        text = f"{text[:first]}{_MARK}{it.rule}]{text[last:]}"
    try:
        json.loads(text)
    except ValueError:  # half an escape was cut off
        return whole
    return text
