"""What Claude Code says of an event, as far as it is of use here."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields

from vaultmem.errors import BadInput


@dataclass(frozen=True, slots=True)
class HookInput:
    """The input of a hook; empty is what it did not say."""

    session_id: str = ""
    transcript_path: str = ""
    cwd: str = ""
    source: str = ""
    prompt: str = ""


def read_input(said: bytes) -> HookInput:
    """Read the input of a hook; raises BadInput for what is no JSON object."""
    try:
        raw = json.loads(said)
    except (ValueError, RecursionError) as e:
        raise BadInput("the hook's input is not JSON") from e
    if not isinstance(raw, dict):
        raise BadInput("the hook's input is not a JSON object")
    names = [field.name for field in fields(HookInput)]
    return HookInput(**{name: raw[name] for name in names if isinstance(raw.get(name), str)})
