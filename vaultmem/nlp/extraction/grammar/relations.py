"""Who is meant: people by the words for what they are to a speaker, and by their names.

Patterns are strings, compiled by `re` on first use; all are linear.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from vaultmem.nlp.text.stopwords import CHAT, DAYS, MONTH_NAMES, STOP, words

# "her" and "him", as far as a word tells.
_WOMEN = words("""
    wife girlfriend fiancée daughter mother mum mom mommy mama sister grandmother grandma granny
    granddaughter aunt auntie niece stepmother stepmom stepsister stepdaughter mother-in-law
    sister-in-law daughter-in-law
    妻子 太太 老婆 女友 女朋友 女儿 女兒 妈妈 媽媽 母亲 母親
    姐姐 妹妹 妈 姐 妹 奶奶 外婆 姥姥 姑姑 阿姨
    孙女
""")
_MEN = words("""
    husband boyfriend fiancé son father dad daddy papa brother grandfather grandpa grandson uncle
    nephew stepfather stepdad stepbrother stepson father-in-law brother-in-law son-in-law
    丈夫 先生 老公 男友 男朋友 儿子 兒子 爸爸 父亲 父親
    爸 哥 弟 哥哥 弟弟 爷爷 外公 姥爷 叔叔 舅舅
    孙子
""")
_KIN = (
    _WOMEN
    | _MEN
    | words("""
    spouse partner fiance fiancee child kid baby toddler parent sibling twin grandchild cousin
    youngest oldest eldest godson goddaughter godmother godfather stepchild godchild
    爱人 孩子 宝宝 表哥 表姐 表弟 表妹 堂哥 堂姐 堂弟 堂妹
""")
)
_SEVERAL = words("""
    parents grandparents in-laws kids children sons daughters brothers sisters siblings twins
    cousins nephews nieces
""")
_CARERS = words("""
    doctor dentist dermatologist cardiologist oncologist neurologist pediatrician paediatrician
    psychologist psychiatrist therapist physiotherapist gynecologist optometrist ophthalmologist
    orthodontist nutritionist dietitian allergist pharmacist physician vet veterinarian surgeon
    midwife hygienist optician carer GP gp
    医生 牙医 大夫
""")
_COLLEAGUES = words("""
    boss manager supervisor colleague coworker co-worker teammate assistant client mentor mentee
    intern secretary 老板 经理 领导 同事 助理 客户 导师
""")
_FRIENDS = words("""
    friend neighbor neighbour roommate flatmate housemate classmate penpal buddy
    朋友 邻居 室友 同学 闺蜜
""")
_SERVANTS = words("""
    lawyer attorney accountant landlord landlady teacher tutor coach trainer realtor nanny
    babysitter gardener plumber electrician hairdresser barber 律师 会计 房东 老师 教练 保姆
""")
_PETS = words("""
    dog cat puppy kitten pup kitty beagle labrador poodle terrier spaniel collie budgie canary
    donkey goat horse pony parrot rabbit bunny hamster turtle tortoise goldfish
    guinea-pig ferret lizard snake bird 狗 猫 小狗 小猫 兔子 仓鼠
""")

_CATEGORIES = (
    ("family", _KIN | _SEVERAL),
    ("medical", _CARERS),
    ("work", _COLLEAGUES),
    ("social", _FRIENDS),
    ("contact", _SERVANTS),
    ("pets", _PETS),
)
_ALL = frozenset().union(*(words for _, words in _CATEGORIES))


def _either(words: frozenset[str], *, chinese: bool) -> str:
    found = (word for word in words if (word[0] >= "\u3040") == chinese)
    return "|".join(sorted(found, key=lambda word: (-len(word), word)))


RELATION = f"(?:{_either(_ALL, chinese=False)})"
RELATION_ZH = f"(?:{_either(_ALL, chinese=True)})"
# What may stand between "my" and the word; "ex", "old", "former", "late" is no longer so.
WHICH = (
    r"(?:(?:older|younger|elder|little|big|kid(?= (?:brother|sister))|baby(?= (?:brother"
    r"|sister))|twin|oldest|youngest|eldest|middle|best|good|close"
    r"|old(?= (?:\w+ )?friend\b)|(?:school|college|university|work)(?= friend\b)"
    r"|dear|dearest|beloved|only|own|new|childhood|primary care|family|next-door|adorable|sweet"
    r"|cute|wonderful|lovely|(?P<age>\d{1,3})[- ]year[- ]old) )*"
)
_TITLE = r"(?:(?:Dr|Mr|Mrs|Ms|Mx|Prof)\.? |Doctor |Professor )"
_PART = r"[A-Z\u00c0-\u00de][a-z\u00df-\u00ff]+(?:[-'\u2019][A-Z\u00c0-\u00de][a-z\u00df-\u00ff]+)*"
NAME = rf"(?:{_TITLE}{_PART}(?: {_PART})?|{_PART}(?: (?:[A-Z]\. )?{_PART}){{0,2}})"

_PLACES_FROM = words("""
    american african asian european british english irish scottish welsh french german italian
    spanish portuguese dutch swedish danish norwegian finnish polish russian ukrainian greek turkish
    chinese japanese korean indian pakistani vietnamese thai indonesian australian canadian mexican
    brazilian argentinian colombian cuban iranian iraqi israeli arab egyptian moroccan nigerian
    kenyan ethiopian swiss austrian belgian czech hungarian romanian bulgarian serbian croatian
    christian catholic protestant jewish muslim hindu buddhist sikh mormon atheist latino latina
    hispanic puerto
