"""Tell what a later decision or refusal replaces.

What was chosen is the object of a decision, without the words of choosing: `polling every 5 s` of
`We decided on polling every 5 s instead of webhooks`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from vaultmem.documents.bodies import Decision, Eliminated
from vaultmem.nlp.extraction.choices import refusal_phrases, withdrawals
from vaultmem.nlp.extraction.choices.decisions import Choice
from vaultmem.nlp.extraction.choices.refusals import Refusal
from vaultmem.nlp.extraction.talk import similarity, utterances
from vaultmem.nlp.text import analysis
from vaultmem.nlp.text.stopwords import words

# A choice is named by its first words: what follows says how, where and what for.
_TRAILING = 2
_CHOOSING = words(
    "decide decided choose chose chosen pick picked select selected settle settled opt opted agree"
    " agreed adopt adopted use used using take takes took taken go goes going went keep kept stick"
    " sticking switch switched move moved instead final decision let store run try buy book order"
)
_AGAINST = (
    r"(?i)\b(?:not|never|no longer|drop|abandon|scrap|remove|avoid|stop|replace|retire|without"
    r"|get rid of|give up|away from)\b|n['\u2019]t\b|[\u4e0d\u522b]|\u653e\u5f03"
)


def chosen_part(decision: str) -> str:
    """Return *decision* without what it was chosen instead of, and without what it gives up."""
    decision = withdrawals.rest(decision)
    other = re.search(refusal_phrases.INSTEAD, decision)
    return decision[: other.start()] if other else decision


def choice(decision: str) -> tuple[str, ...]:
    """Return the terms and figures of what was chosen, in order."""
    text = chosen_part(utterances.quoted(decision).text)
    heads = (head for head in analysis.heads(text) if head not in _CHOOSING)
    return tuple(
        dict.fromkeys(
            item
            for head in heads
            for item in ([head] if head[0].isdigit() else analysis.terms(head))
        )
    )


def overrules(newer: Decision, older: Decision) -> bool:
    """Whether *newer* chooses anew what *older* chose: they are about the same subject."""
    new, old = frozenset(choice(newer.decision)), frozenset(choice(older.decision))
    return similarity.is_related(new, old) or takes_the_place(newer, older)


def takes_the_place(newer: Decision, older: Decision) -> bool:
    """Whether *newer* says `instead`, and why, of what *older* chose, or takes up what it left."""
    if takes_back(newer, older.decision):
        return True
    if not re.search(r"(?i)\binstead\b(?! of\b)", newer.decision):
        return False
    old = choice(older.decision)
    return bool(old) and old[0] in choice(newer.reason) and old[0] not in choice(newer.decision)


def takes_back(newer: Decision, said: str) -> bool:
    """Whether *newer* takes up what *said* gave up: `We're back to X` after `X is out, Y is in`."""
    gone = withdrawals.given_up(said)
    return gone is not None and takes_up(newer, Eliminated(gone["approach"], ""))


def rules_out(refused: Eliminated, decision: Decision) -> bool:
    """Whether *refused* is what *decision* chose, and not only a word of its circumstances."""
    approach, chosen = frozenset(choice(refused.approach)), choice(decision.decision)
    head = frozenset(chosen[: len(approach) + _TRAILING])
    return bool(approach) and approach <= head and chosen[0] in approach


def takes_up(decision: Decision, refused: Eliminated) -> bool:
    """Whether *decision* chooses what was *refused*, after all."""
    if re.search(_AGAINST, withdrawals.rest(decision.decision)):
        return False
    chosen = frozenset(choice(decision.decision))
    return similarity.within(frozenset(choice(refused.approach)), chosen) == 1.0


def standing(
    chosen: Sequence[Choice], refused: Sequence[Refusal]
) -> tuple[list[Decision], list[Eliminated]]:
    """Return what still stands of both: what is ruled out later is decided no more, and so back."""
    decided = (
        c
        for c in chosen
        if not any(_ends(r, c) for r in refused)
        and not any(
            other.turn > c.turn and takes_the_place(other.decision, c.decision) for other in chosen
        )
    )
    ruled_out = (r for r in refused if not any(_revives(c, r) for c in chosen))
    return [c.decision for c in decided], [r.eliminated for r in ruled_out]


def _ends(refusal: Refusal, choice: Choice) -> bool:
    return refusal.turn > choice.turn and rules_out(refusal.eliminated, choice.decision)


def _revives(choice: Choice, refusal: Refusal) -> bool:
    return choice.turn > refusal.turn and takes_up(choice.decision, refusal.eliminated)
