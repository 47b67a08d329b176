"""Find what is wrong with a model's answer, in a clause that the model may be told.

Pure: `guarded` decides what follows. A clause never repeats what a model invented, since it may end
up in the vault.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass, replace

from vaultmem.documents import frontmatter
from vaultmem.documents.bodies import Claim, Episode, SessionCompact, Topic
from vaultmem.documents.secrets import names_a_secret, redact
from vaultmem.errors import Unreadable
from vaultmem.nlp.summarization import quality
from vaultmem.nlp.tasks import (
    AnyTask,
    ClaimsTask,
    CompactTask,
    DistillTask,
    DreamTask,
    FoldTask,
    NumberedFact,
    Passage,
    Reflection,
    ReflectTask,
    Suggestion,
    Task,
    Utterance,
)
from vaultmem.nlp.text import analysis, quoted_text

# Measured on windows of 64 messages: "Nothing of note happened." covers 0.00 to 0.03 of one, three
# telling sentences of it at least 0.06, the offline summarizer at least 0.18.
COVERED = 0.04
FAITHFUL, FAITHFUL_VALUE = 0.8, 0.7

# A model that has lost its thread says the same few words on and on.
_LOOP, _RUN, _VARIED = 24, 4, 0.3
# Characters: what a recent may have, what a long-term summary may have, and what any may have of
# however little it tells.
_MOST = {"recent": 1200, "longterm": 6000}
_ROOM = {"recent": 400, "longterm": 2000}
_ROOM_VALUE = 4000
# So much of what a lesson is about its sources must be about, too.
_BORNE_OUT = 0.5
# A topic may lose this share of its bullets at once, and one in any case.
_LOST_SHARE, _LOST = 0.25, 2
_SAME_BULLET = 0.5

_REFUSAL = (
    r"(?i)\b(?:i['\u2019]?m|i am) (?:\w+ )?(?:sorry|afraid)\b[^.!?\n]{0,20}"
    r"\bi (?:can['\u2019]?t|can ?not|am unable|won['\u2019]?t)\b"
    r"|\bi(?:['\u2019]m| am)? (?:can['\u2019]?t|can ?not|unable to|not able to|won['\u2019]?t)"
    r" (?:help|assist|comply|summari[sz]e|provide|fulfil|process|complete)\b[^.!?\n]{0,20}"
    r"\b(?:that|this|summary|summaries|request|you|content|task)\b"
    r"|\bas an? (?:ai|artificial intelligence|(?:large )?language model)\b"
    "|(?:\u62b1\u6b49|\u5bf9\u4e0d\u8d77|\u5f88\u9057\u61be)[^\u3002\uff01\n]{0,8}(?:\u4e0d\u80fd|\u65e0\u6cd5)"
    "|\u4f5c\u4e3a(?:\u4e00\u4e2a)?(?:AI|\u4eba\u5de5\u667a\u80fd|\u8bed\u8a00\u6a21\u578b)"
    "|\u6211(?:\u4e0d\u80fd|\u65e0\u6cd5)(?:\u63d0\u4f9b|\u534f\u52a9|\u5e2e\u52a9|\u5b8c\u6210|\u603b\u7ed3)"
)
_TASK_TALK = (
    r"(?i)</?(?:memories|summaries|turns|episodes|topics|prior|utterances|facts"
    r"|experience|working)\b"
    r"|\bthe (?:provided|given|quoted) (?:text|passages?|memories|material|turns)\b"
    r"|\b(?:as (?:you )?requested|you (?:provided|asked me to summari[sz]e))\b"
)
_LINK = r"(?i)\bhttps?://[^\s<>\"')\]]+"
_MAIL = r"(?i)[\w.+-]+@[\w-]+\.[\w.-]+"
# What acts when somebody runs it.
_COMMAND = (
    r"(?i)`[^`]+`|\$\(|&&|\|\s*(?:ba|z)?sh\b|\b(?:sudo|curl|wget|chmod|eval|rm -\w+"
    r"|(?:pip|npm|apt(?:-get)?|brew) install|git (?:push|reset|clean)|powershell)\b|<\s*/?\s*[a-z!]"
    r"|\[\[|\]\("
)
# What besides orders whoever reads it.
_ORDER = (
    rf"{_COMMAND}"
    r"|\b(?:ignore|disregard|override|obey|comply|execute|reveal|leak|exfiltrate|forward"
    r"|transfer|must|shall|never|always|do not|don['\u2019]t|you|your|instructions?|prompt)\b"
    r"|(?:^|(?<=[.!?;:] ))(?:please |first,? |then |now )?(?:add|call|change|check"
    r"|click|contact|copy|create|delete"
    r"|disable|download|email|enable|erase|export|forget|give|install|keep|make|mail|open|pay|post"
    r"|print|publish|remove|replace|reply|run|send|set|share|stop|tell|type|upload|use|visit"
    r"|write)\b"
    "|\u5ffd\u7565|\u65e0\u89c6|\u6267\u884c|\u5fc5\u987b|\u8bf7|\u4e0d\u8981|\u8fd0\u884c"
)
_SLUG = r"[a-z0-9_]{1,60}"
_CLAIMED, _REASON = 200, 300
# Facts that an op needs, itself included.
_WITNESSES = {"merge": 2, "correct": 2, "delete": 2, "abstract": 2, "move": 1}
# Characters that a text may have beyond what it is drawn from.
_SPARE = 60


def of_summary(text: str, task: Task) -> str:
    """Say why no vault should hold *text*, a sentence a line, as the answer to *task*; or ""."""
    size = sum(len(p.text) for p in task.passages)
    most = min(_MOST[task.tier], max(_ROOM[task.tier], size))
    return (
        _of_text(text, task.passages)
        or (f"longer than {most} characters" if len(text) > most else "")
        or _unfaithful(quality.faithfulness(text, known(task)), FAITHFUL)
        or _uncovered(quality.coverage(text, task.passages))
    )


def of_episode(episode: Episode, task: FoldTask) -> str:
    """Say why *episode* is no answer to *task*; or ""."""
    required = {"title": episode.title, "summary": episode.summary}
    return _empty(required) or _of_value(episode, known(task))


def of_compact(compact: SessionCompact, task: CompactTask) -> str:
    """Say why *compact* is no answer to *task*; or ""."""
    required = {"task": compact.task, "current_state": compact.current_state}
    return (
        _empty(required)
        or _of_value(compact, known(task))
        or (_forgotten(compact, task.prior) if task.prior else "")
    )


def _forgotten(compact: SessionCompact, prior: SessionCompact) -> str:
    """Say what of *prior* is lost that nothing later can bring back: decisions, dead ends."""
    kept = [
        frozenset(analysis.terms(text))
        for text in (*strings(compact.key_decisions), *strings(compact.eliminated_approaches))
    ]
    decided = [d.decision for d in prior.key_decisions]
    ruled_out = [e.approach for e in prior.eliminated_approaches]
    earlier = [
        terms for text in (*decided, *ruled_out) if (terms := frozenset(analysis.terms(text)))
    ]
    lost = sum(not any(2 * len(terms & now) >= len(terms) for now in kept) for terms in earlier)
    return f"{lost} earlier decisions or dead ends are missing" if 4 * lost > len(earlier) else ""


def of_reflection(it: Reflection, task: ReflectTask) -> str:
    """Say why *it* is no answer to *task*: one that claims what nothing there bears out; or ""."""
    sources = known(task)
    said = "\n".join(passage.text for passage in sources)
    about = frozenset(analysis.terms(said))
    claimed = (("step", it.approach.splitlines()), ("lesson", it.lessons))
    each = (
        (f"{kind} {n}", fault)
        for kind, texts in claimed
        for n, text in enumerate(texts, 1)
        if (fault := _of_lesson(text, sources, about) or _of_command(text, said.casefold()))
    )
    return next((f"{which}: {fault}" for which, fault in each), "") or _of_value(it, sources)


def _of_lesson(text: str, sources: Sequence[Passage], about: AbstractSet[str]) -> str:
    terms = frozenset(analysis.terms(text))
    if len(terms & about) < _BORNE_OUT * len(terms):
        return "nothing in the sources bears it out"
    return _unfaithful(quality.faithfulness(text, sources), 1.0)


def of_topics(topics: tuple[Topic, ...], task: DistillTask) -> str:
    """Say why *topics* are no answer to *task*; or ""."""
    old = {topic.slug: topic for topic in task.topics}
    slugs = [topic.slug for topic in topics]
    if len(set(slugs)) < len(slugs):
        return "two topics with one slug"
    each = (_of_topic(topic, old.get(topic.slug)) for topic in topics)
    return next(filter(None, each), "") or _of_value(topics, known(task))


def of_claims(claims: tuple[Claim, ...], task: ClaimsTask) -> str:
    """Say why *claims* are no answer to *task*: one that its user did not say; or ""."""
    faults = ((n, _of_claim(claim, task)) for n, claim in enumerate(claims, 1))
    return next((f"claim {n}: {fault}" for n, fault in faults if fault), "")


def _of_claim(claim: Claim, task: ClaimsTask) -> str:
    sources = [item for item in task.items if _is_source(claim, item)]
    if not sources:
        return "the value does not stand in what a user said there"
    speaker = sources[0].speaker
    own_words = [quoted_text.words(item.text) for item in task.items if _is_said_by(item, speaker)]
    known = "\n".join([*own_words, speaker, "user"])
    slugs = (claim.category, claim.field)
    if not all(re.fullmatch(_SLUG, slug) for slug in slugs):
        return "category and field must be short names"
    if not _stands(claim.person, known):
        return "the person is not named by the user"
    if len(claim.value) > _CLAIMED or len(claim.relationship) > _CLAIMED:
        return f"longer than {_CLAIMED} characters"
    return "a credential" if _is_secret(claim) else ""


def _is_source(claim: Claim, item: Utterance) -> bool:
    """Whether *item* is the user's utterance that *claim* names, and says it."""
    where = (item.origin, item.at, item.role) == (claim.origin, claim.at, "user")
    words = analysis.folded(quoted_text.words(item.text))
    return where and analysis.folded(claim.said) in words and _stands(claim.value, claim.said)


