"""Where a fact stands: whether two facts speak of the same thing, and which of two is to stay.

"The port is 8080" below two headings, in the files of two people or of two servers is two facts.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from vaultmem.documents.markdown import outline
from vaultmem.maintenance.dream.types import Fact, Note, key
from vaultmem.nlp.facts.synonyms import words
from vaultmem.nlp.text import analysis
from vaultmem.records import SCAFFOLDING, TRUST

_GENERAL = {"", "see also", "key facts", "what we know"} | words("""
    background details fact facts general info information links log memory misc more note notes
    overview related summary
""")
_DULL = words("""
    about and are can facts for from have her his how info information its memory more notes our
    project that the their this topic user was what when where which who why with you your
""")
_LABELLED = re.compile(r"[*_]*(?:why|must|how(?: to apply)?)\b[^:]{0,3}:", re.IGNORECASE)
_STEM = 5
_ENOUGH = 8
"""So many telling words say by themselves what they are about."""

_ENOUGH_OF_ANY = 4
"""So many are enough where one of two files is no file of one subject."""

_WEEKDAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b"
_NAMED = re.compile(
    rf"`[^`]+`|https?://|\[\[|\b\w+[/\\@_]\w|(?<=[\w,;:] )(?!I\b|{_WEEKDAY})[A-Z]\w+"
    r"|\b(?:[Tt]he )?[Uu]sers?\b|^[A-Z]\w+(?='s )"
)
_PERSONAL = re.compile(
    r"(?:I|My|Mein|Meine)\b"
    r"|[Oo]ur (?:anniversary|car|cat|children|daughter|dog|flat|house|kids|landlord|rent|son"
    r"|wedding)\b"
    r"|(?!The\b|This\b|That\b|It\b|He\b|She\b|There\b|Here\b|Every\b|One\b|Der\b|Die\b|Das\b"
    r"|Er\b|Sie\b|Es\b|Hier\b)[A-Z][\w-]+ (?:is (?:an?|allergic|afraid|\d+)\b"
    r"|(?!is |starts |begins |ends |opens |closes |costs |takes |lasts |listens |runs |uses "
    r"|requires |supports |exposes |returns )[a-z]+s\b"
    r"|(?:can|cannot|goes|has|was)\b|(?:doesn|can|isn|wasn|hasn)['\u2019]t\b"
    r"|ist (?:ein|gegen|\d+)"
    r"|(?:arbeitet|hat|hei\u00dft|isst|kommt|lebt|mag|raucht|spricht|wohnt)\b)"
    "|(?!\u5b83|\u8fd9|\u90a3|\u4ed6|\u5979)[\u4e00-\u9fff].{4}"
)
"""What says at its beginning who is meant: a name without an article, or whoever writes."""


_DIARY = frozenset(
    analysis.stem(word)[:_STEM]
    for word in words("""
        april august daily day december diary draft drafts evening february friday home ideas inbox
        january journal july june log may march meeting minutes misc monday month morning november
        october personal random reminders saturday scratch september stuff sunday thoughts thursday
        todo today tuesday wednesday week weekly year
        gedanken ideen notiz notizen tagebuch woche
    """)
)
"""Titles of notes about whatever a day brought."""


def same_thing(one: Fact, two: Fact, notes: Callable[[str], Note]) -> bool:
    """Whether the same words in both places would say the same."""
    first, second = notes(one.path), notes(two.path)
    if not alike(one, two, notes):
        return False
    return one.path == two.path or _is_clear(one, two, first, second)


def alike(one: Fact, two: Fact, notes: Callable[[str], Note]) -> bool:
    """Whether nothing around two facts tells them apart: heading, card, or when they hold."""
    first, second = notes(one.path), notes(two.path)
    general = is_general(one, first) and is_general(two, second)
    if one.section != two.section and not general:
        return False
    cards = "card" in {first.record.type, second.record.type}
    return one.path == two.path or (not cards and _validity(first) == _validity(second))


def is_paragraph(fact: Fact, note: Note) -> bool:
    """Whether a line of prose is a paragraph by itself, and no quote or row of a table."""
    if fact.kind != "prose" or fact.text.startswith(("|", ">", "#")):
        return False
    around = (*note.lines[max(0, fact.at - 1) : fact.at], *note.lines[fact.at + 1 : fact.at + 2])
    return all(not line.strip() or line.startswith(("#", "---")) for line in around)


def is_personal(*facts: Fact) -> bool:
    """Whether each of *facts* says at its beginning who is meant: somebody named, or the writer."""
    return all(_PERSONAL.match(fact.text) for fact in facts)


def is_of_any(fact: Fact, note: Note) -> bool:
    """Whether *note* is a diary and the like, and *fact* says enough to be understood there."""
    telling = len(re.findall(r"[^\W_]{2,}", fact.text)) >= _ENOUGH_OF_ANY
    return not subjects(note) - _DIARY and (telling or not fact.text.isascii())


def names_itself(subject: str) -> bool:
    """Whether *subject* says whom or what is meant wherever it stands: by a name, or in code."""
    return _NAMED.search(subject) is not None


def scope(path: str) -> str:
    """Return the agent's folder that *path* is private to, "" when all agents share it."""
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] == "agents" else ""


