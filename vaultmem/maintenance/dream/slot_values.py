"""Read the value of a slot: a place, a name, a tool, a colour, on or off, or what figures tell."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from vaultmem.maintenance.dream import slot_figures, tool_sorts
from vaultmem.maintenance.dream.slot_figures import Value
from vaultmem.nlp.facts.synonyms import words
from vaultmem.nlp.text import analysis
from vaultmem.nlp.text.stopwords import NUMBER_WORDS

_TOOL = re.compile(r"(?P<name>[\w.#-]+?(?: [A-Z]\w+)?)(?: v?\d[\d.]*)?")
_NAMED = re.compile(
    r"(?:the )?(?P<name>(?:(?:Mr|Mrs|Ms|Dr|Prof|Herr|Frau)\.? )*[A-Z0-9\u00c4\u00d6\u00dc]"
    r"[\w+#'\u2019.-]*(?: [A-Z\u00c4\u00d6\u00dc][\w'\u2019-]*){0,2})"
)
_TITLED = re.compile(r"(?:Mr|Mrs|Ms|Dr|Prof|Herr|Frau)\b")
_NO_SCHOOL = "Music|Dance|Art|Drama|Night|Sunday|Summer|Language|Driving|Riding|Swim|Ski"
_SCHOOL = re.compile(
    rf"(?:the )?(?P<name>(?:(?!{_NO_SCHOOL})[A-Z]\w+ )+)(?P<school>School|Kindergarten|Nursery"
    r"|Academy|College|University|Primary|Gymnasium|Grundschule)"
)
_ROOM = re.compile(
    r"(?:the )?(?P<what>room|office|floor|gate|platform|terminal|desk|table) (?P<number>\w+)",
    re.IGNORECASE,
)
_COLOURS = words("""
    black white red blue green yellow orange purple violet pink brown grey gray beige turquoise navy
    golden silver schwarz wei\u00df rot blau gr\u00fcn gelb lila rosa braun grau
""")
_ARTICLES = words("a an the our my his her their only")
_MOST_WORDS = 3
_COUNTED = words("need requir wear earn charg pay get")
"""Of what somebody needs or wears there is more than one; of how many there is one number."""

_FURTHER = re.compile(
    r"\b(?:and|or|with|without|for|because|than|of|that|who|not|in|on|at|by|from|to)\b"
)
_ON = words("on enabled active live up activated")
_OFF = words("off disabled inactive down deactivated")
_WORD = re.compile(r"`?(?P<word>[^\s,;!?`]+(?: [A-Z]\w+)?)`?")
_PLACE = re.compile(
    r"(?P<the>the |our |my |his |her |their |der |die |das |dem |den )?"
    r"(?P<name>[\w'\u2019-]+(?: (?!(?:of|in|on|at|for|to|with|and|von|im)\b)[\w'\u2019-]+){0,2})"
)
_STATES = words("""
    progress track place use time hold sale fire charge review beta production stock order print
    danger debt love trouble doubt pain shape english german french spanish italian dutch chinese
    japanese deutsch englisch
