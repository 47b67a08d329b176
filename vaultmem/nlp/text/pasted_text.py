"""Tell what a turn hands on from what its speaker types: mails, chats, texts to be worked on.

Better too much is taken for pasted than a stranger's words for the speaker's: of a turn that asks
for something to be done with a text, nothing below the request is theirs. English, German and
Chinese are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

_HEAD = (
    r"[ \t>*_]*(?:from|to|cc|bcc|subject|date|sent|reply-to|von|an|betreff|datum|gesendet"
    r"|\u53d1\u4ef6\u4eba|\u6536\u4ef6\u4eba|\u4e3b\u9898|\u65e5\u671f|\u53d1\u9001\u65f6\u95f4)"
    r"\**[ \t]*[:\uff1a]"
)
_NAMES_MAIL = (
    r"[ \t>*_]*(?:(?:subject|betreff|\u4e3b\u9898)\**[ \t]*[:\uff1a]"
    r"|(?:from|von|\u53d1\u4ef6\u4eba)\**[ \t]*[:\uff1a][^\n]*(?:@|\n" + _HEAD + "))"
)
_MAIL = re.compile(rf"(?im)^{_NAMES_MAIL}")
"""A mail's head: whoever sent it says all that is below."""

_DATE = r"(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\.?|\d{1,2}\. ?\w+ \d{4}),?[ \t]+"
_TIME = r"\d{1,2}:\d\d(?::\d\d)?(?:\.\d+)?(?:[ \u202f]?[ap]\.?m\.?)?"
_NAME = r"[^\W\d_][^\n:<>\[\]]{0,40}"
_CHAT = re.compile(
    rf"(?im)^[ \t]*\[(?:{_DATE})?{_TIME}\]?[ \t-]*(?:<{_NAME}>|{_NAME}[:\uff1a])"
    rf"|^[ \t]*{_DATE}{_TIME}[\])]?[ \t\u2013-]*(?:<{_NAME}>|{_NAME}[:\uff1a])"
    rf"|^[ \t]*{_TIME}[ \t]+(?:<{_NAME}>|{_NAME}[:\uff1a])[^\n]*\n+[ \t]*{_TIME}[ \t]+\S"
    rf"|^[ \t]*{_NAME}(?:[ \t]{{2,}}{_TIME}|[ \t]+\[(?:{_DATE})?{_TIME}\]"
    rf"|[ \t]+[\u2014\u2013-][ \t]+(?:today|yesterday|heute|gestern|{_DATE})"
    rf"(?: (?:at|um))? ?{_TIME})[ \t]*\n(?=[ \t]*\S)"
)
"""The first line of what several wrote to each other, each with the time."""

_PERSON = r"[A-Z][\w'\u2019-]{1,20}(?: [A-Z][\w'\u2019-]{1,20})?"
_DIALOGUE = re.compile(
    rf"(?m)^(?P<one>{_PERSON}): [^\n]+\n\s*(?!(?P=one):)(?P<other>{_PERSON}): [^\n]+\n\s*(?P=one): "
)
_LETTER = re.compile(
    r"(?im)(?<=\n)[ \t]*(?:dear|hi|hello|hey|good (?:morning|afternoon|evening)|hallo|guten (?:tag"
    r"|morgen|abend)|liebe[rs]?|sehr geehrte[rs]?|\u5c0a\u656c\u7684|\u4eb2\u7231\u7684)\b"
    r"[^\n.?]{0,60}[,!:\uff0c\uff1a][ \t]*$"
)
"""Whom a letter is to, where something stands before it: who types greets first."""

_TRIPLE = re.compile(r"\"{3}.*?(?:\"{3}|\Z)|(?<!\w)'{3}.*?(?:'{3}|\Z)", re.DOTALL)
_LONG_SPEECH = re.compile(
    r"(?<![^\s(:])(?:\"[^\"]{12,4000}\"|\u201c[^\u201c\u201d]{12,4000}\u201d"
    r"|\u201e[^\u201c\u201d\u201e]{12,4000}[\u201c\u201d])(?!\w)"
)
_SEVERAL = re.compile(r"[.!?\u2026\u3002]\s+\S|\n")
"""What a speech has of more than one sentence: of a single one its sentence is asked."""

