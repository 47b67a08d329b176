"""The subjects of a long-term summary, and which of them a note is about: by its words."""

from __future__ import annotations

import functools
import re

from vaultmem.nlp.text import analysis
from vaultmem.nlp.text.stopwords import words

PLANS = "plans"
LIFE = "daily life"
"""What is about nothing else; older pages have it as a label."""

_PLANNED = (
    r"(?i)\b(?:going to|gonna|plan(?:s|ning)? (?:to|on|for|a|an|my)|thinking (?:of|about)"
    r"|considering|hop(?:e|ing) to|looking (?:into|for|forward to)|want to|wanna"
    r"|will(?! (?:always|never|remember))|would (?:love|like) to|goal|dream(?:s|ing)? (?:of|is|to)"
    r"|applying|applied|researching|preparing|getting ready|signed up|signing up|need to|have to"
    r"|deadline|due)\b"
)
_LEXICON = {
    "family, friends and pets": words("""
        family fam mom mother dad father parent grandma grandmother grandpa grandfather son
        daughter kid child children baby brother sister sibling aunt uncle cousin niece
        nephew husband wife spouse partner boyfriend girlfriend fiance married marriage
        wedding anniversary divorce breakup friend friends buddy neighbor neighbour adopt
        adoption adopted dog puppy pup cat kitten pet turtle hamster bird rabbit guinea pig
        birthday born playdate
    """),
    "work and study": words("""
        job work working career business biz store shop studio company office boss colleague
        coworker client customer investor startup interview internship promotion salary
        contract project launch marketing campaign website graduate graduated school college
        university degree class course exam study student teacher professor research
        engineer developer design designer banker bank lawyer writer screenplay script novel
        manuscript publish agency policy election campaign politics hire hired shift lease
        rent offer supplier warehouse deal server deploy code bug release conference
        audition producer networking workshop laptop
    """),
    "places and trips": words("""
        trip travel traveled vacation holiday flight flew drove road roadtrip camping camp
        hike hiking hiked mountain beach lake forest park city town country abroad museum
        hotel visit visited tour moved move moving apartment house neighborhood
        neighbourhood
    """),
    "community": words("""
        volunteer volunteered volunteering shelter charity fundraiser donate donated
        donation church faith community veteran parade pride activist rally protest
        brigade firefighter group mentor mentee mentorship council councillor
    """),
    "health": words("""
        health doctor hospital surgery injury injured hurt pain sick illness allergy
        allergic diagnosed therapy therapist medicine diet weight gym workout yoga marathon
        stress anxiety sleep accident asthma
    """),
    "leisure": words("""
        book read reading novel movie film show series music song concert band guitar piano
        violin clarinet paint painting painted art pottery draw drawing game gaming games
        tournament dance dancing cook cooking cooked bake baked baking recipe garden sport
        soccer basketball run running swim swimming photography craft knitting chess
        festival watched dessert chocolate cake flavor photo hobby contest competition team
    """),
}
# A page is set out more than once.
_REMEMBERED = 1024
SUBJECTS = (PLANS, *_LEXICON, LIFE)
"""In the order in which a page has them."""
_STEMS = {
    subject: frozenset(analysis.stem(word) for word in known) for subject, known in _LEXICON.items()
}


@functools.lru_cache(maxsize=_REMEMBERED)
def subject_of(text: str) -> str:
    """Return the subject that *text* has most words of; what is still to come is a plan."""
    if re.search(_PLANNED, text):
        return PLANS
    terms = [*analysis.terms(text), *map(analysis.stem, analysis.heads(text))]
    hits = {subject: sum(t in known for t in terms) for subject, known in _STEMS.items()}
    best = max(hits, key=lambda subject: hits[subject])
    return best if hits[best] else LIFE
