"""What an English sentence may call somebody by what they do for a living.

The words are known: by its ending alone a computer, an otter and a middle blocker are trades, too.
What is put together from two (`beekeeper`, `shoemaker`, `cardiologist`) may be new.
"""

from __future__ import annotations

from vaultmem.nlp.text.stopwords import words

_TRADES = words("""
    CEO CFO COO CTO DJ GP MD VP
    accountant actor actress adjuster administrator adviser advisor agent aide analyst animator
    announcer appraiser apprentice architect assessor assistant astronomer attendant attorney
    auditor author baker banker barber barista bartender binder blogger boxer breeder brewer
    bricklayer broadcaster broker builder busker butcher butler buyer captain caretaker cardiologist
    carer caregiver carpenter cartographer carver cashier caterer chef chemist choreographer
    cinematographer cleaner clerk coach cobbler coder commander commissioner composer concierge
    conductor consultant contractor controller cook cooper coordinator copywriter counselor
    counsellor courier curator dancer dealer dean designer detective developer director dispatcher
    diplomat diver doctor draper dressmaker driver drummer editor electrician engineer engraver
    entertainer estimator examiner executive farmer filmmaker firefighter fitter florist footballer
    forester fundraiser furrier gardener glazier golfer grocer groomer guard guide hairdresser
    handler hotelier housewife illustrator importer influencer inspector instructor intern
    interpreter interviewer investor janitor jeweler jeweller jockey joiner judge juggler laborer
    labourer landscaper lawyer lecturer lender lieutenant lifeguard lobbyist locksmith manager
    mason mechanic messenger midwife miner minister model monk mover nanny newsreader nun nurse
    officer operator optician organiser organizer packer painter paralegal paramedic pastor
    performer philosopher photographer physician physicist pilot planner plasterer plumber porter
    postdoc potter preacher presenter priest principal printer producer professor programmer
    publisher rabbi imam ranger rapper realtor recruiter referee reporter representative researcher
    retailer roaster roofer sailor saddler scientist screenwriter scribe sculptor seamstress
    sergeant singer skipper soldier solicitor sommelier songwriter stenographer steward
    stockbroker streamer superintendent supervisor surgeon surveyor tailor tanner teacher
    technologist teller tester therapist thatcher tiler trader trainer translator treasurer
    trucker tutor typesetter umpire undertaker underwriter upholsterer usher vet veterinarian
    vendor videographer vlogger volunteer waiter waitress warden weaver welder wholesaler worker
    wrestler writer youtuber
""")
_PUT_TOGETHER = (
    r"au[ -]pair|[a-z]+(?:smith|wright|maker|monger|herd)|[a-z]+(?:ographer|ologist|ician|arian)"
    r"|[a-z]{3,}ist|(?:house|bee|zoo|shop|inn|game|book|green|time|grounds|store|lighthouse)keeper"
    r"|(?:farm|stage|deck|ranch|field)[ -]?hand|(?:dog|cat|baby|house|pet|child|dog-)[ -]?"
    r"(?:walker|sitter|minder|groomer)"
    r"|(?:police|fire|post|mail|fisher|business|sales|crafts|handy|camera|chair|congress|council"
    r"|clergy|fore|door|milk|sea|air|service|trades|stunt|anchor|spokes|repair|ferry)"
    r"(?:man|woman|person)"
)
# What is put together like a trade and is none.
_NO_TRADES = words("""
    troublemaker peacemaker matchmaker merrymaker perfectionist optimist pessimist realist idealist
    minimalist maximalist feminist pacifist racist sexist narcissist tourist leftist rightist
    activist humanitarian vegetarian pescatarian flexitarian purist fatalist loyalist cyclist
    motorist nationalist socialist capitalist communist atheist theist baptist methodist extremist
    masochist sadist egotist hedonist finalist medalist twist contrarian
    libertarian egalitarian authoritarian disciplinarian presbyterian unitarian barbarian bavarian
    hungarian bulgarian
""")
_TRADE = rf"(?:{'|'.join(sorted(_TRADES, key=lambda it: (-len(it), it)))}|{_PUT_TOGETHER})"
_NO_TRADE = rf"(?:{'|'.join(sorted(_NO_TRADES))}|librarian(?= at heart))"
# A judgement of how well somebody does it, which tells no trade.
_JUDGED = (
    r"(?:good|bad|great|terrible|awful|decent|poor|horrible|lousy|fast|slow|quick|big|huge|proud"
    r"|real|true|total|complete|bit|better|best|worse|worst|amazing|excellent|mean|lazy|early|late"
    r"|heavy|light|deep|sore|born|natural|strong|nervous|careful|reckless|picky|fussy|little|such"
    r"|messy|only|first|second|third|single|perfect|pretty|crazy|die-hard|role|amateur|aspiring"
    r"|wannabe|backseat|designated|armchair|shower|bathroom|closet|weekend|sunday|couch|glorified"
    r"|self-appointed|unofficial|human|would-be|avid|humble|lone|keen|passionate|former|future"
    r"|hobby)"
)
_BEFORE = r"(?!(?:for|of|who|and|to|with|in|at|from|that|by|on|not|like|an?|the) )[A-Za-z-]+ "
OCCUPATION = (
    rf"(?!(?:[\w-]+ ){{0,2}}?{_JUDGED}\b)(?:{_BEFORE}){{0,3}}?(?!{_NO_TRADE}\b){_TRADE}(?![\w-])"
)
"""What somebody does for a living, without an article: `paediatric nurse`."""