def trust(note: Note) -> int:
    """Return the rank of a note's trust, more is better; an index vouches for nothing."""
    if note.path in SCAFFOLDING:
        return 0
    return TRUST.index(note.record.trust) if note.record.trust in TRUST else 0


def nested(fact: Fact) -> tuple[str, ...]:
    """Return what is nested in a bullet, line by line, to the letter of its words."""
    return tuple(filter(None, map(key, fact.lines[outline.own_lines(fact.lines) :])))


def is_general(fact: Fact, note: Note) -> bool:
    """Whether the heading above *fact* says nothing that its words do not."""
    return fact.section in _GENERAL or fact.section in {key(note.record.title), _heading(note)}


def _heading(note: Note) -> str:
    """Return what the heading says that a note begins with: it is the note's title."""
    body = note.lines[max(note.record.body_line - 1, 0) :]
    first = next((line.strip() for line in body if line.strip()), "")
    return key(first) if first.startswith("# ") else ""


def _validity(note: Note) -> tuple[str, str, str]:
    record = note.record
    return record.valid_from, record.valid_to, record.superseded_by


def _is_clear(one: Fact, two: Fact, first: Note, second: Note) -> bool:
    """Whether two files are about the same, or the fact itself says what it is about."""
    if _LABELLED.match(one.text):
        return False
    if {first.path, second.path} & SCAFFOLDING:
        return True
    here, there = subjects(first), subjects(second)
    both = stems(one.text) | stems(two.text)
    return bool(
        here & there
        or (here | there) & both
        or _NAMED.search(one.text)
        or _PERSONAL.match(one.text)
        or len(re.findall(r"[^\W_]{3,}", one.text)) >= _needed(here, there)
    )


def _needed(here: frozenset[str], there: frozenset[str]) -> int:
    """Return how many telling words say what is meant: fewer where a file is about all and any."""
    return _ENOUGH if here - _DIARY and there - _DIARY else _ENOUGH_OF_ANY


def subjects(note: Note) -> frozenset[str]:
    """Return what a note is about: the beginnings of the telling words of its title and name."""
    name = note.record.stem if note.record.stem != "SKILL" else ""
    return stems(f"{note.record.title} {name}")


def stems(text: str) -> frozenset[str]:
    """Return the beginnings of the telling words of *text*."""
    words = re.findall(r"[^\W\d_]{3,}|[\u4e00-\u9fff]{2,}", text.casefold())
    return frozenset(analysis.stem(word)[:_STEM] for word in words if word not in _DULL)
