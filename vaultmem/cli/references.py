"""What a person calls a file: a path as the shell completes it, where it lies in the vault."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultmem.api.vault import Vault

_AT_LINE = re.compile(r"(?s)(.+?)(:\d+)?")


def each_in_vault(vault: Vault, refs: Iterable[str]) -> list[str]:
    """Return *refs* as `in_vault` does each."""
    return [in_vault(vault, ref) for ref in refs]


def in_vault(vault: Vault, ref: str) -> str:
    """Return *ref* as a path in the vault where it is the path of one of its files from here.

    Relative to the current folder or absolute, with a line behind it (`:12`) or none. Whatever else
    it is stays as it is: an id, a title, words. No link leads out of the vault.
    """
    said = _AT_LINE.fullmatch(ref.strip())
    if said is None or "\0" in ref:
        return ref
    meant = Path(os.path.abspath(said[1]))  # noqa: PTH100  # as it is typed: `..` of a link's folder, too
    try:
        inside = (meant.parent.resolve() / meant.name).relative_to(vault.path.resolve())
        is_there = meant.is_file()
    except (ValueError, OSError):  # it is elsewhere, or no name of a file
        return ref
    return f"{inside.as_posix()}{said[2] or ''}" if is_there else ref
