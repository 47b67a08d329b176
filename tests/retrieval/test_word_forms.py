"""What was written in one form of a word is found by another, and stays as it was written."""

from __future__ import annotations

import pytest

from tests.retrieval.remembered import filled, found
from vaultmem import Vault
from vaultmem.storage.index import word_queries

pytestmark = pytest.mark.without_history

TEXTS = (
    "Die Versicherung für das Auto läuft im März ab.",
    "Wir wohnen in der Weißenburger Straße.",
    "Den Kindergarten zahlen wir am ersten Tag des Monats.",
    "カギは玄関にあります。",
    "私の眼鏡は机の上です。",
    "我們的電話是五五五。",
    "We took three roadtrips along the coast.",
    "Ada's book shelf came from the flea market.",
    "El médico se llama Gómez.",
    "Les chevaux dorment dans la grange.",
    "Bruno feeds the pets.",
    "Die Autohaftpflicht kostet 300 Euro im Jahr.",
    "昨日は駅前のラーメンです。",
)


@pytest.fixture
def full(vault: Vault) -> Vault:
    """Open a vault that holds the texts, a memory each."""
    return filled(vault, TEXTS)


ASKED = {
    "Versicherungen Autos": 0,
    "Autoversicherung": 0,
    "Haftpflicht Autos": 11,
    "Strasse Weissenburger": 1,
    "Garten für Kinder": 2,
    "鍵はどこ": 3,
    "かぎ": 3,
    "メガネ": 4,
    "拉麵": 12,
    "我们的电话": 5,
    "road trip": 6,
    "bookshelf": 7,
    "medico gomez": 8,
    "cheval": 9,
}


def test_what_is_asked_in_another_form_is_found(full: Vault) -> None:
    missed = [it for it, expected in ASKED.items() if TEXTS[expected] not in found(full, it)]
    assert missed == []


def test_a_stem_of_one_language_is_no_word_of_another(full: Vault) -> None:
    """In German `Peter` has the stem `pet`."""
    full.remember("Der Kater ist bei Peter, und das ist gut so.", agent="ada")
    assert found(full, "Peter") == ["Der Kater ist bei Peter, und das ist gut so."]


def test_a_name_with_an_apostrophe_counts_once(full: Vault) -> None:
    """Closed up it would be `Ada` again to the stemmer."""
    full.remember("Adas", agent="ada")
    forms = word_queries.forms(full.store.index, ("ada", "s"))
    assert '"adas"' not in {form for each in forms for form in each}