""")
_FEELINGS = words("""
    tired busy late ready fine ok okay sorry happy sad hungry home back done sick ill here there
    new curious interested looking calling trying going hoping wondering
""")
_NO_NAMES = (
    (STOP | CHAT | DAYS | MONTH_NAMES | _PLACES_FROM | _FEELINGS | _ALL)
    - {"april", "may", "june", "till", "will"}
) | words("may i christmas easter god lord team sir madam monday mr mrs dr ms mx")


_ENGLISH = {
    "妻子": "wife", "太太": "wife", "老婆": "wife", "女友": "girlfriend", "女朋友": "girlfriend",
    "丈夫": "husband", "先生": "husband", "老公": "husband", "男友": "boyfriend",
    "男朋友": "boyfriend", "爱人": "spouse", "女儿": "daughter", "女兒": "daughter",
    "儿子": "son", "兒子": "son", "孩子": "child", "宝宝": "baby", "妈妈": "mother",
    "媽媽": "mother", "妈": "mother", "母亲": "mother", "母親": "mother", "爸爸": "father",
    "爸": "father", "父亲": "father", "父親": "father", "姐姐": "sister", "妹妹": "sister",
    "姐": "sister", "妹": "sister", "哥哥": "brother", "弟弟": "brother", "哥": "brother",
    "弟": "brother", "奶奶": "grandmother", "外婆": "grandmother", "姥姥": "grandmother",
    "爷爷": "grandfather", "外公": "grandfather", "姥爷": "grandfather", "姑姑": "aunt",
    "阿姨": "aunt", "叔叔": "uncle", "舅舅": "uncle", "医生": "doctor", "大夫": "doctor",
    "牙医": "dentist", "老板": "boss", "领导": "boss", "经理": "manager", "同事": "colleague",
    "朋友": "friend", "邻居": "neighbor", "室友": "roommate", "同学": "classmate",
    "老师": "teacher", "律师": "lawyer", "房东": "landlord", "狗": "dog", "小狗": "dog",
    "猫": "cat", "小猫": "cat", "兔子": "rabbit", "仓鼠": "hamster",
}  # fmt: skip


_YOUNG = "child kid baby toddler youngest oldest eldest"
_ALIKE = (
    *map(
        words,
        (
            "wife girlfriend fianc\u00e9e fiancee spouse partner",
            "husband boyfriend fianc\u00e9 fiance spouse partner",
            f"daughter {_YOUNG}",
            f"son {_YOUNG}",
            "mother mum mom mommy mama parent",
            "father dad daddy papa parent",
            "sister sibling twin",
            "brother sibling twin",
            "grandmother grandma granny",
            "grandfather grandpa",
            "granddaughter grandchild",
            "grandson grandchild",
            "aunt auntie",
            "stepmother stepmom",
            "stepfather stepdad",
            "friend buddy penpal roommate flatmate housemate classmate neighbor neighbour",
            "friend colleague coworker co-worker teammate",
            "boss manager supervisor colleague coworker co-worker mentor",
            "teacher tutor coach trainer",
            "landlord landlady neighbor neighbour",
            "babysitter nanny",
            "dog puppy pup beagle labrador poodle terrier spaniel collie",
            "cat kitten kitty",
            "bird budgie canary parrot",
            "horse pony",
            "rabbit bunny",
            "turtle tortoise",
        ),
    ),
    _CARERS,
)
"""What one person, or one animal, may be to somebody at once, or in turn."""


def may_be_one(relation: str, other: str) -> bool:
    """Whether somebody with *relation* may be the one of that name who is the *other*.

    No daughter is a wife. Of what is no known relation nobody can tell.
    """
    one, two = (in_english(it.casefold()) for it in (relation, other))
    if one == two or not (is_relation(one) and is_relation(two)):
        return True
    return any(one in kind and two in kind for kind in _ALIKE)


def in_english(relation: str) -> str:
    """Return *relation* as a field of a card names it, in English where it is known."""
    return _ENGLISH.get(relation, relation)


def is_name(text: str) -> bool:
    """Whether *text*, written with capitals, can be a person's name."""
    words = text.replace("\u2019", "'").casefold().split()
    titles = {"dr", "dr.", "mr", "mr.", "mrs", "mrs.", "ms", "ms.", "mx", "mx.", "prof", "prof."}
    parts = [word for word in words if word not in titles | {"doctor", "professor"}]
    return bool(parts) and _NO_NAMES.isdisjoint(parts)


