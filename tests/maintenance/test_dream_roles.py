"""Two texts are one fact only where every word stands in the same role."""

from __future__ import annotations

import pytest

from tests.dreamt import Vault, topic
from vaultmem.maintenance.dream.detectors import duplicates
from vaultmem.nlp.facts import paraphrases


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (
            "The heater in the nursery is wired to the thermostat in the hall.",
            "The heater in the hall is wired to the thermostat in the nursery.",
        ),
        (
            "Lena has the front seat, Max the back seat.",
            "Max has the front seat, Lena the back seat.",
        ),
        (
            "Ship the crates from Porto to the buyer from Bergen.",
            "Ship the crates from Bergen to the buyer from Porto.",
        ),
        (
            "At six the ferry meets the coach at eight.",
            "At eight the ferry meets the coach at six.",
        ),
        (
            "The plugin legacy requires the plugin modern.",
            "The plugin modern requires the plugin legacy.",
        ),
        (
            "The curtains upstairs are green, the curtains downstairs grey.",
            "The curtains downstairs are green, the curtains upstairs grey.",
        ),
        (
            "On Monday, remind me of the talk on Friday.",
            "On Friday, remind me of the talk on Monday.",
        ),
        (
            "The cable under the desk feeds the lamp over the bench.",
            "The cable over the bench feeds the lamp under the desk.",
        ),
        (
            "Use the sandbox for tests, production for demos.",
            "Use production for tests, the sandbox for demos.",
        ),
        (
            "Plant the beans in May behind the peas in June.",
            "Plant the beans in June behind the peas in May.",
        ),
        (
            "The cat sleeps by day in the house, by night in the barn.",
            "The cat sleeps by night in the house, by day in the barn.",
        ),
        (
            "The clinic in Turin is run by the university in Ghent.",
            "The clinic in Ghent is run by the university in Turin.",
        ),
        ("Kemal is the uncle of the friend of Mei.", "Mei is the uncle of the friend of Kemal."),
        (
            "The index authors points to the index books.",
            "The index books points to the index authors.",
        ),
        (
            "Reports by Ines for the board go out with notes by Hugo.",
            "Reports by Hugo for the board go out with notes by Ines.",
        ),
        (
            "The bolt with the nut holds the plate without the washer.",
            "The bolt without the washer holds the plate with the nut.",
        ),
        (
            "Der Sack im Schuppen geh\u00f6rt zum Trog im Stall.",
            "Der Sack im Stall geh\u00f6rt zum Trog im Schuppen.",
        ),
        ("Die Tante besucht die Nichte.", "Die Nichte besucht die Tante."),
        (
            "Die Tropfen sind f\u00fcr Mila, die Salbe ist f\u00fcr Jan.",
            "Die Salbe ist f\u00fcr Mila, die Tropfen sind f\u00fcr Jan.",
        ),
        (
            "Der Bus um acht wartet auf den Zug um neun.",
            "Der Bus um neun wartet auf den Zug um acht.",
        ),
        (
            "Die Mutter von Uli ist die Chefin von Rosa.",
            "Die Mutter von Rosa ist die Chefin von Uli.",
        ),
        (
            "Der rote Schalter ist neben der gr\u00fcnen Lampe.",
            "Der gr\u00fcne Schalter ist neben der roten Lampe.",
        ),
        (
            "Das Lager in Kiel beliefert das B\u00fcro in Bonn.",
            "Das Lager in Bonn beliefert das B\u00fcro in Kiel.",
        ),
        (
            "Vor dem Essen nimmt Mila die Tropfen, nach dem Essen die Salbe.",
            "Nach dem Essen nimmt Mila die Tropfen, vor dem Essen die Salbe.",
        ),
        ("Montags kocht Uli, freitags Rosa.", "Freitags kocht Uli, montags Rosa."),
        (
            "Das Konto Miete ist mit dem Konto Strom verbunden.",
            "Das Konto Strom ist mit dem Konto Miete verbunden.",
        ),
        (
            "\u5c0f\u738b\u662f\u5c0f\u8d75\u7684\u5e08\u5085",
            "\u5c0f\u8d75\u662f\u5c0f\u738b\u7684\u5e08\u5085",
        ),
        (
            "\u5468\u4e00\u6253\u626b\u53a8\u623f\uff0c\u5468\u4e94\u6253\u626b\u5ba2\u5385",
            "\u5468\u4e94\u6253\u626b\u53a8\u623f\uff0c\u5468\u4e00\u6253\u626b\u5ba2\u5385",
        ),
        (
            "\u7ea2\u836f\u7ed9\u5988\u5988\uff0c\u767d\u836f\u7ed9\u7238\u7238",
            "\u767d\u836f\u7ed9\u5988\u5988\uff0c\u7ea2\u836f\u7ed9\u7238\u7238",
        ),
        (
            "\u94b1\u4ece\u50a8\u84c4\u5361\u8f6c\u5230\u4fe1\u7528\u5361",
            "\u94b1\u4ece\u4fe1\u7528\u5361\u8f6c\u5230\u50a8\u84c4\u5361",
        ),
    ],
)
def test_parts_that_change_places_make_another_fact(one: str, two: str) -> None:
    assert not paraphrases.groups([one, two])


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Emil doesn't drink alcohol.", "Emil does not drink any alcohol."),
        ("The report is due on Friday at noon.", "The report is due at noon on Friday."),
        ("The pump is checked at two every night.", "The pump is checked every night at two."),
        ("Wir treffen Anna am Montag.", "Am Montag treffen wir Anna."),
        ("Um acht Uhr beginnt der Kurs.", "Der Kurs beginnt um acht Uhr."),
        ("Oma wohnt bei Frau Berg.", "Bei Frau Berg wohnt Oma."),
        ("On Saturdays the market opens at eight.", "The market opens at eight on Saturdays."),
        ("The market opens at 8 am on Saturdays.", "On Saturdays the market opens at 08:00."),
        ("In winter the pool is closed.", "The pool is closed in winter."),
        ("The report was written by Kemal in June.", "Kemal wrote the report in June."),
        ("The museum is open from nine on Sundays.", "On Sundays the museum opens at nine."),
        (
            "Jonas moved from Davos to Essen in March 2020.",
            "In March 2020 Jonas moved from Davos to Essen.",
        ),
        ("The cron job starts at two each night.", "The cron job begins at two every night."),
        ("Freitags ist das B\u00fcro zu.", "Das B\u00fcro ist freitags zu."),
        ("Am Montag kommt der Techniker.", "Der Techniker kommt am Montag."),
        ("Jeden Montag trainiert das Team.", "Das Team trainiert montags."),
        ("Seit Mai wohnt Uli in Kiel.", "Uli wohnt seit Mai in Kiel."),
        ("Der Schl\u00fcssel liegt unter der Matte.", "Unter der Matte liegt der Schl\u00fcssel."),
        (
            "Das Passwort wird jeden Monat ge\u00e4ndert.",
            "Jeden Monat wird das Passwort ge\u00e4ndert.",
        ),
    ],
)
def test_one_phrase_of_where_or_when_may_stand_elsewhere(one: str, two: str) -> None:
    assert paraphrases.groups([one, two]) == [(0, 1)]


