"""Name the values of a vault's settings, and of the profile they choose, that cannot be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from vaultmem import config
from vaultmem.errors import BadInput, BadSettings, NotFound, TooNew
from vaultmem.models.providers import profile
from vaultmem.records import Problem
from vaultmem.storage import reader
from vaultmem.storage.files import Root
from vaultmem.storage.store import Store

CODE = "setting"
_UNOPENED = "mend it: the vault does not open until then, and nothing else of it was checked"
_UNWRITTEN = "mend it: nobody writes summaries until then"
_UNNAMED = "write that, or name another: nobody writes summaries until then"


class SettingFault(NamedTuple):
    """A *problem* with a *key* of a settings file, "" where it is with the file."""

    key: str
    problem: Problem


def that_close(root: Root) -> tuple[SettingFault, ...]:
    """Return what keeps the vault at *root* from being opened, nothing where its settings can be.

    Raises CannotOpen where it has none.
    """
    try:
        reader.settings(root)
    except TooNew as e:
        message = f"format is {e.found}, and this vaultmem reads up to {e.known}"
        repair = f"upgrade vaultmem, or {_UNOPENED}"
        return (SettingFault("format", Problem(CODE, config.PATH, message, repair)),)
    except BadSettings as e:
        return tuple(_of_values(e, _UNOPENED))
    except BadInput as e:
        message = str(e).removeprefix(f"{config.PATH}: ")
        return (SettingFault("", Problem(CODE, config.PATH, message, _UNOPENED)),)
    return ()


def of_profile(store: Store) -> tuple[SettingFault, ...]:
    """Return what is wrong with the profile that the settings choose.

    A file that cannot be read is a problem of its own, whatever it is for.
    """
    name = store.config().profile
    try:
        profile.read(store.root, name)
    except BadSettings as e:
        return tuple(_of_values(e, _UNWRITTEN))
    except NotFound:
        message = f"profile is {name!r}, and {profile.FOLDER}/{name}.md is missing"
        return (SettingFault("profile", Problem(CODE, config.PATH, message, _UNNAMED)),)
    except BadInput:
        pass
    return ()


def _of_values(error: BadSettings, repair: str) -> Iterator[SettingFault]:
    for key, why in error.faults:
        yield SettingFault(key, Problem(CODE, error.path, f"{key} {why}", repair))
