"""What somebody states of a fact by its own name: `my IBAN is DE89`, `Sarah's bank: Linz Trust`.

For facts that the other patterns do not know. The name must be its owner's, and the value all that
is said of it: `my employer before Halden was Siemens` states no employer.
"""

from __future__ import annotations

import re

from vaultmem.nlp.extraction.grammar import assertion_en

_WHICH = r"(?:(?:new|current|own|main|private|personal) )?"
_KIND = r"(?: (?:number|address|name|id|ID))?"
_IS = r"(?: is| are|['\u2019]s| ist| sind| lautet|\s?[:=])(?: (?:still|now|currently|jetzt))*"
_ARTICLE = r"(?: (?:an?|the|der|die|das|eine?))?"
_END = (
    r"(?=\s*(?:[.;!,](?:\s|$)|$)|,? (?:now|since|too|these days|at the moment|from now on|jetzt"
    r"|seit)\b|,? (?:and|but|so|und|aber) (?:I|my|we|our|he|she|his|her|they|please|ich|mein\w*)\b)"
)
_MINE = r"(?:[Mm]y|[Oo]ur|[Mm]eine?|[Uu]nsere?)"


def states(sentence: str, owner: str, field: str, value: str) -> bool:
    """Tell whether *sentence* says, at the opening of a clause, that *field* of *owner* is *value*.

    The *owner* is somebody's name, "" for who speaks; *field* has underscores between its words.
    """
    fact, said = _words(field), _words(value)
    if not fact or not said or not assertion_en.is_asserted(sentence):
        return False
    whose = rf"{re.escape(owner)}['\u2019]s" if owner else _MINE
    own = [rf"{whose} {_WHICH}(?i:{fact}){_KIND}"]
    own += [rf"(?:[Tt]he )?(?i:{fact}) of {re.escape(owner)}"] * bool(owner)
    for each in own:
        pattern = rf"(?<![\w'\u2019-]){each}{_IS}{_ARTICLE}\s+[+(]?(?i:{said})[)%]?{_END}"
        found = re.search(pattern, sentence)
        if found and assertion_en.opens_clause(sentence[: found.start()]):
            return True
    return False


def _words(text: str) -> str:
    """Return a pattern for the words of *text*, however they are joined."""
    return r"[\W_]{1,3}".join(map(re.escape, re.findall(r"[^\W_]+", text)))