def test_of_two_lists_each_name_may_belong_to_another() -> None:
    assert paraphrases.groups(["Greta and Otto live in Oslo.", "Otto and Greta live in Oslo."])
    cities, days = (
        ("Oslo and Lima", "Lima and Oslo"),
        ("Mondays and Fridays", "Fridays and Mondays"),
    )
    assert not paraphrases.groups([f"Greta and Otto live in {it}." for it in cities])
    assert not paraphrases.groups([f"Greta and Otto swim on {it}." for it in days])


@pytest.mark.parametrize(
    "of_each",
    ["scored 9, 7 points", "have rooms 4/5", "have rooms 4 + 5", "won 3-2", "drive a bus & a van",
     "own the bus plus the van", "came in places 1, 2"],
)  # fmt: skip
def test_a_second_list_needs_no_and(of_each: str) -> None:
    assert not paraphrases.groups([f"Greta and Otto {of_each}.", f"Otto and Greta {of_each}."])
    three = (f"Greta, Mei and Otto {of_each}.", f"Mei, Greta and Otto {of_each}.")
    assert not paraphrases.groups(three)


def test_names_in_one_list_may_change_places() -> None:
    assert paraphrases.are_one("Greta, Mei and Otto sing.", "Mei, Otto and Greta sing.")
    assert paraphrases.are_one(
        "Mei swims on Mondays and Fridays.", "Mei swims on Fridays and Mondays."
    )


def test_what_is_denied_of_a_day_is_not_denied_on_that_day() -> None:
    assert not paraphrases.groups(
        ["Das B\u00fcro ist nicht freitags zu.", "Das B\u00fcro ist freitags nicht zu."]
    )


