"""Tell the vault what happens in an agent's loop, and ask it what the next prompt should hold."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Unpack, get_args

from vaultmem import arguments
from vaultmem.api.agent_memory import experience, plan_steps
from vaultmem.api.agent_memory.session_memory import SessionMemory
from vaultmem.api.agent_memory.tool_results import clean, line, lines
from vaultmem.api.vault.options import RecallOptions, how, scope_of
from vaultmem.documents import secrets
from vaultmem.documents.bodies import Decision, Experience, Outcome, working_text
from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput, Busy, Refused
from vaultmem.knowledge.tasks import LONGEST_RESULT
from vaultmem.memory import task_turns
from vaultmem.memory.working import (
    MOST_ITERATIONS,
    Step,
    Todo,
    Working,
    checked,
    declared,
    divided,
    noted,
    prompt,
    reminder,
)
from vaultmem.records import first_line, iso
from vaultmem.storage import transcript_files, transcripts
from vaultmem.storage.transcripts import Turn

if TYPE_CHECKING:
    from vaultmem.memory.compaction import Compaction
    from vaultmem.memory.experiences import Added
    from vaultmem.memory.working.service import Workbench
    from vaultmem.retrieval.context import Context, Wanted
    from vaultmem.retrieval.search import Answer, Scope

_FOREIGN = (
    "{} says that a tool or a page wrote it, so it is no work of yours: a person takes its source "
    "out, or deletes it"
)
_log = logging.getLogger(__name__)


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


class Memory(SessionMemory):
    """The memory of one agent in one session, for the loop that runs it.

    Whatever it is told is on disk when the call returns; folds and commits come in the background,
    and `close` waits for them. It keeps nothing to itself: another Memory of the same agent and
    session, after a crash say, goes on where this one was. No model writes anything, but in
    `maintenance`.
    """

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
        aim = clean(goal, "the goal")
        plan = [clean(step, "a step") for step in secrets.public_items(steps)]
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
            self._say("system", task_turns.opening(aim))
        return self._work(begin)

    def _take(self, task: int) -> None:
        """Put a *task* of the graph in progress; raises BadInput for none, Refused as `claim`."""
        self.vault.tasks.claim(task, self.agent)

    def on_step_complete(self, step: int | str, *, result: str = "", error: str = "") -> Working:
        """Note that a *step* is done with its *result*, or failed with its *error*.

        It is named by its number, from 1, or its text; one that was not planned joins the plan. The
        next one that waits is at work then. Raises BadInput without a task at work.
        """
        named = step if isinstance(step, int) else clean(step, "the step")
        came, wrong = clean(result, "the result"), clean(error, "the error")
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
        kept = " ".join(clean(state, "the state").split())
        return lambda now: replace(now, state=kept)

    def note(self, key: str, value: str) -> Working:
        """Keep *value* under *key* on the scratchpad of the working memory, "" takes it away.

        Every context shows it until the task ends. Raises BadInput without a key.
        """
        if not line(key):
            raise BadInput("a note needs a key: note('van', 'booked for nine')")
        return self._work(partial(noted, key=line(key), text=line(value)))

    def set_todos(self, items: Sequence[Todo | Mapping[str, object]]) -> Working:
        """Replace the todo list: at most 20 items, each with id, text and status, one in progress.

        Raises BadInput, with what to do otherwise, for a list that breaks these rules. `reminder`
        counts the rounds from here.
        """
        arguments.check_list("items", items, "todos")
        given = checked(items)
        told = lines(x for it in given for x in (it.id, it.text))
        todos = tuple(
            replace(it, id=name, text=text)
            for it, name, text in zip(given, told[::2], told[1::2], strict=True)
            if text
        )
        at, after = iso(self.vault.store.clock()), len(self._turns(self.session))
        turn = f"{self.session}/{after}"
        return self._work(lambda now: replace(now, todos=todos, todo_updated=at, todo_turn=turn))

    @property
    def reminder(self) -> str:
        """What to tell a model that has not touched its todo list for three rounds; else "".

        A round is a turn of the assistant's in this session. Every context says it, too.
        """
        return self._reminder(self._turns(self.session))

    def _reminder(self, turns: Sequence[Turn]) -> str:
        working = self.working
        session, _, after = working.todo_turn.rpartition("/")
        if session == self.session and (number := working_text.number(after)) is not None:
            since = turns[number:]
        else:  # went over in another session: what came after that only the clocks know
            since = tuple(turn for turn in turns if turn.at > working.todo_updated)
        return self.reminder_after(sum(turn.role == "assistant" for turn in since))

    def reminder_after(self, rounds: int) -> str:
        """Return what `reminder` is after that many *rounds*, for a loop that counts its own.

        It stands in no fence, so it has no item in a tool's words.
        """
        working = self.working
        told = {it: working_text.mark(f"{it.id} {it.text}") for it in working.todos}
        own = [it for it, mark in told.items() if mark not in working.tool_lines]
        due = not working.is_foreign and any(it.status != "completed" for it in working.todos)
        return reminder(rounds, own) if due else ""

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
        is worded anew. A *task* alone is what the work at hand is from now on, or begins with its
        subject as the goal. *steps* are the whole plan. A *note* without a *key* is one entry more.
        Raises what `on_task_start` does.
        """
        aim, kept = clean(goal, "the goal"), line(note)
        told = lines(x for it in steps for x in (it.text, it.result))
        plan = [
            replace(it, text=text, result=result)
            for it, text, result in zip(steps, told[::2], told[1::2], strict=True)
            if text or not it.text.strip()
        ]
        stage = self._stage(state)

        def step(now: Working) -> Working:
            now = replace(now, goal=aim or now.goal, session=now.session or self.session)
            now = plan_steps.planned(now, plan) if plan else now
            now = stage(now) if state else now
            return noted(now, line(key), kept) if key or kept else now

        if state:  # refuses before anything is written
            declared(state, self._bench.states)
        if not self.working.goal and (aim or task is not None):
            aim = aim or self._subject(task or 0)
            self.on_task_start(aim, task=task)
        elif task is not None:
            self._join(task)
        return self._work(step)

    def _subject(self, task: int) -> str:
        """Return what a *task* of the graph is; raises BadInput for one that is not trusted."""
        found = self.vault.tasks.get(task)
        if found.unasked is not found:
            raise BadInput(f"{found.path} is not trusted: say in your own words what the goal is")
        return found.subject

    def _join(self, task: int) -> None:
        """Make what is at work the *task* of the graph; raises Refused where it is another."""
        if self.working.task not in {None, task}:
            raise Refused(f"task {self.working.task} is in hand: first say how it ended")
        self._take(task)
        self._work(lambda now: replace(now, task=task))

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
            raise BadInput("no task is in progress: begin one with its goal")
        if working.is_foreign:
            raise BadInput(_FOREIGN.format(self._bench.path))
        if outcome not in get_args(Outcome):
            known = ", ".join(get_args(Outcome))
            raise BadInput(f"{quoted(outcome)} is not an outcome: use one of {known}")
        tell = partial(
            experience.experience, outcome=outcome, result=result, decisions=decisions,
            feedback=feedback, lessons=lessons, tools=self._tools(working),
        )  # fmt: skip
        told, own = tell(working), tell(divided(working)[0])
        closing = task_turns.closing(working.goal, outcome, prompt(working))
        self._say("system", closing, phase=True)
        is_own = (told.task, told.result) == (own.task, own.result)
        made = self._keep(told, untrusted=not is_own)
        self._bench.clear()
        if working.task is not None:
            self._give_back(working.task, told)
        return made

    def _give_back(self, task: int, told: Experience) -> None:
        """Say on a task of the graph what came of it, for whoever waits; its log is the session."""
        said = " ".join(clean(told.result, "the result").split())
        came, failed = first_line(said, LONGEST_RESULT), told.outcome == "failure"
        try:
            self.vault.tasks.update(
                task,
                status="completed" if told.outcome == "success" else "pending",
                result=None if failed else came,
                error=came or told.outcome if failed else None,
                log=transcript_files.path(self.agent, self.session),
            )
        except (BadInput, Refused) as e:  # somebody took it away meanwhile
            _log.warning("what came of it is kept; the task stays as it is: %s", e)

    def _tools(self, working: Working) -> tuple[str, ...]:
        """Return the tools used for the task: where it began, and here if that is elsewhere."""
        sessions = dict.fromkeys((working.session or self.session, self.session))
        turns = [t for name in sessions for t in self._turns(name)]
        return experience.tools(task_turns.since(turns, working.goal))

    def _turns(self, session: str) -> tuple[Turn, ...]:
        found = transcripts.load(self.vault.store.root, transcript_files.path(self.agent, session))
        return found.turns if found else ()

    def on_user_feedback(self, text: str, *, task: str = "") -> Added:
        """Keep what the user thinks of the work, as an experience of its own.

        *task* says of which; else it is the one at work, or the session's last. Raises BadInput
        when there is none, or nothing is said.
        """
        about = task or self.working.goal or task_turns.last_task(self._turns(self.session))
        if not about or not clean(text, "the feedback"):
            raise BadInput("feedback needs a text, and a task: name it, or begin one")
        working = self.working
        untrusted = about == working.goal != divided(working)[0].goal
        told = Experience(about, "feedback", feedback=(text,))
        return self._keep(told, untrusted=untrusted)

    def _keep(self, told: Experience, *, untrusted: bool) -> Added:
        return self.vault.experiences.add(
            told, agent=self.agent, session=self.session, redact=True, untrusted=untrusted
        )  # fmt: skip

    # --- the past, the prompt, and what is due ----------------------------------------------

    @arguments.checked_method
    def recall(
        self,
        query: str,
        k: int = 10,
        scope: Scope | None = None,
        **options: Unpack[RecallOptions],
    ) -> Answer:
        """Return the *k* places that answer *query* best: its own, and what all agents share.

        *scope* and *options* are those of `Vault.recall`: `type`, `tags`, `after`, `before`,
        `person`, `trust`, `untrusted`, `mode`, `as_of`, `explain`. Another `agent` than its own
        cannot be asked; a scope that names none is this one's. Raises BadInput.
        """
        from vaultmem.retrieval.search import Scope  # noqa: PLC0415  # who only tells asks nothing

        if scope is not None:
            arguments.check_kind("scope", scope, Scope)
        asked = scope.agent if scope is not None else arguments.named("agent", options.get("agent"))
        if asked not in {"", self.agent}:
            raise BadInput(f"this is the memory of {self.agent}: ask the vault for another agent's")
        if scope is None:  # one that has no files yet sees what all share
            where = scope_of({**options, "agent": self.agent})
            return self.vault.recall(query, k, where, **how(options))
        own = scope if scope.agent else replace(scope, agent=self.agent, shared=True)
        return self.vault.recall(query, k, own, **options)

    def build_context(  # noqa: PLR0913  # all but one are by name
        self, query: str = "", *, budget: int = 8000, situation: str = "", commands: str = "",
        task_complexity: float | None = None, has_knowledge_need: bool | None = None,
    ) -> Context:  # fmt: skip
        """Return what the next prompt should hold, within *budget* tokens.

        The vault's context for the *query*, the user's last message if none is given, and the turns
        of this session: its compact, then the newest, which `messages()` gives as messages of those
        who said them. A last turn that says the query is left out, for it stands in your own
        messages; so is a memory that a turn says already. *situation* is what you say of the place
        and who is there, *commands* of what the agent can do. *task_complexity* (0 to 1) and
        *has_knowledge_need* divide the budget, as in `Vault.context`. A todo list that was left
        alone for three rounds is brought to mind.
        """
        from vaultmem.api.agent_memory import session_prompt  # noqa: PLC0415  # the first turn needs no context
        from vaultmem.retrieval.context import Stated, Wanted  # noqa: PLC0415  # likewise

        arguments.check("query", query, "str")
        session = self._taken_up()
        said = session_prompt.session_part(session, query, session_prompt.share(budget))
        said = session_prompt.reminded(said, self._reminder(session.transcript.turns))
        asked, turns = query or session_prompt.question(session), len(session.transcript.turns)
        left = budget - said.tokens
        stated = Stated(task_complexity, has_knowledge_need)
        wanted = Wanted(
            self.agent, asked, left, turns, situation, commands, stated=stated,
            session=session.transcript.session,
        )  # fmt: skip
        return session_prompt.joined(self._context(wanted), said, budget)

    def system_prompt(self, base: str = "", *, query: str = "", budget: int = 8000) -> str:
        """Return *base*, your own system prompt, with what memory adds to it.

        That is the system's message of `build_context(query)`: what is known, and the session's
        compact or, where it is folded, its episodes. The turns are not in it: the other messages
        of `build_context` have them.
        """
        from vaultmem.documents.bodies import prompt_blocks  # noqa: PLC0415  # who only tells asks nothing

        arguments.check("base", base, "str")
        system, *_ = self.build_context(query, budget=budget).messages()
        return prompt_blocks.based(base, str(system["content"]))

    def _context(self, wanted: Wanted) -> Context:
        from vaultmem.retrieval import context  # noqa: PLC0415  # likewise

        store = self.vault.store
        if self.agent in store.agents():
            return self.vault.context(
                wanted.query, agent=self.agent, budget=wanted.budget, turns=wanted.turns,
                situation=wanted.situation, commands=wanted.commands,
                task_complexity=wanted.stated.complexity,
                has_knowledge_need=wanted.stated.knowledge, session=wanted.session,
            )  # fmt: skip
        # Its first words: it has no file yet, and sees what all share.
        return context.assemble(store, wanted)

    def maintenance(self, *, max_age_days: int = 90, max_episodes: int = 1_000) -> Maintained:
        """Do what is due: fold, compact, dream, commit; return what that was.

        A dream proposes to archive what nobody recalled for *max_age_days*; a person decides. Of
        more than *max_episodes* of an agent it lets go those that are older than that, taken up by
        topics and unimportant, as far as the config lets it.
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
