"""Whether two short texts say the same: both are brought to one form, and equal forms are the same.

The form forgets marks, case, articles, contractions, and wordings that mean the same everywhere; it
keeps every number, name, negation, tense and unit. So likeness is transitive: of a cluster one can
stay and the others go. It takes time linear in the texts.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator
from functools import lru_cache
from itertools import zip_longest

from vaultmem.nlp.facts import phrase_order, rewordings, synonyms
from vaultmem.nlp.facts.literals import literals
from vaultmem.nlp.text.stopwords import MONTHS

_WIDE = "".join(map(chr, range(0xFF01, 0xFF5F)))
_NARROW = "".join(chr(ord(sign) - 0xFEE0) for sign in _WIDE)
_MARKS = {"'": "\u2018\u2019\u02bc", '"': "\u201c\u201d\u00ab\u00bb", " ": "\u00a0"}
_MARKS |= {"-": "\u2010\u2011\u2012\u2013\u2014\u2212", ".": "\u3002", ",": "\u3001"}
_PLAIN = str.maketrans(_WIDE, _NARROW) | {
    ord(sign): plain for plain, signs in _MARKS.items() for sign in signs
}
# Of a run of the same signs, what may be a name or a span is sought at its beginning alone.
_TOKEN = re.compile(
    r"""
      (?P<span> (?<!`)`++[^`]+`+ | \[\[[^\[\]]+\]\] | ~~ | (?<!\w)\[[ xX]\](?!\() )
    | (?P<name> (?:https?://|(?<![\w.+-])[\w.+-]*[\w*][/\\@_])[^\s,;"'()<>]*[\w/]
              | (?<![.-])\.[\w.-]+\w
              | [^\W\d_]\w*(?:\.\w+)+ )
    | (?P<day> \d{4}-\d\d(?:-\d\d)?(?!\d) )
    | (?P<clock> (?P<hour>\d{1,2})(?::(?P<minute>\d\d))?\s?(?P<half>[ap])\.?m\b\.?
               | \d{1,2}:\d\d(?::\d\d)? )
    | (?P<number> (?:(?<![\w-])[-+])?\d+(?:[.,]\d+)*(?![^\W\d_]) )
    | (?P<word> [^\W_]+(?:'[^\W\d_]+)*(?:[+]{1,2}|[#])? )
    | (?P<sign> [<>=]+ | [^\s\w.!:"'()\[\]{}*`#-] | (?<=\d)-(?=\d) | (?<=\s)-+(?=\s) )
    """,
    re.VERBOSE,
)
_MONTH = (
    r"(Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    r"|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b\.?"
)
_ORDINAL = r"(\d{1,2})(?:st|nd|rd|th)?"
_DAY_FIRST = re.compile(rf"\b(?:the )?{_ORDINAL} (?:of )?{_MONTH}(?:,? (\d{{4}})\b)?")
_MONTH_FIRST = re.compile(rf"\b{_MONTH} {_ORDINAL}\b(?![:.]\d)(?:,? (\d{{4}})\b)?")
_THOUSANDS = re.compile(r"[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_PHRASE = re.compile(
    rf"(?<!\S)(?:{'|'.join(sorted(map(re.escape, synonyms.PHRASES), key=len, reverse=True))})(?!\S)"
)
_PASSIVE = re.compile(
    r"(?P<what>[^,;]+?) (?P<be>is|are|was|were) (?P<verb>[a-z]+) (?P<ways>(?:[^,;]+ )??)by"
    r" (?P<who>[^,;]+)"
)
_LISTED = r"([A-Z]\w+)((?:, [A-Z]\w+)*),? and ([A-Z]\w+)"
_NAMES = re.compile(rf"\A{_LISTED}(?= [a-z])|(?<!\S){_LISTED}(?=\W*\Z|[.,;])")
_ANY_NAMES = re.compile(_LISTED)
_RATE = re.compile(
    r"(?:(?<=\d )(?<!at \d )(?<!at \d\d )(?<!:\d\d )|(?<=times ))(?:an?|each|every)(?= [a-z]+\b)"
    r"|(?<= )an?(?= (?:minute|hour|night|day|week|month|year|person|head)\b)"
)
_MEASURED = re.compile(rf"\b(an?|the) (?=(?:{'|'.join(sorted(synonyms.MEASURED))})\b)")
_ORDERED = re.compile(r"\b(?:respectively|former|latter|then|first|second|order|left|right)\b")
_PLURALS = synonyms.words("i you we they")
_WRITTEN_LARGE = synonyms.words("us it who am or is an no on in so")
Key = tuple[str, ...]

_REMEMBERED = 1 << 16
"""So many texts are looked at in one dream, round by round."""


def groups(texts: Iterable[str]) -> list[tuple[int, ...]]:
    """Return the places of texts that say the same, two or more together, in order."""
    found: defaultdict[Key, list[int]] = defaultdict(list)
    for place, text in enumerate(texts):
        if shared := key(text):
            found[shared].append(place)
    return [tuple(places) for places in found.values() if len(places) > 1]


def key(text: str) -> Key:
    """Return what every wording of the same shares, and nothing else; () for an empty text."""
    shared = form(text)
    return (shared, *literals(text)) if shared else ()


def content_words(text: str) -> int:
    """Return how many words of *text* are neither article nor filler; of Chinese, two signs."""
    words = re.findall(r"[^\W_]+", text.casefold())
    light = synonyms.ARTICLES | synonyms.FILLERS | synonyms.PRESENT
    return sum(1 if word.isascii() else -(-len(word) // 2) for word in words if word not in light)


@lru_cache(maxsize=_REMEMBERED)
def form(text: str) -> str:
    """Return what every wording of the same has in common; "" when there is nothing in it."""
    said = rewordings.in_one_form(text.translate(_PLAIN).strip("* "))
    plain = _names_sorted(_dated(said))
    said = " ".join(_numbered(_tokens(plain)))
    said = rewordings.in_one_sense(_without_articles(said))
    said = _PHRASE.sub(lambda m: synonyms.PHRASES[m[0]], said)
    kept = (word for word in without_fillers(said.split(), synonyms.FILLERS) if word != '"')
    words = [synonyms.WORDS.get(word, word) for word in kept]
    bare = _bare(words)
    return phrase_order.settled(rewordings.rebuilt(_active(" ".join(bare)).strip(" ,;")))


def spoken(text: str) -> Iterator[str]:
    """Yield the words of *text* with dates, times, numbers and contractions in one notation."""
    return _numbered(_tokens(_dated(text.translate(_PLAIN))))


# --- words ------------------------------------------------------------------------------------


def _tokens(text: str) -> Iterator[str]:
    loud = text.isupper()
    for m in _TOKEN.finditer(text):
        match m.lastgroup:
            case "word" if m.start() and m[0] in synonyms.CAPITALS and not loud:
                yield m[0]
            case "word":
                yield from _word(m[0], loud=loud)
            case "clock":
                yield _clock(m)
            case "number":
                yield m[0].replace(",", "") if _THOUSANDS.fullmatch(m[0]) else m[0]
            case "span":
                yield re.sub(r"\s+", "_", m[0])
            case "sign" if m.string[m.start() - 1].isspace() and set(m[0]) == {"-"}:
                yield ","  # a dash
            case _:
                yield m[0]


def _word(word: str, *, loud: bool) -> Iterator[str]:
    low = word.casefold()
    if low in synonyms.CONTRACTED:
        yield from synonyms.CONTRACTED[low]
    elif "'" in low:
        yield from _contracted(low)
    elif low in _WRITTEN_LARGE and word.isupper() and not loud:
        yield word  # the US, not us
    else:
        yield low


def _contracted(word: str) -> Iterator[str]:
    for ending, meant in synonyms.ENDINGS.items():
        if word.endswith(ending):
            yield from (word.removesuffix(ending), meant)
            return
    head, _, tail = word.partition("'")
    if tail == "s":
        yield from (head, "is" if head in synonyms.SUBJECTS else "'s")
    else:
        yield word


def _clock(m: re.Match[str]) -> str:
    """Return a time of day as `h10:00`, whether it was said with `am` or not."""
    if not m["half"]:
        hour, _, rest = m[0].partition(":")
        return f"h{int(hour):02}:{rest}"
    of_day = int(m["hour"]) % 12 + 12 * (m["half"] == "p")
    return f"h{of_day:02}:{m['minute'] or '00'}"


def _numbered(words: Iterable[str]) -> Iterator[str]:
    """Write the numbers below a hundred as digits."""
    tens = ""
    for word in words:
        unit = synonyms.SMALL.get(word, "")
        if tens and len(unit) == 1 and unit != "0":
            yield str(int(tens) + int(unit))
            tens = ""
            continue
        if tens:
            yield tens
        tens = synonyms.TENS.get(word, "")
        if not tens:
            yield unit or word
    if tens:
        yield tens


def _dated(text: str) -> str:
    """Write dates that name day and month as ISO 8601 does, `--05-05` without a year."""
    if not any(month in text.casefold() for month in MONTHS):
        return text
    text = _DAY_FIRST.sub(lambda m: _iso(m[3], m[2], m[1]), text)
    return _MONTH_FIRST.sub(lambda m: _iso(m[3], m[1], m[2]), text)


def _iso(year: str | None, month: str, day: str) -> str:
    number = MONTHS.index(month[:3].casefold()) + 1
    return f"{year}-{number:02}-{int(day):02}" if year else f"m{number:02}d{int(day):02}"


def _without_articles(said: str) -> str:
    # Some articles are none: those of "once a week" and "$5 a month".
    said = _RATE.sub("per", re.sub(r"\bonce an?\b", "every", said))
    words = _MEASURED.sub(r"\1+", said).split()
    return " ".join(word for word in words if word not in synonyms.ARTICLES)


def without_fillers(words: Iterable[str], fillers: Container[str]) -> Iterator[str]:
    """Yield *words* without the *fillers* that say nothing where they stand.

    Behind a negation one says how far that goes, and before a subject of whom alone it is said:
    `not really allergic`, `simply Tom may enter`. `please` says so nowhere.
    """
    denied, begins = False, True
    words = [*words]
    for word, after in zip_longest(words, words[1:], fillvalue=""):
        apart = not begins or after in {"", ","}
        if word not in fillers or (word != "please" and (denied or not apart)):
            yield word
        denied = (denied and word not in {",", ";"}) or word in synonyms.NEGATIONS
        begins = word in {",", ";"} or word in synonyms.SUBORDINATORS


def _bare(words: list[str]) -> Iterator[str]:
    """Yield *words* as a telegram has them: without `is`, unless a participle may follow."""
    for word, after in zip_longest(words, words[1:], fillvalue=""):
        done = not after or after.endswith(("ed", "en")) or after in synonyms.ACTIVE
        if done or word not in synonyms.PRESENT:
            yield word


# --- order ------------------------------------------------------------------------------------


def _names_sorted(text: str) -> str:
    """Put names that are listed, `Ben and Ann`, into one order: the last of two is no rank.

    Beside another list they stay, for each of one may belong to one of the other.
    """
    if not is_one_list(text):
        return text

    def ordered(m: re.Match[str]) -> str:
        first, more, last = (group for group in m.groups() if group is not None)
        names = sorted([first, *more.split(", ")[1:], last])
        return f"{', '.join(names[:-1])} and {names[-1]}"

    return _NAMES.sub(ordered, text)


def is_one_list(text: str) -> bool:
    """Return whether *text* lists names, and nothing beside them, in no order that counts."""
    rest, listed = _ANY_NAMES.subn("", text, count=1)
    ranked = _ORDERED.search(text.casefold())
    return bool(listed) and not ranked and not rewordings.lists_more(rest)


def _active(said: str) -> str:
    """Turn `the budget is managed by anna` into `anna manages the budget`."""
    m = _PASSIVE.fullmatch(said) if " by " in said else None
    if not m or m["verb"] not in synonyms.ACTIVE:
        return said
    base, past = synonyms.ACTIVE[m["verb"]]
    who, rest = _until_preposition(m["who"])
    many = who.split()[0] in _PLURALS or who.endswith("s") or " and " in who
    verb = past if m["be"] in {"was", "were"} else base if many else synonyms.third(base)
    if phrase_order.is_where(rest):  # of the boss in Linz it is said where the boss is
        who, rest = m["who"], ""
    return " ".join(f"{who} {verb} {m['what']} {m['ways']} {rest}".split())


def _until_preposition(words: str) -> tuple[str, str]:
    for m in re.finditer(r" (\w+)", words):
        if m[1] in synonyms.PREPOSITIONS or m[1] in synonyms.SUBORDINATORS:
            return words[: m.start()], words[m.start() + 1 :]
    return words, ""
