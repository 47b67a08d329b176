"""Find what friends rule out in chat: `vodafones a no`, `im not leaving london`, `hard no on X`.

English as `casual_spelling` reads it. A refusal is of a thing that is named, for longer than the
hour: `not doing the dishes rn` rules out nothing.
"""

from __future__ import annotations

import re

from vaultmem.documents.bodies import Eliminated
from vaultmem.nlp.extraction.choices import refusal_phrases
from vaultmem.nlp.extraction.grammar import run_ons_en
from vaultmem.nlp.text import analysis

_LEAD = (
    r"(?:(?:ok(?:ay)?|so|and|but|btw|yeah|yes|oh|alright|fine|update|anyways?|well|no+"
    r"|nope|nah|lol"
    r"|good|omg|ya|tbh|sorry|actually|please)\b[,:]? )*"
)
_NP = r"(?P<approach>(?:(?:the|an?|my|our) )?[\w'\u2019-]+(?: [\w'\u2019-]+){0,4}?)"
_OBJECT = (
    r"(?:(?:to|with|for|from|into|in|at|on|back to) )*(?!(?:it|that|this|them|those|these|any\w*"
    r"|no\w*|you\w*|him|her|me|us|so|too|very|much|well|great|good|bad|really|enough|there|here"
    r"|sides|all|what|how)\b)[\w'\u2019-]+(?: [\w'\u2019-]+){0,5}?"
)
_I_AM = r"(?:I|we)(?:['\u2019](?:m|re)| am| are)(?: (?:definitely|so|just|really|also))*"
_DEED = (
    r"(?:using|buying|inviting|booking|renting|hiring|ordering|touching|leaving|borrowing|lending"
    r"|selling|renewing|signing|joining|moving|going back|paying|adopting|switching|flying|hosting"
    r"|dating|investing|covering)"
)
_ENDS = r"(?P<why>(?:,| and (?=I\b|we\b)| because\b| since\b| after\b| when\b| - |;|\W*$).*)"
_WHY = r"(?:,? (?:because|since|after|cause)\b.+)"
_IS = r"(?:['\u2019]s| is| are|['\u2019]re)(?: (?:just|definitely|really|sadly|also))*"
_OUT = (
    r"(?:an? (?:hard |big |clear )?no(?:-go)?(?=\W*$|,| for (?:us|me)\b| because\b)|not an option"
    r"|off the table|out of the question|no good|a deal ?breaker|ruled out|(?:not"
    r"|never) happening)"
)
# What is given up by a deed of one's own, named by its class; in chat the subject is left out, and
# then a reason shows that it is told in earnest.
_GIVES_UP = (
    r"(?:ruled out|scrapped|ditched|rejected|crossed off"
    r"|turned down(?! the (?:volume|lights?|heat\w*|music|tv|radio|sound|covers?)\b)"
    r"|declined|abandoned|nixed"
    r"|passed on|gave up on|decided against|dropped(?= (?:the|our|my) (?:[\w-]+ )?(?:idea|plan"
    r"|project|trip|course|class|thought)\b))"
)
# A reason, told behind a comma or by its word, that is more than a cry.
_REASONED = (
    r"(?P<why>(?:,| -| \u2013|;|:)? ?(?:because|since|due to|cause of|as it|as they)\b.+|(?:,| -|"
    r" \u2013|;|:)"
    r" (?!(?:lol|sorry|haha\w*|though|but|and|or|so|right|ok|you|they said|what|which|who)\b)"
    r"(?:[\w'\u2019]+ ){2,}[\w'\u2019]+.*)"
)
_GIVEN = (
    r"(?!(?:it|that|this|them|those|these|him|her|me|us|you\w*|any\w*|no\w*|all|what|how)\b)"
    r"(?:(?:the|an?|my|our) )?[\w'\u2019-]+(?: (?!because|since|cause|so|but|and (?:I"
    r"|we)\b)[\w'\u2019-]+){0,4}?"
)
# A sentence without one of these refuses nothing.
_HINT = re.compile(
    r"(?i)n['\u2019]t\b|\b(?:no|not|never|nah|nope|out|off|forget|scratch|skip\w*|scrap\w*"
    r"|ditch\w*|ruled"
    r"|reject\w*|crossed|turned|declined|abandoned|nixed|passed|gave|dropped|decided|vetoed|refuse"
    r"|stopped|said|wanted|suggested|offered|proposed|asked|deal ?breaker)\b|s a no\b"
)
# What is out by itself, and was never proposed.
_OF_THE_SKY = r"(?:the )?(?:sun|moon|stars?|power|lights?|school|secret|truth)\b"
_PATTERNS = tuple(
    re.compile(f"(?i){pattern}")
    for pattern in (
        # As in `vodafone's a no, takes 8 weeks`.
        rf"^{_LEAD}{_NP}{_IS} {_OUT}(?: (?:then|though|anymore|this year|for (?:us|me)))*{_ENDS}",
        # In chat the apostrophe is missing: `tims not an option`.
        (
            rf"^{_LEAD}(?P<approach>\w{{3,}})s (?:not an option|off the table"
            rf"|out of the question){_ENDS}"
        ),
        (
            rf"^{_LEAD}(?:it['\u2019]s )?(?:a )?(?:hard|big|definite|absolute) no (?:on"
            rf"|to|for) {_NP}"
            rf"(?: (?:sorry|please|though))?{_ENDS}"
        ),
        # As in `im not leaving london`.
        (
            rf"(?:^{_LEAD}|, |\band |\bbecause |\bso ){_I_AM} not (?P<approach>{_DEED} {_OBJECT})"
            rf"(?: (?:anymore|again|ever again|ever|either))*{_ENDS}"
        ),
        (
            rf"(?:^{_LEAD}|, ){_I_AM} not (?:doing|taking) (?P<approach>{_OBJECT})"
            rf"(?: (?:again|ever again|anymore)(?=\W*$)|(?={_WHY})){_ENDS}"
        ),
        (
            rf"^{_LEAD}we(?:['\u2019]re| are) not doing (?P<approach>(?:an?"
            rf"|one of those|the|another)"
            rf" {_OBJECT}){_ENDS}"
        ),
        (
            rf"^{_LEAD}not (?P<approach>{_DEED} {_OBJECT})(?:"
            rf"(?P<why>, (?:that['\u2019]s off the table|never|no way)\b.*)|(?: ever)? again\W*$)"
        ),
        rf"^{_LEAD}not doing (?P<approach>{_OBJECT}) ever again(?P<why>)",
        # As in `not doing the camping thing, my back cant take it`.
        (
            rf"^{_LEAD}(?:{_I_AM} )?not (?:doing|taking|going for)"
            rf" (?P<approach>(?:the|an?|another) {_GIVEN}){_REASONED}"
        ),
        # As in `greece is out, way too hot`.
        (
            rf"^{_LEAD}(?!{_OF_THE_SKY}){_NP}{_IS} out(?: (?:then|though|for (?:us|me)))*"
            r"(?P<why>(?:,| -)? ?(?:because\b|(?:(?:way|far|just|much) )*too\b(?! (?:good|cool|fun"
            r"|funny|cute|nice|sweet)\b)).+)"
        ),
        rf"^{_LEAD}{_NP}{_IS} (?:out|no good|nothing) for (?:us|me)\b{_REASONED}",
        rf"^{_LEAD}{_NP}{_IS} (?:off the list|not for (?:us|me)\b){_REASONED}",
        rf"^{_LEAD}{_NP}{_IS} an? no[- ]?go\b{_REASONED}",
        rf"^{_LEAD}{_NP} (?:isn|aren)['\u2019]t (?:an option|happening)(?: anymore)?{_ENDS}",
        rf"^{_LEAD}{_NP} (?:won|doesn|don)['\u2019]t work for (?:us|me){_REASONED}",
        rf"^{_LEAD}{_NP} didn['\u2019]t work (?:out )?for (?:us|me)\b(?: at all)?{_REASONED}",
        # What binds by its verb needs no reason: `decided against the tattoo`.
        rf"^{_LEAD}(?:decided against|ruled out) (?P<approach>{_GIVEN})(?P<why>\W*$)",
        rf"^{_LEAD}no (?:to|on) (?P<approach>(?:the|an?) {_GIVEN}){_REASONED}",
        (
            rf"^{_LEAD}(?:I|we) stopped (?:taking|using|eating|drinking|buying|ordering from)"
            rf" (?P<approach>(?:the |my )?{_GIVEN}){_REASONED}"
        ),
        (
            rf"^{_LEAD}we(?:['\u2019]re| are) not getting (?P<approach>(?:an?|the|another)"
            rf" {_GIVEN}){_ENDS}"
        ),
        # As in `we ruled out the minivan`, `ditched the loft since the walls are crooked`.
        (
            rf"(?:^{_LEAD}|, |\b(?:so|and|but) )(?:I|[Ww]e)(?:['\u2019]ve| have)?(?: (?:just|also"
            rf"|finally|already))* {_GIVES_UP} (?P<approach>{_GIVEN}){_ENDS}"
        ),
        rf"^{_LEAD}(?:just |finally )?{_GIVES_UP} (?P<approach>{_GIVEN}){_REASONED}",
        (
            rf"^{_LEAD}(?:(?:I|we) )?(?:ruled|crossed) (?P<approach>{_GIVEN}) (?:out|off)(?: the"
            rf" list)?{_REASONED}"
        ),
        (
            rf"\b(?:considered|thought about|looked at|looked into) (?P<approach>{_GIVEN}),? but"
            rf" (?:(?:I|we) )?(?:decided against it|{_GIVES_UP} (?:it|the (?:idea|plan)))"
            rf"(?P<why>(?:,| because| since|\W*$).*)"
        ),
        # As in `we wont take the loan, the interest is insane`.
        (
            rf"^{_LEAD}(?:(?:I|we) (?:won['\u2019]t|will not)|{_I_AM} not going to|not going to)"
            rf" (?P<approach>(?:take|buy|rent|hire|book|use|renew|do|get|sell|join|go with)"
            rf" {_GIVEN})"
            rf"{_REASONED}"
        ),
        # As in `tried keto twice and it made me sick so never again`.
        (
            rf"^{_LEAD}(?:(?:I|we) )?(?:tried|did|used) (?P<approach>{_GIVEN})(?: (?:once|twice))?"
            r"(?P<why>(?:,| and| but) .+?)(?:,| -)?(?: so| and)? never again\W*$"
        ),
        (
            rf"^{_LEAD}(?:(?:I|we) )?(?:gave|tried) (?P<approach>(?:the|my|our|an?) {_GIVEN})"
            r"(?: a (?:go|try|shot))? (?:and|but) it['\u2019]?s not for (?:me|us)"
            r"(?P<why>(?:,|\W*$).*)"
        ),
        rf"^{_LEAD}no more (?P<approach>{_GIVEN}) for (?:me|us)\b{_REASONED}",
        (
            rf"^{_LEAD}(?:I|we) don['\u2019]t want (?P<approach>an? {_GIVEN}),? (?:that['\u2019]?s"
            rf"|it"
            r"['\u2019]?s) not (?:going to happen|happening|an option)(?P<why>)"
        ),
        # As in `not ebay again after that scam`.
        (
            rf"^{_LEAD}(?:please )?(?:not"
            rf"|no) (?P<approach>{_OBJECT}) again(?P<why>,? (?:after|because"
            rf"|since|never)\b.*)"
        ),
        (
            rf"(?:^{_LEAD}|\bI['\u2019]m )never (?P<approach>(?:{_DEED}|eating|staying"
            rf"|going) {_OBJECT})"
            rf" again(?P<why>(?:,? (?:after|because|since)\b.*)|\W*$)"
        ),
        # As in `forget the car, parking is a nightmare`.
        (
            rf"^{_LEAD}(?:(?:let['\u2019]s )?(?:skip|scrap|ditch|drop)|forget|scratch)"
            rf" (?P<approach>(?:the|a|our)"
            rf" (?!(?:past|rest|subject|song|ad|intro|level|part|cake)\b){_OBJECT})"
            rf"(?P<why>, (?:\w+ ){{1,4}}(?:is|are|costs?|takes?|has|have|was|were"
            rf"|isn['\u2019]t)\b.*"
            rf"|, (?:it|they|he|she)['\u2019](?:s|re)\b.*|, (?:way|far|just) too (?!late\b)\w+.*)"
        ),
        # As in `let's not invite Carl after what he did`.
        (
            rf"^{_LEAD}let['\u2019]s not (?P<approach>(?:invite|book|buy|rent|hire|renew|adopt|host"
            rf"|sell|sign|move) {_OBJECT})(?P<why>,? (?:because|since|after)\b.+)"
        ),
        rf"^{_LEAD}we['\u2019](?:re skipping|ll skip) (?P<approach>{_OBJECT}){_ENDS}",
        # As in `jonas wanted black walls but i vetoed that`.
        (
            r"(?:wanted|suggested|offered|proposed|asked for) (?P<approach>(?!to\b)"
            rf"{_OBJECT}),? (?:but|and|so) (?:I|we) (?:vetoed|said no|refused|turned|declined|told"
            r" (?:him|her|them) no)\b(?P<why>)"
        ),
        (
            rf"\b(?:I|we)(?:['\u2019]ve)? (?:said no to|vetoed|turned down|ruled out)"
            rf" (?P<approach>{_OBJECT}){_ENDS}"
        ),
        (
            rf"\b(?:I|we) refuse to (?P<approach>(?:use|buy|pay|fly|live|work|move|sleep"
            rf"|sell|rent|join"
            rf"|go back|lend) {_OBJECT}){_ENDS}"
        ),
    )
)
_OF_THE_HOUR = (
    r"(?i)\b(?:right now|rn|now|yet|tonight|today|tomorrow|this (?:morning|evening|afternoon)|atm"
    r"|for now|any ?time soon|gonna lie|going to lie|any younger|if|unless|maybe|when)\b|\?"
)
_LEANS = (
    r"(?i)\b(?:failure|failing|quitting|losing|it|that|this|them|those|these|you|your|one|ones|him"
    r"|her|his|their"
    r"|there)\b(?! of)"
)

