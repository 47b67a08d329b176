"""The graph: everything that is linked, laid out here, to be dragged and narrowed there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from vaultmem.web.pages import filters
from vaultmem.web.pages.filters import Filters
from vaultmem.web.rendering import graphs, templates
from vaultmem.web.rendering.graphs import Drawing
from vaultmem.web.types import Asked, Page, Reader

KINDS = ("card", "topic", "episode", "summary", "memory", "note", "file", "skill")
_MOST = 2000
"""Links that are drawn, and nearly as many files."""


@dataclass(frozen=True, slots=True)
class Graph:
    """The drawing, and what it is narrowed to."""

    drawing: Drawing
    svg: Markup
    kinds: Mapping[str, bool]
    filters: Filters
    agents: Sequence[str]
    people: Sequence[str]
    is_cut: bool


def query(reader: Reader, asked: Asked) -> Graph:
    """Return the files that link to each other; raises BadInput for a date that is none."""
    chosen = [k for k in asked.fields.get("kinds", "").split(",") if k in KINDS]
    kinds = chosen or list(KINDS)
    narrowed = filters.asked_for(asked)
    links = reader.view.links(
        kinds, _MOST, agent=narrowed.agent, person=narrowed.person, trust=narrowed.least,
        after=narrowed.after, before=narrowed.before,
    )  # fmt: skip
    drawing = graphs.drawn(links)

    def address(path: str) -> str:
        return templates.file_url(asked.as_of, path)

    return Graph(
        drawing,
        graphs.svg(drawing, address),
        {kind: kind in kinds for kind in KINDS},
        narrowed,
        reader.view.agents(),
        reader.view.people(),
        len(links) >= _MOST,
    )


PAGE = Page("/graph", "Graph", "graph.html", query)
