"""A vault as notes of basic-memory: a title, a permalink, observations, links by permalink.

What a topic lists are observations, their category the heading above them. What the format has no
word for goes along under `vaultmem`, for an import.
"""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem.documents.markdown import links
from vaultmem.documents.markdown.links import Link
from vaultmem.exchange.exporting import memory_names
from vaultmem.exchange.exporting.okf import Concept, title
from vaultmem.exchange.formats import observations, okf
from vaultmem.exchange.formats.okf import OBSERVED, OKF_KEYS, PERMALINK
from vaultmem.storage.link_targets import Targets


def folder(concepts: Sequence[Concept]) -> dict[str, bytes]:
    """Return the files of the folder by their paths in it."""
    targets = Targets(c.record.path for c in concepts)
    ended = memory_names.ended(c.record for c in concepts)
    return {
        _file(c.record.path): _text(c, targets, ended.get(c.record.stem, ())).encode()
        for c in concepts
    }


def _file(path: str) -> str:
    return path if path.endswith(".md") else f"{path}.md"


def _permalink(path: str) -> str:
    return path.removesuffix(".md")


def _text(concept: Concept, targets: Targets, ended: Sequence[str]) -> str:
    import yaml  # noqa: PLC0415  # only an export pays for it

    record, raw = concept.record, concept.raw
    own = OKF_KEYS | {PERMALINK}
    was: dict[str, object] = {
        "path": record.path,
        "agent": record.agent,
        "id": memory_names.own(record) if record.type == "memory" else "",
        "supersedes": list(ended),
        okf.HEAD: {key: value for key, value in raw.items() if key in own},
        okf.TYPED: concept.lines(own),
    }
    is_listed = record.type == "topic"
    head: dict[str, object] = {
        "title": title(record),
        "type": record.type or "note",
        PERMALINK: _permalink(record.path),
        "tags": list(record.tags),
        **{key: value for key, value in raw.items() if key not in own},
        okf.KEY: {k: v for k, v in was.items() if v} | ({OBSERVED: "true"} if is_listed else {}),
    }
    shown = yaml.safe_dump(
        {key: v for key, v in head.items() if (v if key in own else key not in concept.typed)},
        sort_keys=False, allow_unicode=True, width=10_000,
    )  # fmt: skip
    shown += concept.lines(concept.typed.keys() - own)
    body = links.replaced(record.body, lambda link: _link(link, targets))
    return f"---\n{shown}---\n\n{observations.marked(body) if is_listed else body}"


def _link(found: Link, targets: Targets) -> str:
    path = targets.path(found.target) if found.wiki and not found.embed else ""
    return found.to(_permalink(path)) if path else found.raw
