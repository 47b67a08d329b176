"""What a text is to the full-text index: its words, Chinese and Japanese as overlapping pairs.

FTS5's tokenizer sees a run of CJK characters as one word; pairs joined by spaces make any run of
two or more findable as a phrase. Letters that are read alike are one, and the words of a text in
another language than English are stems, for FTS5 stems as English alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache

from vaultmem.documents.languages import detection, letters, stems
from vaultmem.documents.scripts import CJK

MOST_TERMS = 32
"""Distinct terms of a question that count; a person asks for fewer."""

_FUNCTION_WORDS = """
a about an and any are as at be been but by can could did do does for from get had happen happened
happening happens has have he her
him his how i if in into is it its kind likely many me might most much my of on or our she should so
some than that the their them then there these they this to type was we were what when where which
who whom whose why will with would you your
"""
_JAPANESE_PAIRS = """
です すか ます ませ せん まし した して てい いる ある から まで ので こと もの よう それ
これ あれ った って には では とは
"""
STOP_WORDS = frozenset(_FUNCTION_WORDS.split())
_JAPANESE_IDLE = frozenset(_JAPANESE_PAIRS.split())
_CHINESE_IDLE = frozenset("的是了吧啊")
"""What no Chinese word that is asked for begins or ends with."""
_ASKED_IN_KANA = re.compile(
    "どう(?:やって|して|です|だ)|どう(?!\\w)|どの(?:くらい|ぐらい)?|どれ(?:くらい|ぐらい|だけ)?|どんな|どこ"
    "|どちら|どっち|どなた|なに|なぜ|なんで|いつ|いくら|いくつ|だれ"
)
"""The words that ask in Japanese, before katakana is read as hiragana: `ブドウ` asks nothing."""
_ASKED_IN_HAN = re.compile(
    "(?:为)?什么(?:时候|地方)?|[怎这那]么样?|怎样|[如为]何|何[时处地]|多少钱?|多久|多(?=[大长高远重深宽])"
    "|第?几[点号岁次个天年月日位]|在?哪[里儿个些天年位种]?|谁|是否|[吗呢]|何(?=[曜时岁人年月日回度个匹をがのにで])"
)
"""The words that ask in Chinese, and the Japanese ones in Chinese characters, as they are folded.

No word lies across them, so that a run is cut there.
"""
_AUXILIARY = r"[a-z]+n['\u2019]t"
_HANGS_ON = re.compile(rf"\b{_AUXILIARY}\b|(?<=[a-z])['\u2019](?:s|m|d|re|ll|ve)\b")
"""What English hangs on a word, and `don't`: the index has an `s` alone, which tells nothing."""
_LITTLE = frozenset(word for word in STOP_WORDS if len(word) == len("in"))
_LIKE_LITTLE = re.compile(r"\b([a-z]{2})(?:s|ed|es?)\b", re.IGNORECASE)
_FIRST_MARK = 0xE000
"""Where the characters begin that Unicode leaves to private use, which FTS5 takes for letters."""
_ENGLISH_MARK = _FIRST_MARK + len(stems.STEMMED)
MARKS = "".join(map(chr, range(_FIRST_MARK, _ENGLISH_MARK + 1)))
"""What marks the language of a stem, before it."""


@cache
def _run() -> re.Pattern[str]:
    return re.compile(f"[{CJK}]+")


@cache
def _term() -> re.Pattern[str]:
    return re.compile(rf"[{CJK}]+|(?:(?![{CJK}])[^\W_])+")


def indexed(text: str, language: str = "") -> str:
    """Return *text* as it is given to FTS5, its words as stems of *language* unless it is English.

    A stem is marked with its language: `Peter`, in German `pet`, is not found among pets.
    """
    if text.isascii() and not language:
        return told_apart(text)
    plain = letters.folded(text)
    if language in stems.STEMMED:
        return _term().sub(lambda m: _as_indexed(m.group(), language), plain)
    return _run().sub(lambda m: _paired(m.group()), told_apart(plain))


def told_apart(text: str) -> str:
    """Return English *text* with a mark on what FTS5 would take for a word of two letters.

    It stems `Ines` as `in`, `Ane` as `an` and `ate` as `at`, which nearly every text has.
    """
    return _LIKE_LITTLE.sub(_marked, text)


def _marked(found: re.Match[str]) -> str:
    word = found.group()
    is_taken = found[1].lower() in _LITTLE and word.lower() not in STOP_WORDS
    return chr(_ENGLISH_MARK) + word if is_taken else word


def _as_indexed(word: str, language: str) -> str:
    return _paired(word) if is_run(word) else stemmed(word, language)


def stemmed(word: str, language: str) -> str:
    """Return the stem of *word* as it stands in the index; what has figures has none."""
    mark = chr(_FIRST_MARK + stems.STEMMED.index(language))
    return mark + stems.stem(word, language) if word.isalpha() else word


def is_run(term: str) -> bool:
    """Tell whether *term* is of Chinese or Japanese characters, which are indexed in pairs."""
    return _run().match(term) is not None


def pairs(run: str) -> list[str]:
    """Return the overlapping pairs of *run*; a single character is itself."""
    return [run[i : i + 2] for i in range(max(len(run) - 1, 1))]


def _paired(run: str) -> str:
    # Every character alone, too: one-character questions and names.
    return f" {' '.join(run)} {' '.join(pairs(run)) if len(run) > 1 else ''} "


def terms(query: str) -> tuple[str, ...]:
    """Return the distinct terms of a question, its function words dropped unless nothing is left.

    Any string is safe: only letters and digits come through.
    """
    return telling(query) or _distinct(
        part for term in _term().findall(_composed(query)) for part in _split(term)
    )


def telling(query: str) -> tuple[str, ...]:
    """Return the distinct terms of a question without its function words."""
    idle = STOP_WORDS | _idle(query)
    bare = _term().findall(_HANGS_ON.sub(" ", _without_asking(query)))
    parts = (part for term in bare if term not in idle for part in _split(term))
    return _distinct(part for part in parts if not _is_idle_pair(part))


def _without_asking(query: str) -> str:
    """Return *query* as it is compared, without what asks where no blanks part words."""
    return _ASKED_IN_HAN.sub(" ", _composed(_ASKED_IN_KANA.sub(" ", query)))


def _composed(query: str) -> str:
    # FTS5 reads a letter and its accent as one, so they must not come apart here.
    return letters.folded(unicodedata.normalize("NFC", query)).lower()


def _distinct(parts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(parts))[:MOST_TERMS]


def _idle(query: str) -> frozenset[str]:
    """Return the function words of *query*, in the language of which it has most of them."""
    known = detection.function_words(frozenset(_term().findall(query.lower())))
    return frozenset(map(letters.folded, known))


def _is_idle_pair(part: str) -> bool:
    """Tell whether *part*, of a Chinese or Japanese run, has grammar and no word in it."""
    return part in _JAPANESE_IDLE or (
        len(part) <= len("的人") and not _CHINESE_IDLE.isdisjoint(part)
    )


def _split(term: str) -> list[str]:
    return pairs(term) if is_run(term) else [term]


def plain(text: str) -> str:
    """Return *text* in lower case and without accents, as FTS5 compares words."""
    return letters.bare(text)


def length(text: str) -> int:
    """Return how many words *text* has, each Chinese or Japanese character being one."""
    return len((text if text.isascii() else _run().sub(_spaced, text)).split())


def _spaced(run: re.Match[str]) -> str:
    return f" {' '.join(run.group())} "