def test_of_two_memories_that_say_the_contrary_none_goes() -> None:
    """The pumps feed each other's tanks, as the same person said on one day."""
    said = (
        "The tank in the attic is fed by the pump in the cellar.",
        "The tank in the cellar is fed by the pump in the attic.",
        *(f"Invoice {n} of the mill is paid by Otto." for n in range(70)),
    )
    head = "type: memory\nagent: ada\nspeaker: Ben\ntrust: user\ncreated: 2026-01-01T10:00:00Z\n"
    texts = {
        f"agents/ada/memories/2026/01/m{n:03}.md": f"---\nid: 01J{n:023}\n{head}---\n{body}\n"
        for n, body in enumerate(said)
    }
    assert not Vault(texts).planned(duplicates.find).proposals


def test_a_topic_keeps_both_of_two_contrary_facts() -> None:
    facts = "- The lamp on the left is for the desk on the right.\n"
    facts += "- The lamp on the right is for the desk on the left.\n"
    assert not Vault({"topics/a.md": topic(facts)}).planned(duplicates.find).proposals


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Simon arbeitet bei der Bahn.", "Simone arbeitet bei der Bahn."),
        ("Frau M\u00fcller wohnt in Kiel.", "Frau Muller wohnt in Kiel."),
        ("Uli wohnte bei Rosa.", "Uli wohnt bei Rosa."),
        ("Sie wohnten bei Rosa.", "Sie wohnte bei Rosa."),
        ("Uli k\u00f6nnte nicht kommen.", "Uli konnte nicht kommen."),
        ("Uli m\u00f6chte keine Ziege.", "Uli mochte keine Ziege."),
        ("Uli h\u00e4tte gern ein Haus mit Garten.", "Uli hatte gern ein Haus mit Garten."),
        ("Der Lehrer w\u00fcrde nicht gefragt.", "Der Lehrer wurde nicht gefragt."),
        ("Der Zaun ist schon fertig.", "Der Zaun ist sch\u00f6n fertig."),
        ("Die M\u00fctter schlafen bei Rosa.", "Die Mutter schlafen bei Rosa."),
        (
            "Rosa zahlt die Miete f\u00fcr die Tochter.",
            "Rosa zahlt die Miete f\u00fcr die T\u00f6chter.",
        ),
    ],
)
def test_german_endings_and_umlauts_tell_names_numbers_and_tenses(one: str, two: str) -> None:
    assert not paraphrases.groups([one, two])


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Das Tor ist nicht ganz zu.", "Das Tor ist nicht zu."),
        ("Rosa isst nicht immer Fisch.", "Rosa isst nicht Fisch."),
        ("Rosa ist fast immer da.", "Rosa ist fast da."),
        ("Uli ist auch nicht da.", "Uli ist nicht da."),
        ("Das Tor ist ganz rot.", "Das Tor ist rot."),
        ("Keiner ist immer im Stall.", "Keiner ist im Stall."),
    ],
)
def test_a_german_word_of_how_far_is_no_filler(one: str, two: str) -> None:
    assert not paraphrases.groups([one, two])


def test_german_fillers_that_say_no_more_still_go() -> None:
    assert paraphrases.are_one("Rosa isst gar keinen Fisch.", "Rosa isst keinen Fisch.")
    assert paraphrases.are_one("Uli wohnt derzeit in Kiel.", "Uli wohnt in Kiel.")


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Kemal is not really allergic to rye.", "Kemal is not allergic to rye."),
        ("Don't always trust Kemal.", "Don't trust Kemal."),
        ("Nobody always trusts Kemal.", "Nobody trusts Kemal."),
        ("Do not just delete old logs.", "Do not delete old logs."),
        ("Do not simply delete old logs.", "Do not delete old logs."),
        ("Just Kemal may enter the lab.", "Kemal may enter the lab."),
        ("Also Kemal may enter the lab.", "Kemal may enter the lab."),
        ("If simply Kemal comes, lock the lab.", "If Kemal comes, lock the lab."),
        ("Mei drinks just decaf.", "Mei drinks decaf."),
        ("The soup is too hot for Mei.", "The soup is hot for Mei."),
    ],
)
def test_a_filler_behind_a_negation_or_before_a_subject_says_something(one: str, two: str) -> None:
    assert not paraphrases.groups([one, two])


