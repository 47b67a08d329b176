"""The agent's loop: a person's turn, the model's rounds with its tools, and what is due afterwards.

Each turn is on disk before anything else happens with it, so a kill loses at most the sentence
that was just being said. The next turn, in whichever process, begins from the transcript.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from vaultmem.api.agent_memory import Memory
from vaultmem.api.types import Context, SavedTurn, Session
from vaultmem.documents import tagged_outputs
from vaultmem.documents.tokens import estimate
from vaultmem.errors import BadInput, Refused, Unavailable, VaultError
from vaultmem.integrations.chat import messages as chat_messages
from vaultmem.integrations.chat import prompt, tools, wait_notice
from vaultmem.integrations.chat.tools import ToolExecutor
from vaultmem.integrations.chat.types import (
    Answer,
    Answered,
    Face,
    ModelRequest,
    Outcome,
    SilentFace,
    Stop,
    Talker,
    Usage,
    whole,
)
from vaultmem.memory import working
from vaultmem.memory.messages import archive
from vaultmem.memory.messages.message import Message
from vaultmem.memory.messages.shrink import LIMIT
from vaultmem.nlp.summarizer_selection import WORKINGS
from vaultmem.retrieval.context import SMALLEST, room_for_additions

if TYPE_CHECKING:
    from vaultmem.api.vault import Vault

MOST_ROUNDS = 16
"""How often a model may use tools before it must answer."""

_PART, _FRAME = 4, 16
"""Of what a model can hold, memory may have one part in so many, and so may the turns of a page.

