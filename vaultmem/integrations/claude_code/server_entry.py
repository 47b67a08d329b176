"""What stands in a file of settings where our MCP server is to be entered."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from vaultmem.api.rendering import public_text
from vaultmem.integrations.claude_code.json_merge import Json, OtherValue

_LONGEST = 200
_ADDRESSES = ("url", "httpUrl")
"""Under what an entry has the address of a server that runs elsewhere."""


def refuse_other(name: str, there: object, ours: Mapping[str, Json]) -> None:
    """Raise OtherValue where *there* at *name* calls something else than *ours*.

    What is merged of two such entries would be nobody's.
    """
    own = there if isinstance(there, Mapping) else {}
    differs = any(own.get(key, value) != value for key, value in ours.items())
    is_elsewhere = any(key in own for key in _ADDRESSES)
    if differs or is_elsewhere or not (there is None or isinstance(there, Mapping)):
        called = _called(own)
        raise OtherValue(f"{name} is there already{f', as `{called}`' if called else ''}")


def _called(entry: Mapping[str, object]) -> str:
    """Return the command line of an *entry*, or its address, as it may be told."""
    args = entry.get("args")
    words = [entry.get("command"), *(args if isinstance(args, list) else ())]
    line = shlex.join(word for word in words if isinstance(word, str))
    address = next((str(entry[key]) for key in _ADDRESSES if key in entry), "")
    return public_text(line or address)[:_LONGEST]
