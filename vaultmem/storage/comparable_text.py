"""What a text says without its dress: how Markdown, HTML and lists show it changes no word of it.

Some dress says something itself, such as a date, a tag or a link's target. It is taken off, too, to
see whether the rest was forgotten; two texts that differ in it alone are two.
"""

from __future__ import annotations

import unicodedata
from unicodedata import category

from vaultmem.documents.patterns import compiled

_MARKS = r"(?:\*{1,3}|_{1,3}|~~|==|`+)"
_SAYING_NOTHING = (
    "note|remember|reminder|important|fyi|nb|ps|memo|info|notiz|hinweis|wichtig|merke|nota"
    "|importante|rappel"
)
_TAGS = (
    "b|strong|i|em|u|s|del|ins|mark|q|small|big|sub|sup|code|kbd|tt|span|font|p|div|blockquote"
    "|ul|ol|li|dl|dt|dd|table|tbody|tr|td|th|pre|h[1-6]"
)
_DRESS = (
    rf"</?(?:{_TAGS}|br|hr)(?: [^<>]*=[^<>]*)? ?/?>"
    rf"|(?<!\w){_MARKS}(?=\S)|(?<=\S){_MARKS}(?!\w)"
    "|(?<!\\w)['\u2018\u201a\u2039]|['\u2019\u203a](?!\\w)"
    '|["\u201c-\u201f\u00ab\u00bb\u300c-\u300f\u301d-\u301f\ufe41-\ufe44]'
)
_DRESSED = "[<*_~=`'\"]"
"""One of these is in all ASCII that is dress."""

_LABEL = rf"(?:please )?(?:{_SAYING_NOTHING})(?: that|(?: this)?(?::| [-\u2013\u2014])) "
_ITEM = (
    r"[-*+>#\u2022\u2023\u25e6\u2013\u2014]+ (?!\d(?!\d{0,2}[.)] ))"
    r"|(?:\d{1,3}|[a-z])\) |\(\d{1,3}\) |\[[ x/>?!-]\] |\[![a-z-]{1,20}\][-+]? "
)
_NUMBER = r"\d{1,3}\. "
_OPENING = rf"(?:{_ITEM})*(?:{_LABEL})?"
_NUMBERED = rf"(?:{_ITEM}|{_NUMBER})*(?:{_LABEL})?"
_LONG = 4
"""Words behind a number with a full stop that make it that of a list: `3. Mai` is a date."""

_STOP = r"(?<=\w)[.,;:!\u3002\uff0c\u3001]+(?=\s|$)"
_SPACE = r"&(?:nbsp|ensp|emsp|thinsp|#160|#xa0);"
_WIKILINK = r"(?<!!)\[\[([^\[\]|]+)\]\]"
_FOOTNOTE = r"(?<=\S)\[\^[\w-]{1,40}\](?!:)"
_WRAPPED = (
    r"(?:<!--(?P<comment>(?:(?!-->).)*)-->|%%(?P<hidden>(?:(?!%%).)*)%%|\|(?P<cell>[^|]*)\|"
    r"|\((?P<aside>[^()]*)\)[.!]*)"
)
_CLOSING = r"(?<=\w|[.!?\])]) (?:\^(?=[a-z0-9-]*[a-z])[a-z0-9-]{3,40})$"
_HEADING = r"(#+ .*?) #+"
_ALIAS = r"(?<!!)\[\[[^\[\]|]+\|([^\[\]|]+)\]\]"
_LINK = (
    r"(?<![\w!])\[([^\[\]]+)\]\((?:<[^<>]*>|[^()\s<>]*(?:\([^()\s]*\)[^()\s]*)*)"
    r"(?: \"[^\"]*\")?\)"
)
_SIGN = (
    "(?![\u2716-\u2718\u274c-\u2754\u26d4\U0001f44e\U0001f645\U0001f6ab\U0001f6d1])"
    "[\u2600-\u27bf\u2b1b-\u2b55\U0001f300-\U0001faff]"
)
"""A pictograph, but one that says no, stop or what."""

