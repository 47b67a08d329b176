"""Which build of the program this is: its version, and the commit that it was made from."""

from __future__ import annotations

import contextlib
import json
from importlib import metadata, resources
from pathlib import Path

from vaultmem.errors import Unavailable
from vaultmem.storage import git
from vaultmem.version import __version__

DISTRIBUTION = "vaultmem-md"
COMMIT_FILE = "commit.txt"
"""What the build writes into the package: the commit it was made from."""
_SHORT = 10


def label() -> str:
    """Return the version and, where it is known, the commit: `0.1.0 (1a2b3c4d5e)`."""
    made_from = commit()
    return f"{__version__} ({made_from})" if made_from else __version__


def commit() -> str:
    """Return the commit that this program was made from, shortened; "" where nobody knows.

    The build notes it, an installer that fetched a repository does, and a checkout has it.
    """
    return (_built() or _installed() or _checked_out())[:_SHORT]


def _built() -> str:
    file = resources.files("vaultmem") / COMMIT_FILE
    return file.read_text().strip() if file.is_file() else ""


def _installed() -> str:
    """Return what PEP 610 has an installer note of a repository."""
    with contextlib.suppress(metadata.PackageNotFoundError, json.JSONDecodeError):
        noted = metadata.distribution(DISTRIBUTION).read_text("direct_url.json")
        said = json.loads(noted or "{}").get("vcs_info", {})
        return str(said.get("commit_id", ""))
    return ""


def _checked_out() -> str:
    """Return where HEAD is in the checkout that the package lies in."""
    top = Path(__file__).parents[2]
    with contextlib.suppress(Unavailable):
        if (top / "pyproject.toml").is_file() and (found := git.find(top)):
            return found.head() or ""
    return ""
