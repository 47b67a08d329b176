"""Name the values of a vault's settings, and of the profile they choose, that cannot be."""

from __future__ import annotations

from vaultmem import config
from vaultmem.errors import BadInput, TooNew
from vaultmem.records import Problem
from vaultmem.storage import reader
from vaultmem.storage.files import Root

CODE = "setting"
_UNOPENED = "mend it: the vault does not open until then, and nothing else of it was checked"


def that_closes(root: Root) -> Problem | None:
    """Return what keeps the vault at *root* from being opened, None where its settings can be.

    Raises CannotOpen where it has none.
    """
    try:
        reader.settings(root)
    except TooNew as e:
        message = f"format is {e.found}, and this vaultmem reads up to {e.known}"
        return Problem(CODE, config.PATH, message, f"upgrade vaultmem, or {_UNOPENED}")
    except BadInput as e:
        return _problem(config.PATH, e, _UNOPENED)
    return None


def _problem(path: str, error: BadInput, repair: str) -> Problem:
    return Problem(CODE, path, str(error).removeprefix(f"{path}: "), repair)
