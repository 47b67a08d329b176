"""What the agent can do: each tool checks its input, does one thing, and says what came of it.

Who remembers, in which session, and how far it is trusted is the program's to say, not the model's.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from vaultmem.api.agent_memory import Memory
from vaultmem.api.agent_memory.turn_fence import fenced_turn
from vaultmem.api.rendering import left_out
from vaultmem.api.types import Scope
from vaultmem.documents.bodies import markdown
from vaultmem.errors import BadInput, VaultError
from vaultmem.integrations.chat import schemas
from vaultmem.integrations.chat.schemas import Input
from vaultmem.integrations.chat.types import MOST_CALLS, Outcome, Tool, ToolCall
from vaultmem.knowledge.cards import evidence
from vaultmem.knowledge.cards.types import Claim
from vaultmem.memory import working
from vaultmem.records import TRUST, Record, first_line, iso
from vaultmem.retrieval.context.fencing import fenced, harmless
from vaultmem.retrieval.search.types import Hit
from vaultmem.storage.transcripts import Transcript

if TYPE_CHECKING:
    from vaultmem.api.types import Task, WrittenCard
    from vaultmem.api.vault import Vault

_HOOK, _PAGE = 80, 10_000
_LOOKS = frozenset({"recall", "read", "task_list", "task_get"})
MOST_WRITES = 2 * MOST_CALLS
"""What an agent may write for one question.

