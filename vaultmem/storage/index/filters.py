"""Which records are meant, as a value, and the SQL that selects them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

Condition = tuple[str, tuple[object, ...]]
"""SQL over `docs`, and its arguments."""

THESE = "IN (SELECT value FROM json_each(?))"
"""What is among the values of one argument, a list as JSON."""

_TRUSTED = "docs.trust IN ('agent', 'user', 'verified')"
_RECALLABLE = "docs.recallable"
_KEPT = "(docs.recallable OR docs.archived)"
_OF_PERSON = "(docs.speaker = ? COLLATE NOCASE OR docs.person = ? COLLATE NOCASE)"
# With or without the mark that people write before it; `kiln/gas` lies in `kiln`.
_ENDED = "char(10) || replace(docs.tags, char(10), '/' || char(10)) || '/'"
_TAGS = f"replace({_ENDED}, char(10) || '#', char(10))"
_TAGGED = f"{_TAGS} LIKE ? ESCAPE '\\'"


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """The records for which everything that is set holds; what is left out restricts nothing.

    Of several types or agents any one will do; the agent "" among others means nobody. *other_than*
    is a type that it has not, *other_session* a session that it is not of. *below* is a folder, at
    any depth; *tags* must all be there, or others within them; *after* and *before* are times as
    the vault writes them, and included. *identified* has an id: a file that came past the store has
    none until it is adopted. Of several *trusts* any one will do. A *person* said it, or it is
    about them; case does not matter. What is *kept* may be recalled or is *archived*. *outcome* is
    how an experience ended, or one of several ways, "" for an episode of a session.
    """

    type: str | tuple[str, ...] = ""
    other_than: str = ""
    agent: str | tuple[str, ...] = ""
    session: str = ""
    other_session: str = ""
    tier: str = ""
    outcome: str | tuple[str, ...] | None = None
    below: str = ""
    tags: tuple[str, ...] = ()
    person: str = ""
    trusts: tuple[str, ...] = ()
    after: str = ""
    before: str = ""
    recallable: bool = False
    kept: bool = False
    archived: bool = False
    trusted: bool = False
    identified: bool = False
    degraded: bool = False


def condition(where: Filter) -> Condition:
    """Return the SQL that selects what *where* means."""
    parts = list(_parts(where))
    sql = " AND ".join(part for part, _ in parts) or "1"
    return sql, tuple(arg for _, args in parts for arg in args)


def both(one: Condition, sql: str, *args: object) -> Condition:
    """Return the condition *one*, and *sql* besides."""
    return f"{one[0]} AND ({sql})", (*one[1], *args)


def _parts(where: Filter) -> Iterator[Condition]:
    # A folder without an agent is small: the plus leaves the choice to the index of paths.
    kind = "+docs.type" if where.below and not where.agent else "docs.type"
    equal = (
        (kind, where.type),
        ("docs.agent", where.agent),
        ("docs.session", where.session),
        ("docs.tier", where.tier),
    )
    yield from (_among(column, wanted) for column, wanted in equal if wanted)
    if where.outcome is not None:
        yield _among("docs.outcome", where.outcome)
    if where.below:
        yield below("docs.path", where.below)
    if where.person:
        yield _OF_PERSON, (where.person, where.person)
    if where.trusts:
        yield _among("docs.trust", where.trusts)
    bounds = (("docs.created >= ?", where.after), ("docs.created <= ?", where.before))
    yield from ((sql, (time,)) for sql, time in bounds if time)
    tags = (literal(tag.removeprefix("#")) for tag in where.tags)
    yield from ((_TAGGED, (f"%\n{tag}/%",)) for tag in tags)
    if where.other_than:  # two ranges, which an index knows; to differ reads all
        yield "(docs.type < ? OR docs.type > ?)", (where.other_than, where.other_than)
    if where.other_session:
        yield "docs.session != ?", (where.other_session,)
    flags = (
        (_RECALLABLE, where.recallable),
        (_KEPT, where.kept),
        ("docs.archived", where.archived),
        (_TRUSTED, where.trusted),
        ("docs.id != ''", where.identified),
        ("docs.degraded != ''", where.degraded),
    )
    yield from ((sql, ()) for sql, is_asked in flags if is_asked)


def _among(column: str, wanted: str | tuple[str, ...]) -> Condition:
    if isinstance(wanted, str):
        return f"{column} = ?", (wanted,)
    return f"{column} IN ({', '.join('?' * len(wanted))})", wanted


def below(column: str, folder: str) -> Condition:
    """Return what selects the paths in *folder*: a range, which an index knows; LIKE reads all."""
    return f"{column} > ? AND {column} < ?", (f"{folder}/", f"{folder}0")  # "0" comes after "/"


def literal(text: str) -> str:
    r"""Return the pattern of LIKE (with ESCAPE '\') that is *text* itself."""
    return re.sub(r"([\\%_])", r"\\\1", text)
