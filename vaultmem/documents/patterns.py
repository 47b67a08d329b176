"""The patterns of what few texts have, each compiled when a text is first looked at for it.

A command that writes one memory loads hundreds of patterns and needs some: to compile the others
would take a tenth of its time.
"""

from __future__ import annotations

import functools
import re


@functools.cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Return *pattern* compiled; its flags stand in it."""
    return re.compile(pattern)
