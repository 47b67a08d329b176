"""Why: where a line comes from, level by level, down to what was said and its commit."""

from __future__ import annotations

from dataclasses import dataclass

from vaultmem.api.types import Why
from vaultmem.errors import BadInput
from vaultmem.web.types import Asked, Page, Reader


@dataclass(frozen=True, slots=True)
class WhyPage:
    """The chain from what is asked about down to what was said."""

    why: Why


def query(reader: Reader, asked: Asked) -> WhyPage:
    """Return where `ref` in the query comes from; raises BadInput."""
    ref = asked.fields.get("ref", "").strip()
    if not ref:
        raise BadInput("name what to trace: a path, `path:line`, or words of a fact")
    agent = asked.options.agent
    if agent:
        reader.view.file(ref.rpartition(":")[0] if ref.rpartition(":")[2].isdigit() else ref)
    return WhyPage(reader.vault.why(ref, agent=agent))


PAGE = Page("/why", "Where it comes from", "why.html", query)
