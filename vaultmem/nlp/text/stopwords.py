"""Word lists: what carries grammar or courtesy rather than news."""

from __future__ import annotations

from collections.abc import Sequence


def words(text: str) -> frozenset[str]:
    """Return the words of *text*, which stand between blanks."""
    return frozenset(text.split())


STOP = words("""
    a about above after again against ago ain all almost along already also although always am
    among an and any anyone anything are aren around as at away back be because been before
    being below between both but by came can cannot cause come comes coming could couldn d did
    didn do does doesn doing don done dont down during each either else ever every everyone
    everything few for from further gave get gets getting give gives giving go goes going gone
    gonna got gotta had hadn has hasn have haven having he her here hers herself him himself his
    how however i if im in into is isn it its itself just kind kinda last least less let lets
    like ll lot lots m made make makes making many may maybe me might mine more most much must
    my myself need needn never new next no nor not now of off often oh ok okay on once one ones
    only onto or other others our ours ourselves out over own per put quite rather re really s
    same shall she should shouldn since so some someone something sometimes somewhere soon still
    such t take taken takes taking than that thats the their theirs them themselves then there
    these they this those though through thus til till to together too took toward towards tried
    try trying under until up upon us use used using ve very via wanna want wanted wants was
    wasn way we well went were weren what whatever when where whether which while who whole whom
    whose why will with within without won would wouldn y yes yet you your yours yourself
    yourselves
    aint arent cant couldnt didnt doesnt hadnt hasnt havent hes ikr im isnt ive shes shouldnt
    theres theyre theyve wasnt werent weve whats wont wouldnt youre youve
""")

# Said in every friendly conversation, whatever it is about.
CHAT = words("""
    absolutely achieve actually admire agree agreed amazing appreciate awesome awful beautiful
    best bet better big bless blessed brave brilliant bye care caring challenge chat cheer
    cheers cherish congrats congratulations connection cool couldn courage crazy cute dear
    definitely deserve difference encourage encouragement encouraging enjoy enjoyable enjoyed
    everyday exactly excellent excite excited exciting fab fabulous fantastic fave favorite feel
    feeling felt fine forward fun glad god good gorgeous gosh grateful great guess guy guys haha
    happen happened happy hear heard heart hello help helpful helping hey hi hmm hope hoping hug
    huge idea imagine important impress impressed impressive incredible incredibly inspiration
    inspire inspired inspiring interesting journey joy key know lately later life literally
    little lol long look looked looking looks love loved lovely luck lucky man matter mean
    meaningful means memory moment moments morning motivate motivated motivates motivation nice
    omg particular passion passionate path people perfect person pic please positive positivity
    powerful precious pretty progress proud purpose push reach realize recently remember remind
    reminder reminds rewarding right rock say saying says see seem seen share shared sharing
    sincerely smile sorry sound sounded sounds special spot stay strength strong stuff stunning
    super support supporting supportive sure surely sweet talk tell terrific thank thankful
    thanks thing think thinking thought time totally tough true truly understand unique vital
    warm welcome wild wish wonderful word world worry worth wow yay yeah yep yup
""")

# Verbs of events; "made", "put" and their like tell too little.
EVENTS = words("""
    accepted achieved adopted agreed applied asked ate attended baked became began bought
    broke built called caught celebrated changed chose cleaned closed completed cooked crashed
    created cut decided deleted designed died discovered donated drew drove earned ended
    failed fell finished fixed flew found gave got graduated grew happened hiked hired hosted
    hurt injured installed joined landed launched learned learnt left lost married merged met
    moved opened ordered organised organized paid painted passed performed picked planned
    planted played posted presented promised published quit raised ran read received released
    removed renamed replaced resigned returned sang saw sent shipped signed sold spent started
    stopped submitted suffered switched taught told took toured traveled travelled turned
    visited volunteered walked watched went won wrote
""")

# Stems of what is done to anything, which name nothing.
VAGUE = words("""
    advice back bit choose come find finish get give go help keep let lot made make need piece put
    start take thing tri try turn us use wait want way words word
""")

# Words of any conversation, which tell little by themselves.
GENERAL = words("""
    ability able accept acceptance achieve advice alive amaze attention attitude aware balance
    beginning belief believe better bond break breath bring build busy calm capture cause
    certain chance change charm check close clear comfort comfortable community complete
    confidence connect count create creative creativity dedicated dedicate dedication
    definite determination determined develop difficult discover doubt dream drive ease easy effort
    emotion emotional end energy environment escape excitement experience explore express
    expression extra face fact fail fear fill find fire focus follow fresh freedom full future gain
    gift goal grow growth hand hang happiness hard harmony hit hold honest hustle impact impactful
    improve include inclusive inner inside insight kind laugh lead leap learn legit level
    lift line listen live lose magic magical main matter meet mind mood motivate
    motivational move natural nature note notice number open opportunity option ordinary overcome
    pace paid part past pay peace peaceful perspective picture place plan play point possible
    potential practice prepare pressure pretty pride priority process promise provide pursue
    question quick ready real reality reason reflect refreshing relate relax relaxing release
    remain resilience resilient respect rest result roller rough safe satisfy satisfying seek self
    sense set shape shine show sight sign simple situation skill solid soul spark spend
    spirit spread stage stand start step stop story stress stressful struggle style succeed
    success successful supportive surround team tear tend thrill thrilled together
    touch track transform trust type uplift uplifting value view vibe visit voice wait
    watch weird willing wonder work worth
""")

# What holds Chinese and Japanese sentences together; a pair of characters with one is no term.
CJK_STOP = frozenset(
    "いかがしすただてでとにねのはまもよるを不与个为么也了什他以们会你到及吗吧呀呢和哦"
    "啊嗯因在她它就很我所把是有的能被要让说这那都"
)

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTH_NAMES = frozenset(MONTHS) | words("""
    january february march april june july august september october november december
""")
DAYS = words("monday tuesday wednesday thursday friday saturday sunday")

NUMBER_WORDS = {
    "zero": "0",
    "one": "1",
    "two": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "seven": "7",
    "eight": "8",
    "nine": "9",
    "ten": "10",
    "eleven": "11",
    "twelve": "12",
    "fifteen": "15",
    "twenty": "20",
    "thirty": "30",
    "forty": "40",
    "fifty": "50",
    "hundred": "100",
}

ABBREVIATIONS = words("""
    al approx apr aug ave blvd capt cf co col corp dec dept dr e.g ed eg est etc feb fig fri ft
    gen hon i.e ie inc jan jr jul jun lt ltd mar mon mr mrs ms mt no nov oct pp prof rd rev sat
    sep sept sgt sr st sun thu thur thurs tue tues vol vs wed
""")
_ENGLISH = 0.25
"""Of English words so many hold sentences together."""


def is_english(heads: Sequence[str]) -> bool:
    """Whether enough of *heads*, words in lower case, hold English sentences together."""
    return sum(head in STOP for head in heads) >= _ENGLISH * len(heads)
