"""What friends commit to in chat, with its spelling and without its marks."""

from __future__ import annotations

import pytest

from vaultmem.documents.bodies import Episode
from vaultmem.nlp.extraction.talk import casual_spelling
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.tasks import FoldTask
from vaultmem.storage.transcripts import Turn

pytestmark = pytest.mark.without_history


def told(*said: str) -> Episode:
    """Return the episode of what Ida and Mo said in turn."""
    at = "2026-03-01T10:00:00Z"
    turns = (Turn("user", text, ("Ida", "Mo")[i % 2], at) for i, text in enumerate(said))
    return Extractive().episode(FoldTask(tuple(turns), 1, "s", "ada")).value


def test_chat_is_read_as_if_it_were_spelled_with_care() -> None:
    read = casual_spelling.spelled("idk if im gonna come w u, its not far tho and i dont mind")
    assert (
        read == "I don't know if I'm going to come with you, it's not far though and I don't mind"
    )


@pytest.mark.parametrize(
    "text",
    [
        "kitchen is gonna be mint green, we settled that last night",
        "yeah sticking w postgres",
        "im naming the boat pepper",
        "we're selling the piano",
        "kayaks it is because the ferry is full",
        "so we've decided to fence the yard",
        "my job was dull so i decided to study law instead",
        "we both agreed to sell the house in cork",
        "our decision is the pine floor",
        "decided to go with the blue tiles",
        "my wife and I decided to adopt a dog",
        "I've decided I'm not renewing the lease",
        "me and jo agreed to sell the boat",
        "final answer: im taking the room in cork",
        "were moving to lagos in may, its official",
        "booked the cabin for easter, done deal",
        "i signed up for the rowing course, no backing out",
        "we're doing a potluck instead of catering",
        "enrolled in the weaving course after all",
        "im going with the oak table, it had drawers",
        "aunt and i decided on the oak door",
        "we picked jo as the drummer",
        "we agreed that Jo pays the gas",
        "switching to the night train from may",
        "ok its settled, easter at the cabin",
        "we decided not to invite bo because he always starts fights",
        "from now on we paint the boats in march",
        "decided to skip the choir this year",
        "we're not doing a raffle this year",
        "I've chosen the larch for the deck",
        "plan is locked: ferry to cork, train home",
        "signed up for the pottery course in the end",
        "the plan now is to rent out the barn from june",
        "we've committed to the pottery course",
        "final call: Theo sings the solo",
        "we wont be renewing the lease in march",
        "In the end we opted for the larch deck.",
        "Settled on oak for the barn door.",
        "after a long chat we agreed to sell the boat",
        "my decision is final, i'm leaving the choir",
        "agreed with jo that i keep the boat",
        "we have decided that Theo runs the stall",
        "from june we're splitting the bills three ways",
        "we picked jo to be the treasurer",
        "we decided not to hold a raffle",
        "we've gone for the larch deck",
        "i'm giving up the allotment",
        "Decision made: Grandma's party will be at the boathouse",
        "Going with the grey sofa.",
        "ordered the blue curtains in the end, the green looked sad",
        "I'll take the job in Aarhus",
        "we're keeping both kittens",
        "let's go with the early train, it's direct",
    ],
)
def test_what_one_now_keeps_or_has_settled_is_a_decision(text: str) -> None:
    assert len(told("hey", text).decisions) == 1


def test_what_is_called_final_is_what_was_decided_and_no_reason() -> None:
    (made,) = told("hey", "Right, final answer: we sell the boat in May.").decisions
    assert (made.decision, made.reason) == ("final answer: we sell the boat in May", "")


def test_a_proposal_is_a_decision_once_the_other_takes_it_up() -> None:
    proposal = "lets open with the slow song"
    (made,) = told(proposal, "yesss").decisions
    assert made.decision.endswith(f'"{proposal}"')
    assert not told(proposal, "hmm idk").decisions
    assert not told("lets rob a bank lol", "deal").decisions
    assert not told("We should take guesses at the answers", "Okay").decisions


