"""Compile a pattern when it is first needed, and once."""

from __future__ import annotations

import functools
import re


@functools.cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Return *pattern*, whose classes are those of ASCII."""
    return re.compile(pattern, re.ASCII)


@functools.cache
def prefixed(prefix: str, body: str) -> re.Pattern[str]:
    """Return the pattern of a *body* behind a *prefix* that no letter or digit precedes."""
    # The look-behind stands after the literal, where it does not cost `re` its fast search.
    literal = re.escape(prefix)
    return re.compile(f"{literal}(?<![A-Za-z0-9]{literal}){body}", re.ASCII)