def _is_said_by(item: Utterance, speaker: str) -> bool:
    return item.role == "user" and item.speaker == speaker


def _stands(part: str, text: str) -> bool:
    """Whether *part* stands in *text*, not inside a longer word, whatever the case and spaces."""
    wanted, whole = analysis.folded(part), analysis.folded(text)
    edges = [
        r"(?<![^\W_])" if wanted[:1].isascii() else "",
        r"(?![^\W_])" if wanted[-1:].isascii() else "",
    ]
    return bool(wanted) and re.search(f"{edges[0]}{re.escape(wanted)}{edges[1]}", whole) is not None


def _is_secret(claim: Claim) -> bool:
    named = names_a_secret(claim.field)
    return named or redact(claim.said) != claim.said or redact(claim.value) != claim.value


def good_suggestions(found: Iterable[Suggestion], task: DreamTask) -> tuple[Suggestion, ...]:
    """Return those of *found* that the facts of *task* bear out and that do not undo another.

    A fact that goes is nobody's proof and goes but once: the first suggestion has it.
    """
    facts = {fact.number: fact for fact in task.facts}
    gone: set[int] = set()
    good: list[Suggestion] = []
    for it in found:
        if gone.isdisjoint(it.numbers) and not of_suggestion(it, facts):
            good.append(it)
            gone |= _going(it)
    return tuple(good)


