"""Google's ADK: a vault as the memory service of its runners; needs the extra `google-adk`."""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import re
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from vaultmem import arguments
from vaultmem.api import json_values
from vaultmem.api.agent_memory import tool_results
from vaultmem.api.async_api import AsyncVault
from vaultmem.api.rendering import public_text, quoted
from vaultmem.api.types import LONGEST_QUERY, Scope, Turn
from vaultmem.api.vault import Vault
from vaultmem.api.vault.item_logs import Item
from vaultmem.errors import BadInput, SwitchedOff
from vaultmem.integrations import construction
from vaultmem.integrations.extras import needs
from vaultmem.records import PERSON_SOURCES, moment

with needs("google-adk", "google-adk>=2.13"):
    from google.adk.events.event import Event
    from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
    from google.adk.memory.memory_entry import MemoryEntry
    from google.adk.sessions.session import Session
    from google.genai.types import Content, Part

_MOST = 10
_NO_SESSION = "events"
_TOOLS = "tools"
"""What the item log of a session is called that holds what tools answered in it."""

_SESSIONS = 3
"""So many sessions, the last ones, are looked through for what a tool answered."""

_PLAIN = re.compile(r"[a-z0-9]+(?:[_-][a-z0-9]+)*")
_LONGEST = 50
_LONGEST_NAME = 200
"""Characters of an id, a session, a speaker that are kept."""
_ASKED = {
    "text", "thought", "thought_signature", "function_call", "executable_code", "tool_call",
    "inline_data", "file_data", "video_metadata", "media_resolution", "media_processing",
    "speech_metadata", "audio_transcription", "part_metadata",
}  # fmt: skip
"""Fields of a part that say something, call a tool, or are a file: any other is a tool's answer."""

_USER, _MODEL = "user", "model"
_REASON = "through ADK's memory service"
_log = logging.getLogger(__name__)


