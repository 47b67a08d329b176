"""Turns and items that stay and say what is forgotten in other words: another text, to be named."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain

from vaultmem.storage import item_logs, transcripts
from vaultmem.storage.store import Store


def find(store: Store, data: Callable[[str], bytes], says: Callable[[str], bool]) -> Iterator[str]:
    """Yield the lines of transcripts and item logs that *says* tells of, as `FILE:NUMBER`.

    *data* returns what the file at a path says then.
    """
    talks = (found.path for found in transcripts.transcript_files(store.root))
    for path in chain(talks, item_logs.paths(store.root)):
        yield from saying(path, data(path).decode("utf-8", "surrogateescape"), says)


def saying(path: str, text: str, says: Callable[[str], bool]) -> Iterator[str]:
    """Yield the file at *path*, whose *text* says it, or its lines where these are turns."""
    if not path.endswith(".jsonl"):
        if says(text):
            yield path
        return
    yield from (f"{path}:{n}" for n, line in enumerate(text.split("\n"), 1) if says(line))
