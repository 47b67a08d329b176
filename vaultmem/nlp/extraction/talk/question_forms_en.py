"""How English asks and answers, as far as `replies` must know."""

from __future__ import annotations

from vaultmem.nlp.extraction.talk.question_forms import Forms

# What opens a question and asks nothing.
_LEAD = (
    r"(?i)(?:(?:and|but|so|now|ok(?:ay)?|oh|well|actually|great|perfect|also|then|yes|first|next"
    r"|finally|meanwhile|alternatively|one more (?:thing|question)|for (?:our|the|my) records"
    r"|(?:first|second|third|last|next|final) question|just to (?:confirm|check))[,:.!]* )+"
)
# What asks after talk or help, or goes on from what only the talk names.
_NO_START = (
    r"(?i)(?:anything|any other|something|(?:what|who|where|how) else|what if|how come|really"
    r"|right|correct|or\b|is (?:that|this|there any)|(?:what|how) about (?:\S+ ){0,1}\S+$"
    r"|(?:can|could|would|will|do|did|are) (?:you|u) (?:please|mind|help|tell|walk|explain|send"
    r"|know|see|understand|think|want me|need me|sure|ready|still there|there|there yet)"
    r"|(?:how|what) (?:can|may|could) (?:i|we) (?:help|do|assist|get)"
    r"|what (?:\w+ )?(?:do|will|would) you need"
    r"|(?:may|can|shall|should|could) (?:i|we) (?:help|assist|do|check|confirm|offer|start|begin"
    r"|go ahead|proceed|interest|ask (?!for\b|your\b))|would you like|is everything|speaking of)\b"
)
# What points outside of the question: at what was said before, or at what both see.
_POINTS = (
    r"(?i)\b(?:it|its|that|this|they|them|their|theirs|those|these|one|ones|he|she|him|her|hers"
    r"|his|there|then|else|instead|same|such|other|another|either|both|too)\b"
    # Of what: `What's the minimum?`
    r"|\b(?:the|what(?:['\u2019]s| is| are)?(?: my| your)?) (?:next |first |last |total |exact )?"
    r"(?:minimum|maximum|limit|rate|fee|cost|price|total|amount|fare|difference|sequence|process"
    r"|procedure|catch|requirement|option|step|damage|plan|problem|issue|deal|penalty|number|date"
    r"|time|point|question|answer|reason|result|kind|type|documentation|information|color)s?\W*$"
)
_NAMED = (
    r"(?i)\b(?:your|the|an?|my|our|any|which|what|how (?:many|much|old|long|often|big|far))\b"
    r"|^(?:when|where|who|why|how)\b"
)
# No words of those belong into a summary.
_CONFIDED = (
    r"(?i)\b(?:passwords?|passcode|passphrase|pin|cvv|cvc|security (?:code|question|answer)"
    r"|secret|token|api[ -]key|ssn|social security|(?:credit |debit )?card number|maiden name"
    r"|verification|one-time|code|digits|to pay|expir\w+ date)\b"
)
_NO_ANSWER = (
    r"(?i)\W*(?:i (?:do not|don['\u2019]?t|dont) (?:know|remember|have|think|recall)|not (?:sure"
    r"|yet|really|at the moment)|no idea|i(?:['\u2019]m| am) not sure|let me|hold on|one (?:moment"
    r"|second|sec)|just a|wait|good question|great question|that depends|it depends|depends|sorry"
    r"|thanks?|thank you|you['\u2019]re welcome|of course not|never mind|i(?:['\u2019]ll| will)"
    r" (?:check|look|ask|see|get back|think|let you)|that['\u2019]s|this is|those are|these are)\b"
)
# What an agent says of what is the user's: `Your claim number is 2024-AC-78934.`
_YOURS = (
    r"(?i)(?:(?:great|perfect|approved|okay?|now|so|yes|correct|done|all set)[,.!:]* )*"
    r"your (?:(?!or\b|and\b|if\b|that\b|which\b)[\w'\u2019-]+ ){1,6}?(?:is|are|was|were"
    r"|will be|has|have|had|starts?|ends?|expires?|began|covers?|includes?|costs?)\b"
)
_OF_USER = r"(?i)\b(?:your?|yours|my|our)\b"
_YES = (
    r"(?i)\W*(?:yes|yeah|yep|no|nope|correct|right|exactly|sure|certainly|absolutely|of course)\b"
)

FORMS = Forms(
    lead=_LEAD,
    no_start=_NO_START,
    points=_POINTS,
    named=_NAMED,
    confided=_CONFIDED,
    no_answer=_NO_ANSWER,
    yes=_YES,
    yours=_YOURS,
    of_user=_OF_USER,
)
