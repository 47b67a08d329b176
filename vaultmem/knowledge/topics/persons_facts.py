"""What a topic says that a person wrote or stated: an agent adds to that, and takes none of it.

A line is a person's by the commit that brought it: one that is not the program's, or that of an
operation with a person's trust.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from vaultmem.documents import frontmatter
from vaultmem.documents.bodies import Topic
from vaultmem.errors import Unavailable
from vaultmem.records import PERSONS
from vaultmem.storage import git
from vaultmem.storage.plan import Change
from vaultmem.storage.store import Store


def taken(store: Store, change: Change, made: Topic) -> str:
    """Return the first line of a person's that *change* takes out of a topic, "" for none.

    *made* is the topic after it: a fact that it still tells is not taken, whatever links it got.
    Without git nobody can say whose a line is.
    """
    kept = [it.text for it in made.items]
    gone = [
        (number, line) for number, line in _gone(change) if not any(text in line for text in kept)
    ]
    if not gone:
        return ""
    store.writer.commit_pending()
    if (repository := store.writer.repository) is None:
        return ""
    try:
        commits = repository.blame(change.path, change.old or b"")
        entries = repository.entries(sorted({commits[n] or "" for n, _ in gone} - {""}))
    except Unavailable:  # an unborn branch has no line of anybody's
        return ""
    trailers = {entry.commit: dict(entry.trailers) for entry in entries}
    persons = (line for n, line in gone if _is_a_persons(trailers.get(commits[n] or "", {})))
    return next((line.strip() for line in persons), "")


def _is_a_persons(trailers: Mapping[str, str]) -> bool:
    return git.OP not in trailers or trailers.get("Trust", "") in PERSONS


def _gone(change: Change) -> Iterator[tuple[int, str]]:
    """Yield the lines with text that *change* takes out of the body, with their place from 0."""
    left = Counter(line for _, line in _lines(change.new))
    for number, line in _lines(change.old):
        if left[line]:
            left[line] -= 1
        elif line.strip():
            yield number, line


def _lines(data: bytes | None) -> list[tuple[int, str]]:
    """Return the lines of a file's body, without their ends, each with its place in the file."""
    text = frontmatter.decode(data or b"")
    body = frontmatter.parse(text).body
    first = text.count("\n") - body.count("\n")
    return [(n, x.removesuffix("\r")) for n, x in enumerate(body.split("\n"), first)]
