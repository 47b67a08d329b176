"""The compact of a session: how it is made and brought up to date."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from vaultmem.documents import frontmatter
from vaultmem.documents.bodies import SessionCompact, markdown, sections
from vaultmem.documents.frontmatter import Document
from vaultmem.documents.markdown import outline
from vaultmem.errors import BadInput, Refused
from vaultmem.memory import folding, pointed_index, session_status
from vaultmem.memory.compaction import human_lines
from vaultmem.memory.folding import material
from vaultmem.nlp.summarization.guarded import guarded
from vaultmem.nlp.tasks import CompactTask, Made, Summarizer
from vaultmem.records import first_line, iso
from vaultmem.storage import human_edits, transcripts
from vaultmem.storage.plan import Change, Plan
from vaultmem.storage.store import Store
from vaultmem.storage.transcripts import Transcript, Turn

_log = logging.getLogger(__name__)
_HOOK, _TITLE = 160, 80
_LISTED = (
    sections.KEY_DECISIONS, sections.RULED_OUT, sections.OPEN_QUESTIONS, sections.NEXT_STEPS,
    sections.TOOL_RESULTS,
)  # fmt: skip
_OURS = frozenset(
    outline.words(h) for h in ("Task", "Current state", *(x.heading for x in _LISTED))
)

Ask = Callable[[CompactTask], Made[SessionCompact]]


@dataclass(frozen=True, slots=True)
class Compacted:
    """A session's compact and its file; *op* is empty when nothing was new since it was made."""

    session: str
    path: str
    made: Made[SessionCompact]
    op: str = ""


def compact(store: Store, transcript: Transcript, summarizer: Summarizer) -> Compacted:
    """Bring a session's compact up to its last turn; what it held before is merged, not stacked.

    Raises BadInput for a session without a turn. No lock is held while the summarizer works.
    """
    if not transcript.turns:
        raise BadInput(f"session {transcript.session!r} has no turn yet")
    ask = functools.cache(guarded(summarizer).compact)
    return store.retry(lambda: _compact(store, transcript, ask))


def compact_due(store: Store, agent: str, summarizer: Summarizer) -> Iterator[str]:
    """Bring the compacts that are due of the agent's sessions up to date; yield their paths.

    Of a session that is over, that is one older than its episodes. One that a person must look at
    stays as it is.
    """
    for transcript in transcripts.of(store.root, agent):
        try:
            done = compact(store, transcript, summarizer) if _is_due(store, transcript) else None
        except Refused as e:
            _log.warning("the compact of %s stays as it is: %s", transcript.session, e)
            continue
        if done and done.op:
            yield done.path


def _is_due(store: Store, transcript: Transcript) -> bool:
    why = session_status.of(store, transcript).due
    return why == "stale" if folding.is_closed(transcript.turns) else bool(why)


def _compact(store: Store, transcript: Transcript, ask: Ask) -> Compacted:
    path = session_status.compact_path(transcript.path)
    old, prior = session_status.prior_of(store, path)
    if old is not None and prior is None:
        raise Refused(f"{path} is not trusted: remove it and compact anew")
    now, since = len(transcript.turns), prior.compacted_at_turn if prior else 0
    if prior and since >= now:
        raw = frontmatter.fields(frontmatter.read(old or b""))
        model, prompt, degraded = (str(raw.get(k, "")) for k in ("model", "prompt", "degraded"))
        known = Compacted(transcript.session, path, Made(prior, model, prompt, degraded))
        keep = not known.made.degraded or _is_touched(old or b"")
        return known if keep else _improved(store, transcript, ask, known)
    made = ask(
        CompactTask(_turns_to_compact(store, transcript, since), now, prior, transcript.agent)
    )
    return _written(store, transcript, old, made)


def _turns_to_compact(store: Store, transcript: Transcript, since: int) -> tuple[Turn, ...]:
    """Return what a compact is made of: the turns *since*, with no word of what tools answered.

    It is put before the agent as its own notes, so nobody else's words may stand in it; what the
    agent concluded from them does.
    """
    told = material.told(store, store.hand_turns.marked(transcript))[since:]
    return tuple(t for t in told if t.origin != folding.ENDED)