def test_what_has_no_subject_was_decided_by_who_says_it() -> None:
    (made,) = told("and the van?", "sticking with the old diesel because it is paid for").decisions
    assert made.decision.startswith("On 2026-03-01 Mo said: ")


@pytest.mark.parametrize(
    "text",
    [
        "ill tip everyone from now on",
        "thats final",
        "she is moving to lagos, its official",
        "the match was great, thats that",
        "we were bored and decided to hide behind the shed",
        "they went with someone else for the solo",
        "i went with 3 boys and one other girl",
        "i decided to be a better person btw",
        "USE the library and ask for the maps so you don't get lost",
        "We keep ourselves in a job by making it so that nobody learns it",
        "course it is",
        "i thought it would be warmer than it is",
        "im keeping the baby home rn",
        "kayaks it is",
        "eventually we agreed that all our ways off the island were bad",
        "I think that we will switch to two shifts because it helps",
        "so i decided to switch",
        "I think it is because of the salt in the bread",
        "hard to take, keep it together, it's final's week",
        "that's why i chose a course with no exams",
        "i chose wolf because i am a loner most of the time",
        "i've just chosen i like the lab more because i think there",
        "i just chose to go to the market instead",
        "because we all agreed to the house rules but people ignore them",
        "one winter my friends and I decided to start a band",
        "we randomly decided to move to the coast",
        "we'll keep an eye on the pup",
        "they decided to sell the farm",
        "lets use the library because it is quiet lol",
        "from now on i'm gonna be the boss",
        "i decided to watch tv this week",
        "i've picked apples for the pie",
        "im dropping the kids off",
        "after the storm we hid in the barn",
        "agreed, that film was awful",
        "Agreed on both counts",
        "they decided that Theo runs the stall",
        "were not having kids this year lol",
        "going with the flow",
        "going with the kids",
        "we're keeping both eyes open",
        "you'll take the job in Aarhus",
        "decided to stay in bed",
    ],
)
def test_a_tale_and_what_others_chose_decide_nothing(text: str) -> None:
    assert not told("hey", text).decisions


@pytest.mark.parametrize(
    ("text", "approach", "why"),
    [
        ("the ferry's a no, takes 8 hours", "the ferry", "takes 8 hours"),
        ("im not leaving leeds", "leaving leeds", ""),
        ("forget the van, parking is a nightmare", "the van", "parking is a nightmare"),
        ("jo wanted black tiles but i vetoed that", "black tiles", ""),
        ("malta is out, way too dry", "malta", "way too dry"),
        ("ditched the loft idea since the beams are low", "the loft idea", "the beams are low"),
        ("not taking the night bus, my neck hurts", "the night bus", "my neck hurts"),
        ("gluten free beer didnt work for me, gave me hives", "gluten free beer", "gave me hives"),
        ("we decided against a choir cos the hall echoes", "a choir", "the hall echoes"),
        ("i stopped taking the syrup, it made me dizzy", "the syrup", "it made me dizzy"),
        ("i decided against the choir and im doing yoga", "the choir", ""),
        ("tried oat flour and it went grey so never again", "oat flour", "it went grey"),
        ("We ruled out the greenhouse by the way, too dear", "the greenhouse", "too dear"),
        ("We decided against the hedge in the end, too slow", "the hedge", "too slow"),
    ],
)
def test_what_a_friend_will_not_do_is_ruled_out(text: str, approach: str, why: str) -> None:
    (out,) = told("hey", text).eliminated
    assert (out.approach, out.why) == (approach, why)


