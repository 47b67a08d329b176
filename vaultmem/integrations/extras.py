"""What an integration needs that the package does not bring: said in one place."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator


@contextlib.contextmanager
def needs(extra: str) -> Iterator[None]:
    """Say which *extra* of the package brings what an import lacks, as ModuleNotFoundError."""
    try:
        yield
    except ModuleNotFoundError as e:
        way = f"`pip install 'vaultmem-md[{extra}]'` brings it"
        raise ModuleNotFoundError(f"{e.name} is not installed: {way}", name=e.name) from e