def test_a_filler_elsewhere_says_nothing() -> None:
    assert paraphrases.are_one("Kemal currently lives in Oslo.", "Kemal lives in Oslo.")
    assert paraphrases.are_one("Actually, Kemal lives in Oslo.", "Kemal lives in Oslo.")
    assert paraphrases.are_one("Please do not call Kemal.", "Do not call Kemal please.")


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Simon is allergic to rye.", "Simone is allergic to rye."),
        ("Jan works at the mill.", "Jane works at the mill."),
        ("The mill belongs to Christian.", "The mill belongs to Christiane."),
        ("Mr William owns the mill.", "Mr Williams owns the mill."),
        ("Mr Brown pays the rent.", "Mr Browning pays the rent."),
        ("Mei pays Kimber in cash.", "Mei pays Kimberly in cash."),
        ("Mei's son lives in Oslo.", "Mei's sons live in Oslo."),
        ("Send the report to Mei.", "Send the reports to Mei."),
        ("Mei goes missing in May.", "Mei misses in May."),
    ],
)
def test_english_endings_tell_names_and_numbers(one: str, two: str) -> None:
    assert not paraphrases.groups([one, two])


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Mei goes swimming on Mondays.", "Mei swims on Mondays."),
        ("Baking the bread takes 2 hours.", "The bread takes 2 hours to bake."),
        ("It is forbidden to smoke in the lab.", "Smoking in the lab is forbidden."),
        ("A key is required for the labs.", "The labs need a key."),
    ],
)
def test_english_builds_bring_the_endings_that_they_need(one: str, two: str) -> None:
    assert paraphrases.groups([one, two]) == [(0, 1)]


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (
            "\u5c0f\u738b\u4e0d\u8981\uff0c\u7b49\u6211\u56de\u5bb6\u3002",
            "\u5c0f\u738b\u4e0d\u8981\u7b49\u6211\u56de\u5bb6\u3002",
        ),
        (
            "\u5c0f\u738b\u8bf4\u4e0d\uff0c\u53bb\u5317\u4eac\u3002",
            "\u5c0f\u738b\u8bf4\u4e0d\u53bb\u5317\u4eac\u3002",
        ),
        (
            "\u5c0f\u738b\u7684\uff0c\u5988\u5988\u5728\u5bb6\u3002",
            "\u5c0f\u738b\u5988\u5988\u5728\u5bb6\u3002",
        ),
        (
            "\u738b\u533b\u751f\uff0c\u5c0f\u738b\u751f\u75c5\u4e86\u3002",
            "\u738b\u533b\u751f\u5c0f\u738b\u751f\u75c5\u4e86\u3002",
        ),
    ],
)
def test_a_chinese_comma_tells_who_does_what(one: str, two: str) -> None:
    assert not paraphrases.groups([one, two])


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("The job stops when x != 3.", "The job stops when x = 3."),
        ("!important tasks come first", "important tasks come first"),
        ("Delete *.log each night", "Delete .log each night"),
        ("Delete /srv/build/* each night", "Delete /srv/build/ each night"),
        ("Pass -v to the linter", "Pass -V to the linter"),
        ("The quota is 10 GB", "The quota is 10 Gb"),
        ("The key is aBc", "The key is abc"),
        ("The board is 5' long", 'The board is 5" long'),
        ("Bo takes vitamin A daily", "Bo takes vitamin daily"),
        ("Block a is free", "Block is free"),
        ("No, wait for the cook", "No wait for the cook"),
        ("Ann, says Bo, is ill", "Ann says Bo is ill"),
        ("No one pays the entry", "No 1 pays the entry"),
        ("Closed between Monday and Friday", "Closed between Friday and Monday"),
        (
            "Das Tor ist zwischen Montag und Freitag zu",
            "Das Tor ist zwischen Freitag und Montag zu",
        ),
    ],
)
def test_signs_and_letters_that_say_something_by_themselves_tell_facts_apart(
    one: str, two: str
) -> None:
    assert not paraphrases.are_one(one, two)
    assert paraphrases.groups([one, two]) == []


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Pass -v to the linter", "pass -v to the linter."),
        ("**Delete** /srv/build/* each night", "Delete /srv/build/* each night!"),
        ("The quota is 10 GB", "the quota is 10 GB."),
        ("The gate is a yard wide", "The gate is a yard wide."),
    ],
)
def test_where_those_are_the_same_the_fact_may_be(one: str, two: str) -> None:
    assert paraphrases.are_one(one, two)
