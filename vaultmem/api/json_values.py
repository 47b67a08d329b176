"""JSON that programs hand over to be kept: what of it may be, and whose words it is."""

from __future__ import annotations

import json
from collections.abc import Mapping

from vaultmem.api.agent_files.incoming import Whose
from vaultmem.documents import origin, public_values, speakers
from vaultmem.documents.foreign_fields import key_of
from vaultmem.errors import BadInput

_SAID = frozenset(("content", "data", "text"))
"""Keys of a message that hold what it says."""

_NO_JSON = (
    "that is no JSON: give texts, finite numbers, true, false and null, in lists and in objects "
    "whose keys are texts, not hundreds of levels deep; nothing was stored"
)


def public(value: object, *, is_record: bool = False) -> object:
    """Return the JSON *value* without private parts, each credential blanked out.

    Nobody stands by to answer for one. A private part that nothing closes takes all that follows;
    in a framework's record no field but its own: what that is called by stands in others. Raises
    BadInput for what is no JSON.
    """
    try:
        _check_keys(value)
        plain = json.loads(json.dumps(value, ensure_ascii=False, allow_nan=False))
        return public_values.shown(plain, is_one=not is_record)
    except (TypeError, ValueError, RecursionError) as e:
        raise BadInput(_NO_JSON) from e


def _check_keys(value: object) -> None:
    """Raise TypeError for a key that is no text: JSON has none, and two may become one."""
    if isinstance(value, Mapping):
        if not all(isinstance(key, str) for key in value):
            raise TypeError
        value = [*value.values()]
    if isinstance(value, list | tuple):
        for part in value:
            _check_keys(part)


def whose(value: Mapping[str, object]) -> Whose:
    """Return whose words *value* is by its own keys: a page's where it names an address.

    So it is where it holds a tool's message, however deep.
    """
    is_foreign = origin.read(value).worth == "untrusted" or _holds_an_answer(value)
    return "web" if is_foreign else "agent"


def _holds_an_answer(value: object) -> bool:
    """Tell whether there is a tool's message in *value*, which may be of any depth."""
    waiting = [value]
    while waiting:
        match waiting.pop():
            case list() | tuple() as inner:
                waiting += inner
            case Mapping() as inner:
                if _is_answer(inner):
                    return True
                waiting += inner.values()
    return False


def _is_answer(message: Mapping[str, object]) -> bool:
    """Tell whether a *message* answers a call, or is of a type that does."""
    kind = message.get("type")
    is_said = isinstance(kind, str) and not message.keys().isdisjoint(_SAID)
    if is_said and speakers.speaks_for_a_tool(str(kind)):
        return True
    return any(speakers.answers_a_call(key_of(key), it) for key, it in message.items())
