"""A JSON file of what a model answered a dream, under `.vaultmem/dreams`: a cache, no memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from vaultmem.errors import Refused
from vaultmem.storage import files
from vaultmem.storage.files import Step
from vaultmem.storage.store import Store

T = TypeVar("T")
_FOLDER = ".vaultmem/dreams"


def load(store: Store, name: str, read: Callable[[Mapping[str, Any]], T], none: T) -> T:
    """Return what *read* makes of the file *name*; *none* where it is gone or damaged.

    Nothing but the asking anew is lost by that.
    """
    try:
        found = files.read(store.root, f"{_FOLDER}/{name}")
        return read(json.loads(found.data)) if found else none
    except (Refused, ValueError, KeyError, TypeError, AttributeError):
        return none


def keep(store: Store, name: str, answers: object) -> None:
    """Write *answers* to the file *name*."""
    path = f"{_FOLDER}/{name}"
    found = files.read(store.root, path)
    step = Step(path, found.sha if found else None, json.dumps(answers).encode())
    files.write(store.root, [step], store.mint())
