"""Keep what is said in a session of an agent, in a vault that is open for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self, Unpack

from vaultmem import arguments
from vaultmem.api.agent_memory import tool_results
from vaultmem.api.vault import Vault
from vaultmem.api.vault.options import Details
from vaultmem.api.vault.own_parts import Own
from vaultmem.api.vault.types import Remembered
from vaultmem.config import agent_name
from vaultmem.documents import secrets
from vaultmem.errors import Closed, OtherProcess
from vaultmem.memory import session_status, tagged_turns
from vaultmem.memory import sessions as memory_sessions
from vaultmem.memory.session_status import SavedTurn
from vaultmem.nlp.tasks import Summarizer
from vaultmem.records import Clock, compact_stamp
from vaultmem.storage.owner_thread import Uncopied
from vaultmem.storage.transcripts import Turn
from vaultmem.storage.ulids import Entropy

if TYPE_CHECKING:
    pass

_TAIL = 4
_NOTHING = "(nothing)"


class Opening(Own, total=False):
    """How a vault may be opened; see `Vault.open`."""

    summarizer: Summarizer | None
    clock: Clock
    random: Entropy
    env: Mapping[str, str]


class SessionMemory(Uncopied):
    """One session of an agent: the vault it is kept in, open, and what is said in it.

    Nobody stands by to answer for a secret, so one is blanked out: `[REDACTED:rule]` is kept in its
    place. It belongs to the thread that opened the vault.
    """

    def __init__(
        self, vault: Vault, *, agent: str = "", session: str = "", states: Sequence[str] = ()
    ) -> None:
        """Remember in *vault* for *agent*, the usual one if none is named.

        A *session* that is there is taken up; without a name it gets one of its own. *states* are
        the business states that its task may be in, else those of the config; where neither names
        any, any will do. Raises BadInput for what can be no name.
        """
        arguments.check("agent", agent, "str")
        arguments.check("session", session, "str")
        arguments.check("states", states, "Sequence[str]")
        self.states = tuple(states)
        self._vault: Vault | None = vault
        store = vault.store
        store.sync_soon()
        # No other has this name, not even one that begins in the same second.
        new = f"session-{compact_stamp(store.clock())}-{store.mint()[-_TAIL:].lower()}"
        self.session = memory_sessions.named(session or new)
        self.agent = agent_name(memory_sessions.whose(store, self.session, agent))

    @classmethod
    def open(
        cls,
        path: str | Path = ".",
        *,
        agent: str = "",
        session: str = "",
        states: Sequence[str] = (),
        **how: Unpack[Opening],
    ) -> Self:
        """Open the vault that *path* is or lies in, and remember there; `close` closes it."""
        vault = Vault.open(path, **how)
        try:
            return cls(vault, agent=agent, session=session, states=states)
        except BaseException:
            vault.close()
            raise

    @property
    def vault(self) -> Vault:
        """The vault it remembers in; raises Closed once this memory is closed."""
        if self._vault is None:
            raise Closed("this memory", "Memory.open takes the session up again")
        return self._vault

    def close(self) -> None:
        """Commit what waits, and close the vault; the session can be taken up again.

        A fork of the process that opened the vault commits nothing.
        """
        if self._vault is None or self._vault.closed:
            return
        try:
            self._vault.store.check()  # another thread closes nothing, not even in part
        except OtherProcess:
            self._vault.close()
            return
        vault, self._vault = self._vault, None
        try:
            vault.wait()
            if not vault.watched:
                vault.store.writer.commit_pending()
        finally:
            vault.close()

    def __enter__(self) -> Self:
        """Return the memory itself."""
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:  # fmt: skip
        """Close the vault."""
        self.close()

    # --- what is said -----------------------------------------------------------------------

    def on_user_message(
        self, text: str, *, speaker: str = "", tokens: int = 0, phase: bool = False
    ) -> SavedTurn:
        """Keep what the user said; *speaker* names who that is, where several are spoken to.

        *tokens* is how many your provider counted in the context at its last call, those from its
        cache included; *phase* says that a phase of the work ends here. `due` of what is returned
        says why the session wants to be compacted: `maintenance` does so, or the daemon.
        """
        return self._say("user", text, speaker=speaker, tokens=tokens, phase=phase)

    def on_assistant_message(self, text: str, *, tokens: int = 0, phase: bool = False) -> SavedTurn:
        """Keep what the agent said; a message that only calls tools says nothing and is no turn.

        *tokens* and *phase* are as `on_user_message` has them.
        """
        return self._say("assistant", text, tokens=tokens, phase=phase)

    def on_tool_result(
        self, tool: str, content: object, *, since: str = "", tokens: int = 0, phase: bool = False
    ) -> SavedTurn:
        """Keep all that *tool* gave back: text as it is, anything else as JSON.

        Like anything said, it is kept whole, in several turns where it is longer than 64 KiB. Tell
        it before the agent goes on; who tells it later says *since* when it may have answered, ISO
        8601: what was written in between is compared with it, too.
        *tokens* and *phase* are as `on_user_message` has them.
        """
        result = tool_results.written(content)
        return self._say(
            "tool", result, tool=tool, silence=_NOTHING, since=since, tokens=tokens, phase=phase
        )

    def _say(  # noqa: PLR0913  # what is known of a turn, by name
        self, role: str, text: str, *, speaker: str = "", tool: str = "", silence: str = "",
        since: str = "", tokens: int = 0, phase: bool = False,
    ) -> SavedTurn:  # fmt: skip
        """Keep *text* as turns of that *role*; where nothing is said, *silence* if that is any."""
        arguments.check("what is said", text, "str")
        kept = secrets.redact(secrets.strip_private(tool_results.readable(text)))
        # Before it is cut: the end of a long one has no tag that says whose it is.
        said = tagged_turns.parted([Turn(role, kept, speaker, tool=tool)])
        parts = [
            replace(turn, content=part)
            for turn in said
            for part in tool_results.parts(turn.content)
            if part.strip()
        ]
        made = [
            self.vault.say(
                self.session, it.content, role=it.role, agent=self.agent, speaker=it.speaker,
                tool=it.tool, tokens=tokens, phase=phase, since=since, redact=True, soon=True,
            )
            for it in parts or [Turn(role, silence, speaker, tool=tool)] * bool(silence)
        ]  # fmt: skip
        return made[-1] if made else self._stands()

    def _stands(self) -> SavedTurn:
        """Return where the session stands, nothing having been said."""
        return session_status.of(self.vault.store, self._taken_up().transcript)

    def _taken_up(self) -> memory_sessions.Session:
        return self.vault.start_session(self.session, agent=self.agent)

    def end_session(self) -> SavedTurn:
        """Say that the session is over, so that all of it becomes episodes, in the background."""
        return self.vault.end_session(self.session, agent=self.agent, soon=True)

    def remember(self, text: str, **details: Unpack[Details]) -> Remembered:
        """Keep *text* as a memory of this agent and session, as `Vault.remember` does."""
        said: Details = {"agent": self.agent, "session": self.session, **details}
        return self.vault.remember(text, **said)