_DAY = r"[(\[]?\d{4}-\d\d-\d\d(?:[ t]\d\d:\d\d(?::\d\d)?z?)?[)\]]?"
_BEFORE = (
    rf"{_SIGN}\ufe0f? ?|(?:[-*+] )?{_DAY}(?::| [-\u2013\u2014])? |to-?do: "
    r"|> [\w.-]+(?: [\w.-]+){0,2}: "
)
_BEHIND = (
    rf"(?<=\S) ?(?![\u2611\u2705\u2714\U0001f600-\U0001f64f\U0001f910-\U0001f92f]){_SIGN}\ufe0f?$"
)
"""A pictograph behind a text, but one that says it is done, and no face: that may mean irony."""

_TASK_SIGNS = "\u2705\u2795\u23f3\U0001f4c5\U0001f6eb"
_AFTER = rf"(?<=\S) (?:[-\u2013\u2014] |[{_TASK_SIGNS}]\ufe0f? ?)?{_DAY}[.!]*$"
_UNDERLINE = r"(?<=\S)[ \t]*\r?\n[ \t]*(?:=+|-{2,})[ \t]*(?=\r?\n|$)"
_TAG = r"#(?=[\w/-]*[^\W\d])[\w/-]+"
_DATE = (
    r"\d{4}([-./])\d{1,2}\1\d{1,2}|\d{1,2}([-./])\d{1,2}\2(?:\d{4}|\d\d)"
    r"|\d{1,2}(?:st|nd|rd|th|\.)? (?:of )?[^\W\d]{3,12}\.?,? \d{4}"
    r"|[^\W\d]{3,12}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}"
)
_TIME = r"\d{1,2}:\d\d(?::\d\d)?(?:\.\d+)?(?:z| ?[ap]\.?m\.?| uhr)?"
_WHEN = (
    rf"[(\[]?(?:(?:on|at|am|um|le|el) )?(?:(?:{_DATE})(?:(?:,| at| um|t)? ?{_TIME})?|{_TIME})[)\]]?"
    r"(?::| ?[-\u2013\u2014,])? (?=\S)"
)
_NAMED = r"((?:[^\s:]{1,30} ){0,2}[^\s:]{1,30}) ?(?:\([^()]{1,30}\))?: (?=\S)"
_MARKED = (
    r"\[([^\[\]]{1,30})\]:? (?=\S)|<([^<>]{1,30})> (?=\S)"
    r"|(?:[-=~]+>|>>+|[\u2190-\u21ff\u2794\u2798-\u27bf]) ?(?=\S)"
)
_SAYS_NOTHING = (
    r"(?:(?:ok|okay|well|so|anyways?|anyhow|oh|ah|hey|hi|hm+|yes|yeah|yep|actually|indeed|fyi|btw"
    r"|by the way|incidentally|also|and|plus|besides|again|moreover|furthermore|additionally"
    r"|in addition|for the record|just so you know|as (?:i )?(?:said|mentioned|noted)|ps|und|ja"
    r"|nun|\u00fcbrigens|au fait|et|alors|por cierto|bueno|y) ?[,:;!\u2013\u2014-]+"
    r"|and|also|ok|okay|btw|by the way|anyway|to-?do|p\.s\."
    r"|(?:(?:so|and|also|just|please) )*(?:note|remember|do(?: not|n['\u2019]t) forget"
    r"|(?:keep|bear) in mind)(?: that|[,:])) (?=\S)"
)
_ADDRESS = r"[(<]?(?:https?://|www\.)[^\s<>()]+[)>]?[.,:]*"
_ADDRESSED = rf"^{_ADDRESS} (?:[-\u2013\u2014|] )?|(?<=\S) (?:[-\u2013\u2014|] )?{_ADDRESS}$"
_IN_BRACKETS = r"\[([^\[\]]*)\][.!]*|\{([^{}]*)\}[.!]*|\(([^()]*)\)[.!]*"
_RAISED = (
    "(?:(?<=[^\\W\\d]{3})|(?<=[.!?)\\] ]))[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]{1,3}(?=[\\W_]*$)"
)
_SIGN_OF_LABEL = r"[:\uff1a\]>\d\u2190-\u21ff\u2794\u2798-\u27bf)}]|[*\u2020\u2021]\W*$"
_REFERENCE = r"(?<=\S) ?(?:\[\d{1,4}(?:[,;:.\u2013-] ?\d{1,4})*\]|[*\u2020\u2021]{1,3})[.!]*$"
_TAKING_BACK = (
    r"\b(?:not|no|never|nor|none|\w+n't|wrong|false|untrue|incorrect|invalid|lie[sd]?|lying|myth\w*"
    r"|rumou?r(?:s|ed)?|gossip|hearsay|legend|hoax|fake|scam|spam|phishing|prank|satire|parody|irony"
    r"|sarcas(?:m|tic)|jok(?:e|es|ed|ing)|jk|kidding|fiction\w*|made up|invented|tale|story|novel"
    r"|song|lyrics|film|movie|game|quiz|riddle|trivia|dream\w*|nightmare|imagin\w+|wish(?:es|ed)?"
    r"|hope[sd]?|fear(?:s|ed)?|risk|threat|maybe|perhaps|possibl[ey]|probabl[ey]|hypothe\w+|theory"
    r"|guess\w*|bet|sure|unsure|uncertain|unclear|unconfirmed|unverified|doubt\w*|disputed"
    r"|alleg\w+|suppos\w+|claim\w*|apparently|example|e\.g|sample|test|opposite|contrary|denie[sd]"
    r"|deny|disproved|refuted|debunked|rejected|dismissed|declined|refused|ruled out|mistake\w*"
    r"|error|typo|misunderst\w+|corrected|correction|retracted|revoked|withdrawn|reverted|undone"
    r"|cancell?ed|obsolete|outdated|out of date|expired|superseded|replaced|deprecated|stale|old"
    r"|formerly|former|previously|once|past|was|were|until|settled|resolved|solved|fixed|closed"
    r"|done|finished|completed|ended|over|deleted|removed|gone|unless|if|whether|question|ask(?:s|ed)"
    r"|q|nicht|nein|nie|kein\w*|falsch|gel\u00f6scht|gelogen|l\u00fcge\w*|witz|scherz|ger\u00fccht\w*"
    r"|m\u00e4rchen|traum|veraltet|\u00fcberholt|erledigt|gel\u00f6st|aufgehoben|verworfen|abgelehnt"
    r"|vielleicht|vermutlich|angeblich|irrtum|fehler|beispiel|fr\u00fcher|frage|falls|wenn|non|jamais"
    r"|faux|blague|mensonge|rumeur|mythe|r\u00e9gl\u00e9|exemple|si|falso|nunca|mentira|broma|rumor"
    r"|mito|resuelto|ejemplo)\b|[%?]"
)
"""What makes of a label one that says something of the text behind it."""

