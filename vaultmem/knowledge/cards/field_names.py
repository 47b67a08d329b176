"""Which names of facts mean the same: a model says `lives_in` where the grammar says `city`."""

from __future__ import annotations

import re

from vaultmem.nlp.extraction.grammar import relations

_EQUAL = tuple(
    frozenset(line.split())
    for line in """
name first_name full_name called is_called
name nickname alias aliases called goes_by
city home home_city residence lives_in living_in town location place_of_residence wohnort
address home_address postal_address street_address
employer company works_at works_for workplace
workplace works_at place_of_work
occupation job profession role job_title title works_as
phone telephone mobile cell phone_number telephone_number mobile_number cell_number
email e_mail mail email_address e_mail_address mail_address
birthday date_of_birth birth_date birthdate born born_on
birthplace place_of_birth born_in
allergy allergies allergic allergic_to
intolerance intolerances intolerant_to
condition conditions medical_condition illness diagnosis
medication medications medicine takes
avoids cannot_eat does_not_eat
diet dietary_preference
likes loves enjoys like
prefers preference preferences preferred
dislikes hates dislike
fears fear afraid_of
languages language speaks
origin from comes_from place_of_origin grew_up_in
studies major field_of_study
school university college
children kids
siblings brothers_and_sisters
pets pet
hobby hobbies
plays instrument
drives car vehicle
shoe_size wears_size
status employment_status
wedding wedding_date married_on
wife spouse partner
husband spouse partner
mother mom mum mommy mama
father dad daddy papa
grandmother grandma granny
grandfather grandpa
neighbor neighbour
colleague coworker co_worker
dog puppy pup
cat kitten kitty
""".strip().splitlines()
)
_SPELLED = {"favourite": "favorite", "colour": "color"}


def plain(field: str) -> str:
    """Return *field* in small letters, its words joined by underscores, in American spelling."""
    words = re.findall(r"[^\W_]+", field.casefold())
    return "_".join(_SPELLED.get(word, word) for word in words)


def are_equal(one: str, other: str) -> bool:
    """Tell whether two facts of a card are the same, as far as their `plain` names tell."""
    if one == other or any({one, other} <= names for names in _EQUAL):
        return True
    whose, _, fact = one.partition("_")
    others, _, another = other.partition("_")
    is_relation = relations.is_relation(whose) and bool(fact and another)
    return is_relation and are_equal(whose, others) and are_equal(fact, another)
