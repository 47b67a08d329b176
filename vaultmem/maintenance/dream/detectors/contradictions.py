"""Find facts that a newer one contradicts: the same subject, the same attribute, another value.

Only what can have one value at a time is compared: where someone lives, what a thing is called, a
limit, a yes or no. Of the values, the newest stands, unless it is less trusted than the other; of
two that are equally old, or undated, the one that was written further down.
Frontmatter of cards is not looked at: cards resolve their conflicts by themselves.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from vaultmem.maintenance.dream import fact_identity, fact_similarity
from vaultmem.maintenance.dream.synonyms import third
from vaultmem.maintenance.dream.types import Fact, Lines, Note, Proposal, Seen
from vaultmem.records import SCAFFOLDING, TRUST, Record, first_line

_SHOWN = 80
_LONGEST = 400
_MOST_WORDS = 4
_FEWEST_WORDS = 2
_PEOPLE = frozenset({"user", "human"})

_STAMPED = re.compile(r"(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)(?:-|\Z)")
_SINCE = re.compile(r",? (?:since|as of|from) (?P<day>\d{4}-\d\d-\d\d)$")
_MORE = re.compile(
    '(?<!Dr)(?<!Mr)(?<!Mrs)(?<!Ms)(?<!St)[.!?\u3002\uff1f]\\s|[?\uff1f]$|~~|["\u201c]'
)
_TAIL = re.compile(r"\s*\(\s*\[\[[^()]*\]\]\s*\)\s*\Z")
_PERSONAL = r"lives? in|lives? at|works? at|works? for|reports? to"
_BY = re.compile(rf"\b(?:{_PERSONAL})\b", re.IGNORECASE)
_SINGLE = (
    rf"{_PERSONAL}|is (?:called|named)|is (?:located|based) in|is due(?: on)?|is owned by"
    r"|belongs to|is hosted (?:on|by)|costs|weighs|(?:starts|ends|opens|closes) (?:at|on)"
    r"|expires on"
)
_SAYS = re.compile(rf" (?:{_SINGLE}|is|are) ", re.IGNORECASE)
_CLAIM = re.compile(
    r"(?P<what>[^,;:?!]{1,80}?) (?:(?:now|currently) )?"
    rf"(?P<verb>{_SINGLE}|is|are) (?:(?:now|currently) )?"
    r"(?P<value>(?:[^,;:?!]|, (?=\d{4}$)){1,40}?)(?: now| currently)?",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    "(?P<what>[^\uff0c\u3002\uff1b\uff1f]{1,20}?)(?:\u73b0\u5728)?"
    "(?P<verb>\u4f4f\u5728|\u540d\u53eb|\u6539\u4e3a|\u5b9a\u5728"
    "|\u7684(?P<of>\u540d\u5b57|\u4f4f\u5740"
    "|\u7535\u8bdd|\u751f\u65e5|\u7aef\u53e3|\u4e0a\u9650|\u8d1f\u8d23\u4eba)\u662f)"
    "(?P<value>[^\uff0c\u3002\uff1b\uff1f\u548c\u3001]{1,16})"
)
_ONE_OF = re.compile(
    r"\b(?:name|owner|lead|manager|maintainer|deadline|due date|birthday|address|phone|email|port"
    r"|limit|quota|budget|price|retention|timeout|version|region|size|capacity|default|capital|code"
    r"|colou?r|favou?rite|main|primary|salary|age|height|weight|headquarters|employer|job|title"
    r"|boss|wife|husband|spouse|status|host|hostname|url|path|editor|time ?zone|diet|password"
    r"|number|window|database|language|doctor|dentist)\b",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"\b(?:if|when|while|unless|until|before|after|during|usually|sometimes|often|mostly|also|and"
    r"|or|both|either|used to|maybe|perhaps|probably|might|(?-i:may)|could|would|should|one of"
    r"|another|other|some|any|every|each|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?|except"
    r"|than|per|(?:plans?|wants?|hopes?) to|said|says|thinks?|was|were|first|second|between"
    r"|not|\w+n['\u2019]t|like"
    r"|such as)\b",
    re.IGNORECASE,
)
_HEDGED = re.compile(
    r"\b(?:if|when|unless|until|sometimes|often|usually|maybe|perhaps|probably|might"
    r"|(?-i:may)|could|would|was|were|did|had|only|always|never|yet|still|but|except|said|says|than)\b|ed\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    r"(?:it|he|she|they|this|that|these|those|there|here|what|which|who|one|his|her|its|their)\b",
    re.IGNORECASE,
)
_NEGATION = re.compile(r" (?:do )?not (?!only|just|always|yet)")
_DENIED = re.compile(
    r"\bdoes(?: not|n['\u2019]t) (?P<verb>[a-z]+)\b|\b(?P<be>is|are)(?: not|n['\u2019]t)\b"
    r"(?! (?:only|just|always|yet)\b)"
)
_POSSESSED = re.compile(
    "\u6211\u7684?(?:\u5988\u5988|\u7238\u7238|\u6bcd\u4eb2|\u7236\u4eb2|\u4e08\u592b|\u59bb\u5b50"
    "|\u8001\u516c|\u8001\u5a46|(?:\u59b9\u59b9|\u59d0\u59d0|\u54e5\u54e5|\u5f1f\u5f1f"
    "|\u513f\u5b50|\u5973\u513f|\u670b\u53cb|\u540c\u4e8b).+)"
)
"""Whom a Chinese sentence means by "my": one there is one of, or one with a name."""
_NUMBER = re.compile(r"[-+]?\d[\d.,:]*")
_PHRASE = re.compile(r"\b(?:in|on|at|for|with|of|by|from|to) ", re.IGNORECASE)
_FIRST_PERSON = (
    (re.compile(r"\bI am\b|\bI['\u2019]m\b"), " is"),
    (re.compile(r"\bI live\b"), " lives"),
    (re.compile(r"\bI work\b"), " works"),
    (re.compile(r"\b[Mm]y\b"), "'s"),
)


class Statement(NamedTuple):
    """About *what* a text makes a claim, as a key, too; its value, as a key and as written.

    *since* is a date, "" where the text names none.
    """

    what: str
    about: str
    value: str
    raw: str
    since: str = ""


@dataclass(frozen=True, slots=True)
class _Claim:
    """What a fact, or else a memory, says; when that was (ISO 8601), and how far it is trusted."""

    said: Statement
    text: str
    at: str
    trust: int
    where: str
    fact: Fact | None = None
    agent: str = ""


def find(seen: Seen) -> Iterator[Proposal]:
    """Yield a correction for every fact of a topic that a newer claim contradicts."""
    notes = {note.path: note for note in seen.notes}
    times = {record.stem: record.created for record in (*seen.memories, *seen.episodes)}
    found: defaultdict[str, list[_Claim]] = defaultdict(list)
    for claim in _of_notes(seen.notes, times):
        found[claim.said.about].append(claim)
    for claim in list(_of_memories(seen.memories, found)):
        found[claim.said.about].append(claim)
    for claims in found.values():
        if len({claim.said.value for claim in claims}) > 1:
            yield from _outdated(claims, notes)


# --- claims -----------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 15)
def claimed(text: str) -> Statement | None:
    """Return what *text* claims; None where nothing that can be told to have one value only."""
    plain = " ".join(text.split()).rstrip(".!\u3002")
    if len(plain) > _LONGEST or _MORE.search(plain):
        return None
    since = _SINCE.search(plain)
    plain = plain[: since.start()] if since else plain
    found = _chinese(plain) or _valued(plain) or _answered(plain if since else text)
    return found._replace(since=since["day"]) if found and since else found


def _all_claimed(text: str) -> Iterator[Statement]:
    """Yield what *text* claims; who says a value says yes to it, too."""
    if statement := claimed(text):
        yield statement
        if statement.raw:
            yield _answer(statement, "yes")


def _valued(text: str) -> Statement | None:
    m = _CLAIM.fullmatch(text) if _SAYS.search(text) else None
    if m is None or _PRONOUN.match(m["what"]) or _UNSURE.search(text):
        return None
    value = re.sub(r"^(?:the|an?) ", "", m["value"])
    form = fact_similarity.form(value)
    figure = _NUMBER.match(form) is not None
    if not _is_single(m, value, figure=figure):
        return None
    unit = _NUMBER.sub("#", form) if figure else ""
    about = fact_similarity.form(f"{m['what']} {m['verb']} x {unit}")
    return Statement(m["what"], about, form, value)


def _is_single(m: re.Match[str], value: str, *, figure: bool) -> bool:
    """Whether the attribute can have one value only, and *value* is one: a name or a figure."""
    if len(value.split()) > _MOST_WORDS or (_PHRASE.search(value) and not figure):
        return False
    if m["verb"].casefold() in {"is", "are"}:
        return bool(_ONE_OF.search(m["what"])) and not value.endswith(("ed", "ing"))
    return True


def _answered(text: str) -> Statement | None:
    """Read a yes or a no: what stays without its `not` is what it is about."""
    plain = text.rstrip(".!")
    # A no to what would else be the value of something: nobody says so of another value.
    if _DENIED.search(plain) and (yes := _valued(_DENIED.sub(_affirmed, plain, count=1))):
        return _answer(yes, "no")._replace(what=text)
    form = f" {fact_similarity.form(text)} "
    if verb := re.search(r"\b[Dd]oes(?: not|n['\u2019]t) ([a-z]+)\b", text):
        form = form.replace(f" not {verb[1]} ", f" not {third(verb[1])} ")
    negations = len(_NEGATION.findall(form))
    hedged = _PRONOUN.match(text) or _HEDGED.search(text)
    if hedged or negations > 1 or fact_similarity.content_words(text) < _FEWEST_WORDS:
        return None
    about = " ".join(_NEGATION.sub(" ", form).split())
    return Statement(text, f"{about} ?", "no" if negations else "yes", "")


def _affirmed(denied: re.Match[str]) -> str:
    return denied["be"] or third(denied["verb"])


def _answer(said: Statement, answer: str) -> Statement:
    """Return whether it is so, as *answer* says, of something and one value."""
    return Statement(said.what, f"{said.about} {said.value} ?", answer, "", said.since)


def _chinese(text: str) -> Statement | None:
    m = _CHINESE.fullmatch(text)
    if m is None:
        return None
    pronoun = re.match("[\u4ed6\u5979\u5b83\u8fd9\u90a3\u6211\u4f60]", m["what"])
    if pronoun and not _POSSESSED.fullmatch(m["what"]):
        return None
    return Statement(m["what"], f"{m['what']} {m['of'] or m['verb']}", m["value"], m["value"])


def _of_notes(notes: Iterable[Note], times: Mapping[str, str]) -> Iterator[_Claim]:
    for note in notes:
        record = note.record
        ended = record.valid_to or record.superseded_by
        if record.type in {"card", "skill"} or ended or note.path in SCAFFOLDING:
            continue
        for fact in note.facts:
            for statement in _all_claimed(fact.text) if fact.kind == "bullet" else ():
                at = statement.since or _time_of(note, fact, times)
                yield _Claim(statement, fact.text, at, fact_identity.trust(note), fact.path, fact)


def _time_of(note: Note, fact: Fact, times: Mapping[str, str]) -> str:
    """Return when the youngest source of *fact* was made, else when its note was; "" is unknown."""
    stems = (source.rpartition("/")[2] for source in fact.sources)
    named = [at for stem in stems if (at := _stamped(stem) or times.get(stem, ""))]
    return max(named, default=note.record.created)


def _stamped(stem: str) -> str:
    m = _STAMPED.match(stem)
    return f"{m[1]}-{m[2]}-{m[3]}T{m[4]}:{m[5]}:{m[6]}Z" if m else ""


def _of_memories(memories: Iterable[Record], known: Container[str]) -> Iterator[_Claim]:
    """Yield what people said of what a topic makes claims about."""
    for memory in memories:
        if memory.source not in _PEOPLE or memory.superseded_by or memory.valid_to:
            continue
        body = " ".join(memory.body.split())
        text = _third_person(body, memory.speaker) if len(body) <= _LONGEST else ""
        statement = claimed(text) if _SAYS.search(text) or not text.isascii() else None
        if statement and statement.raw and statement.about in known:
            trust = TRUST.index(memory.trust) if memory.trust in TRUST else 0
            at = statement.since or memory.created
            yield _Claim(statement, body, at, trust, memory.stem, agent=memory.agent)


def _third_person(body: str, speaker: str) -> str:
    who = speaker.strip() or "The user"
    for pattern, instead in _FIRST_PERSON:
        parts = pattern.split(body, maxsplit=1)
        body = f"{who}{instead}".join(parts)
    return body


# --- outdated claims --------------------------------------------------------------------------


def _outdated(claims: Sequence[_Claim], notes: Mapping[str, Note]) -> Iterator[Proposal]:
    for old in claims:
        if old.fact is None or notes[old.fact.path].fixed:
            continue
        later = [claim for claim in claims if _age(claim) > _age(old)]
        rivals = [claim for claim in later if _may_replace(claim, old, old.fact, notes)]
        newest = max(rivals, key=_age, default=old)
        value = newest.said.value
        values = {c.said.value for c in rivals if c.at == newest.at and c.fact is None}
        if value != old.said.value and values <= {value}:
            yield from _correction(old, old.fact, [c for c in rivals if c.said.value == value])


def _age(claim: _Claim) -> tuple[str, bool, str, int]:
    """Return what sorts claims by when they were made: a memory must be newer than any fact."""
    fact = claim.fact
    return (claim.at, True, fact.path, fact.at) if fact else (claim.at, False, claim.where, 0)


def _may_replace(new: _Claim, old: _Claim, fact: Fact, notes: Mapping[str, Note]) -> bool:
    """Whether *new* speaks of the same thing as the *fact* that says *old*, as trustworthily."""
    if new.trust < old.trust:
        return False
    if new.fact is None:
        return _concerns(new, fact, notes[fact.path])
    if fact_identity.scope(new.where) not in {"", fact_identity.scope(fact.path)}:
        return False
    near = new.where == fact.path or _names_itself(new.said, old.said)
    twins = fact_identity.subjects(notes[new.where]) == fact_identity.subjects(notes[fact.path])
    return (near or twins) and fact_identity.alike(new.fact, fact, notes.__getitem__)


def _concerns(new: _Claim, fact: Fact, note: Note) -> bool:
    """Whether what was said in a conversation must mean what *fact* means."""
    if fact_identity.scope(fact.path) not in {"", f"agents/{new.agent}"}:
        return False
    shared = fact_identity.stems(new.said.what) & fact_identity.subjects(note)
    return _names_itself(new.said) or bool(shared)


def _names_itself(*claims: Statement) -> bool:
    return all(
        fact_identity.names_itself(it.what)
        or _BY.search(it.about)
        or not it.what.isascii()
        or (not it.raw and it.about.endswith(" ?") and any(x.isdigit() for x in it.about))
        for it in claims
    )


def _correction(old: _Claim, fact: Fact, agreeing: Sequence[_Claim]) -> Iterator[Proposal]:
    """Yield what makes the newest value stand once: the old fact goes, or says it from now on."""
    new = max(agreeing, key=lambda claim: (claim.fact is not None, claim.at))
    instead = () if new.fact else _rewritten(fact, old, new)
    if instead is None:
        return
    yield Proposal(
        "correct",
        fact.path,
        f'{new.where} says "{first_line(new.text, _SHOWN)}" ({_day(new)}), which contradicts'
        f' "{first_line(fact.text, _SHOWN)}" ({_day(old)})',
        (Lines(fact.path, fact.at, fact.lines, instead),),
        sources=tuple(dict.fromkeys([new.where, fact.path, *fact.sources])),
        losses=(fact.text, *(() if instead else fact_identity.nested(fact))),
    )


def _day(claim: _Claim) -> str:
    return claim.at[:10] or "undated"


def _rewritten(fact: Fact, old: _Claim, new: _Claim) -> tuple[str, ...] | None:
    """Return the lines of *fact* with the value of the memory *new*, which is their source then.

    None where that is not plainly one line with the old value in it once.
    """
    own, raw = _TAIL.sub("", fact.lines[0]), old.said.raw
    if len(fact.lines) > 1 or not raw or own.count(raw) != 1 or old.said.since:
        return None
    return (f"{own.replace(raw, new.said.raw)} ([[{new.where}]])",)
