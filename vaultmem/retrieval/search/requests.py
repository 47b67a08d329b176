"""What of a message asks, and what is said around it: purely, by closed classes of words.

Whoever talks to an agent does not type a query: "Could you please tell me when ...", "I am packing
right now. When ...? Answer in one sentence." The phrases of asking stand in no text that answers,
and what is told beside the question matters less than the question.
"""

from __future__ import annotations

import re
from itertools import takewhile
from typing import NamedTuple

from vaultmem.nlp.text import analysis
from vaultmem.storage.index import tokenizer


class Request(NamedTuple):
    """A message taken apart: what is *asked*, without phrases of asking, and what is *aside*."""

    asked: str
    aside: str = ""


class _Asking(NamedTuple):
    """How one asks in a language: *words* that may stand before what is asked, and *marks* of it.

    Words alone are none: `Do I need to renew it?` asks for what `Do you need me to tell you` does
    not. A question begins with an *interrogative*.
    """

    words: frozenset[str]
    marks: re.Pattern[str]
    interrogative: re.Pattern[str]


def _asking(words: str, marks: str, interrogatives: str) -> _Asking:
    return _Asking(
        frozenset(words.split()),
        re.compile(marks),
        re.compile(rf"\W*(?:{'|'.join(interrogatives.split())})\b", re.IGNORECASE),
    )


_LANGUAGES = (
    _asking(
        """
        a able about advance again all also am an and answer any anyone anything as at be been
        brief briefly but by can check complete concise could curious describe did do don't each
        enumerate every everybody everyone everything exactly explain find for from full get give
        good guess have hear hello help hey hi i i'd i'll i'm i've if in inform interested invent
        is it just keep kind kindly know learn let like list look looking lot love make may me mind
        much my name need no not now of ok okay on or our out please quick quickly really recall
        recap remember remind respond say see short should show so some someone something sorry sum
        summarise summarize summary tell thank thanks that the there think thinking to trying up us
        very want wanted was we well whether with wonder wondering would yes you your
        """,
        r"^(?:hi|hello|hey|ok|okay|sorry)\b|\b(?:please|kindly|thanks|thank|you|me|us|wonder|wondering|curious"
        r"|(?:to|i'd) (?:know|hear|learn|see|find|remember|recall))\b"
        r"|^(?:list|name|enumerate|describe|explain|recap|summari[sz]e|sum up)$"
        r"|^(?:list|name|enumerate|describe|explain|recap|summari[sz]e|sum up|give|show|tell|find"
        r"|recall) (?:all|any|each|every\w*|some|the|my|our|what)\b",
        "who whom whose what which when where why how",
    ),
    _asking(
        """
        aber alle alles allen aller also als an auf auflisten aufz\u00e4hlen bitte da danke dann
        daran das dass dem den der des dich die dir doch du ein eine einem einen einer eines einmal
        erinnern erinnerst erkl\u00e4re erkl\u00e4ren erz\u00e4hl erz\u00e4hle erz\u00e4hlen es
        euch fass fasse finde finden geben genau gern gerne gib habe hallo helfen hey hi h\u00e4tte
        hilf ich ihr in ja jede jeden jeder jedes kann kannst k\u00f6nnen k\u00f6nnt k\u00f6nnten
        k\u00f6nntest kurz liste listen magst mal mich mir m\u00f6chte m\u00f6chten nach nenn
        nenne nennen nicht noch nochmal nun ob ok okay sag sage sagen sagst schau schreib schreibe
        schreiben sie so suche suchen uns unser unsere unserem unseren unserer vielen vielleicht
        von weisst wei\u00dft wir wissen wollte w\u00fcrde w\u00fcrden w\u00fcrdest w\u00fcsste
        z\u00e4hl z\u00e4hle zeig zeige zeigen zu zum zur zusammen zusammenfassen \u00fcber
        """,
        r"^(?:hallo|hi|hey|ok|okay)\b|\b(?:bitte|danke|mir|uns|dich|wissen|wei\u00dft|weisst|w\u00fcsste|zusammen\w*)\b"
        r"|^(?:liste|nenne?|z\u00e4hle?)(?: (?:alle\w*|jede\w*|die|den|das|unsere\w*)\b|$)",
        "wer wem wen wessen was welch\\w* wann wo wohin woher warum wieso weshalb wie wo\\w+",
    ),
    _asking(
        """
        a acordarte acuerdas algo ayudar ayudarme buenas buenos decir decirme de dime d\u00edas
        d\u00edgame el favor gracias gustar\u00eda hola la las lista listar lo los me mostrar
        mostrarme mu\u00e9strame nombra nos o podr\u00eda podr\u00edas por puede puedes quiero
        quisiera recordar recordarme recuerdas recu\u00e9rdame saber sabes si te todas todo todos
        un una y
        """,
        r"^(?:hola|buen[ao]s)\b|\b(?:favor|gracias|dime|decir|decirme|recordar|recordarme|saber|sabes|recuerdas|acuerdas"
        r"|recu\u00e9rdame|mu\u00e9strame|mostrar|mostrarme|d\u00edgame)\b|^(?:lista|nombra)\b",
        "qui\u00e9n\\w* qu\u00e9 cu\u00e1l\\w* cu\u00e1ndo d\u00f3nde cu\u00e1nt\\w+ c\u00f3mo",
    ),
)
_WORD = re.compile(r"\w+(?:'\w+)*")
_FORM = re.compile(
    r"[,;]?\s*\b(?:in|as|als|with) (?:(?:an?|one|two|three|few|short|brief|single|complete|bullet"
    r"|bulleted|numbered|ein(?:em|er|e)?|zwei|drei|wenigen|kurze[nrm]?) )*"
    r"(?:sentences?|words|points|bullets|lists?|tables?|paragraphs?|s\u00e4tze?n?|satz|worten"
    r"|stichpunkten?|liste|tabelle)\b",
    re.IGNORECASE,
)
"""In which form one wants to be answered."""
_KNOWN = re.compile(
    r"\b(?:what|everything|all)(?: that)? (?:we|you|i) (?:know|have|remember|said|noted)"
    r" (?:about|of|on)\b"
    r"|\bwas (?:wir|du|ich) (?:\u00fcber|von|zu)\b(?=.*\b(?:wissen|wei\u00dft|wei\u00df|haben)\W*$)"
    r"|\b(?:wissen|wei\u00dft|wei\u00df)\W*$",
    re.IGNORECASE,
)
"""`Sum up what we know about the roof` asks for the roof."""
_CLOSING = re.compile(
    r"[,;]?\s*\b(?:please|thanks|thank you|bitte|danke|por favor|gracias)\b\W*$", re.IGNORECASE
)
_CHINESE = re.compile(
    r"^(?:\u4f60\u597d|\u8bf7\u95ee|\u8bf7|\u9ebb\u70e6|\u5e2e\u6211|\u4f60\u80fd|\u60a8\u80fd"
    r"|\u80fd\u4e0d\u80fd|\u80fd\u5426|\u4f60\u53ef\u4ee5|\u53ef\u4ee5|\u4f60|\u60a8"
    r"|\u544a\u8bc9\u6211|\u6211\u60f3\u77e5\u9053|\u77e5\u9053|\u8fd8\u8bb0\u5f97"
    r"|\u8bb0\u5f97|\u5217\u51fa|\u5217\u4e3e|\u603b\u7ed3|\u8bf4\u8bf4|\u8bf4\u4e00\u4e0b"
    r"|\u4e00\u4e0b|\u6240\u6709\u7684?|\u5168\u90e8|\u5173\u4e8e|\s|[,:,:])+"
)
_JAPANESE = re.compile(
    r"(?:\u306b\u3064\u3044\u3066|\u306b\u95a2\u3057\u3066|\u306e\u3053\u3068\u3092|\u3092)?"
    r"(?:\u6559\u3048\u3066|\u304a\u3057\u3048\u3066|\u77e5\u308a\u305f\u3044"
    r"|\u805e\u304b\u305b\u3066|\u307e\u3068\u3081\u3066|\u6319\u3052\u3066"
    r"|\u899a\u3048\u3066)[\u3040-\u309f]*\W*$"
)
_SEVERAL = re.compile(r"[.!?\u3002\uff01\uff1f\n].*\w", re.DOTALL)
_ASKED = re.compile(r"[?\uff1f]\W*$")