""")


def of(kind: str, at: str, said: str) -> Iterator[Value]:
    """Yield what *said* may be as a value of *kind* ("" for any), behind the preposition *at*."""
    said = said.strip()
    if read := _OF_KIND.get(kind):
        yield from read(said)
    elif kind == "does":
        yield from _phrase(at, said)
    elif kind in {"place", "stands"}:
        yield from _somewhere(at, said, tuple(_anything(said)) if at in _WHEN_TOO else ())
    elif kind in {"to", "change"}:
        found = tuple(_anything(said))
        yield from _somewhere(at, said, found)
        if kind == "change":
            yield from (*_attribute(said), *(() if found else _tool(said)))
    else:
        yield from (*_anything(said), *(() if at else _attribute(said)))


_WHEN_TOO = frozenset({"at", "on", "in", "am"})


def _anything(said: str) -> Iterator[Value]:
    yield from (*slot_figures.any_of(said), *_tool(said, known=True), *_school(said), *_room(said))


def _somewhere(at: str, said: str, found: Sequence[Value]) -> Iterator[Value]:
    """Yield what was *found*; unless it is a time, a sum or the like, the place that it is, too."""
    yield from found
    if all(it.kind.removeprefix("uses ") in tool_sorts.HOLDING for it in found):
        yield from _place(at, said)


def _tool(said: str, *, known: bool = False) -> Iterator[Value]:
    """Yield with what something is done; an unknown tool is none where it must be *known*."""
    m = _TOOL.fullmatch(said)
    sort = tool_sorts.of(m["name"]) if m else ""
    if m and (sort or not known):
        yield Value(f"uses {sort}".strip(), m["name"].casefold(), said, loose=True)


def _named(kind: str, said: str) -> Iterator[Value]:
    if m := _NAMED.fullmatch(said):
        yield Value(kind, m["name"].casefold(), m["name"], loose=True)


def _room(said: str) -> Iterator[Value]:
    if m := _ROOM.fullmatch(said):
        yield Value(m["what"].casefold(), m["number"].casefold(), said, loose=True)


def _switch(said: str) -> Iterator[Value]:
    if said in _ON | _OFF:
        yield Value("switch", "on" if said in _ON else "off", said, loose=True)


def _colour(said: str) -> Iterator[Value]:
    if said.casefold() in _COLOURS:
        yield Value("colour", said.casefold(), said, loose=True)


def _phrase(does: str, said: str) -> Iterator[Value]:
    """Yield what something *does*, or how much: of two the later holds where that is said."""
    verb, *prep = does.split()
    about = " ".join(("does", analysis.stem(verb), *prep))
    first, *rest = [word for word in said.casefold().split() if word not in _ARTICLES] or [""]
    stems = [analysis.stem(word) for word in rest]
    if len(rest) >= _MOST_WORDS or _FURTHER.search(said):
        return
    if first in NUMBER_WORDS or first.isdecimal():
        yield Value(" ".join((about, "#", *stems)), slot_figures.number(first), said, loose=True)
    elif first and analysis.stem(verb) not in _COUNTED:
        yield Value(about, " ".join((analysis.stem(first), *stems)), said, loose=True)


def _attribute(said: str) -> Iterator[Value]:
    if m := _WORD.fullmatch(said):
        yield Value("is", m["word"].casefold(), said)


def _school(said: str) -> Iterator[Value]:
    if m := _SCHOOL.fullmatch(said):
        yield Value(f"school {m['school'].casefold()}", m["name"].strip().casefold(), said)


def _who(said: str) -> Iterator[Value]:
    if m := _NAMED.fullmatch(said):
        names = m["name"].split()
        key = names[-1] if _TITLED.match(names[0]) else names[0]
        yield Value("who", key.casefold(), m["name"])


def _place(at: str, said: str) -> Iterator[Value]:
    """Yield where something is: a place with a name, and a spot, may both be where it is."""
    m = _PLACE.fullmatch(said)
    if m and m["name"].casefold() not in _STATES:
        is_name = not m["name"][0].islower() or any(map(str.isdigit, m["name"]))
        named = is_name and not m["the"] and at not in _AT_THE
        yield Value("place" if named else "spot", m["name"].casefold(), said, loose=True)


_AT_THE = frozenset({"im", "am", "beim"})


def _used(said: str) -> Iterator[Value]:
    yield from (*slot_figures.version(said), *_tool(said))


_OF_KIND: Mapping[str, Callable[[str], Iterator[Value]]] = {
    **{kind: partial(slot_figures.amount, kind) for kind in ("keep", "timeout", "lasts")},
    **{
        kind: partial(slot_figures.when, kind)
        for kind in ("opens", "closes", "ends", "leaves", "arrives")
    },
    **{kind: partial(_named, kind) for kind in ("work", "owner", "name", "sent")},
    "home": partial(_named, "place"),
    "costs": slot_figures.money,
    "often": slot_figures.often,
    "version": slot_figures.version,
    "colour": _colour,
    "school": _school,
    "switch": _switch,
    "uses": _used,
    "who": _who,
}
