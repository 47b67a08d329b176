"""German dates that count from the day they were written on are written out, whole or not."""

from __future__ import annotations

from datetime import date

import pytest

from vaultmem.nlp.text.absolute_dates_de import absolute

WEDNESDAY = date(2026, 3, 18)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Gestern kam die Ziege.", "Am 2026-03-17 kam die Ziege."),
        ("Die Ziege kam vorgestern.", "Die Ziege kam am 2026-03-16."),
        ("Vor einem halben Jahr zog Edda aus.", "Um 2025-09 zog Edda aus."),
        ("Vor drei Wochen zog Edda aus.", "In der Woche ab 2026-02-23 zog Edda aus."),
        ("Vor zehn Jahren zog Edda aus.", "2016 zog Edda aus."),
        ("Vor ein paar Tagen zog Edda aus.", "Ein paar Tagen vor dem 2026-03-18 zog Edda aus."),
        ("In zwei Tagen kommt Edda.", "Am 2026-03-20 kommt Edda."),
        ("Edda zog letzten Freitag aus.", "Edda zog am 2026-03-13 aus."),
        ("N\u00e4chsten Monat zieht Edda aus.", "Im Monat 2026-04 zieht Edda aus."),
        ("Letzten Winter fror es.", "Im letzten Winter vor dem 2026-03-18 fror es."),
    ],
)
def test_a_phrase_is_replaced_whole(said: str, meant: str) -> None:
    assert absolute(said, WEDNESDAY) == meant


@pytest.mark.parametrize(
    "said",
    [
        "Am Morgen ist die Ziege m\u00fcde.",
        "Die letzte T\u00fcr links ist der Stall.",
        "Edda lernte das in zwei Wochen.",
        "Jeden letzten Freitag tagt der Rat.",
        "Edda sagte: \u201eGestern war alles besser.\u201c",
        "Gestern, am 2026-03-17, kam die Ziege.",
        "Das n\u00e4chste Mal fahren wir.",
        "Die Sicherung von vorgestern wird jede Nacht gel\u00f6scht.",
        "Edda kocht gestern wie heute und sonntags f\u00fcr alle.",
        "Was heute kommt, zahlt Edda immer morgen.",
        "Wer heute s\u00e4t, erntet nicht morgen. Wenn es gestern fror, bleibt der Stall zu.",
    ],
)
def test_habits_lengths_quotes_and_what_is_dated_stay(said: str) -> None:
    assert absolute(said, WEDNESDAY) == said