_NOUN = (
    r"(?:e-?mails?|mails?|(?<!error )(?<!commit )messages?|letters?|texts?"
    r"|articles?|posts?|tickets?|readme(?:\.md)?|documents?"
    r"|web ?pages?|pages?|websites?|papers?|abstracts?|paragraphs?|passages?|excerpts?"
    r"|transcripts?|chats?|threads?|conversations?|stor(?:y|ies)|poems?|lyrics|novels?|tweets?"
    r"|newsletters?|fixtures?|snippets?|reports?|reviews?|speech|sms|nachrichten?|briefe?"
    r"|artikel|beitrag|dokument|absatz|auszug|protokoll|gedicht|geschichte|schreiben|entwurf)"
)
_THIS = r"(?:this|these|the following|the attached|the above|the below|dies\w*|folgende\w*)"
_ANY_TEXT = (
    r"(?:summari[sz]e|sum up|tl;?dr|translate|proof-?read|reword|rephrase|paraphrase|transcribe"
    r"|\u00fcbersetz\w*|korrigier\w*|umformulier\w*|fass\w*\b[^\n:]*\bzusammen"
    r"|(?:kannst|k\u00f6nntest) du\b[^\n:]*\b(?:zusammenfassen|\u00fcbersetzen|korrigieren))"
)
_A_TEXT = (
    r"(?:answer|reply|respond|rewrite|shorten|condense|polish|beantwort\w*|antwort\w*|k\u00fcrz\w*"
    r"|formulier\w*)"
)
_THIS_TEXT = (
    r"(?:handle|process|triage|deal with|read|look at|check|review|anal[yi][sz]e|explain"
    r"|interpret|evaluate|grade|correct|edit|extract|parse|classify|comment on|fix|is|what"
    r"|lies|pr\u00fcfe?|analysier\w*|erkl\u00e4r\w*|bearbeit\w*|verbesser\w*|ist|was)"
)
_PLEASE = (
    r"(?:(?:please|now|ok(?:ay)?|so|and|then|hi|hello|hey|thanks|bitte|nun|jetzt"
    r"|(?:can|could|would|will) you|i(?:['\u2019]d like| want| need) you to|help me(?: to)?"
    r"|(?:kannst|k\u00f6nntest) du(?: mir)?|hilf mir)[,:!]?[ \t]+)*"
)
_ZH_ANY = "(?:\u603b\u7ed3|\u6982\u62ec|\u7ffb\u8bd1|\u6821\u5bf9|\u6da6\u8272|\u6539\u5199)"
_ZH_THIS = (
    "(?:\u56de\u590d|\u56de\u7b54|\u5904\u7406|\u5206\u6790|\u89e3\u91ca|\u4fee\u6539"
    "|\u5ba1\u9605|\u770b\u770b)"
)
_ZH_NOUN = (
    "(?:\u90ae\u4ef6|\u4fe1|\u6587\u7ae0|\u77ed\u4fe1|\u6d88\u606f|\u6587\u672c|\u5185\u5bb9"
    "|\u5e16\u5b50|\u5de5\u5355|\u6587\u6863|\u62a5\u544a|\u804a\u5929\u8bb0\u5f55|\u8bdd)"
)
_NEAR = "[^\n\u3002:\uff1a]{0,16}"
_ASKED = re.compile(
    rf"(?i)\W*{_PLEASE}(?:{_ANY_TEXT}\b|{_A_TEXT}\b[^\n:]*\b(?:{_NOUN}|{_THIS})\b"
    rf"|{_THIS_TEXT}\b[^\n:]*\b{_THIS} (?:\w+ )?{_NOUN}\b)"
    rf"|{_NEAR}(?:{_ZH_ANY}|{_ZH_THIS}{_NEAR}{_ZH_NOUN})"
)
_ASKED_OF_THIS = re.compile(
    rf"(?i)\W*{_PLEASE}(?:{_ANY_TEXT}|{_A_TEXT}|{_THIS_TEXT})\b[^\n:]*\b{_THIS} (?:\w+ )?{_NOUN}\b"
    rf"|{_NEAR}(?:{_ZH_ANY}|{_ZH_THIS}){_NEAR}[\u8fd9\u4e0b]{_NEAR}{_ZH_NOUN}"
)
_WHOSE = (
    r"(?:(?:the|a|an|this|that|these|my|our|his|her|their|your|some|die|der|das|eine?n?|meine?"
    r"|unsere?|\w+['\u2019]s)\s)"
)
_HERE = (
    rf"(?:(?:here|below|attached)(?:['\u2019]s| is| are| comes?)?\b[^\n:]*\b{_NOUN}\b"
    rf"|(?:hier|anbei|unten) (?:ist |sind |kommt )?{_WHOSE}?(?:[\w-]+ )?{_NOUN}\b"
    rf"|(?:\u8fd9\u662f|\u4ee5\u4e0b\u662f|\u4e0b\u9762\u662f){_NEAR}{_ZH_NOUN})"
)
_SHOWS = re.compile(rf"(?i)\W*{_HERE}")
_INTRODUCES = re.compile(
    rf"(?i)\W*(?:{_HERE}|(?:this|that|das) (?:is|ist) {_WHOSE}(?:[\w-]+ )?{_NOUN}\b"
    rf"|(?:i|we)(?:['\u2019]ve| have)?(?: just)? (?:got|received|found|pasted|copied)\b"
    rf"[^\n:]*\b{_NOUN}\b"
    rf"|(?:copied )?(?:from|in) {_WHOSE}(?:[\w-]+ )?{_NOUN}\b"
    rf"|{_WHOSE}(?:[\w-]+ ){{0,2}}{_NOUN}\b(?: [\w-]+){{0,3}} (?:says?|said|reads?|states?|writes?"
    rf"|wrote|goes|sagt|schreibt|lautet)\b"
    rf"|(?:[\w-]+ )?{_NOUN}(?: (?:export|log|thread|draft))?"
    r"(?: (?:from|of|by|von) [^\n:]{1,40})?\s*$"
    rf"|[^\n:]*\b(?:wrote|writes|texted|texts|e?-?mailed|messaged|sent)(?: to)? (?:me|us)\b"
    rf"|[^\n:]*\b(?:schrieb|schreibt|schickt\w*) (?:mir|uns)\b"
    rf"|[^\n:]*\b(?:mir|uns)\b[^\n:]*\bgeschrieben\b)"
)
_MINE = re.compile(
    r"(?i)\b(?:remember|memori[sz]e|keep in mind|don['\u2019]?t forget|note|merk\w*|notier\w*"
    r"|vergiss)\b|\b(?:about|from|by) (?:me|myself|us)\b|\u00fcber mich"
    r"|\u8bb0\u4f4f|\u8bb0\u4e0b|\u5173\u4e8e\u6211"
)
"""What asks to keep what follows, or says whose it is."""