def _improved(store: Store, transcript: Transcript, ask: Ask, known: Compacted) -> Compacted:
    """Return the compact rebuilt of all turns, if that betters the *known*, offline one."""
    turns = len(transcript.turns)
    made = ask(CompactTask(_turns_to_compact(store, transcript, 0), turns, None, transcript.agent))
    if made.degraded or made.model == known.made.model:
        return known
    return _written(store, transcript, store.texts.own(known.path), made)


def _written(
    store: Store, transcript: Transcript, old: bytes | None, made: Made[SessionCompact]
) -> Compacted:
    path, now = session_status.compact_path(transcript.path), len(transcript.turns)
    made = replace(made, value=replace(made.value, compacted_at_turn=now))
    change = _change(store, transcript, old, made)
    if old and _is_touched(old):  # a person's words go into git before ours take their place
        human_edits.commit(store, (path,))
        human_edits.keep_words(store, [change])
    op, agent = store.mint(), transcript.agent
    subject = f"session({agent}): compact of {transcript.session} at turn {now}"
    changes = (change, *pointed_index.change(store, (change,)))
    store.apply(Plan(op, "session", subject, changes, agent, transcript.session, model=made.model))
    return Compacted(transcript.session, path, made, op)


def _change(
    store: Store, transcript: Transcript, old: bytes | None, made: Made[SessionCompact]
) -> Change:
    body, now = markdown.render_compact(made.value), iso(store.clock())
    path = session_status.compact_path(transcript.path)
    why = f"{transcript.session} up to turn {made.value.compacted_at_turn}"
    fields: dict[str, str | float | Sequence[str]] = {
        "title": f"Session {first_line(transcript.session, _TITLE)}",
        "description": first_line(made.value.task, _HOOK),
        "sources": [f"[[{transcript.path}]]"],
        "model": made.model,
        "prompt": made.prompt,
        "faithfulness": round(made.faithfulness or 0.0, 3),
        "coverage": round(made.coverage or 0.0, 3),
        "written": human_lines.written(body),
    }
    if old is None:
        mark = {"degraded": made.degraded} if made.degraded else {}
        head: dict[str, str | float | Sequence[str]] = {
            "id": store.mint(), "type": "summary", "agent": transcript.agent, "created": now,
            "trust": "agent", "tier": "session", "session": transcript.session, **fields, **mark,
        }  # fmt: skip
        return Change(path, None, frontmatter.new(head, body).encode(), why)
    doc = frontmatter.read(old)
    mended = {**fields, "updated": now, "degraded": made.degraded or None}
    body = _with_untold(body, doc, frontmatter.read(store.texts.public(path, old)).body)
    # The sections that a person added stay as they stand, behind a blank line.
    raw = outline.split(doc.body)
    added = (s for s in outline.sections(doc.body) if s.heading and s.name not in _OURS)
    text = "".join(raw[line.at] for s in added for line in (s.heading, *s.lines) if line)
    changed = frontmatter.update(doc, mended, body + f"\n{text}" * bool(text))
    return Change(path, old, frontmatter.render(changed).encode(), why)


def _with_untold(body: str, doc: Document, told: str) -> str:
    """Return *body* with the lines of *doc* that a person wrote, and that are not *told*.

    No summarizer was given them, so they stay as they are, below the heading they stood under.
    """
    ours = str(frontmatter.fields(doc).get("written", "")).split()
    raw, shown = outline.split(doc.body), outline.split(told)
    is_untold = [shown[n : n + 1] != [line] and human_lines.digest(line) not in ours
                 for n, line in enumerate(raw)]  # fmt: skip
    lines = outline.split(body)
    for section in outline.sections(doc.body):
        kept = [raw[it.at] for it in section.lines if is_untold[it.at]]
        if kept and section.heading and section.name in _OURS:
            there = {it.name: it.stop for it in outline.sections("".join(lines))}
            if section.name not in there:
                lines += ["\n", raw[section.heading.at]]
            at = there.get(section.name, len(lines))
            lines[at:at] = kept
    return "".join(lines)


def _is_touched(data: bytes) -> bool:
    """Tell whether a person changed the text of a compact."""
    doc = frontmatter.read(data)
    return human_lines.written(doc.body) != frontmatter.fields(doc).get("written", "")
