"""What German sentences say of the speaker and of people named beside "mein" and "unser".

The third language, and the smallest: main clauses in the present whose subject comes first, or
right after the verb. Past tenses and the subjunctive have other forms, and never fit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from vaultmem.documents.languages import detection
from vaultmem.nlp.extraction.grammar import relations, traits
from vaultmem.nlp.extraction.grammar.relations import Circle, Person
from vaultmem.nlp.extraction.grammar.traits import Attribute
from vaultmem.nlp.text import salience

_WORDS = r"\b(?:[Ii]ch|[Ww]ir|[Mm]ein(?:e[rnms]?)?|[Uu]nser(?:e[rnms]?)?)\b"
_DOUBT = (
    r"(?i)\b(?:wenn|falls|ob|vielleicht|m\u00f6glicherweise|wahrscheinlich|vermutlich|angeblich"
    r"|w\u00fcrde\w*|h\u00e4tte\w*|w\u00e4re\w*|k\u00f6nnte\w*|m\u00f6chte\w*|sollte\w*|wollte\w*"
    r"|fr\u00fcher|damals|einst|ehemalig\w*|nicht mehr|sagt\w*|meint\w*|denkt|denken|behaupte\w*"
    r"|erz\u00e4hl\w*|vermute\w*|h\u00e4lt mich|glaub\w*|dach\w+|fast"
    r"|beinahe|stell dir vor|angenommen|im (?:film|buch|roman|spiel|traum)|scherz|spa\u00df|haha\w*"
    r"|lol|als kind|aber [^.,;]*\bnicht)\b|\?"
)
_RELATIONS = {
    "Frau": "wife", "Ehefrau": "wife", "Mann": "husband", "Ehemann": "husband",
    "Freundin": "girlfriend", "Partner": "partner", "Partnerin": "partner",
    "Tochter": "daughter", "Sohn": "son", "Mutter": "mother", "Mama": "mother",
    "Vater": "father", "Papa": "father", "Schwester": "sister", "Bruder": "brother",
    "Oma": "grandmother", "Opa": "grandfather", "Tante": "aunt", "Onkel": "uncle",
    "Chef": "boss", "Chefin": "boss", "Kollege": "colleague", "Kollegin": "colleague",
    "Nachbar": "neighbour", "Nachbarin": "neighbour", "Hund": "dog", "Katze": "cat",
    "Nichte": "niece", "Neffe": "nephew", "Cousin": "cousin", "Cousine": "cousin",
    "Freund": "friend", "Kater": "cat", "Hamster": "hamster", "Pferd": "horse",
    "Hausarzt": "doctor", "Haus\u00e4rztin": "doctor", "Zahnarzt": "dentist",
    "Zahn\u00e4rztin": "dentist", "Eltern": "parents", "Gro\u00dfeltern": "grandparents",
    "Kinder": "children", "Geschwister": "siblings", "Schwiegereltern": "in-laws",
}  # fmt: skip
_NAME = r"(?:(?:Dr|Prof)\. |Herr |Frau )?[A-Z\u00c4\u00d6\u00dc][a-z\u00e4\u00f6\u00fc\u00df]+"
_MINE = rf"(?:[Mm]ein|[Uu]nser)e? (?P<rel>{'|'.join(_RELATIONS)})(?: (?P<name>{_NAME}))?"
_CALLED = (
    rf"{_MINE.partition('(?: (?P<name>')[0]} (?:hei\u00dft|ist) (?P<name>{_NAME})"
    r"(?=\W*$|,| und\b)"
)
_WE = r"[Ww]ir(?= (?:haben|wohnen|leben|kommen)\b)"
_SUBJECT = rf"(?:^|, |\bund |\baber )(?:(?P<self>[Ii]ch|{_WE})|(?P<mine>{_MINE}))(?= )"

_PLACE = r"[A-Z\u00c4\u00d6\u00dc][\w\u00e4\u00f6\u00fc\u00df-]+(?: (?:am|an der|im) [A-Z]\w+)?"
_NOUN = r"[A-Z\u00c4\u00d6\u00dc][\w\u00e4\u00f6\u00fc\u00df-]+"
_END = (
    r"(?=\s*(?:[.,;!]|$)| (?:und|aber|weil|seit|bei|in|im|am|an|auf|zu|zur|zum|mit|ohne|f\u00fcr"
    r"|namens)\b)"
)
_LIST = rf"{_NOUN}(?:, {_NOUN})*(?:,? und {_NOUN})?"
_DATE = r"\d{1,2}\. ?(?:\d{1,2}\.(?: ?\d{4})?|[A-Z][a-z\u00e4]+(?: \d{4})?)"
_CALLED_THUS = rf"(?:(?: namens|, (?:der|die|das) hei\u00dft|,) {_NAME}(?:(?:,| und) {_NAME})*)?"
_OFTEN = (
    r"(?:jede[nrs]? (?:zweite[nrs]? )?[A-Z]\w+|(?:ein|zwei|drei|vier)mal (?:pro|die|in der|im) \w+"
    r"|(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|morgen|abend)s)"
)
_NO_HABIT = r"bin|ist|habe|hat|muss|will|kann|soll|hasse|hasst|freue|brauche|braucht|denke|hoffe"
_FEW_WORDS = r"(?: (?!und\b|aber\b)[\w\u00e4\u00f6\u00fc\u00df-]+){1,6}?"
# What one drives and collects in passing, and does not have.
_NO_CAR = r"(?:\w*(?:weg|kurve|runde|strecke|schleife|stunde|woche|marathon)|Tag|Monat)\b"
_NO_COLLECTION = (
    r"(?:Kraft|Spenden|Ideen|Erfahrung\w*|Geld|Punkte|Daten|Stimmen|Unterschriften|Gedanken|Mut"
    r"|Info\w*|Material\w*|Argumente|Beweise|M\u00fcll|Belege)\b"
)
_ADV = (
    r"(?: (?:auch|jetzt|seit (?:der|dem|meiner) [A-Z]\w+|seit \w+(?: (?:Tag|Woche|Monat"
    r"|Jahr)e?n?)?|derzeit|zurzeit|sehr|stark"
    r"|schwer"
    r"|gerne?|wirklich|nur|immer|urspr\u00fcnglich|eigentlich|momentan|noch|mittlerweile|hier|aber|nun"
    r"|inzwischen|leider|fast nie|weiterhin|\u00fcbrigens|ja|halt))*"
)
_TRADE = (
    r"(?=[A-Z\u00c4\u00d6\u00dc])[\w\u00e4\u00f6\u00fc\u00df]*(?i:lehrer|arzt|\u00e4rzt"
    r"|ingenieur|kraft"
    r"|pfleger|schwester|mann|frau|anwalt|anw\u00e4lt|architekt|journalist|polizist|jurist|physiker"
    r"|chemiker|informatiker|mechaniker|techniker|elektriker|b\u00e4cker|koch|k\u00f6ch|tischler"
    r"|schreiner|maurer|maler|g\u00e4rtner|f\u00f6rster|friseur|verk\u00e4ufer|pilot|fahrer|hebamme"
    r"|apotheker|richter|notar|pfarrer|student|professor|forscher|biologe|biologin|psychologe"
    r"|psychologin|optiker|musiker|schauspieler|autor|\u00fcbersetzer|dolmetscher|berater"
    r"|steuerberater"
    r"|buchhalter|rentner|bauer|b\u00e4uerin|winzer|imker|erzieher|schneider|klempner|dachdecker"
    r"|fotograf|grafiker|designer|redakteur|bibliothekar|therapeut|sanit\u00e4ter|trainer)(?:in)?"
)
_BE = rf" (?:bin|ist|sind){_ADV}"
_PREDICATES = (
    *traits.traits(
        "medical allergy", rf"{_BE} allergisch (?:gegen|auf) (?P<v>{_LIST}){_END}",
        rf"{_BE} (?:gegen|auf) (?P<v>{_LIST}) allergisch\b",
        rf" (?:habe|hat){_ADV} eine (?P<v>{_NOUN})allergie\b", many=True
    ),
    *traits.traits(
        "medical intolerance", rf"{_BE} (?P<v>laktose|gluten|fruktose|histamin)intolerant\b"
    ),
    *traits.traits(
        "medical condition",
        rf" (?:habe|hat){_ADV} (?P<v>(?:Typ[ -][12][ -])?Diabetes|Asthma|Bluthochdruck|Migr\u00e4ne"
        rf"|Heuschnupfen|Z\u00f6liakie|Epilepsie|Rheuma|Arthrose|Gicht|Neurodermitis){_END}",
    ),
    *traits.traits(
        "personal learning", rf" (?:lerne|lernt){_ADV}(?: gerade)? (?P<v>{_NOUN}isch){_END}"
    ),
    *traits.traits(
        "preferences dislikes",
        rf" (?:mag){_ADV} (?:\u00fcberhaupt )?keine?n? (?P<v>{_LIST}){_END}",
    ),
    *traits.traits(
        "preferences avoids",
        rf" (?:esse|isst|trinke|trinkt){_ADV} (?:\u00fcberhaupt )?keine?n? (?P<v>{_LIST}){_END}",
    ),
    *traits.traits(
        "medical intolerance", rf" (?:vertrage|vertr\u00e4gt){_ADV} keine?n? (?P<v>{_LIST}){_END}"
    ),
    *traits.traits(
        "preferences diet",
        rf"{_BE} (?P<v>[Vv]egetarier(?:in)?|[Vv]eganer(?:in)?|vegetarisch|vegan){_END}",
        rf" (?:esse|isst|lebe|lebt){_ADV} (?P<v>vegetarisch|vegan|halal|koscher){_END}",
    ),
    *traits.traits(
        "contact city", rf" (?:wohne|lebe|wohnt|lebt|wohnen|leben){_ADV} in (?P<v>{_PLACE}){_END}",
        rf" bin{_ADV} nach (?P<v>{_PLACE}) gezogen\b",
    ),
    *traits.traits(
        "personal origin",
        rf" (?:komme|kommt|kommen|stamme|stammt|stammen){_ADV} aus (?P<v>{_PLACE})",
        rf"{_BE} in (?P<v>{_PLACE}) (?:geboren und )?aufgewachsen\b",
    ),
    *traits.traits("personal birthplace", rf"{_BE} in (?P<v>{_PLACE}) geboren\b"),
    *traits.traits("dates birthday", rf" wird am (?P<v>{_DATE}) (?:schon )?\d+\b"),
    *traits.traits("dates birthday", rf"{_BE} am (?P<v>{_DATE}) geboren\b"),
    *traits.traits(
        "family marital_status",
        rf"{_BE} (?P<v>verheiratet|verlobt|geschieden|verwitwet|ledig){_END}",
    ),
    *traits.traits(
        "family children",
        rf" (?:habe|haben|hat){_ADV} (?P<v>(?:einen?|zwei|drei|vier) (?:Kinder|Kind|Sohn|S\u00f6hne"
        rf"|Tochter|T\u00f6chter|Enkel|Enkelin){_CALLED_THUS}){_END}",
    ),
    *traits.traits(
        "family siblings",
        rf" (?:habe|hat){_ADV} (?P<v>(?:einen?|zwei|drei|vier) (?:\u00e4ltere|j\u00fcngere"
        rf"|gro\u00dfe|kleine)?[nr]? ?(?:Bruder|Br\u00fcder|Schwestern?|Geschwister)"
        rf"{_CALLED_THUS}){_END}",
    ),
    *traits.traits(
        "work occupation",
        rf" (?:arbeite|arbeitet){_ADV} als (?P<v>{_NOUN}){_END}"
        rf"(?: bei (?:der |dem )?(?P<employer>{_NOUN}))?(?: in (?P<city>{_PLACE}))?",
        rf"{_BE}(?: von Beruf)? (?P<v>{_NOUN}(?:in|er|ist|eur|ologe|arzt|lehrer)) von Beruf",
        rf"{_BE} von Beruf (?P<v>{_NOUN})",
        rf"{_BE} (?P<v>{_TRADE}){_END}(?: bei (?:der |dem )?(?P<employer>{_NOUN}))?(?: in"
        rf" (?P<city>{_PLACE}))?",
    ),
    *traits.traits(
        "work employer",
        rf" (?:arbeite|arbeitet){_ADV} (?:bei|f\u00fcr) (?:der )?(?P<v>{_NOUN})",
        rf" (?:bin|ist) (?:jetzt |schon )?seit [\w ]{{3,20}}? bei (?:der )?(?P<v>{_NOUN}){_END}",
    ),
    *traits.traits(
        "contact city", rf" (?:studiere|studiert){_ADV} in (?P<v>{_PLACE}){_END}"
    ),
    *traits.traits(
        "studies studies",
        rf" (?:studiere|studiert){_ADV} (?P<v>{_NOUN}){_END}"
        rf"(?: in (?P<city>{_PLACE})| an (?:der|einer) (?P<school>{_NOUN}(?: {_NOUN})?))?"
    ),
    *traits.traits(
        "studies school_year",
        r" geht (?:schon )?in die (?P<v>(?:erste|zweite|dritte|vierte|f\u00fcnfte|sechste|siebte"
        r"|achte|neunte|zehnte|elfte|zw\u00f6lfte|\d{1,2}\.) Klasse)\b",
    ),
    *traits.traits(
        "personal languages",
        rf" (?:spreche|spricht){_ADV} (?P<v>{_LIST}){_END}", many=True,
    ),
    *traits.traits(
        "personal age", rf"{_BE} (?P<v>\d{{1,3}})(?: Jahre alt)?(?=\s*(?:[.,;!]|$)| und\b)"
    ),
    *traits.traits(
        "pets pets",
        rf" (?:habe|haben|hat){_ADV} (?P<v>(?:einen?|zwei|drei) (?:Hund|Katze|Kater|Hase|Kaninchen"
        rf"|Hamster|Papagei|Pferd|Ziege|Huhn|H\u00fchner|Schaf)e?n?"
        rf"{_CALLED_THUS}){_END}",
    ),
    *traits.traits("hobbies plays", rf" (?:spiele|spielt){_ADV} (?P<v>{_NOUN}){_END}"),
    *traits.traits(
        "hobbies collects",
        rf" (?:sammle|sammelt){_ADV} (?P<v>(?:[a-z]+e )?(?!{_NO_COLLECTION}){_NOUN}){_END}",
    ),
    *traits.traits(
        "hobbies routine",
        rf" (?P<v>(?!(?:{_NO_HABIT})\b)[a-z\u00e4\u00f6\u00fc\u00df]+[et] {_OFTEN}"
        rf"{_FEW_WORDS})(?=\s*(?:[.,;!]|$)| und\b)",
    ),
    *traits.traits(
        "belongings drives",
        rf" (?:fahre|f\u00e4hrt){_ADV} (?P<v>einen? (?:[a-z]+en? )?(?!(?i:{_NO_CAR})){_NOUN})"
        rf"{_END}",
    ),
    *traits.traits(
        "preferences likes",
        rf" (?:mag|liebe|liebt)(?: sehr| gerne?)? (?P<v>{_LIST}){_END}",
        rf" (?:trinke|trinkt|esse|isst|h\u00f6re|h\u00f6rt|lese|liest){_ADV}(?: sehr)? (?:am"
        rf" liebsten|gerne?) (?P<v>(?:[a-z]+en? )?{_NOUN}(?: mit {_NOUN})?){_END}",
    ),
    *traits.traits("preferences dislikes", rf" (?:hasse|hasst) (?P<v>{_LIST}){_END}"),
)  # fmt: skip
_FAVOURITES = {
    "essen": "food", "speise": "food", "gericht": "dish", "getr\u00e4nk": "drink",
    "farbe": "color", "buch": "book", "autor": "author", "autorin": "author", "film": "movie",
    "serie": "series", "lied": "song", "band": "band", "musik": "music", "sport": "sport",
    "sportart": "sport", "tier": "animal", "stadt": "city", "spiel": "game", "obst": "fruit",
    "fach": "subject", "restaurant": "restaurant", "verein": "team", "blume": "flower",
    "jahreszeit": "season", "eis": "ice_cream", "kuchen": "cake",
}  # fmt: skip
_FAVOURITE = (
    rf"\b[Mm]eine? Lieblings(?P<thing>{'|'.join(_FAVOURITES)}) (?:ist|sind)"
    rf"(?: immer noch| noch immer)?(?: der| die| das)? (?P<v>{_NOUN}(?: (?!und\b){_NOUN}"
    rf"| (?:mit|auf|von|im) {_NOUN})*)(?=\s*(?:[.,;!]|$)| (?:weil|und)\b)"
)
# What stands first, then the verb, then the subject: `Seit Mai wohnt mein Bruder in Ulm`.
_FIRST = (
    r"(?:(?:Seit|In meiner|In der|An|Am|Von|Nach) [^.,;?!]{2,30}?|Jetzt|Inzwischen|Mittlerweile"
    r"|Zurzeit|Derzeit|Momentan|Aktuell|Nebenbei|Beruflich|\u00dcbrigens|Au\u00dferdem|Eigentlich"
    r"|Urspr\u00fcnglich|Leider|Normalerweise|Hier|Gerade|Zu Hause|Zuhause|Daheim|Privat)"
)
_WHO = re.sub(r"\(\?P<\w+>", "(?:", _MINE)
_INVERTED = (
    rf"(?:(?P<most>Am liebsten)|{_FIRST})"
    rf" (?P<verb>[a-z\u00e4\u00f6\u00fc\u00df]+[etn]|hat|ist|mag) (?P<who>ich|{_WHO})\b"
)
_REGULARLY = (
    rf"^(?P<v>(?i:{_OFTEN}) (?!(?:{_NO_HABIT})\b)[a-z\u00e4\u00f6\u00fc]+e ich"
    rf"{_FEW_WORDS})(?=\s*(?:[.,;!]|$)| und\b)"
)
_JOINED = (
    r"[^.,;]{0,40}?(?:\bund(?= [a-z])"
    r"|,(?= (?:[a-z]+ aber|bin|habe|wohne|lebe|arbeite|studiere|spiele|spreche)\b))"
)
# Chat leaves its subject out: `bin seit Mai bei Bosch`, `hab zwei Katzen`.
_UNSAID = re.compile(
    r"(?i)^\W*(?P<verb>bin|habe?|wohne|lebe|arbeite|studiere|spreche|lerne|spiele)(?! ich\b)(?= )"
)
_OWN = (
    (
        "dates",
        "birthday",
        rf"\b[Mm]ein Geburtstag ist (?:am|der) (?P<v>{_DATE})",
    ),
    ("contact", "phone", r"\b[Mm]eine (?:Telefon|Handy)?[Nn]ummer ist (?P<v>\+?\d[\d /-]{5,18}\d)"),
    ("hobbies", "routine", _REGULARLY),
    (
        "contact",
        "email",
        r"\b[Mm]eine (?:E-?)?Mail(?:-?[Aa]dresse)? (?:ist|lautet) (?P<v>[\w.+-]+@[\w.-]+\w)",
    ),
    ("personal", "name", rf"\b(?:[Ii]ch hei\u00dfe|[Mm]ein Name ist) (?P<v>{_NAME}(?: {_NAME})?)"),
)

# Before its subject, the verb has its object behind it: `Morgen hat mein Bruder Urlaub`.
_OWNS_BEFORE = re.compile(
    r"\b(?:hat|haben|hatte\w*|macht|braucht|bekommt|kauft|sucht|spielt|lernt|isst|trinkt|mag|will"
    r"|studiert) $"
)
_MORE = re.compile(rf" (?:[a-z\u00e4\u00f6\u00fc\u00df]+ )*{_NOUN}")


# What leans on what was said before, answers, bids or lacks its verb: `Dann der Grieche`.
_LEANS = re.compile(
    r"(?i)\W*(?:(?:ja+|jo|nein|ok|okay|gut|super|klar|ach|oh+|na+|hm+|puh|boah|also|und|aber|so"
    r"|doch"
    r"|haha\w*|lol|wow)[,.!]? )*"
    # Who bids, and of whom it is spoken to: `sag mal`, `dein Bruder ist ein Schatz`.
    r"(?:(?:sag|frag|schau|guck|h\u00f6r|komm|gib|lies|zeig|nimm|warte?)\b(?! ich)"
    # When somebody has time, which only the question needs.
    r"|(?:am )?\w*(?:tag|abend|mittag|morgen|woche) (?:kann|k\u00f6nnte|passt|geht|ginge)"
    r"|dein\w*|eure?\w*|du|\d+|dann|da|dort|darum|deshalb|daf\u00fcr|damit|davon|dazu|daran"
    r"|darauf|dabei|der|das"
    r"|die(?= (?:ist"
    r"|sind|war|hat|haben|kann|wird|kommt|geht)\b)|das|dies\w*|es|er|sie|ihr|ihm|ihn|ihnen|man"
    r"|jene\w*"
    r"|wir k\u00f6nnten|wir sollten|ich k\u00f6nnte|ich w\u00fcrde|lass|lasst|bitte|denk|danke"
    r"|gern\w*"
    r"|vielleicht|weil|dass|ob|wenn|oder|sondern|nur|auch|aber|und|ja|nein|doch|genau|stimmt|klar"
    r"|okay|ok|gut|super|toll|sch\u00f6n|wei\u00df|war|w\u00e4re|warum|wann|wo|wie|was|wer"
    r"|kannst|hast|bist"
    r"|willst|k\u00f6nntest|sollen|sollte|freu\w*|mach|mal|hier|jetzt|noch)\b"
)
_OF_IT = re.compile(
    r"\b(?:f\u00fcr|mit|von|zu|bei|ohne) (?:sie|ihn|ihm|ihr|ihnen|denen)(?=\s*(?:[.,;!]|$| und\b))"
    # Who bids, in whatever verb: `Plane bitte ein Fest`.
    r"|^\w+ (?:(?:mir|uns|doch|mal) )*bitte\b"
    r"|(?:wohn|leb|arbeit|w[a\u00e4]r|ist|bin|sind|steh|lieg)\w* (?:\w+ )?dort(?=\s*(?:[.,;!]|$))"
    r"|\b(?:aber|und|weil|denn) (?:es|er|sie|das)\b|\bohne\W*$|\bm\u00fcssen? [^.]*(?:reden"
    r"|sprechen)\b|\b[Ii]ch \w+ (?:es|ihn|sie|das|ihm"
    r"|ihr|den|die)\b(?! [A-Z\u00c4\u00d6\u00dc])"
)
_VERB = re.compile(
    r"(?i)\b(?:bin|ist|sind|war|waren|habe?|hat|haben|hatte\w*|wird|werden|wurde\w*|werde|kann"
    r"|k\u00f6nnen"
    r"|muss|m\u00fcssen|soll|will|wollen|darf|mag|kommt?|komme|geht|gehe|gehen|fahre?|f\u00e4hrt"
    r"|fahren"
    r"|mache?|macht|machen|kostet?|nehme?n?|nimmt|bringe?|bringt|arbeite\w*|wohne?|wohnt|lebe?|lebt"
    r"|braucht?|brauche|bekomm\w+|bleib\w+|sag\w*|steht|liegt|beginnt|f\u00e4ngt|feiern|zieh\w+"
    r"|esse?|isst"
    r"|trinke?|trinkt|spiele?|spielt|lerne?|lernt|kauf\w+|hei\u00dft|gibt|gebe|findet|finde"
    r"|plan\w+|\w+ieren|\w+iert)\b"
)


# German chat leaves `ich` out: `hab ein Rad gekauft`.
_OF_SELF = (
    r"(?i)\b(?:ich|wir|mir|mich|uns|mein\w*|unser\w*|hab|bin|war|werd)\b"
    r"|(?<=[a-z\u00e4\u00f6\u00fc\u00df,] )(?-i:[A-Z])\w+ (?:ist|hat|wird|kommt|geht|wohnt)\b"
)


def stands(text: str) -> bool:
    """Whether *text*, in German, states something by itself: leans on nothing, and has a verb."""
    leans = _LEANS.match(text) or _OF_IT.search(text)
    return not leans and _VERB.search(text) is not None


def is_first_hand(text: str) -> bool:
    """Whether *text*, in German, is of its speaker, of theirs, or of somebody with a name."""
    return re.search(_OF_SELF, text) is not None


def is_talk(text: str) -> bool:
    """Whether *text* is plainly German."""
    return detection.language(text) == "de"


def is_german(text: str) -> bool:
    """Whether *text* speaks German of the speaker or somebody of theirs."""
    return re.search(_WORDS, text) is not None


def with_subject(text: str) -> str:
    """Return *text* with the `ich` that its first verb has none but; `hab` is `habe`."""
    text = _UNSAID.sub(lambda found: f"ich {found['verb'].lower()}", text)
    return re.sub(r"(?<=\b[Ii]ch )hab\b", "habe", text)


def _straight(text: str) -> str:
    """Return *text* with its subject first: `Seit 2015 wohne ich hier` is `ich wohne hier`."""
    found = re.match(_INVERTED, text)
    if not found:
        return text
    most = " am liebsten" if found["most"] else ""
    return f"{found['who']} {found['verb']}{most}{text[found.end() :]}"


def attributes(text: str, circle: Circle) -> Iterator[tuple[Person, Attribute]]:
    """Yield whom *text*, a sentence, concerns and what it says of them."""
    if salience.is_question(text) or re.search(_DOUBT, text):
        return
    me = Person(circle.me, "self")
    for found in (*re.finditer(_CALLED, text), *re.finditer(_MINE, text)):
        name = found["name"] or ""
        if _is_name(found, text) and name not in circle.names:
            person = circle.meet(name, _RELATIONS[found["rel"]])
            yield person, Attribute(relations.category(person.relation), "name", name)
    for category, field, pattern in _OWN:
        if own := re.search(pattern, text):
            yield me, Attribute(category, field, own["v"])
    for found in re.finditer(_FAVOURITE, text):
        yield me, Attribute("preferences", f"favorite_{_FAVOURITES[found['thing']]}", found["v"])
    text = _straight(text)
    for found in re.finditer(_SUBJECT, text):
        person = me if found["self"] else _relation(found, circle)
        rest = text[found.end() :]
        while rest:
            yield from ((person, one) for one in traits.attributes(rest, _PREDICATES))
            joined = re.match(_JOINED, rest)
            rest = rest[joined.end() :] if joined else ""


def _is_name(found: re.Match[str], text: str) -> bool:
    """Whether the name *found* behind a relation in *text* is one, and no object of its verb."""
    if not relations.is_name(found["name"] or ""):
        return False
    is_object = _OWNS_BEFORE.search(text[: found.start()]) and not _MORE.match(text[found.end() :])
    return not is_object


def _relation(found: re.Match[str], circle: Circle) -> Person:
    known = circle.names.get(found["name"] or "")
    return known or circle.of(_RELATIONS[found["rel"]])