@pytest.mark.parametrize(
    "text",
    [
        "im not leaving the house rn",
        "not quite like real soup but it still makes a meal",
        "yeah vans are way too expensive",
        "im not buying it lol",
        "the town leaked gas so they left a semi abandoned city",
        "Scrap exams.",
        "I'm not taking classes, and the job starts in 2 weeks",
        "Failure is not an option",
        "lets not mess with talking cows because i can see it going wrong",
        "so i gave up on that mower",
        "im not paying for those visits",
        "so i gave up on the choir dream haha",
        "the new album is out, its so good",
        "the new song is out, too good",
        "the sun is out, too hot",
        "Well, not having a boat, the island is a bit far out",
        "dropped my phone, screen is gone",
        "they rejected the plan, it cost too much",
        "we decided to sell the boat since the skipper is gone",
        "We agreed to stop the syrup next week because the cough is gone.",
        "The cough is gone, so we agreed to stop the syrup next week.",
        "We decided to keep the cat as the mice are gone.",
        "We're not buying a boat this year because rates are too high.",
    ],
)
def test_a_complaint_and_what_is_of_the_hour_rule_nothing_out(text: str) -> None:
    assert not told("hey", text).eliminated


@pytest.mark.parametrize(
    "text",
    [
        "no clue yet when we get the keys",
        "the bank made an offer but I haven't decided yet",
        "I may join a new crew after this next race - I've had offers, but I haven't decided yet.",
        "cant decide if we record at home or rent the studio",
        "i dont know which dental school i want to go to yet",
        "havent decided what im going to major in",
        "still need to find out whether the deposit is refundable",
        "still undecided between lisbon and porto",
        "which van do we rent for the move?",
        "still dont know if we need stamps for the letters",
        "have to ask the warden if goats are allowed",
        "no clue yet who's gonna drive the van",
        "undecided about going to the reunion",
        "its not clear if the fair is still on",
        "tbd: who brings the drums",
        "the date of my exam isnt fixed yet",
        "havent heard back from the vet about the results",
        "no word yet on the travel grant",
        "Whether we paint the shed before winter is still up in the air.",
        "What we do about the wet cellar is an open question.",
        "Cork or pine for the floor, we still have to pick one.",
        "havent made up my mind about the knee surgery",
        "on the fence about getting a second goat",
        "i keep going back and forth on selling the boat",
        "nobody's settled on a hall yet for the wedding",
        "idk if im gonna rent the barn or keep the shed",
        "need to decide between the two vets by friday",
        "we gotta work out how to split the rent now that jo moved out",
        "TBD who brings the drums",
        "The date for the harvest supper isn't fixed yet.",
        "it's a toss up between the lake and the hills this summer",
        "still havent agreed on a colour for the boat",
        "cant make up my mind whether to go to the wedding",
        "we need to sort out who pays the carpenter",
        "whether jo drives grandad to the fair, we havent settled that",
        "mulling over whether to go part time at the mill",
        "not sure whether to sell the boat or fix it",
        "still weighing up the two barns",
        "it hasnt been settled who hosts the harvest supper",
        "i still need to choose between cello and viola for next year",
    ],
)
def test_what_friends_do_not_know_yet_is_open(text: str) -> None:
    assert [text in asked for asked in told("hey", text).open_questions] == [True]


@pytest.mark.parametrize(
    "text",
    [
        "idk how i got that far in the race",
        "no idea how to spell those sounds",
        "The store's still open.",
        "I haven't decided yet, but I'm considering.",
        "I'm just not sure what the homework will be like.",
        "not sure how much time i will have for fun classes",
        "we don't know what schools are winning until August",
        "I'm waiting to hear back from another one",
        "im still not sure if lying can be justified",
        "debating whether dragons are real",
        "trying to figure out what to go eat",
        "how do we know who is winning?",
        "when we shut them down does that kill them?",
        "what would it even take to knock the net out?",
        "blue or green is fine, we have to decide",
        "whether he likes it or not is up in the air",
        "who cares is an open question",
        "idk if i should laugh or cry about the barn",
        "i keep going back and forth about the guy",
        "on the fence about the movie",
        "cant decide if im hungry or just bored",
        "what he said about the barn isnt clear",
    ],
)
def test_what_is_only_wondered_at_is_not_open(text: str) -> None:
    assert not told("hey", text).open_questions


