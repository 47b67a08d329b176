"""Tell which language a text is in, by its function words; purely, and only where it is plain.

English is told from the others alone: what is in none of them is taken for it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache

_OPENING = 2000
"""Characters that are looked at: who writes on does so in the same language."""
_WORD = re.compile(r"[^\W\d_]+")
_LEAST, _PLENTY = 2, 5
"""Function words that a short text must have, and that will do for a long one."""
_SHARE = 4
"""Every which word must be one, or in a text of made-up words the language is chance."""

FUNCTION_WORDS: Mapping[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "en": """
            a about all am an and any are as at be because been but by can could did do does for
            from get had has have he her him his how i if in into is it its just like me my no not
            of on one or our out she so than that the their them then there these they this to up
            us was we were what when where which who why will with would you your
            """,
        "de": """
            aber als am an ans auch auf aus bei beim bin bis bist da dann das dass dein deine dem
            den der des die dies diese diesem diesen dieser dieses doch du durch ein eine einem
            einen einer eines er es euch für gegen habe haben habt hat hatte hätte hatten heute hier
            ich ihm ihn ihr ihre im in ins ist ja jetzt kann kannst kein keine können konnte letzte
            letzten man mein meine meiner mich mir mit muss müssen nach nicht noch nur ob oder ohne
            schon sehr seid sein seine seit sich sie sind so soll sollen sollte über um und uns
            unser unsere unter viel viele vom von vor wann war wäre waren warum was weil welche
            welchem welchen welcher welches wem wen wenn wer werden weshalb wessen wie wieder wieso
            wieviel wieviele wir wird wo wodurch wofür wogegen woher wohin womit wonach woran worauf
            woraus worin worüber wovon wozu wurde wurden zu zum zur
            """,
        "fr": """
            a ai au aussi aux avec avons bien c ce ces cette combien comme comment d dans de des
            donc du elle elles en est et été être fait il ils j je l la laquelle le lequel les leur
            leurs lui m ma mais me mes moi mon n ne nos notre nous on ont ou où par pas plus pour
            pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se ses si son sont
            sur t ta te tes toi ton tout très tu un une vos votre vous
            """,
        "es": """
            a adónde al algo ante antes aquí como cómo con cuál cuáles cuando cuándo cuánta cuántas
            cuánto cuántos de del desde donde dónde el él ella ellos en era eran eres es esa ese eso
            esta está estaba estaban estamos están estás este esto estoy estuvo fue fueron ha había
            habían hace han has hasta hay he hemos la las le les lo los más me mi mis muy nada ni no
            nos nosotros nuestra nuestro o para pero por porque que qué quién quiénes se sea ser si
            sin sobre somos son soy su sus también te tengo ti tiene todo todos tu tú un una uno y
            ya yo
            """,
        "it": """
            a abbiamo ai al alla alle anche che chi ci come con cosa da dal dalla dei del della
            delle di dove e è ed era gli ha hai hanno ho i il in io la le lei lo loro lui ma mi mia
            mio molto nel nella noi non nostra nostro o per perché più quale quali quando quanta
            quante quanti quanto quella quello questa questo se sei si sia siamo sono su sua sul
            sulla suo tra tu tutti un una uno
            """,
        "pt": """
            a ao aos as às até com como da das de dela dele depois do dos e é ela ele eles em era
            essa esse esta está este eu foi há isso já lhe mais mas me meu minha muito na não nas
            nem no nos nossa nosso o onde os ou para pela pelo por porque quais qual quando quanta
            quantas quanto quantos que quem são se sem ser seu só sua também tem tenho um uma você
            """,
        "nl": """
            aan al als bij dan dat de deze die dit doen door een en er ge geen haar heb hebben heeft
            hem het hier hij hoe hoeveel hun ik in is je jij jullie kan maar me meer met mij mijn
            naar niet nog nu of om omdat onder ons onze ook op over te tot u uit van veel voor waar
            waarheen waarmee waarom wanneer was wat we wel welk welke wie wij zal ze zei zich zij
            zijn zo zonder
            """,
        "ru": """
            а без бы был была были было быть в вам вас весь во вот все всё вы где да для до его ее
            её если есть еще ещё же за и из или им их к как какая какие какое какой когда кто куда
            ли мне мой моя мы на нам нас наш наша не него нее нет но о об он она они от откуда по
            почему при с сколько со так там то тоже только ты у уже чей что чтобы эта эти это этот я
            """,
    }.items()
}
_ALSO_ENGLISH = frozenset(
    """
    ad al also bin com come comment con dal den des dies die do door era fin fit hat hay man met mi
    mine mit mode net non nu op over pas per plus pour sea sin sole son ton tot tout tan van war
    """.split()  # noqa: SIM905  # as the others are written
)
"""What English has, too: alone it tells of no other language, as `sea` or `pour over` do not."""
_LETTERS = {
    "de": "äöüß", "fr": "çêèœ", "es": "ñ¿¡", "it": "ìò", "pt": "ãõ", "ru": "аеио",
}  # fmt: skip


def language(text: str) -> str:
    """Return the language of *text* as ISO 639-1 has it, "" for English and what is in doubt.

    It is the one of which most function words are there, or letters of its own: one in four
    words, two at least, and more than of any other.
    """
    opening = text[:_OPENING].lower()
    return language_of(frozenset(_WORD.findall(opening)), "" if opening.isascii() else opening)


def language_of(words: AbstractSet[str], letters: str) -> str:
    """Return the language of a text by its distinct *words* and by the *letters* beyond ASCII.

    Both are in lower case; *letters* may be the whole text.
    """
    points = _points(words)
    if letters:
        for name, own in _LETTERS.items():
            points[name] += not set(own).isdisjoint(letters)
    best = max(points, key=points.__getitem__)
    first, second = sorted(points.values(), reverse=True)[:2]
    least = min(max(_LEAST, len(words) // _SHARE), _PLENTY)
    return best if best != "en" and first >= least and first > second else ""


def function_words(words: AbstractSet[str]) -> frozenset[str]:
    """Return those of *words*, in lower case, that are function words where most of them are.

    One is enough, for a question is short; of languages that have as many, English is meant, and of
    others those words that all of them have.
    """
    points = _points(words - _ALSO_ENGLISH)
    most = max(points.values())
    if points["en"] == most:
        return FUNCTION_WORDS["en"].intersection(words)
    likely = (FUNCTION_WORDS[name] for name, count in points.items() if count == most)
    return frozenset(words).intersection(*likely)


def _points(words: AbstractSet[str]) -> dict[str, int]:
    """Return for each language how many of *words* are its function words."""
    points = dict.fromkeys(FUNCTION_WORDS, 0)
    languages = _languages()
    for word in words:
        for name in languages.get(word, ()):
            points[name] += 1
    return points


@cache
def _languages() -> Mapping[str, Sequence[str]]:
    """Return by each function word the languages that have it: most words of a text are in none."""
    found: dict[str, list[str]] = {}
    for name, known in FUNCTION_WORDS.items():
        for word in known:
            found.setdefault(word, []).append(name)
    return found
