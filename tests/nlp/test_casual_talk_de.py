"""What friends settle, leave open and like in German chat, with or without its capitals."""

from __future__ import annotations

import pytest

from vaultmem.documents.bodies import Eliminated, Episode
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.tasks import FoldTask
from vaultmem.storage.transcripts import Turn

pytestmark = pytest.mark.without_history


def told(*said: str) -> Episode:
    """Return the episode of what Ida and Mo said in turn."""
    at = "2026-03-01T10:00:00Z"
    turns = (Turn("user", text, ("Ida", "Mo")[i % 2], at) for i, text in enumerate(said))
    return Extractive().episode(FoldTask(tuple(turns), 1, "s", "ada")).value


@pytest.mark.parametrize(
    "text",
    [
        "ich nehm die stelle in jena",
        "ich hab beschlossen im mai auszuziehen und die werkstatt zu verkaufen",
        "Ich habe mich entschieden, das Boot zu verkaufen.",
        "hab zugesagt für den chor in jena",
        "es bleibt dabei, wir heiraten im mai",
        "wir machen ein picknick statt einer party",
        "also samstag um acht am hafen, abgemacht",
    ],
)
def test_what_binds_in_german_chat_is_a_decision(text: str) -> None:
    assert len(told("und?", text).decisions) == 1


def test_what_one_person_decides_in_german_has_their_name() -> None:
    (made,) = told("und?", "ich nehm die stelle in jena").decisions
    assert made.decision == 'On 2026-03-01 Mo said: "ich nehm die stelle in jena"'


@pytest.mark.parametrize(
    "text",
    [
        "meine schwester hat beschlossen zu kündigen",
        "ich nehm heute den bus",
        "wir machen pause weil alle müde sind",
        "wenn wir die stelle nehmen, ziehen wir um",
        "wir könnten ein picknick machen statt einer party",
        "ich nehm das",
        "das steht fest",
        "ok ich werd mönch haha, beschlossen",
    ],
)
def test_german_chat_that_binds_nobody_decides_nothing(text: str) -> None:
    assert not told("und?", text).decisions


@pytest.mark.parametrize(
    ("text", "approach", "why"),
    [
        ("malta ist raus, viel zu trocken", "malta", "viel zu trocken"),
        ("zelten kommt nicht in frage mit meinem knie", "zelten", ""),
        ("den kredit nehmen wir nicht, zu teuer", "den kredit", "zu teuer"),
        ("gegen den chor haben wir uns entschieden, zu laut", "den chor", "zu laut"),
        ("das mit dem teich haben wir verworfen, zu eng", "teich", "zu eng"),
    ],
)
def test_what_german_chat_gives_up_is_ruled_out(text: str, approach: str, why: str) -> None:
    assert told("und?", text).eliminated == (Eliminated(approach, why),)


@pytest.mark.parametrize(
    "text",
    [
        "der neue film ist raus, läuft schon im kino",
        "das lied ist raus, zu gut",
        "die sonne ist raus, zu heiß",
        "das licht ist raus, zu dunkel",
        "die regierung hat neue steuern ausgeschlossen",
        "das will ich nicht",
        "die app geht seit dem update nicht mehr",
        "horrorfilme sind nix für mich, da kann ich nicht schlafen",
    ],
)
def test_news_and_faults_in_german_chat_rule_nothing_out(text: str) -> None:
    assert not told("und?", text).eliminated


@pytest.mark.parametrize(
    "text",
    [
        "weiß noch nicht ob wir ein zelt brauchen",
        "Ich muss noch klären, ob die Kaution zurückkommt.",
        "wir haben uns noch nicht entschieden zwischen rom und genua",
        "muss den wirt fragen ob hunde erlaubt sind",
        "steht noch nicht fest wann die fähre fährt",
        "ich schwanke zwischen geige und cello",
        # What is open stands before the verb, behind all, or between.
        "wer den kuchen backt ist noch nicht geklärt",
        "Ob die Scheune ein neues Dach bekommt, steht noch in den Sternen.",
        "ob wir nach rom fahren müssen wir uns erst noch überlegen",
        "ach, welche Farbe das Boot bekommt, darüber streiten wir noch",
        "Kork oder Parkett, das haben wir noch nicht entschieden.",
        "das mit dem teich überlegen wir noch",
        "den tag für das fest haben wir noch nicht festgelegt",
        "Die Frage mit der Garage müssen wir noch klären.",
        "Über den Chor sind wir uns noch nicht einig.",
        "Es ist noch nicht raus, ob Edda den Chor leitet.",
        "offen ist noch der punkt mit der garage",
        "noch keine entscheidung bei der garage",
        "Wer die Fahne trägt, wird beim nächsten Treffen geklärt.",
        "Es muss noch geklärt werden, wer den Chor leitet.",
        "wann die fähre wieder fährt konnte uns noch keiner sagen",
        "weiß echt noch nich ob ich das boot verkauf",
        "ob ich kandidiere überleg ich mir bis montag",
        "noch nix entschieden wegen ostern",
        "Ich grüble, ob ich die Stelle in Jena annehmen soll.",
        "kp ob ich im chor weitermach oder aufhör",
    ],
)
def test_what_is_not_known_yet_in_german_is_open(text: str) -> None:
    assert [text in asked for asked in told("und?", text).open_questions] == [True]