def test_what_nobody_who_was_asked_knows_is_open() -> None:
    asked = "what time does the ferry leave on sunday?"
    assert told(asked, "no clue", "ok").open_questions == (asked,)
    assert not told(asked, "at noon i think").open_questions
    assert not told(asked, "no clue", "found it, it leaves at noon").open_questions
    assert not told("why do cats purr?", "no clue").open_questions
    assert not told("where's the van?", "no clue", "oh it is in the yard").open_questions
    assert not told("whats the average rent?", "no clue").open_questions
    assert not told("which novels?", "not sure").open_questions
    assert not told("should i text the landlord?", "not sure").open_questions
    wrapped = "do you know if the bakery is open on sunday?"
    assert told(wrapped, "not sure").open_questions == (wrapped,)
    assert not told("what do you want from life?", "no idea tbh").open_questions


def test_what_somebody_takes_on_at_once_is_not_open() -> None:
    doubt = "no clue yet who's gonna feed the goats"
    assert told(doubt, "hm").open_questions
    assert not told(doubt, "i can do that").open_questions
    assert told(doubt, "is the farm far?", "yeah it is").open_questions
    assert not told(doubt, "hm", "turns out jo is home").open_questions


@pytest.mark.parametrize(
    "text",
    [
        "not into port wine, too sweet",
        "i cant stand ebooks u know that",
        "yoga's more my thing",
        "im more of a cocoa person",
        "I'm not much of a morning person.",
        "cant stand fennel, tastes like soap",
        "big fan of dub",
        "id rather have a small boat than a big one",
        "I'd rather you text me than ring.",
        "i dont like it when guests arrive unannounced",
        "sleeper trains over planes any day",
        "fan of long walks",
        "not a night person",
        "i take my eggs runny",
    ],
)
def test_a_taste_in_the_words_of_chat_is_a_preference(text: str) -> None:
    assert len(told("hey", text).preferences) == 1


@pytest.mark.parametrize(
    "text",
    [
        "i like brown best",
        "im not into him",
        "my favorite is Rocky",
        "Haha that is my favorite part of learning knots",
        "I like 3rd and 4th.",
    ],
)
def test_a_taste_of_which_only_the_talk_tells_the_kind_is_none(text: str) -> None:
    assert not told("hey", text).preferences


@pytest.mark.parametrize(
    "text",
    [
        "im an actual person",
        "i only work three days a week so i have time to chat",
        "i cant remember which one i like better",
        "i usually get to sleep in",
        "i usually eat so much soup that i have no room for cake",
        "im a people person said nobody ever",
        "love itttt",
        "i always get so nervous",
        "my favorite show is probably the last one",
        "Here is my favorite hymn",
        "I like a bunch of others too",
        "I enjoy rowing more than sailing and steering more than rowing.",
        "I like totally forgot",
        "I like never sleep",
    ],
)
def test_what_one_is_for_the_talk_or_shows_in_it_is_no_taste(text: str) -> None:
    assert not told("hey", text).preferences


def test_a_friend_is_not_told_no_by_going_on_with_the_talk() -> None:
    said = told("Should we only talk about the boat?", "No, we can talk about what we like")
    assert not said.eliminated


@pytest.mark.parametrize(
    "text",
    [
        "we settled on the sand and listened to the sea",
        "We settled on the terrace with a pot of tea.",
        "we settled on my couch",
    ],
)
def test_who_settles_on_a_seat_sits_down_and_decides_nothing(text: str) -> None:
    assert not told("hey", text).decisions


def test_what_is_settled_on_is_decided_be_it_a_seat_of_its_kind() -> None:
    assert told("hey", "we settled on the green couch").decisions
    assert told("hey", "we settled on the terrace house in Leith").decisions


@pytest.mark.parametrize(
    "text",
    ["never again will i lend a drill to a man called bo", "i like my tea like i like my mornings"],
)
def test_a_vow_turned_round_and_a_likeness_of_tastes_are_no_preference(text: str) -> None:
    assert not told("hey", text).preferences