def _going(it: Suggestion) -> set[int]:
    """Return the numbers of the facts that *it* takes from where they stand."""
    if it.op == "abstract":
        return set()
    return set(it.numbers if it.op == "merge" else it.numbers[:1])


def of_suggestion(it: Suggestion, facts: Mapping[int, NumberedFact]) -> str:
    """Say why *it* is no suggestion about *facts*, by number; or ""."""
    if not facts.keys() >= set(it.numbers) or len(it.numbers) < _WITNESSES[it.op]:
        return "numbers of facts that are not there, or too few"
    named = [facts[number] for number in it.numbers]
    if not any(c.isalnum() for c in it.reason) or len(it.reason) > _REASON:
        return "no reason, or a long one"
    source = "\n".join(fact.text for fact in named)
    if fault := _of_order(it.reason, source):
        return fault
    if it.op == "delete":
        return ""
    if it.op == "move":
        wheres = {fact.where for fact in facts.values()} - {named[0].where}
        return "" if it.text in wheres else "a file that is not among the facts"
    return _of_wording(it, named, source)


def _of_wording(it: Suggestion, named: Sequence[NumberedFact], source: str) -> str:
    """Say why the text of *it* may not stand for the facts *named*; or ""."""
    sources = [Passage(fact.text, created=fact.date) for fact in named]
    fault = (
        _empty({"text": it.text})
        or _of_text(it.text, sources)
        or _of_order(it.text, source)
        or ("longer than the facts" if len(it.text) > len(source) + _SPARE else "")
        or _unfaithful(quality.faithfulness(it.text, sources), 1.0)
    )
    if fault or it.op != "merge":
        return fault
    kept = quality.faithfulness(source, [Passage(it.text)])
    return "" if kept == 1.0 else "a name, number or date of the facts is missing"


def _of_order(text: str, source: str) -> str:
    """Say what in *text* acts, orders or leads away that *source* does not hold; or ""."""
    if redact(text) != text:
        return "a credential"
    facts = source.casefold()
    strange = any(_strange(pattern, text, facts) for pattern in (_LINK, _MAIL, _ORDER))
    return "an address, a command or an order that the facts do not hold" if strange else ""


def _of_command(text: str, source: str) -> str:
    """Say what in *text* acts or leads away that *source*, in lower case, does not hold; or ""."""
    strange = any(_strange(pattern, text, source) for pattern in (_LINK, _MAIL, _COMMAND))
    return "an address or a command that the sources do not hold" if strange else ""


def is_mute(task: AnyTask) -> bool:
    """Whether nothing is said in all that an answer to *task* may be drawn from."""
    return not any(c.isalnum() for passage in known(replace(task, agent="")) for c in passage.text)


