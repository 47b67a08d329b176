"""Summarize without a model: choose the sentences that carry the news and quote them.

A window's sentences are weighed by substance, centrality, facts and importance; each thread gives
its best, nothing is said twice, and what is chosen stands in order of time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from vaultmem.documents.bodies import Claim, Episode, SessionCompact, Topic
from vaultmem.nlp.extraction import distillation
from vaultmem.nlp.extraction.durable import lasting_rules, life_facts
from vaultmem.nlp.extraction.grammar import statement_en
from vaultmem.nlp.extraction.personal_facts import claims
from vaultmem.nlp.extraction.sessions import episodes, session_state
from vaultmem.nlp.extraction.talk import self_contained, talk_line
from vaultmem.nlp.summarization import longterm_thinning, note_summary, quality
from vaultmem.nlp.tasks import (
    IMPORTANT,
    ClaimsTask,
    CompactTask,
    DistillTask,
    DreamTask,
    FoldTask,
    Made,
    Passage,
    Reflection,
    ReflectTask,
    Suggestion,
    Summary,
    Task,
)
from vaultmem.nlp.text import analysis, language, quotation, salience, segmentation
from vaultmem.nlp.text.stopwords import STOP

_PROMPT = "extractive-2"
_EPISODE, _TOPICS, _COMPACT = "harvest-episode-1", "harvest-topics-1", "harvest-compact-1"
_CLAIMS, _NOTHING = "harvest-claims-1", "none"

_SENTENCES = 3
_RULES = 5
# English has about half such words, German and French less than a tenth.
# Fewer passages, or lesser ones, are worth two sentences.
_FEW, _LESSER = 8, 0.35
_WORDS_EACH, _WORDS_ALONE = 40, 100
# A thread whose best sentence is this much weaker than the window's best gets none.
_TELLING = 0.5
_LEAST_WORDS, _MOST_WORDS = 15, 150
# Keeps a short sentence of one heavy term from beating a long one of many.
_TEMPER = 8
# What a repetition costs: 1 - lambda of maximal marginal relevance (Carbonell & Goldstein 1998).
_REPETITION, _SAME_VOICE = 0.6, 0.85

# What is left of a sentence that only answers, or is a fragment.
_HANGING = 0.3
# Of talk so long, a fragment tells less than that there was talk.
_TALK = 6
# So many figures make a record.
_RECORDED = 2


class _Candidate(NamedTuple):
    """A sentence that could be quoted, where it stood, and what it is about."""

    parsed: analysis.Parsed
    passage: int
    order: int
    size: int
    items: frozenset[str]
    is_news: bool

    @property
    def text(self) -> str:
        """What would be quoted."""
        return self.parsed.text


class _Window(NamedTuple):
    """What is known of the passages as a whole: weights of terms, threads, names."""

    passages: tuple[Passage, ...]
    weight: segmentation.Vector
    threads: list[int]
    heaviest: list[int]
    names: frozenset[str]
    # What each candidate is about, by its order.
    about: dict[int, segmentation.Measured]


class Extractive:
    """The offline summarizer: same input, same text, on any machine."""

    name = "extractive"

    def summarize(self, task: Task) -> Summary:
        """Answer *task* with sentences taken from its passages."""
        parts = [quality.read(passage.text) for passage in task.passages]
        lines = _short_term(task, parts) if task.tier == "recent" else _long_term(task.passages)
        text = "".join(f"{line}\n" for line in lines or _anything(task.passages))
        faithfulness, coverage, compression = quality.measured(text, task.passages, parts)
        return Summary(
            text=text,
            model=self.name,
            prompt=_PROMPT,
            faithfulness=round(faithfulness, 4),
            coverage=round(coverage, 4),
            compression=round(compression, 4),
        )

    def episode(self, task: FoldTask) -> Made[Episode]:
        """Say what the turns came to, in their own words."""
        recent = episodes.summary_task(task)
        parts = [quality.read(passage.text) for passage in recent.passages]
        summary = "\n".join(_quoted_turns(recent, parts) or _anything(recent.passages))
        return Made(episodes.episode(task, summary), self.name, _EPISODE)

    def topics(self, task: DistillTask) -> Made[tuple[Topic, ...]]:
        """Merge what is durable in the episodes into topics."""
        return Made(distillation.topics(task), self.name, _TOPICS)

    def compact(self, task: CompactTask) -> Made[SessionCompact]:
        """Say where the session stands, in its own words."""
        return Made(session_state.compact(task), self.name, _COMPACT)

    def claims(self, task: ClaimsTask) -> Made[tuple[Claim, ...]]:
        """Say what users say of people, by the turns of phrase that leave no doubt."""
        return Made(claims.claims(task), self.name, _CLAIMS)

    def suggest(self, task: DreamTask) -> Made[tuple[Suggestion, ...]]:  # noqa: ARG002  # the protocol has it
        """Suggest nothing: what can be seen offline, the detectors of a dream see."""
        return Made((), self.name, _NOTHING)

    def reflect(self, task: ReflectTask) -> Made[Reflection]:  # noqa: ARG002  # the protocol has it
        """Add nothing to what was said of the task."""
        return Made(Reflection(), self.name, _NOTHING)


def _short_term(task: Task, parts: Sequence[quality.Read]) -> list[str]:
    """Note what a window says; of a small one, and of other languages, quote the best."""
    split = [_spoken(part) for part in parts] if _is_english(parts) else []
    return note_summary.short_term(task.passages, split) or _quoted_sentences(task, parts)


def _is_english(parts: Sequence[quality.Read]) -> bool:
    """Whether enough of the words are those that hold English sentences together."""
    heads = [head for part in parts for head in part.parsed.heads]
    return language.is_english(heads)


def _long_term(passages: Sequence[Passage]) -> list[str]:
    """Set notes out by subject; of summaries that have none, keep the lines worth keeping."""
    told = [p for passage in passages if (p := _without_talk(passage)).text.strip()] or passages
    noted = note_summary.page([passage.text for passage in told])
    return noted or longterm_thinning.longterm(told)


def _without_talk(passage: Passage) -> Passage:
    """Return *passage* without the lines that say no more than who talked, and when."""
    told = [line for line in passage.text.splitlines() if not talk_line.is_one(line)]
    return replace(passage, text="\n".join(told))


def _quoted_sentences(task: Task, parts: Sequence[quality.Read]) -> list[str]:
    """Quote what is best of the passages, of what needs no other; *parts* are their texts.

    Where nothing does, or is important, whatever is best.
    """
    candidates = list(_candidates(parts))
    window = _survey(task.passages, candidates)
    alone = [c for c in candidates if not _hangs(c) or _is_important(c, window)]
    if _is_talk(task):
        told = _told(alone, task, parts)
        alone = [c for c in alone if c in told or _is_important(c, window) or _is_record(c, window)]
        if candidates and not alone:
            return [_talked(task)]
    return _framed(_choose(alone, window) if alone else _choose(candidates, window, most=1), task)


def _quoted_turns(task: Task, parts: Sequence[quality.Read]) -> list[str]:
    """Quote what is best of talk: what stands by itself; of none of it, say who talked."""
    candidates = list(_candidates(parts))
    window = _survey(task.passages, candidates)
    rules = [c for c in candidates if c.is_news and lasting_rules.is_rule(c.text)]
    told = _told([c for c in candidates if c.is_news], task, parts) or rules
    if not told and (len(task.passages) >= _TALK or _people(task)):
        return [_talked(task)]
    best = _choose(told, window) if told else _choose(candidates, window, most=1)
    # What holds beyond the talk is told, however little news it is.
    return _framed([*best, *(c for c in rules if c not in best)][: len(best) + _RULES], task)


def _told(
    candidates: Sequence[_Candidate], task: Task, parts: Sequence[quality.Read]
) -> list[_Candidate]:
    """Return those of *candidates* that tell something by themselves, when people talk of them."""
    if _is_english(parts):
        return [c for c in candidates if _is_told_by(c, task, parts)]
    return [c for c in candidates if _is_alone(c) and _is_of_people(c, task)]


def _is_told_by(candidate: _Candidate, task: Task, parts: Sequence[quality.Read]) -> bool:
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
    if not (_is_of_people(candidate, task) and self_contained.stands(candidate.text)):
        return False
    return bool(_people(task)) or _states(candidate, task)


def _states(candidate: _Candidate, task: Task) -> bool:
    """Whether *candidate*, of talk with an agent, states something of one who talks or one thing.

    What holds of a kind of things the agent could say to anybody.
    """
    if task.passages[candidate.passage].speaker.casefold() in {"assistant", task.agent.casefold()}:
        return statement_en.is_one_of_agent(candidate.text)
    return statement_en.is_one(candidate.text)


def _is_of_people(candidate: _Candidate, task: Task) -> bool:
    """Whether *candidate*, where people talk, is of them or of theirs."""
    return not _people(task) or life_facts.is_told_first_hand(candidate.text)


def _is_to_other(candidate: _Candidate, passage: Passage) -> bool:
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


def _is_record(candidate: _Candidate, window: _Window) -> bool:
    """Whether *candidate* needs no verb, with figures behind its name: `Losartan 50 mg, May 3`."""
    parsed = candidate.parsed
    if not STOP.isdisjoint(parsed.heads[:1]):
        return False
    is_named = not window.names.isdisjoint(parsed.heads[:1])
    is_measured = not frozenset(parsed.numbers).isdisjoint(parsed.heads[1:2])
    return (is_named or is_measured) and len(parsed.numbers) + len(parsed.dates) >= _RECORDED


def _talked(task: Task) -> str:
    """Return the line that says no more than who talked, and when."""
    voices = list(dict.fromkeys(" ".join(p.speaker.split()) for p in task.passages if p.speaker))
    day = next((p.created[:10] for p in task.passages if p.created), "")
    return talk_line.line(voices, day)


def _framed(chosen: Sequence[_Candidate], task: Task) -> list[str]:
    """Return the lines that quote what is *chosen*, in order of time."""
    said = sorted(chosen, key=lambda candidate: candidate.order)
    return [quotation.framed(c.text, task.passages[c.passage], task.agent) for c in said]


def _anything(passages: Sequence[Passage]) -> list[str]:
    """Return what can be quoted of passages without a single sentence."""
    texts = (" ".join(passage.text.split()) for passage in passages)
    return [quotation.chop(text, _WORDS_EACH) for text in texts if text][:1]


def _candidates(parts: Sequence[quality.Read]) -> Iterator[_Candidate]:
    order = 0
    for i, part in enumerate(parts):
        for sentence in _spoken(part):
            if analysis.bare(sentence):
                yield _candidate(sentence, i, order, part.parsed)
            order += 1


def _spoken(part: quality.Read) -> list[str]:
    """Return the sentences without captions of attachments."""
    text = salience.spoken(part.parsed.text)
    return part.sentences if text == part.parsed.text else analysis.sentences(text)


def _candidate(sentence: str, passage: int, order: int, whole: analysis.Parsed) -> _Candidate:
    """Cut *sentence* to size; one that cannot be cut safely only fills, and then whole."""
    text = quotation.cut(salience.without_lead(analysis.bare(sentence)), _WORDS_EACH)
    fits = analysis.size(text) <= _WORDS_EACH and not analysis.is_code(sentence)
    text = quotation.chop(text, _WORDS_ALONE)
    # Many a memory is one sentence.
    parsed = whole if text == whole.text else analysis.parsed(text)
    items = frozenset([*parsed.terms, *parsed.numbers, *parsed.dates])
    is_news = fits and salience.is_news(parsed.text, parsed.terms)
    return _Candidate(parsed, passage, order, analysis.size(parsed.text), items, is_news)


def _survey(passages: tuple[Passage, ...], candidates: Sequence[_Candidate]) -> _Window:
    """Weigh the terms of the passages, and find their threads."""
    documents: list[list[str]] = [[] for _ in passages]
    for candidate in candidates:
        documents[candidate.passage] += candidate.parsed.terms
    weight = segmentation.weights(documents)
    vectors = segmentation.vectors(
        documents, [passage.created[:10] for passage in passages], weight
    )
    labels = segmentation.label(vectors, _SENTENCES)
    named = frozenset(analysis.names(candidate.text for candidate in candidates))
    heaviest = segmentation.heaviest(vectors, labels)
    about = {
        c.order: segmentation.measured({term: weight[term] for term in c.parsed.terms})
        for c in candidates
    }
    return _Window(passages, weight, labels, heaviest, named - _addressed(named, passages), about)


def _addressed(named: frozenset[str], passages: Sequence[Passage]) -> frozenset[str]:
    """Return the names that only address a speaker: `Melanie`, and `Mel` for short."""
    voices = {passage.speaker for passage in passages}
    speakers = {head for voice in voices for head in analysis.heads(voice)}
    return frozenset(name for name in named if any(s.startswith(name) for s in speakers))


def _choose(
    candidates: Sequence[_Candidate], window: _Window, most: int = _SENTENCES
) -> list[_Candidate]:
    """Take what is important, the best of each thread, then of all, until there is enough.

    Of *most* above one there are more where they are short.
    """
    worth = _worth(candidates, window)
    wanted = min(_wanted(window.passages), most)
    newsworthy = [candidate for candidate in candidates if candidate.is_news]
    chosen: list[_Candidate] = []
    for within in _by_importance(candidates, worth, window)[:wanted]:
        _take(within, chosen, worth, window)
    for within in _by_thread(newsworthy, worth, window)[: wanted - len(chosen)]:
        _take(within, chosen, worth, window)
    while len(chosen) < wanted and _take(newsworthy, chosen, worth, window):
        pass
    while (
        (most > 1 or not chosen)
        and _length(chosen, window) < _LEAST_WORDS
        and _take(candidates, chosen, worth, window)
    ):
        pass
    return chosen


def _by_importance(
    candidates: Sequence[_Candidate], worth: dict[int, float], window: _Window
) -> list[list[_Candidate]]:
    """Return the candidates of each important passage, the most important first."""
    at = sorted({c.passage for c in candidates if _is_important(c, window)})
    important = [[c for c in candidates if c.passage == n] for n in at]
    best = {g[0].passage: max(worth[c.order] for c in g) for g in important}
    return sorted(important, key=lambda g: (-_importance(g[0], window), -best[g[0].passage]))


def _hangs(candidate: _Candidate) -> bool:
    return self_contained.hangs(candidate.text) or salience.is_question(candidate.text)


def _is_alone(candidate: _Candidate) -> bool:
    return self_contained.stands(candidate.text) and not salience.is_question(candidate.text)


def _is_important(candidate: _Candidate, window: _Window) -> bool:
    return _importance(candidate, window) >= IMPORTANT


def _importance(candidate: _Candidate, window: _Window) -> float:
    return window.passages[candidate.passage].importance


def _by_thread(
    newsworthy: Sequence[_Candidate], worth: dict[int, float], window: _Window
) -> list[list[_Candidate]]:
    """Return the candidates of each thread that has something to tell, the heaviest first."""
    top = max((worth[candidate.order] for candidate in newsworthy), default=0.0)
    groups = ([c for c in newsworthy if window.threads[c.passage] == at] for at in window.heaviest)
    return [group for group in groups if any(worth[c.order] >= _TELLING * top for c in group)]


def _take(
    among: Sequence[_Candidate], chosen: list[_Candidate], worth: dict[int, float], window: _Window
) -> bool:
    """Add the candidate of greatest marginal relevance to *chosen*; whether there was one."""
    room = _MOST_WORDS - sum(candidate.size for candidate in chosen)
    left = [c for c in among if c.size <= room and not _is_known(c, chosen)]
    if not left:
        return False
    value = {c.order: worth[c.order] * _fresh(c, chosen, window) for c in left}
    chosen.append(max(left, key=lambda c: (round(value[c.order], 6), -c.order)))
    return True


def _is_known(candidate: _Candidate, chosen: Sequence[_Candidate]) -> bool:
    return any(
        candidate.text == other.text or segmentation.same(candidate.items, other.items)
        for other in chosen
    )


def _fresh(candidate: _Candidate, chosen: Sequence[_Candidate], window: _Window) -> float:
    """Return how much of *candidate* is new beside what is chosen; a new voice counts as well."""
    own, voice = window.about[candidate.order], window.passages[candidate.passage].speaker
    near = (segmentation.alike(own, window.about[other.order]) for other in chosen)
    is_heard = any(window.passages[other.passage].speaker == voice for other in chosen)
    return (1 - _REPETITION * max(near, default=0.0)) * (_SAME_VOICE if is_heard else 1.0)


def _worth(candidates: Sequence[_Candidate], window: _Window) -> dict[int, float]:
    """Weigh each candidate by centrality, importance and what it tells."""
    centre = {c.order: _centrality(c, window) for c in candidates}
    most = max(centre.values(), default=0.0) or 1.0
    return {
        c.order: (0.4 + centre[c.order] / most)
        * (0.5 + _importance(c, window))
        * _weight(c, window)
        for c in candidates
    }


def _weight(candidate: _Candidate, window: _Window) -> float:
    """Weigh substance and facts; what is no news only fills, and questions come last."""
    if candidate.is_news:
        parsed = candidate.parsed
        told = salience.substance(parsed.text, parsed.heads) + _facts(parsed, window.names)
        return told if self_contained.stands(parsed.text) else _HANGING * told
    return 0.05 if salience.is_question(candidate.text) else 0.2


def _centrality(candidate: _Candidate, window: _Window) -> float:
    """Return the centroid's mass in the sentence (Radev et al. 2004), tempered by its length."""
    own = window.about[candidate.order].vector
    return float(sum(own.values()) / (len(own) + _TEMPER) ** 0.5)


def _facts(sentence: analysis.Parsed, names: frozenset[str]) -> float:
    """Weigh the names, numbers and dates of a sentence; the third adds little."""
    named = names.intersection(sentence.heads)
    figures = (*sentence.numbers, *sentence.dates, *analysis.spelled(sentence.heads))
    return 0.6 * min(len(named) + len(figures), 3)


def _wanted(passages: Sequence[Passage]) -> int:
    top = max((passage.importance for passage in passages), default=0.0)
    return _SENTENCES if len(passages) >= _FEW and top >= _LESSER else _SENTENCES - 1


def _length(chosen: Sequence[_Candidate], window: _Window) -> int:
    """Count the words with their frames."""
    return sum(
        analysis.size(quotation.framed(candidate.text, window.passages[candidate.passage]))
        for candidate in chosen
    )
