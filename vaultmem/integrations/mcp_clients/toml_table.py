"""One table at the end of a person's TOML file: all else stays byte for byte."""

from __future__ import annotations

import json
import tomllib

from vaultmem.errors import Refused
from vaultmem.integrations.claude_code.json_merge import Json, OtherValue


def block(key: str, name: str, entry: dict[str, Json]) -> str:
    """Return the table *name* below *key* as text; a JSON string or list of them is TOML, too."""
    lines = (f"{field} = {json.dumps(value, ensure_ascii=False)}" for field, value in entry.items())
    return "\n".join([f"[{key}.{name}]", *lines]) + "\n"


def value_of(text: str, key: str, name: str) -> object:
    """Return the table *name* below *key* in the TOML *text*, None without one; raises Refused."""
    return _servers(text, key).get(name)


def merge(text: str, key: str, name: str, entry: dict[str, Json]) -> str:
    """Return the TOML *text* with the table in it.

    Raises Refused for what is no TOML, and where none can be added, OtherValue where another such
    table is.
    """
    have = _servers(text, key).get(name)
    if have == entry:
        return text
    if have is not None:
        raise OtherValue(f"{key}.{name} is there already, and says something else")
    gap = "\n" if text else ""  # one, whatever stands before it, so that `remove` leaves just that
    new = f"{text}{gap}{block(key, name, entry)}"
    try:
        found = tomllib.loads(new).get(key)
    except tomllib.TOMLDecodeError:
        found = None
    if not isinstance(found, dict) or found.get(name) != entry:  # in a list, it is the last one's
        raise Refused(f"{key} is written in a way that takes no further table")
    return new


def remove(text: str, key: str, name: str, entry: dict[str, Json]) -> str:
    """Return *text* without the table; raises Refused where a person has changed it."""
    if name not in _servers(text, key):
        return text
    ours = block(key, name, entry)
    before, found, after = text.rpartition(ours)
    if not found or name in _servers(new := before.removesuffix("\n") + after, key):
        raise Refused(f"{key}.{name} was changed by hand")
    return new


def _servers(text: str, key: str) -> dict[str, object]:
    try:
        found = tomllib.loads(text).get(key, {})
    except tomllib.TOMLDecodeError as e:
        raise Refused(f"it is no TOML ({e})") from e
    except (RecursionError, ValueError) as e:  # Python reads no number of more than 4300 digits
        raise Refused("it is nested too deeply, or has a number that is too long") from e
    return found if isinstance(found, dict) else {}