_QUOTED = r"\n[ \t]*>[> \t]*"
_LAYERS = 8
"""Dress within dress that is taken off; nobody writes more."""
_START = 60
"""Letters in which a text opens."""


def normal(text: str) -> str:
    """Return *text* as it is compared: NFKC, case folded, single spaces."""
    if text.isascii():  # the same, in a fifth of the time
        return " ".join(text.lower().split())
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(folded.encode(errors="replace").decode().split())


def readings(text: str, *, number: bool = False) -> tuple[str, ...]:
    """Return what *text* is known by: how it is written, and what it says without its dress.

    That is without letters that nobody sees, marks and HTML tags of emphasis, quotation marks, what
    makes it an item of a list, a task, a heading, a quote or a callout, a word that says nothing
    (`Note:`), and full stops and commas behind words; and, as another, without brackets, a comment
    or a table's cell around it, the marks of wikilinks, footnotes and block ids, too. A question
    mark stays, and so does every sign within a word: they say something. *number* takes any number
    with a full stop before it for a list's.
    """
    seen = _seen(text)
    plain = compiled(_STOP).sub("", _opened(compiled(_DRESS).sub("", seen).lstrip(), number=number))
    unwrapped = _undressed(
        compiled(_DRESS).sub("", compiled(_WIKILINK).sub(r"\1", compiled(_SPACE).sub(" ", seen))),
        number=number,
    )
    return tuple(filter(None, dict.fromkeys(map(normal, (text, plain, unwrapped)))))


def bare(text: str, *, number: bool = False) -> frozenset[str]:
    """Return what *text* says without dress that says something itself; empty for nothing.

    That is a link's target, a wikilink's where it has another name, tags and a date on either side,
    and before it a sign such as a pin, `TODO:`, or whom a quote is of.
    """
    seen = compiled(_ALIAS).sub(
        r"\1", compiled(_WIKILINK).sub(r"\1", compiled(_SPACE).sub(" ", _seen(text)))
    )
    said = _undressed(
        compiled(_DRESS).sub("", compiled(_LINK).sub(r"\1", seen)), number=number, is_bare=True
    )
    return frozenset(filter(None, [normal(said)]))