class VaultMemoryService(BaseMemoryService):
    """A vault as the memory service of ADK: each user of each app is an agent of the vault.

    What was said becomes memories, once, however often a session is added; calls and results of
    tools do not, nor what an agent only repeats of them. The vault's laws hold:

    - `search_memory` finds what the user's own memories tell, and summaries and episodes of them;
      nothing of another user, and nothing that is untrusted.
    - `delete_memory` forgets and leaves a tombstone: what was forgotten is not added again.
    - Private parts are left out, credentials are blanked out.
    """

    def __init__(self, vault: AsyncVault) -> None:
        """Keep and search in *vault*, which stays the caller's to close; raises BadInput."""
        construction.check_vault(vault)
        self._vault = vault

    async def add_session_to_memory(self, session: Session) -> None:
        """Add what is new of a session."""
        arguments.check_kind("session", session, Session)
        await self._add(session.app_name, session.user_id, session.id, session.events)

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,  # noqa: ARG002  # ADK's name for it
    ) -> None:
        """Add events of a session, or of none that is named; metadata is not kept."""
        arguments.check("session_id", session_id, "str | None")
        await self._add(app_name, user_id, session_id or _NO_SESSION, events)

    async def _add(
        self, app_name: str, user_id: str, session: str, events: Sequence[Event]
    ) -> None:
        who = agent_of(app_name, user_id)
        arguments.check_each("events", events, Event)
        await self._vault.do(_take_in, who, [*_lines(events, session, user_id)])

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Keep memories as they are, each once; one whose metadata name an address is a page's.

        One whose time cannot be read is of now. Raises BadInput for what is no list of memories.
        """
        who = agent_of(app_name, user_id)
        arguments.check_each("memories", memories, MemoryEntry)
        if custom_metadata is not None:
            arguments.check_kind("custom_metadata", custom_metadata, Mapping)
        for entry in memories:
            told = {**(custom_metadata or {}), **entry.custom_metadata}
            source = json_values.whose(told)
            await self._vault.do(_remember, who, user_id, source, entry)

    async def search_memory(
        self, *, app_name: str, user_id: str, query: str
    ) -> SearchMemoryResponse:
        """Return the ten that answer *query*, its first 4096 characters, best; best first."""
        arguments.check("query", query, "str")
        found = await self._vault.do(_found, agent_of(app_name, user_id), user_id, query)
        return SearchMemoryResponse(memories=found)

    async def delete_memory(
        self, *, app_name: str, user_id: str, memory_id: str | None = None
    ) -> None:
        """Forget the memory of that id, and what else says just the same.

        Of an id that the user has no memory of nothing is deleted, and the log says so.
        """
        who = agent_of(app_name, user_id)
        if memory_id is None:
            raise BadInput("memory_id takes a string, not None: `search_memory` gives ids")
        arguments.check("memory_id", memory_id, "str")
        await self._vault.do(_forget, who, memory_id)


def agent_of(app_name: str, user_id: str) -> str:
    """Return the agent of the vault that a user of an app is; no two share one.

    It names a folder, and so has no word of names with a private part or a credential in them.
    Raises BadInput for names that are no text.
    """
    arguments.check("app_name", app_name, "str")
    arguments.check("user_id", user_id, "str")
    plain = f"{app_name}--{user_id}"
    words = re.sub(r"[^a-z0-9]+", "-", f"{app_name}-{user_id}".lower())[:_LONGEST].strip("-")
    if not all(map(_is_public, (app_name, user_id, app_name + user_id, plain, words))):
        return f"user---{_digest(app_name, user_id, 32)}"
    if _PLAIN.fullmatch(app_name) and _PLAIN.fullmatch(user_id) and len(plain) <= _LONGEST:
        return plain
    return f"{words or 'user'}---{_digest(app_name, user_id, 8)}"


def _is_public(text: str) -> bool:
    return public_text(text) == text


def _digest(app_name: str, user_id: str, digits: int) -> str:
    whole = f"{app_name}\0{user_id}".encode("utf-8", "surrogatepass")
    return hashlib.sha256(whole).hexdigest()[:digits]


def _lines(events: Sequence[Event], session: str, user: str) -> Iterator[dict[str, object]]:
    """Yield what is said in *events* as lines of `import jsonl`.

    A line is refused for what is too long, private or a credential in its names: that is left out.
    A time in milliseconds is one, too; what is none keeps nothing out, and says nothing.
    """
    if not _is_public(session):
        session = f"session-{_digest('', session, 32)}"
    for event in events:
        if event.partial:
            continue
        head = {"session": _short(session), "timestamp": event.timestamp}
        for n, name, answer in _answers(event):
            told = {"role": "tool", "speaker": _speaker(name)}
            for at, content in enumerate(tool_results.parts(tool_results.readable(answer))):
                yield {**head, "id": _short(f"{event.id}.{n}.{at}"), **told, "content": content}
        if text := _spoken(event):
            is_user = event.author == _USER
            speaker = _user(user) if is_user else _models(event.author, user)
            said = {"role": _USER if is_user else "assistant", "speaker": speaker, "content": text}
            yield {**head, "id": _short(event.id), **said}


def _answers(event: Event) -> Iterator[tuple[str, str, str]]:
    """Yield what tools answer in *event* as JSON, each with a number and the name of the tool.

    A function, code that was run, what was looked up for the answer, or a kind of tomorrow's.
    """
    parts = (event.content and event.content.parts) or ()
    for n, part in enumerate(parts):
        for kind, answer in part.model_dump(exclude=_ASKED, exclude_none=True).items():
            name = answer.get("name") if isinstance(answer, dict) else ""
            yield str(n), str(name or kind), _json(answer)
    if (found := event.grounding_metadata) and found.grounding_chunks:
        chunks = [chunk.model_dump(exclude_none=True) for chunk in found.grounding_chunks]
        yield "grounding", "grounding", _json(chunks)


def _user(name: str) -> str:
    """Return what the user of that *name* is called, who may be called nothing that is told."""
    return _speaker(name) or _USER


def _models(name: str, user: str) -> str:
    """Return what a model of that *name* is called: not as its *user* is."""
    own = _speaker(name)
    return _MODEL if own in {_USER, _user(user)} else own


def _speaker(name: str) -> str:
    return _short(public_text(name))


def _short(name: str) -> str:
    """Return *name*, one that is too long with digits of its own in place of its end."""
    if len(name) <= _LONGEST_NAME:
        return name
    digits = _digest("", name, 32)
    return f"{name[: _LONGEST_NAME - len(digits) - 1]}-{digits}"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=_other)


def _other(value: object) -> str:
    return "[data]" if isinstance(value, bytes) else str(value)


def _spoken(event: Event) -> str:
    """Return what is said in *event*, in writing or, in a live session, aloud."""
    aloud = (event.input_transcription, event.output_transcription)
    heard = "\n".join(it.text for it in aloud if it and it.text).strip()
    return (event.content and _text(event.content)) or heard


def _text(content: Content) -> str:
    parts = content.parts or ()
    return "\n".join(part.text for part in parts if part.text and not part.thought).strip()


# --- on the thread of the vault -----------------------------------------------------------------


def _take_in(vault: Vault, agent: str, lines: Sequence[Item]) -> None:
    """Keep what is new of *lines*, which are of one session, as memories.

    They are compared with what tools answered in it before, too, which an item log holds.
    """
    own = {it["id"] for it in lines}
    before = [it for it in _answered(vault, agent, lines) if it.get("id") not in own]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "events.jsonl"
        path.write_text("".join(f"{json.dumps(it)}\n" for it in (*before, *lines)))
        made = vault.import_files(
            "jsonl", [path], agent=agent, manner="memories", redact=True, skip_bad=True
        )
    for left in made.done.failed_because:
        _log.warning("not kept of %s: %s (%d)", agent, left.why, left.count)


def _answered(vault: Vault, agent: str, lines: Sequence[Item]) -> tuple[Item, ...]:
    """Keep what tools answer in *lines*; return what they did in the session until now."""
    log = [str(it["session"]) for it in lines[:1]] + [_TOOLS]
    fresh = [_untimed(it) for it in lines if it["role"] == "tool"]
    try:
        if fresh:
            vault.item_logs.append(log, fresh, agent=agent, key="id")
    except (BadInput, SwitchedOff) as e:
        _log.warning("not kept of %s: %s", agent, e)
    return vault.item_logs.read(log, agent=agent)


def _untimed(line: Item) -> Item:
    """Return a *line* as a log can hold it: in whole letters, without a time that may be none."""
    kept = ((key, str(value)) for key, value in line.items() if key != "timestamp")
    return {key: tool_results.readable(value) for key, value in kept}


def _heard(vault: Vault, agent: str) -> Iterator[Turn]:
    """Yield what tools answered *agent* in its last sessions."""
    logs = (it for it in vault.item_logs.list(agent=agent) if it.name[1:] == (_TOOLS,))
    for log in sorted(logs, key=lambda it: it.changed_ms)[-_SESSIONS:]:
        for item in vault.item_logs.read(log.name, agent=agent):
            yield Turn("tool", str(item.get("content")), tool=str(item.get("speaker")))


def _remember(vault: Vault, agent: str, user: str, source: str, entry: MemoryEntry) -> None:
    if text := _text(entry.content):
        by, role = entry.author or "", entry.content.role
        named = _models(by, user) if role == _MODEL else _speaker(by)
        speaker = _user(user) if role == _USER and not by else named
        vault.memories.remember_once(
            text, agent=agent, source=source, speaker=speaker,
            at=_moment(entry.timestamp or ""), redact=True, heard=[*_heard(vault, agent)],
        )  # fmt: skip


def _moment(text: str) -> datetime | None:
    """Return the time that *text* says; ADK takes any words for one."""
    with contextlib.suppress(BadInput):
        return moment(text)
    return None


def _found(vault: Vault, agent: str, user: str, query: str) -> list[MemoryEntry]:
    if agent not in vault.known_agents or not query.strip():
        return []
    hits = vault.recall(query[:LONGEST_QUERY], _MOST, Scope(agent=agent)).hits
    people = {_user(user), _USER}
    kept = (hit for hit in hits if hit.type != "turn")  # ADK keeps its sessions itself
    return [_entry(vault, hit.path, hit.id, hit.date, people) for hit in kept]


def _entry(vault: Vault, path: str, memory: str, date: str, people: Collection[str]) -> MemoryEntry:
    """Return a memory as ADK has it: what is not known to be said by *people* is a model's."""
    post = vault.post(path)
    who = str(post.metadata.get("speaker", ""))
    source = str(post.metadata.get("source", ""))
    is_persons = who in people if who else source in PERSON_SOURCES
    role = _USER if is_persons else _MODEL
    said = Content(role=role, parts=[Part(text=post.content.strip())])
    return MemoryEntry(id=memory, content=said, author=who or None, timestamp=date)


def _forget(vault: Vault, agent: str, memory: str) -> None:
    own = f"agents/{agent}/"
    try:
        path = vault.reach(agent).page(memory).path
    except BadInput:  # another's, gone already, or no id at all
        path = ""
    if not path.startswith(own):
        _log.warning("nothing deleted of %s: no memory is called %s", agent, quoted(memory))
        return
    text = _compared(vault, path)
    done = vault.forget(path, reason=_REASON, source="agent")
    beside = (it for it in done.mentions if it.startswith(f"{own}memories/"))
    if twins := [it for it in beside if _compared(vault, it) == text]:
        vault.forgetting.forget(twins, _REASON, source="agent")


def _compared(vault: Vault, path: str) -> str:
    return " ".join(vault.post(path).content.casefold().split())