def is_relation(word: str) -> bool:
    """Whether *word* says what somebody is to another."""
    return word in _ALL or word.replace("_", "-") in _ALL


def is_several(relation: str) -> bool:
    """Whether more than one person is somebody's *relation*: one name names none of them."""
    return relation in _SEVERAL


def kinds(*categories: str) -> tuple[str, ...]:
    """Return what somebody may be to another, in English, of those *categories*."""
    known = frozenset().union(*(words for name, words in _CATEGORIES if name in categories))
    return tuple(sorted(word for word in known - _SEVERAL if word.isascii()))


def category(relation: str) -> str:
    """Return what part of a life somebody with *relation* to it belongs to."""
    return next((name for name, words in _CATEGORIES if relation in words), "social")


def may_be(relation: str, pronoun: str) -> bool:
    """Whether "she" or "he" can stand for somebody with *relation*."""
    others = _MEN if pronoun.casefold() in {"she", "her", "hers", "她"} else _WOMEN
    return relation not in others


class Person(NamedTuple):
    """Somebody: the name or what stands for it, and what they are to the speaker."""

    name: str
    relation: str


@dataclass
class Circle:
    """Whom a speaker talks of: the speaker, those with a name, and those of the present turn."""

    speaker: str
    me: str = "user"
    names: dict[str, tuple[Person, ...]] = field(default_factory=dict)
    """Those of a name: a wife and a daughter may have one."""
    by_relation: dict[str, set[str]] = field(default_factory=dict)
    present: list[Person] = field(default_factory=list)
    strangers: set[str] = field(default_factory=set)
    """What those of the present turn are to somebody else: `her husband`."""

    def begin_turn(self) -> None:
        """Forget of whom the turn before spoke."""
        self.present.clear()
        self.strangers.clear()

    def meet(self, name: str, relation: str) -> Person:
        """Remember that *name* is the speaker's *relation*."""
        person = Person(name, relation)
        known = self.names.get(name, ())
        others = (it for it in known if not may_be_one(it.relation, relation))
        self.names[name] = (*others, person)
        self.by_relation.setdefault(relation, set()).add(name)
        return person

    def called(self, name: str, relation: str = "") -> Person | None:
        """Return who of the speaker's has that *name*, and may be that *relation* of theirs.

        None where nobody is known, or several are: of a bare name nobody can tell then.
        """
        known = self.names.get(name, ())
        found = [it for it in known if not relation or may_be_one(it.relation, relation)]
        return found[0] if len(found) == 1 else None

    def of(self, relation: str) -> Person:
        """Return the only one with *relation*, or one without a name."""
        names = self.by_relation.get(relation, set())
        return Person(next(iter(names)) if len(names) == 1 else relation, relation)

    def notice(self, person: Person) -> None:
        """Remember that the present turn speaks of *person*."""
        if person not in self.present:
            self.present.append(person)

    def meant(self, pronoun: str) -> Person | None:
        """Return whom *pronoun* stands for, if only one of this turn can be meant."""
        if any(may_be(relation, pronoun) for relation in self.strangers):
            return None
        found = [person for person in self.present if may_be(person.relation, pronoun)]
        return found[0] if len(found) == 1 and found[0].relation else None
