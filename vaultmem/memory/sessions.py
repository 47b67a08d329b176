"""Sessions as they are lived: turns said, and going on later."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, get_args

from vaultmem.config import Config
from vaultmem.documents import secrets
from vaultmem.documents.bodies import SessionCompact, prompt_blocks
from vaultmem.documents.markdown import blocks
from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput, StaleWrite, SwitchedOff
from vaultmem.memory import folding, remember, session_status, tagged_turns
from vaultmem.records import Record, compact_stamp, first_line, iso, moment, names
from vaultmem.storage import tombstones, transcript_files, transcripts, unconfirmed_operations
from vaultmem.storage.files import Root
from vaultmem.storage.index import session_queries
from vaultmem.storage.plan import Plan
from vaultmem.storage.store import Store
from vaultmem.storage.transcripts import ROLES, Transcript, Turn

_HOOK = 160


class Load(Protocol):
    """How a transcript is read: `transcripts.load`, or as a `transcripts.Reader` does."""

    def __call__(self, root: Root, path: str, added: bytes = b"") -> Transcript | None:
        """Return the transcript at *path*, as it is once that is *added*."""


@dataclass(frozen=True, slots=True)
class Session:
    """A session as it can be taken up again.

    *window* are the newest turns, which stand for themselves, the first of them being number
    *first*; *compact* and *episodes* tell of what was before. A compact that is older than what
    the episodes tell of is none: it says how things stood once.
    """

    transcript: Transcript
    over: bool
    first: int
    window: tuple[Turn, ...]
    compact: SessionCompact | None
    episodes: tuple[Record, ...]


def say(
    store: Store, agent: str, session: str, turns: Sequence[Turn], load: Load = transcripts.load
) -> Transcript:
    """Add *turns* to a session's transcript; return it with them.

    What a program put between tags into a user's turn is a tool's, in a turn of its own.

    Raises SecretFound for a credential, BadInput, SwitchedOff, Refused for what was forgotten, and
    what `Store.apply` does.
    """
    if agent in store.config().disabled_agents:
        raise SwitchedOff("agent", agent)
    if session in store.config().disabled_sessions:
        raise SwitchedOff("session", session)
    turns = tagged_turns.parted(turns)
    said = [turn for turn in turns if turn.origin != folding.ENDED]
    for speaker in dict.fromkeys(turn.speaker for turn in said) or [""]:
        own = (turn for turn in said if turn.speaker == speaker)
        passages = (text for turn in own for text in blocks.passages(turn.content))
        called = names({"speaker": speaker, "session": session})
        tombstones.refuse(store, *passages, *called, speaker=speaker)
    # Each try reads the end of the transcript alone: no turn pays for a scan of the vault.
    return store.retry(lambda: _say(store, agent, session, turns, load), scan=False)


def _say(store: Store, agent: str, session: str, turns: Sequence[Turn], load: Load) -> Transcript:
    step = transcripts.append(store.root, agent, session, turns)
    what = first_line(turns[-1].content, _HOOK) if len(turns) == 1 else f"{len(turns)} turns"
    # Read beforehand: what is said then must not fail to be told.
    made = load(store.root, step.path, step.data)
    words = [(t.role, t.content, t.speaker, t.tool, t.origin) for t in turns]
    earlier = store.apply(
        Plan(
            store.mint(), "turn", f"turn({agent}): {session}: {what}", (step,), agent, session,
            asked=unconfirmed_operations.digest("turn", agent, session, words),
        )
    )  # fmt: skip
    made = load(store.root, step.path) if earlier else made
    if made is None:
        raise StaleWrite(step.path, "", None)
    return made


def named(session: str) -> str:
    """Return *session* when it can name one; raises BadInput."""
    name = remember.one_line(session, "session")
    if not name:
        why = "it is empty" if not session.strip() else secrets.why_empty(session)
        raise BadInput(f"a session needs a name: {why}")
    remember.refuse_secrets("the session's name", name)
    return name


def turn(  # noqa: PLR0913  # what is known of it, by name
    role: str,
    text: str,
    *,
    at: str,
    speaker: str = "",
    tool: str = "",
    tokens: int = 0,
    phase: bool = False,
    since: str = "",
) -> Turn:
    """Return the turn that says *text*; raises BadInput for a role or tokens that are none.

    So it does where there is no text, and for a time that is none.

    *tokens* are those of the agent's context, *phase* says that one of the work ends here. *since*
    is when it may have been said at the earliest, where it is told of after the fact.
    """
    if role not in ROLES:
        raise BadInput(f"{quoted(role)} is not a role: use one of {', '.join(ROLES)}")
    if tokens < 0:
        raise BadInput(f"a context has 0 tokens or more, not {tokens}")
    if tool and role != "tool":
        raise BadInput("only a turn of the role tool names a tool")
    if not text.strip():
        raise BadInput("nothing was said: the text is empty")
    named = remember.one_line(speaker, "speaker"), remember.one_line(tool, "tool")
    remember.refuse_secrets("the speaker or the tool", *named)
    first = iso(moment(since)) if since else ""
    return Turn(role, text, named[0], at, named[1], context_tokens=tokens, phase=phase, since=first)


def ended(at: str) -> Turn:
    """Return the turn that ends a session."""
    return Turn("system", "The session ended.", at=at, origin=folding.ENDED)


# --- going on ---------------------------------------------------------------------------------


def whose(store: Store, session: str, agent: str) -> str:
    """Return *agent*; if nobody is named, who has the session, else the usual one.

    Raises BadInput when several have one of that name.
    """
    if agent or store.config().agent:
        return store.agent(agent)
    have = [
        a for a in store.agents() if store.texts.read(transcript_files.path(a, session)) is not None
    ]
    if len(have) > 1:
        raise BadInput(
            f"which agent's session {quoted(session)}? name one (`agent=NAME`): {', '.join(have)}"
        )
    return have[0] if have else store.agent()


def find(store: Store, session: str, agent: str, load: Load = transcripts.load) -> Transcript:
    """Return the transcript of a session, *agent*'s if one is named; raises BadInput without it."""
    who = store.require_agent(agent) if agent else whose(store, session, agent)
    found = load(store.root, transcript_files.path(who, session))
    if found is None:
        raise BadInput(
            f"{who} has no session {quoted(session)}: `vaultmem session show` lists those there are"
        )
    return found


