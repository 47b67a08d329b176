"""Tell what was said without a model: quote what stands by itself of the sentences with the news.

`sentence_candidates` says which there are, `sentence_choice` which are best; what is chosen stands
in order of time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from vaultmem.nlp.extraction.choices import commitments
from vaultmem.nlp.extraction.durable import lasting_rules, life_facts
from vaultmem.nlp.extraction.grammar import german, statement_en
from vaultmem.nlp.extraction.naming import titles
from vaultmem.nlp.extraction.sessions import run_results
from vaultmem.nlp.extraction.talk import (
    casual_spelling,
    question_forms_de,
    question_forms_en,
    replies,
    self_contained,
    talk_line,
)
from vaultmem.nlp.extraction.talk.question_forms import Forms
from vaultmem.nlp.extraction.talk.register import Register
from vaultmem.nlp.extraction.talk.replies import Message, Reply
from vaultmem.nlp.extraction.talk.utterances import Sentence
from vaultmem.nlp.summarization import longterm_thinning, note_summary, quality, sentence_candidates
from vaultmem.nlp.summarization.sentence_candidates import SENTENCES, WORDS_EACH, Candidate, Window
from vaultmem.nlp.summarization.sentence_choice import choose
from vaultmem.nlp.tasks import Passage, Task
from vaultmem.nlp.text import quotation, quoted_text, salience, stopwords
from vaultmem.nlp.text.stopwords import STOP

_RULES = 5
# An agent is asked for more than friends are.
_OF_WORK = 5
# Of talk so long, a fragment tells less than that there was talk.
_TALK = 6
# So many things are named of it, each of which comes up so often.
_THINGS, _OFTEN = 4, 2
# So many figures make a record.
_RECORDED = 2


def texts(task: Task) -> list[str]:
    """Return what is told of each passage: of a message its speaker's words, of a summary all."""
    if task.tier != "recent":
        return [passage.text for passage in task.passages]
    return [_own_words(passage) for passage in task.passages]


def _own_words(passage: Passage) -> str:
    """Return what the speaker of *passage* says, all of it where nobody's words are known."""
    own = quoted_text.words(passage.text) if passage.speaker else ""
    return own if own.strip() else passage.text


def short_term(task: Task, parts: Sequence[quality.Read]) -> list[str]:
    """Note what a window says; of a small one, and of other languages, quote the best."""
    split = [_as_written(part) for part in parts] if _is_english(parts) else []
    said = _replies(task, parts)
    noted = note_summary.short_term(task.passages, split, parts, said)
    return noted or _quoted_sentences(task, parts, said)


def _as_written(part: quality.Read) -> list[str]:
    """Return the sentences of *part* with the `I` and the apostrophes that chat leaves out."""
    return list(map(casual_spelling.marked, sentence_candidates.spoken(part)))


def _is_english(parts: Sequence[quality.Read]) -> bool:
    """Whether enough of the words are those that hold English sentences together."""
    heads = [head for part in parts for head in part.parsed.heads]
    return stopwords.is_english(heads)


def long_term(passages: Sequence[Passage]) -> list[str]:
    """Set notes out by subject; of summaries that have none, keep the lines worth keeping."""
    told = [p for passage in passages if (p := _without_talk(passage)).text.strip()] or passages
    noted = note_summary.page([passage.text for passage in told])
    return noted or longterm_thinning.longterm(told)


def _without_talk(passage: Passage) -> Passage:
    """Return *passage* without the lines that say no more than who talked, and when."""
    told = [line for line in passage.text.splitlines() if not talk_line.is_one(line)]
    return replace(passage, text="\n".join(told))


def _quoted_sentences(
    task: Task, parts: Sequence[quality.Read], said: Sequence[Reply]
) -> list[str]:
    """Quote what is best of the passages, of what needs no other; *parts* are their texts.

    What is *said* in reply has its question. Where nothing does, or is important, whatever is best.
    """
    candidates = _candidates(parts, said)
    window = sentence_candidates.survey(task.passages, candidates)
    alone = [c for c in candidates if not _hangs(c) or window.is_important(c)]
    if _is_talk(task):
        told = _told(alone, task, parts)
        alone = [c for c in alone if c in told or window.is_important(c) or _is_record(c, window)]
        if candidates and not alone:
            return [_talked(task)]
    return _framed(choose(alone, window) if alone else choose(candidates, window, most=1), task)


