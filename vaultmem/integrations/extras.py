"""What an integration needs that the package does not bring: said in one place."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator


@contextlib.contextmanager
def needs(extra: str, requirement: str) -> Iterator[None]:
    """Say what brings what an import lacks, as ModuleNotFoundError.

    That is the *requirement* by itself, wherever the package came from, or its *extra* in a
    checkout.
    """
    try:
        yield
    except ModuleNotFoundError as e:
        way = (
            f"`pip install '{requirement}'` brings it; in a checkout, `pip install -e '.[{extra}]'`"
        )
        raise ModuleNotFoundError(f"{e.name} is not installed: {way}", name=e.name) from e
