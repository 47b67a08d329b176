"""What is said of somebody in German, after its subject or its owner.

The third language, and the smallest: the present tense alone. Past tenses and the subjunctive have
other forms, and never fit.
"""

from __future__ import annotations

from vaultmem.nlp.extraction.grammar import traits

NAME = r"(?:(?:Dr|Prof)\. |Herr |Frau )?[A-Z\u00c4\u00d6\u00dc][a-z\u00e4\u00f6\u00fc\u00df]+"
_PLACE = r"[A-Z\u00c4\u00d6\u00dc][\w\u00e4\u00f6\u00fc\u00df-]+(?: (?:am|an der|im) [A-Z]\w+)?"
NOUN = r"[A-Z\u00c4\u00d6\u00dc][\w\u00e4\u00f6\u00fc\u00df-]+"
_END = (
    r"(?=\s*(?:[.,;:!()]|$)| (?:und|aber|weil|seit|bei|in|im|am|an|auf|zu|zur|zum|mit|ohne|f\u00fcr"
    r"|beim|dr\u00fcben|hier|dort|nebenbei|namens)\b)"
)
_LIST = rf"{NOUN}(?:, {NOUN})*(?:,? und {NOUN})?"
# When one works, and for how little: no firm.
_FIRM = rf"(?!(?:Nacht|Tag|Tageslicht|Regen|Hitze|Bedarf|Gelegenheit|Geld|Peanuts|Luft)\b){NOUN}"
# In what state one lives, and for what reason one comes: `Ich lebe in Scheidung`.
_NO_STATE = (
    r"(?!(?:\w+(?:ung|heit|keit|schaft)|Angst|Frieden|Sorge|Armut|Miete|Untermiete|Saus|Zeiten"
    r"|Ehe|Rente|Isolation|Furcht|Prinzip|Versehen|Spa\u00df|Liebe|Neugier|Langeweile|Mangel|Wut"
    r"|Trotz|Mitleid|Not|Gewohnheit)\b)"
)
_TOWN = rf"{_NO_STATE}{_PLACE}"
_LANGUAGE = (
    r"(?:[A-Z\u00c4\u00d6\u00dc][a-z\u00e4\u00f6\u00fc-]*sch|Latein|Esperanto|Farsi|Hindi|Urdu"
    r"|Paschtu|Dari|Suaheli|Swahili|Mandarin|Tamil|Bengali|Punjabi|Tigrinya|Platt"
    r"|Geb\u00e4rdensprache)"
)
_WELL = r"(?:(?:ganz gut|sehr gut|flie\u00dfend|etwas|ein bisschen|ein wenig|gut|kaum) )?"
_LANGUAGES = rf"{_WELL}{_LANGUAGE}(?:(?:, | und ){_WELL}{_LANGUAGE})*"
# Of a mouthful nobody is wary.
_NO_BIT = r"(?!(?:Bissen|Schluck|Tropfen|Happen|L\u00f6ffel)\b)"
# Talk drops its beginning: `ne Katze`, `nen Hund`.
_A = r"(?:ei|['\u2019])?n(?:en?)?"
# What one plays for others, and not with them.
_NO_GAME = (
    r"(?!(?:Babysitter|Taxi|Chauffeur|M\u00e4uschen|Detektiv|Arzt|Polizei|Richter|Schicksal"
    r"|Gott)\b)"
)
_NO_DAY = "(?!(?:Mon|Diens|Donners|Frei|Sams|Sonn)tage?n?\\b|Arbeit\\b|Hausarbeit\\b)"
_DATE = r"\d{1,2}\. ?(?:\d{1,2}\.(?: ?\d{4})?|[A-Z][a-z\u00e4]+(?: \d{4})?)"
_CALLED_THUS = rf"(?:(?: namens|, (?:der|die|das) hei\u00dft|,) {NAME}(?:(?:,| und) {NAME})*)?"
_OFTEN = (
    r"(?:jede[nrs]? (?:zweite[nrs]? )?[A-Z]\w+|(?:ein|zwei|drei|vier)mal (?:pro|die|in der|im) \w+"
    r"|(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|morgen|abend)s)"
)
_NO_HABIT = r"bin|ist|habe|hat|muss|will|kann|soll|hasse|hasst|freue|brauche|braucht|denke|hoffe"
_FEW_WORDS = r"(?: (?!und\b|aber\b)[\w\u00e4\u00f6\u00fc\u00df-]+){1,6}?"
# What one drives and collects in passing, and does not have.
_NO_CAR = (
    r"(?:(?:Leih|Miet)wagen|\w*(?:weg|kurve|runde|strecke|schleife|stunde|woche|marathon)"
    r"|Tag|Monat)\b"
)
_NO_COLLECTION = (
    r"(?:Kr[a\u00e4]fte?|Spenden|Ideen|Erfahrung\w*|Geld|\w*[Pp]unkte|Daten|Stimmen|Unterschriften"
    r"|Gedanken|Mut"
    r"|Info\w*|Material\w*|Argumente|Beweise|M\u00fcll|Belege)\b"
)
_ADV = (
    r"(?: (?:auch|jetzt|seit (?:der|dem|meiner) [A-Z]\w+|seit \w+(?: (?:Tag|Woche|Monat"
    r"|Jahr)e?n?)?|derzeit|zurzeit|sehr|stark"
    r"|schwer"
    r"|gerne?|wirklich|nur|immer|urspr\u00fcnglich|eigentlich|momentan|noch|mittlerweile|hier|aber"
    r"|nun"
    r"|inzwischen|leider|fast nie|weiterhin|\u00fcbrigens|ja|halt))*"
)
TRADE = (
    r"(?=[A-Z\u00c4\u00d6\u00dc])(?!(?:Hobby|Freizeit|Sonntags|M\u00f6chtegern|Bei|Rad|Motorrad|Ski"
    r"|Schwarz|Geister|Auto)(?:[a-z]*fahrer|[a-z]*koch|[a-z]*g\u00e4rtner|[a-z]*maler))[\w\u00e4\u00f6\u00fc\u00df]*(?i:lehrer|arzt|\u00e4rzt"
    r"|ingenieur|kraft"
    r"|pfleger|krankenschwester|(?:kauf|fach|feuerwehr|putz|reinigungs|zimmer|kamera|gesch\u00e4fts"
    r"|see|ton|haus)(?:mann|frau)|anwalt|anw\u00e4lt|architekt|journalist|polizist|jurist|physiker"
    r"|chemiker|informatiker|mechaniker|techniker|elektriker|b\u00e4cker|koch|k\u00f6ch|tischler"
    r"|schreiner|maurer|maler|g\u00e4rtner|f\u00f6rster|friseur|verk\u00e4ufer|pilot|fahrer|hebamme"
    r"|apotheker|richter|notar|pfarrer|student|professor|forscher|biologe|biologin|psychologe"
    r"|psychologin|optiker|musiker|schauspieler|autor|\u00fcbersetzer|dolmetscher|berater"
    r"|steuerberater"
    r"|buchhalter|bauer|b\u00e4uerin|winzer|imker|erzieher|schneider|klempner|dachdecker"
    r"|fotograf|grafiker|designer|redakteur|bibliothekar|therapeut|sanit\u00e4ter|trainer)(?:in)?"
)
# Who has given up work has no trade.
_RETIRED = r"(?:(?:Fr\u00fch)?[Rr]entner|Pension\u00e4r)(?:in)?"
# Who works: a unit, or the last of all, is no trade.
_WORKER = (
    rf"(?!(?:(?:Erste|Letzte|Zweite|Dritte|Einzige|Einzelne)r|{_RETIRED})\b)(?={NOUN})[\w\u00e4\u00f6\u00fc\u00df-]*"
    r"(?i:er|in|ist|eur|ent|ant|or|loge|nom|graf|kraft|hilfe|mann|frau|koch|arzt|wirt|bote|amme"
    r"|anwalt|chef|model|azubi|coach|guide|scientist|owner|ingenieur|doktorand|vorstand|dozent)\b"
)
_STAGE = (
    r"(?! (?:im|am|in (?:der|dem|einem|einer|unserem)) \w*(?i:spiel|st\u00fcck|theater|film|musical"
    r"|oper|serie|auff\u00fchrung|kom\u00f6die|show|m\u00e4rchen)\b)"
)
_WHEN = (
    r"(?: (?:gestern|k\u00fcrzlich|neulich|im [A-Z]\w+|(?:Anfang|Mitte|Ende) [A-Z]\w+"
    r"|letzte[ns]? (?:Woche|Monat|Jahr)|vor \w+ (?:Tagen|Wochen|Monaten|Jahren)))?"
)
_BE = rf" (?:bin|ist|sind){_ADV}"
PREDICATES = (
    *traits.traits(
        "medical allergy", rf"{_BE} allergisch (?:gegen|auf) {_NO_DAY}(?P<v>{_LIST}){_END}",
        rf"{_BE} (?:gegen|auf) {_NO_DAY}(?P<v>{_LIST}) allergisch\b",
        rf" (?:habe|hat){_ADV} {_A} (?P<v>{NOUN})allergie\b", many=True
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
        "personal learning", rf" (?:lerne|lernt){_ADV}(?: gerade)? (?P<v>{NOUN}isch){_END}"
    ),
    *traits.traits(
        "preferences dislikes",
        rf" (?:mag){_ADV} (?:\u00fcberhaupt )?keine?n? (?P<v>{_LIST}){_END}",
    ),
    *traits.traits(
        "preferences avoids",
        rf" (?:esse|isst|trinke|trinkt){_ADV} (?:\u00fcberhaupt )?keine?n?"
        rf" (?P<v>{_NO_BIT}{_LIST})(?:"
        rf" mehr)?{_END}",
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
        "contact city", rf" (?:wohne|lebe|wohnt|lebt|wohnen|leben){_ADV} in (?P<v>{_TOWN}){_END}",
        rf" bin{_ADV}{_WHEN} nach (?P<v>{_TOWN}) (?:um)?gezogen\b",
    ),
    *traits.traits(
        "personal origin",
        rf" (?:komme|kommt|kommen|stamme|stammt|stammen){_ADV} aus (?:der (?:N\u00e4he|Gegend) von"
        rf" )?(?P<v>{_TOWN})",
        rf"{_BE} in (?P<v>{_PLACE}) (?:geboren und )?aufgewachsen\b",
    ),
    *traits.traits("personal birthplace", rf"{_BE} in (?P<v>{_PLACE}) geboren\b"),
    *traits.traits("dates birthday", rf" wird am (?P<v>{_DATE}) (?:schon )?\d+\b"),
    *traits.traits("dates birthday", rf"{_BE} am (?P<v>{_DATE}) geboren\b"),
    *traits.traits(
        "family marital_status",
        rf"{_BE}(?: wieder)? (?P<v>verheiratet|verlobt|geschieden|verwitwet|ledig|[Ss]ingle){_END}",
    ),
    *traits.traits(
        "family children",
        rf" (?:habe|haben|hat){_ADV} (?P<v>(?:{_A}|zwei|drei|vier) (?:Kinder|Kind|Sohn|S\u00f6hne"
        rf"|Tochter|T\u00f6chter|Enkel|Enkelin){_CALLED_THUS}){_END}",
    ),
    *traits.traits(
        "family siblings",
        rf" (?:habe|hat){_ADV} (?P<v>(?:{_A}|zwei|drei|vier) (?:\u00e4ltere|j\u00fcngere"
        rf"|gro\u00dfe|kleine)?[nr]? ?(?:Bruder|Br\u00fcder|Schwestern?|Geschwister)"
        rf"{_CALLED_THUS}){_END}(?! im Geiste?\b)",
    ),
    *traits.traits(
        "work occupation",
        rf" (?:arbeite|arbeitet){_ADV} als (?P<v>{_WORKER}){_END}"
        rf"(?: bei (?:der |dem )?(?P<employer>{NOUN}))?(?: in (?P<city>{_TOWN}))?",
        rf"{_BE}(?: von Beruf)? (?P<v>{NOUN}(?:in|er|ist|eur|ologe|arzt|lehrer)) von Beruf",
        rf"{_BE} von Beruf (?P<v>(?!{_RETIRED}\b){NOUN})",
        rf"{_BE} (?P<v>{TRADE}){_END}(?: bei (?:der |dem )?(?P<employer>{NOUN}))?(?: in"
        rf" (?P<city>{_TOWN}))?",
    ),
    *traits.traits("work status", rf"{_BE} (?P<v>{_RETIRED}|pensioniert){_END}"),
    *traits.traits(
        "work employer",
        rf" (?:arbeite|arbeitet){_ADV} (?:bei|f\u00fcr) (?:der )?(?P<v>{_FIRM})",
        rf" (?:bin|ist) (?:jetzt |schon )?seit [\w ]{{3,20}}? bei (?:der )?(?P<v>{NOUN}){_END}",
    ),
    *traits.traits(
        "contact city", rf" (?:studiere|studiert){_ADV} in (?P<v>{_PLACE}){_END}"
    ),
    *traits.traits(
        "studies studies",
        rf" (?:studiere|studiert){_ADV} (?P<v>{NOUN}){_END}"
        rf"(?: in (?P<city>{_TOWN})| an (?:der|einer) (?P<school>{NOUN}(?: {NOUN})?))?"
    ),
    *traits.traits(
        "studies school_year",
        r" geht (?:schon )?in die (?P<v>(?:erste|zweite|dritte|vierte|f\u00fcnfte|sechste|siebte"
        r"|achte|neunte|zehnte|elfte|zw\u00f6lfte|\d{1,2}\.) Klasse)\b",
    ),
    *traits.traits(
        "personal languages",
        rf" (?:spreche|spricht){_ADV} (?P<v>{_LANGUAGES}){_END}", many=True,
    ),
    *traits.traits(
        "personal age", rf" (?:bin|ist){_ADV} (?P<v>\d{{1,3}}|zwei|drei|vier|f\u00fcnf|sechs"
        "|sieben|acht|neun|zehn"
        rf"|elf|zw\u00f6lf)(?: Jahre alt)?(?=\s*(?:[,;!]|\.(?! [a-z\u00e4\u00f6\u00fc])|$)| und\b)",
    ),
    *traits.traits(
        "pets pets",
        rf" (?:habe|haben|hat){_ADV} (?P<v>(?:{_A}|zwei|drei)"
        rf" (?:[A-Z]?[a-z\u00e4\u00f6\u00fc\u00df]*(?:[Hh]und"
        rf"|[Kk]atze)|Kater(?! im\b)(?=,? \w+|s\b)|Welpe|Dackel|Pudel|Mops|Terrier|Labrador"
        rf"|Hase|Kaninchen|Hamster|Papagei|Wellensittich|Meerschweinchen|Schildkr\u00f6te|Pferd"
        rf"|Ziege|Huhn|H\u00fchner|Schaf)e?n?{_CALLED_THUS}){_END}",
    ),
    *traits.traits(
        "studies goal",
        rf" (?:mache|macht){_ADV}(?: gerade)? \w+e Ausbildung (?:zum|zur|als) (?P<v>{NOUN}){_END}",
    ),
    *traits.traits(
        "hobbies sings",
        rf" (?:singe|singt){_ADV} (?:im|in (?:einem|einer|der)) (?P<v>(?:[A-Z]?\w*[Cc]hor"
        rf"|Band)){_END}",
    ),
    *traits.traits(
        "hobbies plays", rf" (?:spiele|spielt){_ADV} (?P<v>{_NO_GAME}{NOUN}){_END}{_STAGE}"
    ),
    *traits.traits(
        "hobbies collects",
        rf" (?:sammle|sammelt){_ADV} (?P<v>(?:[a-z]+e )?(?!{_NO_COLLECTION}){NOUN}){_END}",
    ),
    *traits.traits(
        "hobbies routine",
        rf" (?P<v>(?!(?:{_NO_HABIT})\b)[a-z\u00e4\u00f6\u00fc\u00df]+[et] {_OFTEN}"
        rf"{_FEW_WORDS})(?=\s*(?:[.,;!]|$)| und\b)",
    ),
    *traits.traits(
        "belongings drives",
        rf" (?:fahre|f\u00e4hrt){_ADV} (?P<v>{_A} (?:[a-z]+en? )?(?!(?i:{_NO_CAR})){NOUN}"
        rf"(?: [A-Z\d][\w-]*)?){_END}",
    ),
    *traits.traits(
        "preferences likes",
        rf" (?:mag|liebe|liebt)(?: sehr| gerne?)? (?P<v>{_LIST}){_END}",
        rf" (?:trinke|trinkt|esse|isst|h\u00f6re|h\u00f6rt|lese|liest){_ADV}(?: sehr)? (?:am"
        rf" liebsten|gerne?) (?P<v>(?:[a-z]+en? )?{NOUN}(?: mit {NOUN})?){_END}",
    ),
    *traits.traits("preferences dislikes", rf" (?:hasse|hasst) (?P<v>{_LIST}){_END}"),
)  # fmt: skip
FAVOURITES = {
    "essen": "food", "speise": "food", "gericht": "dish", "getr\u00e4nk": "drink",
    "farbe": "color", "buch": "book", "autor": "author", "autorin": "author", "film": "movie",
    "serie": "series", "lied": "song", "band": "band", "musik": "music", "sport": "sport",
    "sportart": "sport", "tier": "animal", "stadt": "city", "spiel": "game", "obst": "fruit",
    "fach": "subject", "restaurant": "restaurant", "verein": "team", "blume": "flower",
    "jahreszeit": "season", "eis": "ice_cream", "kuchen": "cake",
}  # fmt: skip
FAVOURITE = (
    rf"\b[Mm]eine? Lieblings(?P<thing>{'|'.join(FAVOURITES)}) (?:ist|sind)"
    rf"(?: immer noch| noch immer)?(?: der| die| das)? (?P<v>{NOUN}(?: (?!und\b){NOUN}"
    rf"| (?:mit|auf|von|im) {NOUN})*)(?=\s*(?:[.,;!]|$)| (?:weil|und)\b)"
)
_REGULARLY = (
    rf"^(?P<v>(?i:{_OFTEN}) (?!(?:{_NO_HABIT})\b)[a-z\u00e4\u00f6\u00fc]+e ich"
    rf"{_FEW_WORDS})(?=\s*(?:[.,;!]|$)| und\b)"
)
OWN = (
    (
        "dates",
        "birthday",
        rf"\b[Mm]ein Geburtstag ist (?:am|der) (?P<v>{_DATE})",
    ),
    ("dates", "birthday", rf"\b[Ii]ch habe (?:immer )?am (?P<v>{_DATE}) Geburtstag\b"),
    ("contact", "phone", r"\b[Mm]eine (?:Telefon|Handy)?[Nn]ummer ist (?P<v>\+?\d[\d /-]{5,18}\d)"),
    ("hobbies", "routine", _REGULARLY),
    (
        "contact",
        "email",
        r"\b[Mm]eine (?:E-?)?Mail(?:-?[Aa]dresse)? (?:ist|lautet) (?P<v>[\w.+-]+@[\w.-]+\w)",
    ),
    ("personal", "name", rf"\b(?:[Ii]ch hei\u00dfe|[Mm]ein Name ist) (?P<v>{NAME}(?: {NAME})?)"),
)