@pytest.mark.parametrize(
    "text",
    [
        "keine ahnung was ich sagen soll, so lieb",
        "weiß nicht wie du das schaffst",
        "mal sehen was passiert",
        "mal sehen was der tag bringt",
        "er weiß noch nicht ob er ein zelt braucht",
        "ob er noch bier hat weiß ich noch nicht",
        "die rechnung vom wirt ist noch offen",
        "das tor im hof ist noch offen",
        "ich weiß noch nicht ob ich lachen oder weinen soll",
        "bin mir nicht sicher ob ich das tor zugemacht hab",
        "wie wir das schaffen sollen wissen wir noch nicht",
        "wir müssen noch die wäsche machen oder den hof kehren",
        "ob mit oder ohne sahne musst du noch entscheiden",
        "Der Richter hat noch nicht entschieden.",
        "meine eltern haben noch nicht entschieden",
        "muss mal schauen wo mein schlüssel liegt",
        "muss noch gucken was im radio läuft",
        "hab die nummer vom wirt noch nicht raus",
        "ich bin am überlegen wie der alte wirt hieß",
    ],
)
def test_a_loss_for_words_in_german_leaves_nothing_open(text: str) -> None:
    assert not told("und?", text).open_questions


def test_a_german_question_is_open_where_the_other_does_not_know() -> None:
    asked = "wann fährt die fähre am sonntag?"
    assert told(asked, "keine ahnung", "ok").open_questions == (asked,)
    assert not told(asked, "um zwölf").open_questions
    assert not told(asked, "keine ahnung", "habs gefunden, um zwölf").open_questions
    assert not told("wo ist die leiter?", "keine ahnung", "ach sie steht im hof").open_questions
    assert not told("wo schlafen vögel?", "keine ahnung").open_questions
    assert not told("hat die ziege gefressen?", "weiß nicht", "ja hat sie").open_questions
    assert not told("wer hat gewonnen?", "keine ahnung").open_questions
    assert not told("ist der laden offen?", "weiß nicht", "ja hab grad angerufen").open_questions
    assert not told("wie findest du das?", "keine ahnung").open_questions


@pytest.mark.parametrize(
    "text",
    [
        "fenchel geht gar nicht, schmeckt nach seife",
        "ich fahr lieber zug als bus",
        "ich trinke nur hafermilch",
        "Horrorfilme mag ich gar nicht.",
        "bin eher der kakaotrinker",
        "meine lieblingsband ist can",
        "bitte nicht vor zehn anrufen",
        "schick mir keine sprachnachrichten",
        "lieber tee als saft",
        "ich esse kein schwein",
        "oliven sind nichts für mich",
        "scharf vertrag ich nicht",
        "bin kein morgenmensch",
        "Am liebsten lese ich abends im Garten.",
        "Alte Musik gefällt mir sehr.",
        "rudern macht mir mega spaß",
        "Fahrten bei Nacht genieße ich richtig.",
        "brauner zucker schmeckt mir am besten",
        "rosinen kann ich auf den tod nicht ausstehen",
        "mit krimis kann ich nix anfangen",
        "mir ist ein fenster lieber als gang",
        "fahrstühle sind mir ein graus",
        "reis geht bei mir immer",
        "rosinen hasse ich wie die pest",
        "mein herz schlägt für alte boote",
        "auf krimis kann ich verzichten",
        "rudern ist genau mein ding",
        "ich finde oliven furchtbar",
        "Gartenarbeit entspannt mich total.",
        "ich halte nichts von eile",
        "ohne tee geht bei mir morgens nix",
    ],
)
def test_a_taste_in_german_is_a_preference(text: str) -> None:
    assert len(told("und?", text).preferences) == 1


@pytest.mark.parametrize(
    "text",
    [
        "ich mag deine frisur",
        "ich mag das",
        "das mag ich",
        "das geht gar nicht",
        "ich geh lieber mal",
        "ich hab lieber nichts gesagt",
        "ich liebe dieses lied",
        "er trinkt lieber bier als wein",
        "heute nehm ich lieber tee",
        "früher hab ich lieber bier getrunken",
        "trinkst du lieber bier oder wein?",
        "liebe grüße aus jena",
        "ich mag nicht kochen",
        "ich mag meinen chef nicht",
        "die arbeit macht mir spaß",
        "das hemd gefällt mir total",
        "samstag geht bei mir immer",
        "morgen ist mir lieber",
        "ich mag sie echt, die neue",
        "ich geh gern mit wenn ich darf",
        "ich liebe anna",
        "ich finde tobias doof",
        "lieber spät als nie",
        "die neue wirtin mag ich sehr",
        "ich fahr nur kurz tanken",
        "ich mag heut nicht raus",
        "ich nehm lieber den roten",
    ],
)
def test_what_is_of_the_other_or_the_hour_in_german_is_no_preference(text: str) -> None:
    assert not told("und?", text).preferences


