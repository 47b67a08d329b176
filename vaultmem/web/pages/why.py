"""Why: where a line comes from, level by level, down to what was said and its commit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from vaultmem.api.types import Why
from vaultmem.errors import BadInput
from vaultmem.web.types import Asked, Page, Reader


@dataclass(frozen=True, slots=True)
class WhyPage:
    """The chain from what is asked about, at *line* of the file at *path*, down to what was said.

    *titles* are those of the files it passes, by path; of memories the words are shown.
    """

    why: Why
    path: str
    line: str
    titles: Mapping[str, str]


def query(reader: Reader, asked: Asked) -> WhyPage:
    """Return where `ref` in the query comes from; raises BadInput."""
    ref = asked.fields.get("ref", "").strip()
    if not ref:
        raise BadInput("name what to trace: a path, `path:line`, or words of a fact")
    agent = asked.options.agent
    if agent:
        reader.view.file(ref.rpartition(":")[0] if ref.rpartition(":")[2].isdigit() else ref)
    found = reader.vault.why(ref, agent=agent)
    path, _, line = found.taken.rpartition(":")
    if not (path and line.isdigit()):
        path, line = found.taken, ""
    said = {it.path for it in found.chain if it.kind == "memory"}
    derived = {path, *(it.path for it in found.chain)} - said
    return WhyPage(found, path, line, reader.view.titles(derived))


PAGE = Page("/why", "Where it comes from", "why.html", query)
