"""What `replies` must know of a language to tell what is asked and answered in it."""

from __future__ import annotations

from typing import NamedTuple


class Forms(NamedTuple):
    """Patterns of a language.

    Of a question: the *lead* that asks nothing; what opens one that asks after talk or help
    (*no_start*); what *points* outside of it; what it has if it names a thing (*named*); what is
    *confided* and never told again. Of an answer: *no_answer* opens what is none, *yes* what may be
    bare. *yours* opens what an agent says of what is the user's, *of_user* is in what is of theirs.
    """

    lead: str
    no_start: str
    points: str
    named: str
    confided: str
    no_answer: str
    yes: str
    yours: str
    of_user: str
