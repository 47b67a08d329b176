"""Find what is to be forgotten: by id, path or wikilink; or what a query or a person concerns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from vaultmem import forget
from vaultmem.errors import BadInput, Refused
from vaultmem.model import Record, first_line
from vaultmem.site import Site

_HOOK = 100
_DERIVED = (
    "it is made from other files and would come back: forget those, `vaultmem why` names them"
)
_RAW = "docs.type NOT IN ('summary', 'episode', 'topic', 'index', 'config', 'tombstone')"


@dataclass(frozen=True, slots=True)
class Found:
    """One thing that would be forgotten, as a person is shown it."""

    id: str
    path: str
    type: str
    date: str
    text: str


def shown(records: Iterable[Record]) -> tuple[Found, ...]:
    """Return *records* as a preview."""
    return tuple(
        Found(r.id, r.path, r.type, r.created, first_line(r.title or r.body or r.facts, _HOOK))
        for r in records
    )


def named(site: Site, refs: Sequence[str]) -> tuple[Record, ...]:
    """Return what *refs* name, each once; raises BadInput for none, Refused for what is derived."""
    found = {r.path: r for ref in refs for r in [_one(site, ref)]}
    return tuple(found.values())


def candidates(site: Site, ref: str) -> list[Record]:
    """Return what *ref* may name: one thing, or none, or several of one name."""
    name = ref.strip().removeprefix("[[").removesuffix("]]").partition("|")[0].strip()
    if not name:
        return []
    path = name if name.endswith(".md") else f"{name}.md"
    sql = "docs.id = ? OR docs.path = ? OR docs.stem = ?"
    found = site.index.records(sql, (name.upper(), path, name))
    meant = [r for r in found if not r.path.startswith("tombstones/")]
    return [r for r in meant if r.path == path or r.id == name.upper()] or meant


def _one(site: Site, ref: str) -> Record:
    exact = candidates(site, ref)
    if not exact:
        raise BadInput(f"nothing here is called {ref!r}: `vaultmem recall` gives ids and paths")
    if len(exact) > 1:
        paths = ", ".join(r.path for r in exact)
        raise BadInput(f"{ref!r} is more than one thing: name one by its path: {paths}")
    _check(exact[0])
    return exact[0]


def _check(record: Record) -> None:
    if record.problem:
        raise Refused(f"{record.path}: {record.problem.message}; mend it first")
    if record.type == "summary":
        raise Refused(f"{record.path} is a summary; {_DERIVED}")
    review = record.path.startswith("inbox/review/")
    if record.type in {"index", "config"} or not (record.recallable or review):
        raise Refused(f"{record.path} is part of the vault itself: edit or remove it by hand")


def saying(site: Site, query: str) -> tuple[Record, ...]:
    """Return the raw files that say every word of *query*; raises BadInput for no words."""
    wanted = set(forget.words(query))
    if not wanted:
        raise BadInput("name what shall be forgotten: an id, a path, or words")
    return tuple(r for r in _raw(site) if wanted <= set(forget.words(_text(r))))


def about(site: Site, person: str) -> tuple[Record, ...]:
    """Return the raw files that a *person* said, that concern them, or that name them."""
    wanted = forget.words(person)
    if not wanted:
        raise BadInput("whom shall the vault forget? give a name")
    return tuple(r for r in _raw(site) if _concerns(r, wanted))


def _raw(site: Site) -> list[Record]:
    found = site.index.records(_RAW)
    return [r for r in found if r.recallable or r.path.startswith("inbox/review/")]


def _concerns(record: Record, name: Sequence[str]) -> bool:
    fields = (record.person, record.speaker, record.title, record.body, record.facts)
    return any(_holds(forget.words(field), name) for field in fields)


def _holds(said: Sequence[str], name: Sequence[str]) -> bool:
    width = len(name)
    return any(said[at : at + width] == [*name] for at in range(len(said) - width + 1))


def _text(record: Record) -> str:
    r = record
    return f"{r.title}\n{r.description}\n{r.person}\n{r.facts}\n{r.body}"
