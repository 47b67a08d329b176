"""Read in free wording what something has one of: when, where, how much, which version, with what.

`Standup is at 9:30` and `standup got pushed to ten` fill one slot, the time of the standup, though
they share hardly a word. Who says that it *was* otherwise before needs no wording of the other.
What may be several at once is loose: it gives way only to what tells of a change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from vaultmem.maintenance.dream import clauses, slot_values
from vaultmem.maintenance.dream.slot_figures import Value
from vaultmem.maintenance.dream.slot_rules import RULES
from vaultmem.maintenance.dream.statements import Statement
from vaultmem.nlp.facts.synonyms import words
from vaultmem.nlp.text import analysis

_WHO = r"(?P<who>[A-Z]\w*(?: \w+){0,2})"
_THING = r"(?P<thing>[A-Z][\w.]+)"
_GONE = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_WHO} (?:has )?(?:sold|scrapped|gave away) (?:the|his|her|their|our) {_THING}",
        rf"{_WHO} (?:has )?(?:traded|swapped|exchanged) (?:the|his|her|their|our) {_THING} for .+",
        rf"{_WHO} (?:has |have )?(?:quit|left|dropped) {_THING}",
        rf"{_WHO} (?:has |have )?(?:replaced|swapped out) {_THING} (?:with|by|for) [A-Z][\w.]+",
    )
)
_HAS = re.compile(
    rf"{_WHO} (?:drives?|rides?|has|owns?|uses?|works? (?:at|for)|goe?s? through|runs? on)"
    rf" (?:an? |the )?{_THING}"
)
_TASTE = re.compile(
    r"(?P<who>[A-Z]\w*(?: [A-Z]\w+)?) (?:(?P<no>hates?|dislikes?|can(?:not|['\u2019]t) stand|"
    r"|detests?|avoids?|(?:doesn|don)['\u2019]t (?:like|eat|drink)|does not (?:like|eat|drink))"
    r"|likes?|loves?|enjoys?|eats|drinks|is fond of) (?P<thing>\w+(?: \w+)?)"
)
_ROLE = re.compile(
    r"(?i)(?:.* )?(?:landlord|landlady|accountant|dentist|doctor|gp|lead|leader|owner|manager|boss"
    r"|maintainer|coach|captain|chair|director|head|vet|lawyer|nanny|therapist|mentor|supervisor"
    r"|treasurer|ceo|cto|cfo|president|principal|mayor|editor|hausarzt|haus\u00e4rztin|zahnarzt"
    r"|vermieter|vermieterin|chef|chefin|steuerberater|trainer|trainerin|leiter|leiterin)"
    r"(?: of .*)?"
)
_PERSON = re.compile(r"(?:(?:Mr|Mrs|Ms|Dr|Herr|Frau)\.? )?[A-Z]\w+(?: [A-Z]\w+)?")
"""Who may be here and there, and live elsewhere."""

_HAS_ONE = re.compile(
    r"(?i)(?:.* )?(?:branch|region|port|password|passwort|pin|code|email|e-mail|address|adresse"
    r"|phone|number|nummer|colou?r|farbe|theme|editor|language|currency|plan|tier|format|domain"
    r"|host|hostname|title|model|size|status|ssid|wifi|time ?zone|log level|default|user ?name)"
    r"(?: of .*)?"
)
_LIGHT = words("a an the our my new der die das unser unsere mein meine den dem im am")
_DULL = {
    "time": words("job meeting appointment time hours schedule task slot"),
    "day": words("meeting appointment day"),
    "date": words("meeting appointment date"),
    "version": words("db database server service cluster instance app environment env machine"),
    "costs": words("price cost costs fee membership subscription"),
    "amount": words("value setting"),
}
"""Words of a subject that add nothing to what the slot says."""

_MOST_WORDS = 5
_CLAUSE = words("and und not nicht that which who whom where than is are was were to as like dass")
"""Words of what is no plain subject."""

_MANY_TIMES = re.compile(
    r"(?i)\b(?:train|bus|tram|ferry|flight|shuttle|lesson|class|course|practice|lecture|talk|concert"
    r"|show|film|party|visit|trip|tour|walk|shift|call|exam|appointment|reminder|alarm|pill|dose"
    r"|meal|medication|feeding|mass|service|prayers?)(?:e?s)?\b|termin"
)


def told(text: str) -> Iterator[Statement]:
    """Yield the slots that *text* fills, one sentence or two."""
    for clause in clauses.of(text):
        yield from _filled(clause)
        yield from _had(clause)


def is_slot(said: Statement) -> bool:
    """Tell whether *said* fills a slot, in whatever wording."""
    return said.about.endswith("=")


def _filled(clause: clauses.Clause) -> Iterator[Statement]:
    for rule in RULES:
        if not (m := rule.pattern.fullmatch(clause.text)):
            continue
        named = m.groupdict()
        changed = clause.changed or rule.changed
        who = named.get("who") or ""
        if rule.kind == "stands" and _PERSON.fullmatch(who) and not changed:
            continue
        how = named.get("at") or named.get("does") or ""
        values = slot_values.of(rule.kind, how, m["value"])
        found = [it for value in values for it in _statements(who, value, changed=changed)]
        yield from found
        if rule.changed and found:
            return


def _statements(who: str, value: Value, *, changed: bool) -> Iterator[Statement]:
    """Yield that *who* has the *value*; of nobody named, only of what there is one of anyway."""
    kind, subject = _slot(who, value.kind)
    if _fits(who, kind) and (subject or (not who and " " in kind)):
        is_time = kind.startswith(("time", "date"))
        loose = value.loose or (is_time and _MANY_TIMES.search(who) is not None)
        about = f"{subject} {kind} ="
        yield Statement(who or "We", about, value.key, value.raw, loose=loose, changed=changed)


def _slot(who: str, kind: str) -> tuple[str, str]:
    """Return the kind of a slot and its subject: what `log retention` is, logs are kept for."""
    subject = _subject(who, kind.partition(" ")[0])
    first, _, unit = kind.partition(" ")
    for attribute, meant in _ATTRIBUTES.items():
        if first == "amount" and attribute in subject.split() and subject != attribute:
            rest = " ".join(word for word in subject.split() if word != attribute)
            return f"{meant} {unit}", rest
    return kind, subject


_ATTRIBUTES = {"retention": "keep", "timeout": "timeout", "duration": "lasts"}
"""What `keep`, `time out` and `last` say with a noun: retention, timeout, duration."""


def _fits(who: str, kind: str) -> bool:
    """Whether *who* is what can have a value of this *kind*."""
    match kind:
        case "who":
            return _ROLE.fullmatch(who) is not None
        case "spot":
            return not _PERSON.fullmatch(who)
        case "is":
            return _HAS_ONE.fullmatch(who) is not None
        case _:
            return True


def _had(clause: clauses.Clause) -> Iterator[Statement]:
    """Yield whether somebody has, or uses, what is called by a name, and whether they like it."""
    for pattern in _GONE:
        if m := pattern.fullmatch(clause.text):
            yield _answer(m, "has", "no", changed=True)
            return
    if m := _HAS.fullmatch(clause.text):
        yield _answer(m, "has", "yes", changed=clause.changed)
    if m := _TASTE.fullmatch(clause.text):
        yield _answer(m, "likes", "no" if m["no"] else "yes", changed=clause.changed)


def _answer(m: re.Match[str], does: str, told: str, *, changed: bool) -> Statement:
    about = f"{_subject(m['who'], '')} {does} {m['thing'].casefold()} ?="
    return Statement(m["who"], about, told, "", loose=True, changed=changed)


def _subject(who: str, kind: str) -> str:
    """Return what wordings of one subject share: its telling words, in any order."""
    plain = re.sub(r"['\u2019]s\b|-", "", who.casefold())
    heads = [word for word in re.findall(r"\w+", plain) if word not in _LIGHT]
    telling = [word for word in heads if word not in _DULL.get(kind, ())] or heads
    if len(heads) > _MOST_WORDS or not _CLAUSE.isdisjoint(heads):
        return ""
    return " ".join(sorted({analysis.stem(word) for word in telling} - {"of", "for", "in"}))