def taken_apart(message: str) -> Request:
    """Return what *message* asks: the sentences with a question mark, else those that ask so.

    Else it is the last one. A sentence that holds nothing but phrases of asking is no part of it;
    a word alone is none.
    """
    if tokenizer.length(message) <= 1:
        return Request(message)
    sentences = analysis.sentences(message) if _SEVERAL.search(message) else [message]
    told = [(each, rest) for each in sentences if _WORD.search(rest := _bare(each))]
    asked = (
        [rest for each, rest in told if _ASKED.search(each)]
        or [rest for each, rest in told if rest != each or _begins(rest)]
        or [rest for _, rest in told[-1:]]
    )
    aside = (rest for _, rest in told if rest not in asked)
    return Request(" ".join(asked), " ".join(aside))


def _begins(sentence: str) -> bool:
    """Tell whether *sentence* begins with an interrogative."""
    return any(each.interrogative.match(sentence) for each in _LANGUAGES)


def _bare(sentence: str) -> str:
    """Return *sentence* without its phrases of asking."""
    rest = _JAPANESE.sub("", _CHINESE.sub("", _FORM.sub(" ", _CLOSING.sub("", sentence))))
    return _KNOWN.sub(" ", rest[max(_opening(rest, each) for each in _LANGUAGES) :])


def _opening(sentence: str, asking: _Asking) -> int:
    """Return how many characters of *sentence* are a phrase of asking, 0 without one."""
    words = list(_WORD.finditer(sentence.lower().replace("\u2019", "'")))
    before = [*takewhile(asking.words.__contains__, (word.group() for word in words))]
    if not asking.marks.search(" ".join(before)):
        return 0
    return words[len(before)].start() if len(before) < len(words) else len(sentence)
