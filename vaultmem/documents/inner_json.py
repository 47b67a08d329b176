"""JSON that stands in a text of JSON, as the arguments of a call do."""

from __future__ import annotations

import json


def of(text: str) -> object:
    """Return the object or list that *text* is as JSON, None for any other text.

    One that is written as JSON twice is a text that is one.
    """
    if text.lstrip()[:1] not in ("{", "[", '"'):
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(found, str):
        return None if of(found) is None else found
    return found if isinstance(found, dict | list) else None