_COLON = re.compile(r"\uff1a|:(?=\s|$)")
_STOP = re.compile(r"[.!?\u2026\u3002\uff01\uff1f](?:\s|$)")
_LONGEST = 240
"""Characters of an introduction: of a longer one its end is read."""


def own(text: str) -> str:
    """Return *text* without what is pasted into it.

    A speech of several sentences is cut out; a mail, a chat, a letter and a text that is asked
    about go to the end.
    """
    text = _LONG_SPEECH.sub(_spoken, _TRIPLE.sub("\n\n", text))
    starts = [found.start() for it in (_MAIL, _CHAT, _DIALOGUE) if (found := it.search(text))]
    starts += [found.start() for found in [_LETTER.search(text, _begin(text))] if found]
    return text[: min((*starts, *islice(_below_requests(text), 1)), default=len(text))]


def is_request(sentence: str) -> bool:
    """Tell whether *sentence* asks for something to be done with a text."""
    return _ASKED.match(sentence) is not None and not _MINE.search(sentence)


def _spoken(found: re.Match[str]) -> str:
    """Return what stays of a speech: all of a single sentence, and of what is to be kept."""
    start = found.string.rfind("\n", 0, found.start()) + 1
    ahead = found.string[max(start, found.start() - _LONGEST) : found.start()]
    return found[0] if _MINE.search(ahead) or not _SEVERAL.search(found[0]) else "\u2026\n\n"


def _begin(text: str) -> int:
    """Return where *text* begins: a letter has something before it."""
    return len(text) - len(text.lstrip())


def _below_requests(text: str) -> Iterator[int]:
    """Yield where what a line introduces or asks about begins."""
    end = 0
    for line in text.split("\n"):
        start, end = end, end + len(line) + 1
        for colon in _COLON.finditer(line):
            said = _last_sentence(line, colon.start())
            if is_request(said) or (_INTRODUCES.match(said) and not _MINE.search(said)):
                yield start + colon.end()
        said = _last_sentence(line, len(line.rstrip(" \t.!?\u3002\uff01\uff1f")))
        if (_ASKED_OF_THIS.match(said) or _SHOWS.match(said)) and not _MINE.search(said):
            yield end


def _last_sentence(line: str, end: int) -> str:
    """Return the last sentence of *line* ahead of *end*."""
    said = line[max(0, end - _LONGEST) : end]
    stops = [it.end() for it in _STOP.finditer(said)]
    return said[stops[-1] :] if stops else said
