"""The scratchpad: entries by key, and what of a step's result is worth one."""

from __future__ import annotations

import re
from dataclasses import replace

from vaultmem.memory.working.types import Note, Working
from vaultmem.records import first_line

LONGEST_FINDING = 200
"""Characters of what is kept of a result."""

_SPECIFIC = re.compile(
    r"""
    \d                                   # a figure, a date, a version
  | ["“„«`][^"”“»`]+["”“»`]              # what somebody called something
  | \w+://\S | \w/\w | \w\.[a-z]{2,4}\b  # an address, a path, a file
  | (?<=[^.!?:\s]\s)[^\W\d_a-z]\w          # a name: a capital within a sentence
    """,
    re.VERBOSE,
)


def noted(working: Working, key: str, text: str) -> Working:
    """Return *working* with *text* in its scratchpad, in place of what stood there by that *key*.

    Without a key it is one entry more; an empty text takes away what the key has.
    """
    there = next((n for n, note in enumerate(working.scratchpad) if key and note.key == key), None)
    new = (Note(text, key),) if text else ()
    pad = working.scratchpad
    at = len(pad) if there is None else there
    return replace(working, scratchpad=(*pad[:at], *new, *pad[at + (there is not None) :]))


def finding(result: str) -> str:
    """Return the line of a step's *result* that the steps after it may need, "" for none.

    It says a figure, a name, an address or a word that somebody used: "done" is no finding.
    """
    specific = (line for line in result.splitlines() if _SPECIFIC.search(line))
    return first_line(next(specific, ""), LONGEST_FINDING)
