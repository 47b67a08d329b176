"""Tell the vault what happens in an agent's loop, and ask it what the next prompt should hold."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypedDict, Unpack, get_args

from vaultmem import arguments
from vaultmem.api.agent_memory import experience, plan_steps, tool_results
from vaultmem.api.vault import Details, Remembered, Vault
from vaultmem.config import agent_name
from vaultmem.documents import secrets
from vaultmem.documents.bodies import Decision, Experience, Outcome
from vaultmem.errors import BadInput, Busy, Closed, OtherProcess, Refused
from vaultmem.knowledge.tasks import LONGEST_RESULT
from vaultmem.memory import remember as memory_remember
from vaultmem.memory import sessions as memory_sessions
from vaultmem.memory.sessions import SavedTurn
from vaultmem.memory.working import (
    MOST_ITERATIONS,
    Step,
    Todo,
    Working,
    checked,
    declared,
    noted,
    prompt,
    reminder,
)
from vaultmem.nlp.tasks import Summarizer
from vaultmem.records import Clock, compact_stamp, first_line, iso
from vaultmem.storage import transcripts
from vaultmem.storage.owner_thread import Uncopied
from vaultmem.storage.transcripts import Turn
from vaultmem.storage.ulids import Entropy

if TYPE_CHECKING:
    from vaultmem.memory.compaction import Compaction
    from vaultmem.memory.experiences import Added
    from vaultmem.memory.working.service import Workbench
    from vaultmem.retrieval.context import Context
    from vaultmem.retrieval.search import Answer

_TAIL = 4
_NOTHING = "(nothing)"
_log = logging.getLogger(__name__)


class Opening(TypedDict, total=False):
    """How a vault may be opened; see `Vault.open`."""

    summarizer: Summarizer | None
    clock: Clock
    random: Entropy
    env: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Maintained:
    """What maintenance did.

    *folded* are the paths of the episodes, topics and session compacts it made, *ticked* counts
    what people had ticked in the inbox, *dreamt* the changes of a dream.
    """

    compactions: tuple[Compaction, ...] = ()
    folded: tuple[str, ...] = ()
    commits: tuple[str, ...] = ()
    ticked: int = 0
    dreamt: int = 0


class Memory(Uncopied):
    """The memory of one agent in one session, for the loop that runs it.

    Whatever it is told is on disk when the call returns; folds and commits come in the background,
    and `close` waits for them. It keeps nothing to itself: another Memory of the same agent and
    session, after a crash say, goes on where this one was. No model writes anything, but in
    `maintenance`. Nobody stands by to answer for a secret, so one is blanked out: `[REDACTED:rule]`
    is kept in its place. It belongs to the thread that opened the vault.
    """

    def __init__(
        self, vault: Vault, *, agent: str = "", session: str = "", states: Sequence[str] = ()
    ) -> None:
        """Remember in *vault* for *agent*, the usual one if none is named.

        A *session* that is there is taken up; without a name it gets one of its own. *states* are
        the business states that its task may be in, else those of the config; where neither names
        any, any will do. Raises BadInput for what can be no name.
        """
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
        self, tool: str, content: object, *, tokens: int = 0, phase: bool = False
    ) -> SavedTurn:
        """Keep all that *tool* gave back: text as it is, anything else as JSON.

        Like anything said, it is kept whole, in several turns where it is longer than 64 KiB.
        *tokens* and *phase* are as `on_user_message` has them.
        """
        result = tool_results.written(content)
        return self._say("tool", result, tool=tool, silence=_NOTHING, tokens=tokens, phase=phase)

    def _say(  # noqa: PLR0913  # what is known of a turn, by name
        self, role: str, text: str, *, speaker: str = "", tool: str = "", silence: str = "",
        tokens: int = 0, phase: bool = False,
    ) -> SavedTurn:  # fmt: skip
        """Keep *text* as turns of that *role*; where nothing is said, *silence* if that is any."""
        kept = secrets.redact(
            secrets.strip_private(tool_results.readable(_text(text, "what is said")))
        )
        parts = [part for part in tool_results.parts(kept) if part.strip()] or [silence] * bool(
            silence
        )
        made = [
            self.vault.say(
                self.session, part, role=role, agent=self.agent, speaker=speaker, tool=tool,
                tokens=tokens, phase=phase, redact=True, soon=True,
            )
            for part in parts
        ]  # fmt: skip
        return made[-1] if made else self._stands()

    def _stands(self) -> SavedTurn:
        """Return where the session stands, nothing having been said."""
        return memory_sessions.session_state(self.vault.store, self._taken_up().transcript)

    def _taken_up(self) -> memory_sessions.Session:
        return self.vault.start_session(self.session, agent=self.agent)

    def end_session(self) -> SavedTurn:
        """Say that the session is over, so that all of it becomes episodes, in the background."""
        return self.vault.end_session(self.session, agent=self.agent, soon=True)

    def remember(self, text: str, **details: Unpack[Details]) -> Remembered:
        """Keep *text* as a memory of this agent and session, as `Vault.remember` does."""
        said: Details = {"agent": self.agent, "session": self.session, **details}
        return self.vault.remember(text, **said)

    # --- the task at work -------------------------------------------------------------------

    @property
    def working(self) -> Working:
        """The working memory: goal, steps, business state, scratchpad; empty without a task."""
        return self._bench.read()

    @property
    def _bench(self) -> Workbench:
        return self.vault.workbench(self.agent, states=self.states)

    def on_task_start(
        self,
        goal: str,
        *,
        steps: Sequence[str] = (),
        task: int | None = None,
        max_iterations: int = MOST_ITERATIONS,
    ) -> Working:
        """Begin a task: its *goal* and planned *steps* stand in the working memory from now on.

        *max_iterations* is how many steps it may take: every context says how far it is.
        *task* is its number in the task graph, where the agent claims it. The same goal again goes
        on where it was, after a crash say. Raises BadInput without a goal, Refused while another
        task is at work, or for one of the graph that is another's, waits or is completed.
        """
        arguments.check("steps", steps, "Sequence[str]")
        aim, plan = _clean(goal, "the goal"), [_clean(step, "a step") for step in steps]
        if not aim or not all(plan):
            raise BadInput("a task needs a goal, and each of its steps a text")
        if max_iterations < 1:
            raise BadInput("max_iterations counts the steps that a task may take: 1 or more")
        begin = partial(
            plan_steps.begun, goal=aim, steps=plan, session=self.session, task=task,
            max_iterations=max_iterations,
        )  # fmt: skip
        was = self.working
        begin(was)  # refuses before anything is written
        if task is not None:
            self._take(task)
        if not was.goal:
            self._say("system", experience.opening(aim))
        return self._work(begin)

    def _take(self, task: int) -> None:
        """Put a *task* of the graph in progress; raises BadInput for none, Refused as `claim`."""
        self.vault.tasks.claim(task, self.agent)

    def on_step_complete(self, step: int | str, *, result: str = "", error: str = "") -> Working:
        """Note that a *step* is done with its *result*, or failed with its *error*.

        It is named by its number, from 1, or its text; one that was not planned joins the plan. The
        next one that waits is at work then. Raises BadInput without a task at work.
        """
        named = step if isinstance(step, int) else _clean(step, "the step")
        came, wrong = _clean(result, "the result"), _clean(error, "the error")
        return self._work(
            lambda now: plan_steps.completed(now, named, result=came, error=wrong)
        )  # fmt: skip

    def set_state(self, state: str) -> Working:
        """Set the business state, the stage that the task is in until it ends: `awaiting payment`.

        Which there are is the developer's to say, see `Memory`; the model reads it in every
        context. Raises BadInput, with those there are, for one that is not declared.
        """
        return self._work(self._stage(state))

    def _stage(self, state: str) -> Callable[[Working], Working]:
        kept = " ".join(_clean(state, "the state").split())
        return lambda now: replace(now, state=kept)

    def note(self, key: str, value: str) -> Working:
        """Keep *value* under *key* on the scratchpad of the working memory, "" takes it away.

        Every context shows it until the task ends. Raises BadInput without a key.
        """
        if not _line(key):
            raise BadInput("a note needs a key: note('van', 'booked for nine')")
        return self._work(partial(noted, key=_line(key), text=_line(value)))

    def set_todos(self, items: Sequence[Todo | Mapping[str, object]]) -> Working:
        """Replace the todo list: at most 20 items, each with id, text and status, one in progress.

        Raises BadInput, with what to do otherwise, for a list that breaks these rules. `reminder`
        counts the rounds from here.
        """
        todos = tuple(replace(it, text=_line(it.text)) for it in checked(items))
        at = iso(self.vault.store.clock())
        return self._work(lambda now: replace(now, todos=todos, todo_updated=at))

    @property
    def reminder(self) -> str:
        """What to tell a model that has not touched its todo list for three rounds; else "".

        A round is a turn of the assistant's in this session. Every context says it, too.
        """
        return self._reminder(self._turns(self.session))

    def _reminder(self, turns: Sequence[Turn]) -> str:
        at = self.working.todo_updated
        return self.reminder_after(sum(t.role == "assistant" and t.at > at for t in turns))

    def reminder_after(self, rounds: int) -> str:
        """Return what `reminder` is after that many *rounds*, for a loop that counts its own."""
        todos = self.working.todos
        return reminder(rounds, todos) if todos else ""

    def revise(  # noqa: PLR0913  # all of a working memory, by name
        self,
        *,
        goal: str = "",
        task: int | None = None,
        steps: Sequence[Step] = (),
        state: str = "",
        key: str = "",
        note: str = "",
    ) -> Working:
        """Change what is given of the working memory at once, and return it as it is then.

        A *goal* where none is at work begins a task, *task* of the graph if that is given; else it
        is worded anew. *steps* are the whole plan. A *note* without a *key* is one entry more.
        """
        aim, kept = _clean(goal, "the goal"), _line(note)
        plan = [replace(s, text=_line(s.text), result=_line(s.result)) for s in steps]
        stage = self._stage(state)

        def step(now: Working) -> Working:
            now = replace(now, goal=aim or now.goal, session=now.session or self.session)
            now = plan_steps.planned(now, plan) if plan else now
            now = stage(now) if state else now
            return noted(now, _line(key), kept) if key or kept else now

        if state:  # refuses before anything is written
            declared(state, self._bench.states)
        if aim and not self.working.goal:
            self.on_task_start(aim, task=task)
        return self._work(step)

    def _work(self, step: Callable[[Working], Working]) -> Working:
        return self._bench.change(step)

    def on_task_complete(  # what came of it, by name
        self,
        outcome: Outcome = "success",
        *,
        result: str = "",
        lessons: Sequence[str] = (),
        decisions: Sequence[Decision] = (),
        feedback: Sequence[str] = (),
    ) -> Added:
        """Say how the task at work ended: it becomes an experience, and the working memory empty.

        The experience has the steps that were gone as its approach and the tools of the session
        since the task began. The working memory as it was is a turn of the transcript, and a phase
        of the work ends there. All of it is on disk when the call returns. Its commit, and what a
        model tells of the turns, wait for `maintenance`, `close` or the daemon. Raises BadInput
        without a task at work.
        """
        working = self.working
        if not working.goal:
            raise BadInput("no task is in progress: on_task_start(goal) starts one")
        if outcome not in get_args(Outcome):
            known = ", ".join(get_args(Outcome))
            raise BadInput(f"{outcome!r} is not an outcome: use one of {known}")
        told = experience.experience(
            working, outcome, result=result, decisions=decisions, feedback=feedback,
            lessons=lessons, tools=self._tools(working),
        )  # fmt: skip
        closing = experience.closing(working, outcome, prompt(working))
        self._say("system", closing, phase=True)
        made = self._keep(told)
        self._bench.clear()
        if working.task is not None:
            self._give_back(working.task, told)
        return made

    def _give_back(self, task: int, told: Experience) -> None:
        """Say on a task of the graph what came of it, for whoever waits; its log is the session."""
        said = " ".join(_clean(told.result, "the result").split())
        came, failed = first_line(said, LONGEST_RESULT), told.outcome == "failure"
        try:
            self.vault.tasks.update(
                task,
                status="completed" if told.outcome == "success" else "pending",
                result=None if failed else came,
                error=came or told.outcome if failed else None,
                log=transcripts.path(self.agent, self.session),
            )
        except (BadInput, Refused) as e:  # somebody took it away meanwhile
            _log.warning("what came of it is kept; the task stays as it is: %s", e)

    def _tools(self, working: Working) -> tuple[str, ...]:
        """Return the tools used for the task: where it began, and here if that is elsewhere."""
        sessions = dict.fromkeys((working.session or self.session, self.session))
        turns = [t for name in sessions for t in self._turns(name)]
        return experience.tools(turns, working.goal)

    def _turns(self, session: str) -> tuple[Turn, ...]:
        found = transcripts.load(self.vault.store.root, transcripts.path(self.agent, session))
        return found.turns if found else ()

    def on_user_feedback(self, text: str, *, task: str = "") -> Added:
        """Keep what the user thinks of the work, as an experience of its own.

        *task* says of which; else it is the one at work, or the session's last. Raises BadInput
        when there is none, or nothing is said.
        """
        about = task or self.working.goal or experience.last_task(self._turns(self.session))
        if not about or not _clean(text, "the feedback"):
            raise BadInput("feedback needs a text, and a task: name it, or on_task_start(goal)")
        return self._keep(Experience(about, "feedback", feedback=(text,)))

    def _keep(self, told: Experience) -> Added:
        return self.vault.experiences.add(
            told, agent=self.agent, session=self.session, redact=True
        )  # fmt: skip

    # --- the past, the prompt, and what is due ----------------------------------------------

    def recall(self, query: str, k: int = 5) -> Answer:
        """Return the *k* places that answer *query* best: its own, and what all agents share.

        Raises BadInput.
        """
        from vaultmem.retrieval.search import Scope  # noqa: PLC0415  # who only tells asks nothing

        asked = tool_results.readable(_text(query, "the query"))
        return self.vault.recall(asked, k, Scope(agent=self.agent, shared=True))

    def build_context(self, query: str = "", *, budget: int = 8000, situation: str = "") -> Context:
        """Return what the next prompt should hold, within *budget* tokens.

        The vault's context for the *query*, the user's last message if none is given, and the turns
        of this session: its compact, then the newest, which `messages()` gives as messages of those
        who said them. A last turn that says the query is left out, for it stands in your own
        messages; so is a memory that a turn says already. *situation* is what you say of the place
        and who is there. A todo list that was left alone for three rounds is brought to mind.
        """
        from vaultmem.api.agent_memory import session_prompt  # noqa: PLC0415  # the first turn needs no context

        _text(query, "the query")
        session = self._taken_up()
        said = session_prompt.session_part(session, query, session_prompt.share(budget))
        said = session_prompt.reminded(said, self._reminder(session.transcript.turns))
        asked, turns = query or session_prompt.question(session), len(session.transcript.turns)
        return session_prompt.joined(
            self._context(asked, budget - said.tokens, turns, situation), said, budget
        )

    def system_prompt(self, base: str = "", *, query: str = "", budget: int = 8000) -> str:
        """Return *base*, your own system prompt, with what memory adds to it.

        That is the system's message of `build_context(query)`: what is known, and the session's
        compact or, where it is folded, its episodes. The turns are not in it: the other messages
        of `build_context` have them.
        """
        from vaultmem.documents.bodies import prompt_blocks  # noqa: PLC0415  # who only tells asks nothing

        system, *_ = self.build_context(query, budget=budget).messages()
        return prompt_blocks.based(_text(base, "the base prompt"), str(system["content"]))

    def _context(self, query: str, budget: int, turns: int, situation: str) -> Context:
        from vaultmem.retrieval import context  # noqa: PLC0415  # likewise

        store = self.vault.store
        if self.agent in store.agents():
            return self.vault.context(
                query, agent=self.agent, budget=budget, turns=turns, situation=situation
            )
        # Its first words: it has no file yet, and sees what all share.
        return context.assemble(store, context.Wanted(self.agent, query, budget, turns, situation))

    def maintenance(self, *, max_age_days: int = 90, max_episodes: int = 1_000) -> Maintained:
        """Do what is due: fold, compact, dream, commit; return what that was.

        Of more than *max_episodes* of an agent a dream lets go those that are older than
        *max_age_days*, taken up by topics and unimportant, as far as the config lets it.
        Where a daemon watches the vault, it does all of that, and nothing is done here. This is the
        call that may ask a model and take its time: between two turns, or once the task is over.
        """
        if min(max_age_days, max_episodes) < 0:
            raise BadInput("max_age_days and max_episodes count days and episodes: 0 or more")
        if self.vault.watched:
            return Maintained()
        self.vault.wait()
        done = self.vault.tick()
        commits = (*done.commits, *([done.edits] if done.edits else ()))
        made = done.condensed
        return Maintained(
            made.compactions, made.folded, commits, done.ticked,
            self._dream(max_age_days, max_episodes),
        )  # fmt: skip

    def _dream(self, max_age_days: int, max_episodes: int) -> int:
        try:
            return self.vault.dream_if_due(max_age_days=max_age_days, max_episodes=max_episodes)
        except (Busy, Refused) as e:
            _log.warning("no dream now: %s", e)
            return 0


def _clean(text: str, where: str) -> str:
    return memory_remember.clean(_text(text, where), where, redact=True)


def _line(text: str) -> str:
    return " ".join(_clean(text, "a note").split())


def _text(said: object, where: str) -> str:
    """Return *said*, which callers without types may give as anything; raises BadInput."""
    if not isinstance(said, str):
        raise BadInput(f"{where} is not a str but {type(said).__name__}: give a str")
    return said