def of_turns(task: Task, parts: Sequence[quality.Read]) -> list[str]:
    """Quote what is best of talk: what stands by itself; of none of it, say who talked."""
    candidates = _candidates(parts, _replies(task, parts))
    window = sentence_candidates.survey(task.passages, candidates)
    rules = [c for c in candidates if c.is_news and lasting_rules.is_rule(c.text)]
    told = _told([c for c in candidates if c.is_news], task, parts) or rules
    if not told and (len(task.passages) >= _TALK or _people(task)):
        return [_talked(task)]
    most = SENTENCES if _people(task) else _OF_WORK
    best = choose(told, window, most) if told else choose(candidates, window, most=1)
    if not _people(task):
        best = list(_with_last_results(best, candidates))
    # What holds beyond the talk is told, however little news it is.
    return _framed([*best, *(c for c in rules if c not in best)][: len(best) + _RULES], task)


def _with_last_results(
    told: Sequence[Candidate], candidates: Sequence[Candidate]
) -> Iterator[Candidate]:
    """Yield what is *told*, of the results of one thing the last of the *candidates* alone.

    What failed, and was mended, would be told as it is no more.
    """
    results = [c for c in candidates if run_results.is_one(c.text)]
    for each in told:
        later = (c for c in results if (c.passage, c.order) > (each.passage, each.order))
        newer = [c for c in later if run_results.replaces(c.text, each.text)]
        if not newer or newer[-1] not in told:
            yield newer[-1] if newer else each


def _candidates(parts: Sequence[quality.Read], said: Sequence[Reply]) -> list[Candidate]:
    """Return the sentences that could be quoted, and the replies that need their question."""
    alone = list(sentence_candidates.of(parts))
    first = alone[-1].order + 1 if alone else 0
    return [*alone, *sentence_candidates.replies(said, first)]


def _replies(task: Task, parts: Sequence[quality.Read]) -> list[Reply]:
    """Return what is answered, and told, in talk with an agent."""
    forms = None if _people(task) else _forms(parts)
    if forms is None:
        return []
    messages = [
        Message(p.speaker, _is_agent(p, task), sentence_candidates.spoken(part))
        for p, part in zip(task.passages, parts, strict=True)
    ]
    return list(replies.replies(messages, forms))


def _forms(parts: Sequence[quality.Read]) -> Forms | None:
    """Return how the language of *parts* asks, None where that is not known."""
    if _is_english(parts):
        return question_forms_en.FORMS
    text = " ".join(part.parsed.text for part in parts)
    return question_forms_de.FORMS if german.is_talk(text) else None


def _is_agent(passage: Passage, task: Task) -> bool:
    return passage.speaker.casefold() in {"assistant", task.agent.casefold()} - {""}


def _told(
    candidates: Sequence[Candidate], task: Task, parts: Sequence[quality.Read]
) -> list[Candidate]:
    """Return those of *candidates* that tell something by themselves, when people talk of them.

    A reply is with its question, unless it needs none.
    """
    said = [c for c in candidates if c.reply is None]
    if _is_english(parts):
        alone = [c for c in said if _is_told_by(c, task, parts)]
    else:
        alone = [c for c in said if _is_alone(c) and _is_of_people(c, task)]
    known = {(c.passage, c.text) for c in alone}
    return [*alone, *(c for c in candidates if c.reply and (c.passage, c.text) not in known)]


def _is_told_by(candidate: Candidate, task: Task, parts: Sequence[quality.Read]) -> bool:
    """Whether *candidate* can be understood alone, and is of those who talk, when people do.

    What answers must say of what by itself.
    """
    before = parts[candidate.passage - 1].sentences[-1:] if candidate.passage else []
    if any(map(salience.is_question, before)) and not self_contained.has_own_subject(
        candidate.text
    ):
        return False
    if _is_to_other(candidate, task.passages[candidate.passage]):
        return False
    if bool(_people(task)) and _is_settled(candidate, task.passages[candidate.passage]):
        return True
    if not (_is_of_people(candidate, task) and self_contained.stands(candidate.text)):
        return False
    return bool(_people(task)) or _states(candidate, task)


