"""Name the files of `supersessions/` that came by no operation: each lets a memory hold no longer.

A person lets the program write one. Who may push can lay one there, and it says nothing that
anybody reads.
"""

from __future__ import annotations

from collections.abc import Iterator

from vaultmem.exchange.sync import last_commits
from vaultmem.exchange.sync.obeyed_changes import shown_by
from vaultmem.exchange.sync.types import Lines, Merged, Sides
from vaultmem.storage import supersessions
from vaultmem.storage.git import Repository


def notices(sides: Sides, made: Merged, lines: Lines, repository: Repository) -> Iterator[str]:
    """Yield each that comes with the merge *made*, or is changed by it, and what to do."""
    new = (path for path, it in sides.items() if made.files.get(path) not in {None, it.ours})
    came = {path for path in new if path.startswith(f"{supersessions.FOLDER}/")}
    last = last_commits.below(supersessions.FOLDER, lines, repository) if came else {}
    for path in sorted(came & last.keys()):
        if not last[path][0].ops:
            yield _BARE.format(path, shown_by(lines.theirs, path))


_BARE = (
    "{} came, and no operation there made it: the memory that it calls superseded holds no longer; "
    "`{}` shows it, and whoever deletes it lets both memories hold"
)