def unlabelled(text: str) -> frozenset[str]:
    """Return what *text* says without a label before it, or a mark behind; empty for nothing.

    A label is up to three words and a colon, a date or a time, a word in brackets, an arrow, or
    what opens a sentence and says nothing; a mark is an address or a reference. A label that judges
    the text, doubts it or takes it back is none, and a text of fewer than four words has none.
    """
    if not (compiled(_SIGN_OF_LABEL).search(text) or _may_open(text)):
        return frozenset()
    text = text if text.isascii() else compiled(_RAISED).sub("", text)
    seen = compiled(_ALIAS).sub(
        r"\1", compiled(_WIKILINK).sub(r"\1", compiled(_SPACE).sub(" ", _seen(text)))
    )
    plain = compiled(_DRESS).sub("", compiled(_LINK).sub(r"\1", seen))
    said = _undressed(plain, number=True, is_bare=True, is_labelled=True)
    return frozenset([normal(said)] if len(said.split()) >= _LONG else ())


def _may_open(text: str) -> bool:
    if not text.isascii():
        return True
    start = text[:_START]
    plain = compiled(_DRESS).sub("", start) if compiled(_DRESSED).search(start) else start
    return compiled(_SAYS_NOTHING).match(plain.lstrip(" \t\n-+.\u2022").casefold()) is not None


def _without_label(text: str) -> str:
    inner = compiled(_ADDRESSED).sub("", compiled(_REFERENCE).sub("", text))
    if wrapped := compiled(_IN_BRACKETS).fullmatch(inner):
        inner = next(it for it in wrapped.groups() if it is not None).strip()
    if opening := compiled(_SAYS_NOTHING).match(inner):
        rest = inner[opening.end() :]
        return rest if len(rest.split()) >= _LONG else text
    found = (
        compiled(_WHEN).match(inner)
        or compiled(_MARKED).match(inner)
        or compiled(_NAMED).match(inner)
    )
    if found and not compiled(_TAKING_BACK).search(found[0]):
        inner = inner[found.end() :]
    return inner if len(inner.split()) >= _LONG else text


def _seen(text: str) -> str:
    text = compiled(_UNDERLINE).sub("", text)
    if text.lstrip().startswith(">"):
        text = compiled(_QUOTED).sub("\n", text)
    return normal(text if text.isascii() else _visible(text))


def _visible(text: str) -> str:
    """Return *text* without letters that nobody sees."""
    unseen = [letter for letter in set(text) if category(letter) == "Cf"]
    return text.translate(dict.fromkeys(map(ord, unseen))) if unseen else text


def _undressed(text: str, *, number: bool, is_bare: bool = False, is_labelled: bool = False) -> str:
    """Return *text* without what stands around it, layer by layer."""
    for _ in range(_LAYERS):
        inner = compiled(_FOOTNOTE).sub("", compiled(_CLOSING).sub("", text.strip()))
        if is_bare:
            before = compiled(_BEFORE).match(inner)
            inner = compiled(_BEHIND).sub("", inner[before.end() :] if before else inner)
            inner = _untagged(compiled(_AFTER).sub("", inner))
        if is_labelled:
            inner = _without_label(inner)
        if heading := compiled(_HEADING).fullmatch(inner):
            inner = heading[1]
        if wrapped := compiled(_WRAPPED).fullmatch(inner):
            inner = next(it for it in wrapped.groups() if it is not None).strip()
        inner = _opened(inner, number=number)
        if inner == text:
            break
        text = inner
    return compiled(_STOP).sub("", text)


def _opened(text: str, *, number: bool) -> str:
    """Return *text* without what opens an item of a list, and a word that says nothing."""
    numbered = compiled(_NUMBERED).sub("", text, count=1)
    is_item = number or len(numbered.split()) >= _LONG
    return numbered if is_item else compiled(_OPENING).sub("", text, count=1)


def _untagged(text: str) -> str:
    words = text.split(" ")
    while len(words) > 1 and compiled(_TAG).fullmatch(words[-1].rstrip(".!")):
        words.pop()
    while len(words) > 1 and compiled(_TAG).fullmatch(words[0]):
        words.pop(0)
    return " ".join(words)