def _is_settled(candidate: Candidate, passage: Passage) -> bool:
    """Whether somebody commits, in so many words, to what they name."""
    words = frozenset(candidate.parsed.heads)
    said = Sentence(
        candidate.text, candidate.passage, "user", passage.speaker, passage.created, words,
        Register.EVERYDAY,
    )  # fmt: skip
    return commitments.is_one(casual_spelling.sentence(said))


def _states(candidate: Candidate, task: Task) -> bool:
    """Whether *candidate*, of talk with an agent, states something of one who talks or one thing.

    What holds of a kind of things the agent could say to anybody.
    """
    if _is_agent(task.passages[candidate.passage], task):
        return statement_en.is_one_of_agent(candidate.text)
    return statement_en.is_one(candidate.text)


def _is_of_people(candidate: Candidate, task: Task) -> bool:
    """Whether *candidate*, where people talk, is of them or of theirs."""
    return not _people(task) or life_facts.is_told_first_hand(candidate.text)


def _is_to_other(candidate: Candidate, passage: Passage) -> bool:
    """Whether somebody with a name says to another how that one is, and nothing of themselves."""
    return bool(passage.speaker) and self_contained.is_to_other(candidate.text)


def _people(task: Task) -> frozenset[str]:
    """Return the names of the people who talk; none where one does with an agent or a nameless."""
    voices = frozenset(passage.speaker for passage in task.passages)
    agents = {"", "user", "assistant", task.agent.casefold()}
    names = frozenset(voice for voice in voices if voice.casefold() not in agents)
    return names if len(names) > 1 or names == voices else frozenset()


def _is_talk(task: Task) -> bool:
    """Whether several people talked with each other, or somebody with an agent.

    What has no time is a conversation with an agent that goes on: its steps are to be told.
    """
    voices = {passage.speaker for passage in task.passages if passage.created}
    return len(_people(task)) > 1 or not voices.isdisjoint({"user", "assistant"})


def _is_record(candidate: Candidate, window: Window) -> bool:
    """Whether *candidate* needs no verb, with figures behind its name: `Losartan 50 mg, May 3`."""
    parsed = candidate.parsed
    if not STOP.isdisjoint(parsed.heads[:1]):
        return False
    is_named = not window.names.isdisjoint(parsed.heads[:1])
    is_measured = not frozenset(parsed.numbers).isdisjoint(parsed.heads[1:2])
    return (is_named or is_measured) and len(parsed.numbers) + len(parsed.dates) >= _RECORDED


def _talked(task: Task) -> str:
    """Return the line that says who talked, when, and which things several of them spoke of."""
    voices = list(dict.fromkeys(" ".join(p.speaker.split()) for p in task.passages if p.speaker))
    day = next((p.created[:10] for p in task.passages if p.created), "")
    told = titles.spoken_of(texts(task), _THINGS, voices, _OFTEN)
    return talk_line.line(voices, day, told.several)


def _framed(chosen: Sequence[Candidate], task: Task) -> list[str]:
    """Return the lines that quote what is *chosen*, in order of time."""
    said = sorted(chosen, key=lambda candidate: (candidate.passage, candidate.order))
    return [quotation.framed(c.text, task.passages[c.passage], task.agent, c.asked) for c in said]


def anything(passages: Sequence[Passage]) -> list[str]:
    """Return what can be quoted of passages without a single sentence."""
    texts = (" ".join(passage.text.split()) for passage in passages)
    return [quotation.chop(text, WORDS_EACH) for text in texts if text][:1]


def _hangs(candidate: Candidate) -> bool:
    if candidate.reply:
        return False
    return self_contained.hangs(candidate.text) or salience.is_question(candidate.text)


def _is_alone(candidate: Candidate) -> bool:
    return self_contained.stands(candidate.text) and not salience.is_question(candidate.text)