_A_WHILE = r"(?i)\bfor (?:a|the) (?:little |short )?(?:bit|while|time|moment|day)\b"


def find(text: str) -> Eliminated | None:
    """Return what *text*, as it would be spelled with care, rules out."""
    if _HINT.search(text) is None:
        return None
    text = run_ons_en.parted(text)
    found = next((m for pattern in _PATTERNS if (m := pattern.search(text))), None)
    if found is None:
        return None
    approach = re.sub(refusal_phrases.IN_PASSING, "", found["approach"]).strip()
    why = _reason(found["why"] or "")
    return None if _is_idle(approach, text) else Eliminated(approach, why)


def _reason(why: str) -> str:
    """Return *why* without the mark or the `because` it opens with; a verdict is no reason."""
    if re.match(r"(?i) and (?:I|we)\b", why):
        return ""
    bare = re.sub(
        r"(?i)^[\W_]*(?:(?:and|but) )?(?:because (?:of )?|since |cause (?:of )?)?", "", why
    ).strip(" .!")
    is_verdict = re.match(r"(?i)(?:never|no way|nope|that['\u2019]s|sorry|lol|right|ok)\b", bare)
    return "" if is_verdict or len(bare.split()) < 2 else bare  # noqa: PLR2004  One is no reason.


def _is_idle(approach: str, text: str) -> bool:
    """Whether the *approach* in *text* is refused for the hour, or named elsewhere."""
    if (
        re.search(_OF_THE_HOUR, text)
        or re.search(_LEANS, approach)
        or re.search(_A_WHILE, approach)
    ):
        return True
    return not analysis.terms(approach)
