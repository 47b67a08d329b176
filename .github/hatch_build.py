"""Note in the package which commit it is built from, where a repository says so."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_FILE = "vaultmem/commit.txt"
"""What `vaultmem/api/build.py` reads; a source distribution brings it along."""


class CommitHook(BuildHookInterface):  # type: ignore[type-arg]  # of any builder
    """Put the commit's id into what is built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the file, unless the package stays in its checkout, which knows its commit."""
        if version == "editable" or not (commit := _commit(self.root)):
            return
        note = Path(self.directory) / "commit.txt"
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text(f"{commit}\n")
        build_data["force_include"][str(note)] = _FILE

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002  # the hook's own
        """Remove it from the folder of what was built."""
        (Path(self.directory) / "commit.txt").unlink(missing_ok=True)


def _commit(root: str) -> str:
    """Return the id of the commit that is checked out at *root*, "" outside of a repository."""
    if not (Path(root) / ".git").exists():
        return ""
    asked = ["git", "-C", root, "rev-parse", "HEAD"]
    return subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