def start(store: Store, agent: str, session: str, load: Load = transcripts.load) -> Session:
    """Return the session to begin or to take up; without a name it is called by the time."""
    name = session or f"session-{compact_stamp(store.clock())}"
    path = transcript_files.path(agent, name)
    found = load(store.root, path)
    return take_up(store, found or Transcript(path, agent, name, (), 0))


def take_up(store: Store, transcript: Transcript) -> Session:
    """Return a session with all that is needed to go on with it."""
    return _taken_up(store, store.hand_turns.marked(transcript), store.config())


def _taken_up(store: Store, transcript: Transcript, config: Config) -> Session:
    _, prior = session_status.prior_of(store, session_status.compact_path(transcript.path))
    records = session_queries.episodes(store.index, transcript.agent, transcript.session)
    episodes = tuple(sorted(records, key=lambda e: e.turn_start))
    folded = max((e.turn_end for e in episodes), default=0)
    since = session_status.Since(transcript.turns, prior.compacted_at_turn if prior else 0, folded)
    first = (folded or since.compacted) + 1
    # However it was cut: the newest turns always stand for themselves.
    first = max(min(first, len(transcript.turns) - config.session_window_turns + 1), 1)
    compact = None if since.is_stale else prior
    # Of turns that a folded memory has only told of there is nothing to show.
    first += next((n for n, t in enumerate(transcript.turns[first - 1 :]) if t.content), 0)
    over, window = folding.is_closed(transcript.turns), transcript.turns[first - 1 :]
    return Session(transcript, over, first, window, compact, episodes)


def restored(session: Session, way: prompt_blocks.Way, base: str = "") -> str:
    """Return the compact of *session* for a prompt, below *base* where that is a system prompt.

    Raises BadInput where there is none, or none that is current.
    """
    name = session.transcript.session
    if way not in (known := get_args(prompt_blocks.Way)):
        raise BadInput(f"{quoted(way)} is no place in a prompt: use one of {', '.join(known)}")
    if session.compact is None:
        raise BadInput(
            f"{name} has no compact that is up to date: `vaultmem session compact {name}` makes one"
        )
    if base and way == "message":
        raise BadInput("a first message has no base prompt: give that to the system by itself")
    return prompt_blocks.based(base, prompt_blocks.restore(session.compact, name, way))


def all_of(store: Store, agent: str) -> list[Session]:
    """Return the agent's sessions, the one last heard of first."""
    newest_first = sorted(
        transcripts.of(store.root, agent),
        key=lambda t: t.turns[-1].at if t.turns else "",
        reverse=True,  # of one time, still by name
    )
    config = store.config()
    return [_taken_up(store, t, config) for t in newest_first]
