"""What a program's file was before our entry was put in: noted beside it, to be as it was again.

Where the file was not there, nothing is noted.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress

from vaultmem.api.project_folder import sha256
from vaultmem.errors import Refused
from vaultmem.integrations.claude_code.json_merge import Insertion
from vaultmem.integrations.claude_code.receipt import WrittenFile, pretty, written_file

_LONGEST = 1 << 20


def dumped(new: bytes, seams: Sequence[Insertion]) -> bytes:
    """Return what is noted of a file that became *new* by these insertions."""
    return pretty({"sha256": sha256(new), "seams": [list(seam) for seam in seams]}).encode()


def read(data: bytes | None) -> WrittenFile | None:
    """Return what was noted, None for nothing, and for what no installation has written."""
    with suppress(ValueError, KeyError, TypeError, AttributeError, RecursionError, Refused):
        if data is not None and len(data) <= _LONGEST:
            return written_file(json.loads(data))
    return None