def known(task: AnyTask) -> tuple[Passage, ...]:
    """Return all that an answer to *task* may be drawn from, the agent's name included."""
    about = Passage(task.agent)
    match task:
        case Task():
            return (*task.passages, about)
        case ClaimsTask():
            voices = (item for item in task.items if item.role == "user")
            return (*(Passage(quoted_text.words(v.text), v.speaker, v.at) for v in voices), about)
        case DreamTask():
            return (*(Passage(fact.text, created=fact.date) for fact in task.facts), about)
        case DistillTask():
            return (*(Passage(text) for text in strings((task.episodes, task.topics))), about)
        case FoldTask():
            prior: tuple[str, ...] = ()
        case CompactTask():
            prior = tuple(strings(task.prior))
        case ReflectTask():
            prior = (*strings(task.experience), task.working)
    turns = (Passage(t.content, f"{t.speaker} {t.role} {t.tool}", t.at) for t in task.turns)
    return (*map(Passage, prior), *turns, about)


def strings(value: object) -> Iterator[str]:
    """Yield every text inside *value*, the fields of dataclasses in order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from strings(item)
    elif is_dataclass(value):
        for field in fields(value):
            yield from strings(getattr(value, field.name))


def _of_value(value: object, sources: Sequence[Passage]) -> str:
    text = "\n\n".join(_prose(value))
    size = max(_ROOM_VALUE, sum(len(p.text) for p in sources))
    return (
        (_of_text(text, sources) if text else "")
        or ("longer than what it tells of" if len(text) > size else "")
        or _unfaithful(quality.faithfulness(text, sources), FAITHFUL_VALUE)
    )


def _prose(value: object) -> Iterator[str]:
    """Yield what *value* claims: no link targets, and titles without their capitals."""
    if isinstance(value, Episode | Topic):
        yield value.title.casefold()
    if is_dataclass(value):
        for field in fields(value):
            if field.name not in {"title", "slug", "sources"}:
                yield from _prose(getattr(value, field.name))
    elif isinstance(value, tuple):
        for item in value:
            yield from _prose(item)
    elif isinstance(value, str) and value:
        yield value


def _of_text(text: str, sources: Sequence[Passage]) -> str:
    source = "\n".join(passage.text for passage in sources).casefold()
    if not any(c.isalnum() for c in text):
        return "empty"
    if _repeats(text):
        return "it says the same words again and again"
    if _strange(_REFUSAL, text, source):
        return "a refusal"
    if _strange(_TASK_TALK, text, source):
        return "it talks about the task, not about what happened"
    if _strange(_LINK, text, source):
        return "a web address that the sources do not hold"
    return "" if _storable(text) else "characters that no file can hold"


def _repeats(text: str) -> bool:
    words = text.split()
    runs = [tuple(words[i : i + _RUN]) for i in range(len(words))]
    return len(words) >= _LOOP and len(set(runs)) < len(runs) * _VARIED


def _strange(pattern: str, text: str, source: str) -> bool:
    """Whether *text* holds a match of *pattern* that the sources did not say."""
    return any(found[0].casefold() not in source for found in re.finditer(pattern, text))


def _storable(text: str) -> bool:
    try:
        data = b"---\ntype: summary\n---\n" + text.encode()
        frontmatter.fields(frontmatter.read(data))
    except (UnicodeEncodeError, Unreadable):
        return False
    return True


def _unfaithful(score: float, floor: float) -> str:
    if score >= floor:
        return ""
    return f"faithfulness {score:.2f}: names, numbers or dates that the sources do not hold"


def _uncovered(score: float) -> str:
    if score >= COVERED:
        return ""
    return f"coverage {score:.2f}: it tells nothing of what the sources are about"


def _empty(required: dict[str, str]) -> str:
    missing = [name for name, text in required.items() if not any(c.isalnum() for c in text)]
    return f"{missing[0]} is empty" if missing else ""


def _of_topic(topic: Topic, old: Topic | None) -> str:
    if missing := _empty({"slug": topic.slug, "title": topic.title}):
        return missing
    before = [it.text for it in old.items] if old else []
    after = [it.text for it in topic.items]
    if not after:
        return f"topic {topic.slug} has no facts"
    lost = sum(not any(_repeats_bullet(new, bullet) for new in after) for bullet in before)
    if lost >= _LOST and lost > len(before) * _LOST_SHARE:
        return f"topic {topic.slug} lost {lost} of its {len(before)} facts: return each topic whole"
    return ""


def _repeats_bullet(new: str, old: str) -> bool:
    """Whether *new* tells what *old* told, mended or not: half of its terms."""
    terms = frozenset(analysis.terms(old))
    return new == old or len(terms & frozenset(analysis.terms(new))) > _SAME_BULLET * len(terms)
