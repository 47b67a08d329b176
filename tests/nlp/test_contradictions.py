"""Which newer fact takes the place of an older one in a merge: another value in the same place."""

from __future__ import annotations

import pytest

from vaultmem.nlp.extraction import contradictions
from vaultmem.nlp.extraction.talk import similarity


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The bins are emptied on Tuesday.", "The bins are emptied on Friday."),
        ("Releases go out on Thursdays.", "Releases go out on Mondays."),
        ("The flight leaves at 7:40.", "The flight leaves at 9:15."),
        ("The team meets every Monday at nine.", "The team meets every Monday at ten."),
        ("The hall seats eight people.", "Our hall seats twelve people."),
        ("The heating is on from October.", "The heating is on from November."),
        ("The wedding is on 12 September.", "The wedding is on 19 September."),
        ("Backups run at two each night.", "Each night at three the backups run."),
        ("Our dentist is Dr. Feld.", "Dr. Sommer is our dentist."),
        ("Ana lives in Graz with her sister.", "Ana lives in Linz with her sister."),
        ("The ferry leaves at six.", "The ferry now leaves at eight."),
        ("The deploy is at nine.", "The deploy is at ten."),
        ("The capital is Bonn.", "The capital is Berlin."),
    ],
)
def test_another_value_in_the_same_place_contradicts(older: str, newer: str) -> None:
    assert contradictions.contradicts(newer, older)
    assert not similarity.same(newer, older)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Room 4 has a projector.", "Room 5 has a projector."),
        ("Version 2 dropped Python 3.8.", "Version 3 dropped Python 3.9."),
        ("The shop opens on Tuesdays.", "The shop opens on Fridays."),
        ("The shop closes at six on Fridays.", "The shop closes at seven on Mondays."),
        ("The plants are watered on Monday and Friday.", "The plants are watered on Sunday."),
        ("Lena speaks Spanish.", "Lena speaks Portuguese."),
        ("The train to Graz leaves at 7:40.", "The train to Linz leaves at 8:10."),
        ("The flat has three rooms.", "The flat has two balconies."),
        ("We met Ana on Tuesday.", "We met Ana on Friday."),
        ("We use pnpm instead of npm.", "We use pnpm, not npm."),
        ("The gate is open at 9.", "The gate is open at nine."),
        ("Nora lives in Bonn in summer.", "Nora lives in Kiel in winter."),
        ("The ferry leaves at six.", "The ferry leaves at eight."),
        ("The ointment is for Mila.", "The ointment is for Jan."),
        ("The swimming class is on Tuesday.", "The swimming class is on Friday."),
        ("Mila's mobile number is 0151 5550001.", "Mila's mobile number is 0151 5550002."),
        ("The concert of Otto is on 4 July.", "The concert of Otto is on 9 August."),
        ("Mila and Otto live in Bonn and Kiel.", "Mila and Otto live in Kiel and Bonn."),
        ("Otto works with Mila.", "Otto works with Jan."),
        ("The branches are in Bonn.", "The branches are in Kiel."),
    ],
)
def test_both_stay_where_both_may_be_so(older: str, newer: str) -> None:
    assert not contradictions.contradicts(newer, older)


def test_what_is_set_above_another_is_not_the_same_the_other_way_round() -> None:
    assert not similarity.same("Lena prefers tea over coffee.", "Lena prefers coffee over tea.")
