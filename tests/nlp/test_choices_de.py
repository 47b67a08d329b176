"""What those who talk German decide and rule out, at work with an agent and among themselves."""

from __future__ import annotations

import pytest

from tests.nlp.talk_at_work import AT, at_work
from vaultmem.documents.bodies import Decision, Eliminated, Episode
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.tasks import FoldTask
from vaultmem.storage.transcripts import Turn

pytestmark = pytest.mark.without_history


def among_people(text: str) -> Episode:
    """Return the episode of *text*, which Ida says to Mo."""
    turns = (Turn("user", text, "Ida", AT), Turn("user", "Gut.", "Mo", AT))
    return Extractive().episode(FoldTask(turns, 1, "s", "ada")).value


@pytest.mark.parametrize(
    ("text", "decision", "reason"),
    [
        ("Wir haben uns für Caddy entschieden.", "Wir haben uns für Caddy entschieden", ""),
        (
            "Für die Karten haben wir uns auf OpenLayers geeinigt.",
            "Für die Karten haben wir uns auf OpenLayers geeinigt",
            "",
        ),
        (
            "Wir haben beschlossen, die Fotos nachts zu sichern.",
            "Wir haben beschlossen, die Fotos nachts zu sichern",
            "",
        ),
        (
            "Die Bilder legen wir in S3 ab, weil die Platte voll ist.",
            "Die Bilder legen wir in S3 ab",
            "die Platte voll ist",
        ),
        (
            "Wir haben uns darauf geeinigt, freitags nichts mehr freizugeben.",
            "Wir haben uns darauf geeinigt, freitags nichts mehr freizugeben",
            "",
        ),
        (
            "Wir steigen auf Caddy um, weil es kleiner ist.",
            "Wir steigen auf Caddy um",
            "es kleiner ist",
        ),
        ("Gut, lass uns Caddy verwenden.", "lass uns Caddy verwenden", ""),
        ("Wir bleiben bei SQLite.", "Wir bleiben bei SQLite", ""),
    ],
)
def test_german_decides(text: str, decision: str, reason: str) -> None:
    assert at_work(text).decisions == (Decision(decision, reason, ""),)


@pytest.mark.parametrize(
    "text",
    [
        "Wir haben uns noch nicht für ein Framework entschieden.",
        "Wenn wir uns für Rust entscheiden, brauchen wir einen neuen Kollegen.",
        "Sollen wir Redis statt Postgres nehmen?",
        "Mein Chef hat entschieden, dass wir umziehen.",
        "Wir haben damals entschieden, dass die Schnittstelle öffentlich ist.",
        "Wir haben uns darauf geeinigt.",
        "Wir haben entschieden, was zu tun ist.",
        "Wir stellen fest, dass der Speicher leer ist, weil niemand ihn füllt.",
        "Wir setzen uns morgen zusammen, weil noch viel offen ist.",
        "Wir kaufen das Brot morgen, weil heute Feiertag ist.",
        "Wir haben abgemacht, dass du anrufst.",
        "Wir nehmen gleich den Bus.",
        "Dann nehmen wir das.",
    ],
)
def test_german_that_leaves_it_open_or_unsaid_decides_nothing(text: str) -> None:
    assert at_work(text).decisions == ()


@pytest.mark.parametrize(
    ("text", "approach", "why"),
    [
        ("SMS haben wir verworfen, das ist zu teuer.", "SMS", "das ist zu teuer"),
        ("Kafka kommt für uns nicht in Frage.", "Kafka", ""),
        (
            "Wir verzichten auf Docker, weil der Server zu klein ist.",
            "Docker",
            "der Server zu klein ist",
        ),
        ("Lass uns nicht auch noch die Tabellen umbenennen.", "die Tabellen umbenennen", ""),
        ("Lass uns keine eigene Karte dafür bauen.", "eigene Karte bauen", ""),
        ("Wir haben uns für eine Sperre entschieden, nicht für eine Datei.", "eine Datei", ""),
        ("Wir nehmen UTF-8 statt latin-1.", "latin-1", ""),
        ("Wir nehmen SQLite anstelle der Textdatei.", "der Textdatei", ""),
        ("Wir nehmen SQLite anstelle von Postgres.", "Postgres", ""),
        ("Wir setzen auf HTMX statt auf React.", "React", ""),
        ("Wir verwenden kein Mongo mehr.", "Mongo", ""),
    ],
)
def test_german_rules_out(text: str, approach: str, why: str) -> None:
    assert at_work(text).eliminated == (Eliminated(approach, why),)


@pytest.mark.parametrize(
    "text",
    [
        "Der Bericht funktioniert nicht mehr, seit die Spalte Text ist.",
        "Die Karte lädt nicht, wenn der Wind fehlt.",
        "Lass uns nicht streiten.",
        "Lass uns das nicht machen.",
        "Kommt Kafka für uns in Frage?",
        "Der Download ist ausgeschlossen.",
        "Wir haben den Fehler ausgeschlossen, dass die Uhr falsch geht.",
        "Die Sicherung ist ein Statthalter.",
    ],
)
def test_a_fault_and_a_plea_in_german_rule_nothing_out(text: str) -> None:
    assert at_work(text).eliminated == ()


def test_people_decide_in_german_and_an_agent_decides_nothing_of_theirs() -> None:
    said = "Wir haben uns für die Wohnung in Kiel entschieden."
    assert [d.decision for d in among_people(said).decisions] == [said.rstrip(".")]
    turns = (Turn("user", "Was nun?", at=AT), Turn("assistant", said, at=AT))
    assert Extractive().episode(FoldTask(turns)).value.decisions == ()