@pytest.mark.parametrize(
    "text",
    [
        "wir sind uns einig dass es postgres wird",
        "mit lena ausgemacht dass sie die musik macht und ich koche",
        "hab mich endlich durchgerungen ich nehm die stelle in graz",
        "also wir nehmen die fähre das steht jetzt",
        "ich bleib erstmal bei meinem vermieter noch ein jahr",
        "ich lass mir im sommer die haare schneiden ist beschlossen",
        "nora und ich haben am ende die günstigere versicherung genommen",
        "für den halbmarathon hab ich mich fest angemeldet",
        "bin jetzt entschlossen ich mach den master in graz",
        "ab nächstem monat arbeite ich nur noch vier tage",
        "mein bruder und ich haben vereinbart die miete zu teilen",
    ],
)
def test_what_is_agreed_on_in_chat_is_decided(text: str) -> None:
    """With oneself or with others, and without a comma."""
    assert len(told(text).decisions) == 1


@pytest.mark.parametrize(
    "text",
    [
        "wir sind uns einig dass tee besser ist",
        "wir sind uns einig dass der film mies war",
        "mit lena ausgemacht haben wir nix",
        "mit dir ausgemacht dass du kommst",
        "ich bleib bei meiner meinung",
        "ich bleib heute bei meiner oma",
        "das auto ist kaputt das steht",
        "haben den anderen weg genommen",
        "ab morgen bin ich weg",
        "mein chef und ich haben gestritten",
        "sie haben die günstigere versicherung genommen",
        "wir sehen uns abgemacht",
    ],
)
def test_an_opinion_that_is_shared_is_no_decision(text: str) -> None:
    """Nor is a visit."""
    assert told(text).decisions == ()


@pytest.mark.parametrize(
    ("text", "approach"),
    [
        ("nee keine energydrinks mehr für mich schlaf sonst nicht", "energydrinks"),
        ("wichteln machen wir dieses jahr nicht alle pleite", "wichteln"),
        ("die idee mit dem dach können wir vergessen es regnet eh", "dach"),
        ("lass uns karl lieber nicht einladen nach ostern", "karl"),
        ("limo trink ich seit drei wochen nicht mehr und das bleibt so", "limo"),
        ("zum extra zimmer haben wir nein gesagt ist eh nur abstellkammer", "extra zimmer"),
        ("keine milch mehr für mich danke", None),
        ("zu dem zahnarzt geh ich nie wieder", "zahnarzt"),
        ("netflix hab ich gekündigt schauen wir eh nie", "netflix"),
        ("wein trink ich nicht mehr danke", None),
        ("bier trink ich heute nicht mehr", None),
        ("keinen bock mehr für mich ist das nix", None),
        ("den tag kann ich vergessen hab migräne", None),
        ("lass uns karl nicht vergessen er kommt auch", None),
    ],
)
def test_what_stands_behind_the_closed_clause_is_the_reason(
    text: str, approach: str | None
) -> None:
    """A day that is lost is not ruled out."""
    assert [it.approach for it in told(text).eliminated] == ([approach] if approach else [])


@pytest.mark.parametrize(
    ("text", "is_open"),
    [
        ("bin noch am überlegen wegen dem tattoo", True),
        ("ich schwanke noch zwischen den zwei studiengängen", True),
        ("ich frag mich ob es an der batterie liegt oder an der lichtmaschine", True),
        ("haben noch keinen platz für die räder gefunden", True),
        ("hab noch keine lust für sport gefunden", False),
        ("noch kein plan wie wir das klavier hochkriegen", True),
        ("kann mich nicht zwischen pflege und lehramt entscheiden", True),
        ("kann mich nicht zwischen lachen und weinen entscheiden", False),
        ("bin noch wach wegen dem kaffee", False),
        ("er ist noch am überlegen wegen dem tattoo", False),
        ("ich frag mich ob es regnet oder schneit", False),
        ("frag mich ob es liebe ist oder dummheit", False),
    ],
)
def test_the_matter_may_stand_behind_the_verbs(text: str, *, is_open: bool) -> None:
    """Whoever is up because of the coffee has nothing to settle."""
    assert bool(told(text).open_questions) is is_open


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("nichts geht über eine kalte dusche am morgen", True),
        ("lieber ein richtiges buch als kindle", True),
        ("bin eher so der frühaufsteher", True),
        ("ohne ventilator kann ich nicht schlafen", True),
        ("ohne dich kann ich nicht schlafen", False),
        ("lieber spät als nie", False),
        ("lieber du als ich haha", False),
    ],
)
def test_one_thing_set_above_others_is_a_taste(text: str, *, is_told: bool) -> None:
    """But a saying is none."""
    assert bool(told(text).preferences) is is_told
