"""Bring an English sentence into its usual order: what it is about first, when and where behind.

`Each night at two the backups run` becomes `The backups run each night at two`, and `Ms Lind is our
lawyer` becomes `Our lawyer is Ms Lind`. Whatever is in doubt stays as it is.
"""

from __future__ import annotations

import re
from functools import lru_cache

_LEAD = r"at|by|during|for|from|in|on|over|under|behind|before|after|since|until|within|every|each"
_SUBJECT = (
    r"(?:the|an?|our|my|your|their|his|her|its|all|no|we|they|he|she|it|you|I"
    r"|[A-Z]\w+(?:['\u2019]s)?) "
)
# The phrase ends in a word that asks for no other behind it.
_FRONTED = re.compile(
    rf"(?P<first>(?i:{_LEAD}))(?P<phrase>(?: [\w:.'\u2019-]+){{0,5}}?"
    rf" (?!(?i:{_LEAD}|of|to|with|and|or|the|an?) )[\w:.'\u2019-]+),?"
    rf" (?={_SUBJECT})(?P<rest>(?:[^,;:?]|:(?=\d\d))+)"
)
_STANDS = re.compile(r"(?P<phrase> .+) (?P<verb>is|are|lies?|stands?|sits?|hangs?)")
_MORE = re.compile(r"(?<!\bDr)(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bSt)[.!?]\s")
_NAMED = r"(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?[A-Z0-9][\w-]*(?: [A-Z][\w-]*)?(?: in [A-Z]\w+)?"
_IDENTITY = re.compile(
    rf"(?P<name>{_NAMED}) is (?P<role>(?:the|our|my|[A-Z]\w+['\u2019]s) [^,;:?]{{2,60}})"
)
_THERE = re.compile(r"There (?:is|are) (?P<thing>[^,;:?]{2,40}?) in (?P<place>the [^,;:?]{2,40})")
_FOUND = re.compile(
    r"(?:You (?:can |will |'ll )?find|One finds) (?P<thing>(?:the|our|my) [^,;:?]{2,40}?)"
    r" (?P<place>(?:\w+ed )?(?:on|in|under|behind|at|above|below|next to) [^,;:?]{2,40})"
)
_CALLED = re.compile(
    r"(?:(?P<who>[^,;:?]{2,40})['\u2019]s name|The name of (?P<whom>[^,;:?]{2,40})) is"
    r" (?P<name>(?:(?:Dr|Mr|Mrs|Ms)\.? )?[\w-]+)"
)


@lru_cache(maxsize=1 << 12)
def usual(text: str) -> str:
    """Return *text*, one sentence, in its usual order; any other text as it is."""
    plain = text.strip().rstrip(".!")
    if _MORE.search(plain):
        return text
    plain = _behind(plain)
    if m := _IDENTITY.fullmatch(plain):
        plain = capitalized(f"{m['role']} is {m['name']}")
    elif m := _THERE.fullmatch(plain):
        plain = capitalized(f"{m['place']} has {m['thing']}")
    elif m := _FOUND.fullmatch(plain):
        plain = capitalized(f"{m['thing']} is {m['place']}")
    elif m := _CALLED.fullmatch(plain):
        plain = capitalized(f"{m['who'] or m['whom']} is called {m['name']}")
    return plain


def _behind(plain: str) -> str:
    """Put the phrase that opens *plain* behind the rest."""
    m = _FRONTED.fullmatch(plain)
    if not m:
        return plain
    where, verb = _STANDS.fullmatch(m["phrase"]), ""
    if where:  # `Under the blue pot lies the key`
        verb, phrase = f" {where['verb']}", where["phrase"]
    else:
        phrase = m["phrase"]
    return capitalized(f"{m['rest']}{verb} {m['first'].lower()}{phrase}")


def capitalized(text: str) -> str:
    """Return *text* with a capital at its beginning."""
    return text[:1].upper() + text[1:]
