"""A line of a file in which each is a JSON object: a transcript's, or an item log's."""

from __future__ import annotations

import json


def fields(line: bytes | str) -> dict[str, object]:
    """Return what *line* says as a JSON object, nothing where it is none."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