On a page for a base model memory has what turns and answer leave, but for a frame around them.
"""

_STOPPED = "[I was stopped here.]"
_CUT_OFF = "[I was cut off here.]"
_TOO_LONG = "[I ran out of room here.]"

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Chat:
    """A conversation of *agent* in *session*, with the model behind *talker*.

    *budget* is how many tokens its memory may have in a prompt; *price* says what tokens cost;
    *patience* is how many seconds of silence the face does not hear of; *commands* are the lines
    that a person may type instead, which a base model knows of from its page alone, where they
    have room there.
    """

    vault: Vault
    talker: Talker
    session: str
    agent: str
    budget: int = 8000
    face: Face = field(default_factory=SilentFace)
    price: Callable[[Usage], float | None] = lambda _: None
    patience: float = wait_notice.LONG
    commands: str = ""
    _due: bool = False

    def answer(self, text: str) -> Answered:
        """Answer *text*, which is kept first.

        Raises BadInput, SecretFound, Refused when it cannot be kept, Answering when another chat
        answers in this session; the model does not see it then. Whatever else goes wrong is told
        in the result.
        """
        if text.strip() and not tagged_outputs.read(text).own:
            raise BadInput(
                "that is what a tool said, between tags, and nothing else: say what to do with it"
            )
        with wait_notice.alone(self.vault.path / WORKINGS, self.agent, self.session):
            said = self.say("user", text)
            return _Turn(self, said).run()

    def say(self, role: str, text: str, *, tokens: int = 0) -> SavedTurn:
        """Add a turn to the session; in what a model says, secrets are blanked out."""
        said = self.vault.say(
            self.session, text, role=role, agent=self.agent, tokens=tokens, redact=role != "user",
            soon=True,
        )  # fmt: skip
        self._due = self._due or bool(said.due)
        return said

    def compact_soon(self) -> None:
        """Say that the session is long: what is due afterwards will see to it."""
        self._due = True

    def follow_up(self) -> str:
        """Do what the last turns made due; return why it waits, "" when it does not.

        What was said is safe in any case. Where a daemon runs, this is its work.
        """
        if self.vault.watched:
            return ""
        due, self._due = self._due, False
        try:
            self._compact_and_fold(due=due)
        except VaultError as e:
            _log.warning("what was said is safe; folding waits: %s", e)
            return str(e)
        return ""

    def follow_up_in_background(self) -> None:
        """Do as `follow_up` does while the next line is typed; `close` waits for it."""
        twin, self._due = replace(self), False
        self.vault.run_in_background("tidy", lambda again: replace(twin, vault=again).follow_up())

    def close(self) -> None:
        """Wait for what is done aside, and hang up."""
        self.vault.wait()
        self.talker.close()

    def _compact_and_fold(self, *, due: bool) -> None:
        found = self.vault.session(self.session, agent=self.agent)
        if due:
            self.vault.compact_session(self.session, agent=self.agent)
        if self.vault.sessions.is_fold_due(found):
            self.vault.fold(self.agent)


class _Turn:
    """One turn of a person: the rounds it takes to answer it."""

    def __init__(self, chat: Chat, said: SavedTurn) -> None:
        self.chat, self.last = chat, said
        self.memory = Memory(chat.vault, agent=chat.agent, session=chat.session)
        self.executor = ToolExecutor(chat.vault, chat.agent, chat.session)
        self.usage, self.used = Usage(), list[str]()
        self.text = ""
        self.live: list[Message] = []
        self.session: Session
        self.context: Context

    def run(self) -> Answered:
        """Take the rounds; whatever happens, what was said is kept."""
        problem: VaultError | None = None
        try:
            stop: Stop = self._rounds()
        except KeyboardInterrupt:
            stop = "interrupted"
        except VaultError as e:
            stop, problem = "failed", e
        return Answered(
            self.chat.session, self.last.turn, self.text, tuple(self.used), self.usage,
            self.chat.price(self.usage), stop, problem, self.executor.written,
            self.executor.refused,
        )  # fmt: skip

    def _rounds(self) -> Stop:
        with self.chat.face.listening():
            able = self.chat.talker.has_tools()
        self._take_up()
        for n in range(MOST_ROUNDS + 1):
            answer = self._ask(able=able, may_call=n < MOST_ROUNDS)
            self._record(answer)
            if not answer.calls or answer.ended == "refusal":
                return _stop(answer)
            self._use(answer)
        return "rounds"

    def _take_up(self) -> None:
        """Read the session as it is, and what memory holds for the question in it."""
        chat = self.chat
        self.session = chat.vault.session(chat.session, agent=chat.agent)
        turns = self.session.transcript.turns
        asked = next((t.content for t in reversed(turns) if t.role == "user"), "")
        self.question = asked
        is_base = chat.talker.is_base()
        # As asked for, where a small model can hold so much.
        held = self._left_on_a_page() if is_base else chat.talker.window // _PART
        room = min(chat.budget, max(held, SMALLEST))
        is_told = is_base and estimate(chat.commands) <= room_for_additions(room)
        self.context = chat.vault.context(
            asked, agent=chat.agent or None, budget=room, turns=len(turns),
            form="transcript" if is_base else "text", commands=chat.commands if is_told else "",
            session=chat.session,
        )  # fmt: skip

    def _left_on_a_page(self) -> int:
        """Return how many tokens the turns, what stands for earlier ones, and the answer leave."""
        talker, turns = self.chat.talker, self.session.window
        said = sum(estimate(turn.content) for turn in turns)
        episodes = self.chat.vault.store.config().context_episodes
        before = estimate(prompt.earlier(self.session, set(), episodes))
        frame = talker.window // _FRAME
        return (
            talker.window - talker.most_tokens - frame - min(said, talker.window // _PART) - before
        )

    # --- asking -----------------------------------------------------------------------------------

    def _ask(self, *, able: bool, may_call: bool) -> Answer:
        request = self._slim(self._request(able=able, may_call=may_call))
        pieces: list[str] = []
        try:
            with self.chat.face.listening():
                answer = self._streamed_answer(request, pieces)
        except (Unavailable, KeyboardInterrupt) as e:
            mark = _STOPPED if isinstance(e, KeyboardInterrupt) else _CUT_OFF
            self.text = whole("".join(pieces))
            self._keep(self.text, mark)
            raise
        self.usage += answer.usage
        return answer

    def _streamed_answer(self, asked: ModelRequest, pieces: list[str]) -> Answer:
        """Return the answer, whose pieces go into *pieces* as they come."""
        chat = self.chat

        def show_waiting() -> None:
            who = chat.talker.model or chat.talker.name
            chat.face.waiting(f"{who} has not answered for {chat.patience:g} s: still waiting")

        with wait_notice.watched(show_waiting, chat.patience) as alive:

            def take(piece: str) -> None:
                alive()
                pieces.append(piece)
                chat.face.text(piece)

            return chat.talker.talk(asked, take)

    def _request(self, *, able: bool, may_call: bool) -> ModelRequest:
        window, first = self.session.window, self.session.first
        # A long turn may have outgrown the window: its question is then in none of these.
        at = max((n for n, t in enumerate(window) if t.role == "user"), default=0)
        past = chat_messages.messages(window[:at], first, able=able)
        since = chat_messages.messages(window[at:], first + at, able=able)[1:]
        return prompt.build_request(
            self.context, self.session, past, self.question,
            episodes=self.chat.vault.store.config().context_episodes, live=(*since, *self.live),
            tools=tools.TOOLS if able else (), may_call=may_call,
            most=self.chat.talker.window // _PART,
        )  # fmt: skip

    def _slim(self, asked: ModelRequest) -> ModelRequest:
        """Make the messages fit: old results become a mention, at last a summary stands for all."""
        text = json.dumps([m.plain() for m in asked.messages])
        chat = self.chat
        limit = min(LIMIT, chat.talker.window // 2)
        done = archive.run(chat.vault.store, chat.agent, text, chat.vault.summarizer, limit=limit)
        if done.level != "auto":
            return replace(asked, messages=done.messages)
        chat.compact_soon()  # or the next turn would have to do it again
        return replace(asked, messages=done.messages, fresh=0)

    # --- keeping ----------------------------------------------------------------------------------

    def _record(self, answer: Answer) -> None:
        self.text = answer.text
        mark = _TOO_LONG if answer.ended == "length" and not answer.calls else ""
        calls = () if answer.ended == "refusal" else answer.calls
        tokens = answer.usage.shown + answer.usage.output_tokens
        self._keep(chat_messages.recorded(answer.text, calls), mark, tokens)

    def _keep(self, text: str, mark: str = "", tokens: int = 0) -> None:
        if text.strip():
            self.last = self.chat.say("assistant", f"{text}\n\n{mark}".strip(), tokens=tokens)

    def _use(self, answer: Answer) -> None:
        """Carry out the calls, one after the other, and put what came of them before the model."""
        results = []
        for call in answer.calls:
            outcome = self._kept(self.executor.use(call))
            self.used.append(call.name)
            self.chat.face.tool(outcome)
            results.append(
                (call.id, chat_messages.shown(outcome.text, self.last.turn), outcome.error)
            )
        self.live.append(answer.message)
        self.live.append(chat_messages.answered(results, self._reminder()))
        if tools.COMPACT in {call.name for call in answer.calls}:
            self._take_up()
            self.live.clear()  # the transcript has them

    def _kept(self, outcome: Outcome) -> Outcome:
        """Record what came of a call, or say to the model why that cannot be kept."""
        try:
            self.last = self.memory.on_tool_result(outcome.call.name, outcome.text)
        except Refused as e:  # it was forgotten, and shall not come back
            outcome = replace(outcome, text=str(e), error=True)
            self.last = self.memory.on_tool_result(outcome.call.name, outcome.text)
        return outcome

    def _reminder(self) -> str:
        """Return what the model is told that has not touched its todo list for some rounds."""
        todos = self.memory.working.todos
        if not todos:
            return ""
        past = chat_messages.messages(self.session.window, self.session.first, able=True)
        return working.reminder(chat_messages.rounds_since((*past, *self.live), tools.TODO), todos)


def _stop(answer: Answer) -> Literal["done", "length", "refusal", "empty"]:
    if answer.ended == "refusal":
        return "refusal"
    if answer.ended == "length":
        return "length"
    return "done" if answer.text.strip() else "empty"
