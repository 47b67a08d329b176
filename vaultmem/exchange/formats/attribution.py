"""Whose word a line of another program is taken for: in what role, from where, how trusted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from vaultmem.documents import speakers
from vaultmem.documents.origin import Origin
from vaultmem.records import TRUST


class Attribution(NamedTuple):
    """What an imported message says of who spoke, as `ImportedMessage` has it."""

    role: str
    source: str
    trust: str


def of(line: Mapping[str, object], role: str, origin: Origin) -> Attribution:
    """Return what *line* counts as, which names its *role* and tells of its *origin*.

    Who is not known to talk speaks in a tool's role, and is not trusted.
    """
    who = speakers.of_line(line)
    source = "tool" if who == "tool" else origin.source_or("import")
    if who == "talker":
        return Attribution(role, source, origin.trust)
    return Attribution("tool", source, TRUST[0])
