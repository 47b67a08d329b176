"""All of git that a purge looks through: versions of files, the last commit, messages."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping
from functools import cached_property

from vaultmem.storage import item_logs
from vaultmem.storage.git import Blob, Repository, history_rewrite, objects
from vaultmem.storage.git.history_rewrite import Version
from vaultmem.storage.git.types import OP, ORDINARY, PLAIN

OPERATION = re.compile(rf"(?m)^{OP}: (\S+)$")
"""The trailer of a commit of ours."""

_TEXTS = PLAIN | {"120000"}
"""The modes of what has a text: the target of a link is one."""


class GitHistory:
    """What *repository* has: *versions* of the vault's files, *head* by path, *heads* their ids.

    Paths are from the top of the repository. Of a bigger one what is not the vault's is *foreign*
    and stays, old versions too.
    """

    def __init__(self, repository: Repository, bytes_of: Callable[[Blob], bytes]) -> None:
        """Ask git what there is; *bytes_of* reads an object."""
        self.repository, self.bytes_of = repository, bytes_of
        whole = repository.whole
        every = history_rewrite.versions(whole)
        self.versions = [v for v in every if self._is_ours(v)]
        self.foreign = [Blob(ORDINARY, v.id) for v in every if not self._is_ours(v)]
        there = objects.files(whole, repository.head())
        self.head: Mapping[str, Blob] = {p: b for p, b in there.items() if b.mode in _TEXTS}
        self.heads = {blob.id for blob in self.head.values()}

    @cached_property
    def messages(self) -> tuple[str, ...]:
        """The messages of its commits and tags."""
        return tuple(history_rewrite.messages(self.repository))

    def read(self, oid: str) -> bytes:
        """Return the bytes of the file with the id *oid*."""
        return self.bytes_of(Blob(ORDINARY, oid))

    def text(self, blob: Blob) -> str:
        """Return what *blob* says."""
        return self.bytes_of(blob).decode("utf-8", "replace")

    def shown(self, path: str) -> str:
        """Return *path* as a person in the vault's folder names it."""
        prefix = self.repository.prefix
        return posixpath.relpath(path, prefix) if prefix else path

    def is_log(self, path: str) -> bool:
        """Tell whether an agent's framework keeps its items at *path*."""
        return item_logs.is_path(self.repository.inside(path))

    def _is_ours(self, version: Version) -> bool:
        return any(path.startswith(self.repository.prefix) for path in version.paths)
