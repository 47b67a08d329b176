"""Two sentences may name the same concepts in other words, and only look as if they did."""

from __future__ import annotations

import pytest

from tests.cases import rarely
from vaultmem.nlp.facts import concepts


def are_alike(one: str, two: str) -> bool:
    return [*concepts.groups([one, two])] == [(0, 1)]


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Lena hates coriander.", "Lena can't stand coriander."),
        ("We deploy every Thursday afternoon.", "Deployments happen on Thursday afternoons."),
        ("The lease ends on 30 June 2027.", "The lease runs out on June 30, 2027."),
        ("The budget for the trip is 2,400 euros.", "The trip has a budget of \u20ac2400."),
        ("Dates returned by the API are in UTC.", "The API returns dates in UTC."),
        ("Tasks are tracked in Linear.", "We track tasks in Linear."),
        ("The projector belongs to the school.", "The school owns the projector."),
        ("Theo is the treasurer of the club.", "The club's treasurer is Theo."),
        *rarely(
            ("Ravi is in charge of billing.", "Ravi is responsible for billing."),
            ("The wifi password is on the fridge.", "The fridge has the wifi password on it."),
            ("Carla takes her coffee without sugar.", "Carla drinks coffee with no sugar."),
            ("Claire runs five kilometres every morning.",
             "Every morning Claire goes for a 5 km run."),
            ("Our office is on the third floor.", "The office is on floor 3."),
            ("The cache is cleared every night at three.",
             "Every night at three the cache gets cleared."),
            ("Tariq studies law in Leiden.", "Tariq is studying law in Leiden."),
            ("Jonas works for Siemens as an electrician.", "Jonas is an electrician at Siemens."),
            ("Rui is a physics teacher at the Lyceum.", "Rui teaches physics at the Lyceum."),
            ("Hana has a brother who lives in Osaka.", "Hana's brother lives in Osaka."),
            ("Joel would rather take the train than fly.", "Joel prefers the train to flying."),
            ("The invoice has to be paid by 30 June.", "The invoice must be paid by June 30th."),
            ("Secrets must never be stored in the repository.",
             "Never store secrets in the repository."),
            ("Every pull request needs a review.", "Pull requests need a review."),
            ("The market opens at 8 in the morning.", "The market is open from 8 am."),
            ("Piet has been playing the violin since 2015.",
             "Since 2015 Piet has played the violin."),
            ("Ida goes swimming twice a week.", "Ida swims two times a week."),
            ("We rehearse every Wednesday at 7 pm.", "The rehearsal is on Wednesdays at 19:00."),
            ("The pool is closed in winter.", "In winter the pool is shut."),
        ),
    ],
)  # fmt: skip
def test_other_words_of_one_sense_are_alike(one: str, two: str) -> None:
    assert are_alike(one, two)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Tariq studies law in Leiden.", "Tariq studied law in Leiden."),
        ("The staging server runs on port 8443.", "The production server runs on port 8443."),
        ("Jan lends Kim the drill.", "Kim lends Jan the drill."),
        ("The API key for staging is in the vault.", "The API key for the vault is in staging."),
        ("Mia's daughter is called Emma.", "Emma's daughter is called Mia."),
        ("The rehearsal is on Wednesdays at 19:00.", "The rehearsal is on Wednesday at 19:00."),
        ("Restart the database before the web server.",
         "Restart the web server before the database."),
        ("Jan works at the mill now.", "Jane works at the mill now."),
        *rarely(
            ("Sam moved to Lisbon in May 2024.", "Sam moved from Lisbon in May 2024."),
            ("Use tabs, not spaces, in code.", "Use spaces, not tabs, in code."),
            ("Jonas works as a nurse in Bern.", "Jonas works with a nurse in Bern."),
            ("The clinic in Turin is run by the university in Ghent.",
             "The clinic in Ghent is run by the university in Turin."),
            ("Send the report to Mei.", "Send the reports to Mei."),
            ("All guests have keys of ours.", "Some guests have keys of ours."),
            ("Hugo can swim very well.", "Hugo can't swim very well."),
            ("Merge the fix into the release branch.", "Merge the release branch into the fix."),
            ("Ben's flight lands at 17:45.", "Ben's flight leaves at 17:45."),
            ("Die Miete ist 850 Euro im Monat.", "Die Miete ist 850 Euro im Jahr."),
            ("Lena works as a nurse at the clinic.", "Lena worked as a nurse at the clinic."),
            ("Rui is a physics teacher at the Lyceum.", "Rui is a physics student at the Lyceum."),
            ("Hana has a brother who lives in Osaka.", "Hana lives with her brother in Osaka."),
            ("Joel prefers the train to flying.", "Joel prefers flying to the train."),
            ("The car has to be serviced in October.", "The car was serviced in October."),
            ("Every pull request needs a review.", "This pull request needs a review."),
            ("The market opens at 8 in the morning.", "The market opens at 8 in the evening."),
            ("Piet has played the violin since 2015.", "Piet played the violin until 2015."),
            ("The logs are stored for 90 days.", "The logs are stored after 90 days."),
        ),
    ],
)  # fmt: skip
def test_what_only_looks_alike_is_not(one: str, two: str) -> None:
    assert not are_alike(one, two)


def test_of_three_alike_the_first_leads() -> None:
    texts = ["Tea is at four sharp.", "Logs are kept for 90 days.", "We keep logs for ninety days."]
    assert [*concepts.groups([*texts, "For 90 days logs are kept."])] == [(1, 2, 3)]