A long list to be kept fits into two answers; a model that goes in circles would write hundreds of
memories, each a file and a commit, before its rounds end.
"""
_ENOUGH = (
    f"{MOST_WRITES} things were written for this question, more are not: say what is left to be "
    "written, and the person may ask for it"
)
TODO, COMPACT = "todo", "compact"

_Kind = tuple[type[Input], str]
_FORMS: Mapping[str, _Kind] = {
    "remember": (
        schemas.Remember,
        (
            "Keep something that will matter in later conversations: one fact, preference or "
            "decision "
            "per call, in a sentence that makes sense by itself."
        ),
    ),
    "recall": (
        schemas.Recall,
        (
            "Search everything ever remembered: memories, cards, topics, episodes, tasks. "
            "Returns the best hits with their paths and dates."
        ),
    ),
    "read": (
        schemas.Read,
        (
            "Read a file of the memory by its path, or a turn of this session by its number: "
            "also a tool's result that was cut or taken out of the context. Without both it lists "
            "the turns."
        ),
    ),
    "card": (
        schemas.Card,
        (
            "Note a fact of a person on their card, with the user's words that say it, or show "
            "a card. Without such words it is your own guess, and yields to what people said."
        ),
    ),
    TODO: (
        schemas.Todo,
        (
            "Replace the todo list of the work at hand: all items, at most 20, one in_progress at "
            "a time. Keep it up to date as you go."
        ),
    ),
    "working": (
        schemas.Working,
        (
            "Note where the work stands: its goal, the business state, the plan's steps with "
            "their results, a line for the scratchpad; at the end its outcome, which keeps all of "
            "it as an experience. What you leave empty stays as it is."
        ),
    ),
    "task_create": (schemas.TaskCreate, "Create a task that outlasts this conversation."),
    "task_claim": (
        schemas.TaskGet,
        "Start a task as its owner; refused where it is another's, waits or is completed.",
    ),
    "task_update": (
        schemas.TaskUpdate,
        (
            "Change a task: its status, words or owner; what came of it; add blocked_by and "
            "blocks, take away unblocked_by. Completing one makes ready what waited for it alone."
        ),
    ),
    "task_list": (schemas.TaskList, "List tasks; ready: those that can be started now."),
    "task_get": (
        schemas.TaskGet,
        "Show one task with its description, and what came of those it is blocked by.",
    ),
    COMPACT: (
        schemas.Compact,
        (
            "Record where this session stands and drop its older turns, when the context "
            "grows long or a phase of the work ends. Nothing is lost: `read` has each turn."
        ),
    ),
}
TOOLS = tuple(Tool(name, told, schemas.schema(form)) for name, (form, told) in _FORMS.items())


@dataclass(slots=True)
class ToolExecutor:
    """What carries the tools out, for *agent* in *session*, who answers one question.

    *written* counts what was written for it, *refused* what would have been too much.
    """

    vault: Vault
    agent: str
    session: str
    written: int = 0
    refused: int = 0

    def use(self, call: ToolCall) -> Outcome:
        """Carry out *call*; what goes wrong is an outcome too, for the model to mend."""
        writes = _writes(call)
        if writes and self.written >= MOST_WRITES:
            self.refused += 1
            return Outcome(call, f"{call.name}: {_ENOUGH}", error=True)
        try:
            done = self._done(call)
        except VaultError as e:
            return Outcome(call, harmless(f"{call.name}: {e}"), error=True)
        self.written += writes
        private = "" if call.name in _LOOKS else left_out(call.input)
        return Outcome(call, f"{done}\n{private}" if private else done)

    def _done(self, call: ToolCall) -> str:
        if call.name not in _FORMS:
            raise BadInput(f"there is no such tool; available are: {', '.join(_FORMS)}")
        if call.input is None:
            raise BadInput("the input is not a JSON object, or was cut off: call again, shorter")
        does: Callable[[Any], str] = getattr(self, f"_{call.name}")
        return does(schemas.read(_FORMS[call.name][0], call.input))

    @property
    def _memory(self) -> Memory:
        return Memory(self.vault, agent=self.agent, session=self.session)

    # --- memory ---------------------------------------------------------------------------------

    def _remember(self, given: schemas.Remember) -> str:
        made = self.vault.memories.remember_once(
            given.text, agent=self.agent, session=self.session, source="agent",
            importance=given.importance if "importance" in given.model_fields_set else None,
            tags=given.tags,
        )  # fmt: skip
        if made.quotes:
            return f"Waits for a person as {made.path}: {made.quotes} said this, not you."
        word = "It is there already, as" if made.duplicate else "Remembered as"
        return f"{word} {made.path}."

    def _recall(self, given: schemas.Recall) -> str:
        scope = Scope(agent=self.agent, shared=True, type=given.type)
        found = self.vault.recall(given.query, given.k, scope)
        hits = "".join(map(_hit, found.hits))
        degraded = f"({found.degraded_reason})" if found.degraded_reason else ""
        return "\n".join(filter(None, (hits or "Nothing was found.", degraded)))

    def _read(self, given: schemas.Read) -> str:
        if given.path:
            return self._file(given)
        transcript = self.vault.session(self.session, agent=self.agent).transcript
        return _turn(transcript, given) if given.turn else _turns(transcript, given.offset)

    def _file(self, given: schemas.Read) -> str:
        page = self.vault.reach(self.agent).page(given.path)
        body = _piece(page.text, given.offset)
        record = Record(page.path, page.sha256, type=page.type, trust=page.trust, body=body)
        return fenced(record, {"source": page.path})

    # --- people -----------------------------------------------------------------------------------

    def _card(self, given: schemas.Card) -> str:
        if given.field:
            return self._claimed(given)
        cards = self.vault.cards
        names = [given.name] if given.name else [c.name for c in cards.list(person=given.person)]
        shown = [json.dumps(cards.get(name), ensure_ascii=False) for name in names]
        return harmless(_piece("\n".join(shown), 0)) or f"There is no card of {given.person}."

    def _claimed(self, given: schemas.Card) -> str:
        transcript = self.vault.session(self.session, agent=self.agent).transcript
        category, _, key = given.name.partition("/")
        claim = Claim(
            given.person, given.relationship, category, key, given.field, given.value,
            given.backstory, "agent", iso(self.vault.store.clock()), transcript.path,
        )  # fmt: skip
        said = evidence.said_by_user(self.vault.store, transcript.turns, claim, given.quote)
        if said:
            # What else the model says of it is not the user's, whose word the claim is.
            claim = replace(claim, backstory=said.text, source="user", at=said.turn.at)
        taken = self.vault.cards.take([claim])
        if taken.left:
            raise BadInput(taken.left[0])
        who = said.turn.speaker or "the user" if said else "you, for no user said it in these words"
        return harmless("\n".join(_noted(card, who) for card in taken.written)) or "It says so."

    # --- work at hand -----------------------------------------------------------------------------

    def _todo(self, given: schemas.Todo) -> str:
        items = [working.Todo(item.id, item.text, item.status) for item in given.items]
        made = self._memory.set_todos(items)
        return harmless(working.todo_text(made.todos)) or "The list is empty."

    def _working(self, given: schemas.Working) -> str:
        steps = [working.Step(s.text, s.status, s.result) for s in given.steps]
        self._memory.revise(
            goal=given.goal, task=given.task or None, steps=steps, state=given.state,
            key=given.key, note=given.note,
        )  # fmt: skip
        if not given.outcome:
            own, told = working.divided(self._memory.working)
            said = fenced(Record("", "", type="working", trust=TRUST[0], body=told), {})
            return f"Noted.\n{harmless(working.prompt(own))}" + f"\n{said}" * bool(told)
        made = self._memory.on_task_complete(
            given.outcome, result=given.result, lessons=given.lessons
        )
        return f"Kept as an experience: {made.path}. Working memory is empty now."

    def _compact(self, _: schemas.Compact) -> str:
        done, _commit = self.vault.compact_session(self.session, agent=self.agent)
        return f"Compacted into {done.path}:\n{harmless(markdown.render_compact(done.made.value))}"

    # --- tasks ------------------------------------------------------------------------------------

    def _task_create(self, given: schemas.TaskCreate) -> str:
        return _task(
            self.vault.tasks.create(
                given.subject, description=given.description, owner=given.owner,
                blocked_by=given.blocked_by, blocks=given.blocks,
            )
        )  # fmt: skip

    def _task_claim(self, given: schemas.TaskGet) -> str:
        return _task(self.vault.tasks.claim(given.id, self.agent))

    def _task_update(self, given: schemas.TaskUpdate) -> str:
        return _task(
            self.vault.tasks.update(
                given.id, status=given.status or None, subject=given.subject or None,
                description=given.description or None, owner=given.owner or None,
                result=given.result or None, error=given.error or None, log=given.log or None,
                blocked_by=given.blocked_by, blocks=given.blocks,
                unblocked_by=given.unblocked_by,
            )
        )  # fmt: skip

    def _task_list(self, given: schemas.TaskList) -> str:
        found = self.vault.tasks.list(
            ready=given.ready, blocked=given.blocked, status=given.status, owner=given.owner
        )
        return "\n".join(map(_task, found)) or "There are none."

    def _task_get(self, given: schemas.TaskGet) -> str:
        task, *blockers = self.vault.tasks.with_blockers(given.id)
        lines = (_task(task), _asked(task), *map(_task, blockers))
        return "\n".join(filter(None, lines))


def _writes(call: ToolCall) -> bool:
    """Tell whether *call* is to write; a card is shown where no fact is given."""
    if call.name == "card":
        return bool(call.input and call.input.get("field"))
    return call.name not in _LOOKS


def _noted(card: WrittenCard, who: str) -> str:
    if card.conflicts:
        kept = ", ".join(f"{c.field} is {c.kept} ({c.kept_source})" for c in card.conflicts)
        return f"{card.path}: {kept}; what you say waits for a person in {card.waits}."
    if card.waits:
        return f"{card.path} waits for a person."
    return f"{card.path}: {', '.join(card.changed)}, as said by {who}."


def _turn(transcript: Transcript, given: schemas.Read) -> str:
    turns = transcript.turns
    if given.turn > len(turns):
        raise BadInput(f"this session has {len(turns)} turns, not {given.turn}")
    turn = turns[given.turn - 1]
    said = _piece(turn.content, given.offset)
    return fenced_turn(turn, given.turn, said, transcript.path).text


def _turns(transcript: Transcript, offset: int) -> str:
    """List the turns of a session, a line each: in a fence, as all of them together."""
    lines = (
        f"{n} {turn.tool or turn.speaker or turn.role}: {first_line(turn.content, _HOOK)}"
        for n, turn in enumerate(transcript.turns, 1)
    )
    listed = _piece("\n".join(lines), offset)
    return fenced(Record(transcript.path, "", type="transcript", trust=TRUST[0], body=listed), {})


def _piece(text: str, offset: int) -> str:
    """Return a piece of *text* that fits a result, and where the next one begins."""
    if offset and offset >= len(text):
        raise BadInput(f"it has {len(text)} characters, there is nothing after {offset}")
    end = offset + _PAGE
    more = f"\n[… continue with offset={end}, of {len(text)}]" if end < len(text) else ""
    return text[offset:end] + more


def _hit(hit: Hit) -> str:
    record = Record(
        hit.path, hit.sha256, type=hit.type, created=hit.date, title=hit.title, trust=hit.trust,
        body=hit.snippet,
    )  # fmt: skip
    return fenced(record, {"source": hit.path, "state": "stale" if hit.stale else ""})


def _task(task: Task) -> str:
    task = task.unasked
    facts = [f"owner {task.owner}"] if task.owner else []
    facts += [f"waits for {_numbers(task.blocked_by)}"] if task.blocked_by else []
    facts += [f"blocks {_numbers(task.blocks)}"] if task.blocks else []
    came = [f"{name}: {said}" for name, said in (("result", task.result), ("error", task.error))
            if said]  # fmt: skip
    is_told = task.outcome_trust == TRUST[0] and bool(came)
    facts += [] if is_told else came
    facts += [f"log: {task.log}"] if task.log else []
    about = f" ({'; '.join(facts)})" if facts else ""
    told = Record(task.path, "", type="task", trust=task.outcome_trust, body="\n".join(came))
    fence = f"\n{fenced(told, {})}" if is_told else ""
    return harmless(f"task {task.id} [{task.status}] {task.subject}{about}") + fence


def _asked(task: Task) -> str:
    """Return what a task that was asked for says beside its line."""
    if task.unasked is task:
        return harmless(task.description)
    return fenced(Record(task.path, "", type="task", trust=task.trust, body=task.words), {})


def _numbers(ids: tuple[int, ...]) -> str:
    return ", ".join(map(str, ids))
