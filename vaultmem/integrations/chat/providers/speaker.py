"""Which model talks, and asking it with patience and within the budget.

The ledger is the summarizer's own, so that talk and upkeep together keep to one limit.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from vaultmem.errors import ModelAway
from vaultmem.integrations.chat.types import Answer, ModelRequest, Talker, Usage
from vaultmem.models.providers import Reply, Request, endpoint
from vaultmem.models.providers.budget import Budgeted, Limits, believed, cost
from vaultmem.models.providers.profile import Profile
from vaultmem.models.providers.retry import Pace, Patience
from vaultmem.models.providers.selection import EXTRACTIVE, Choice, choose, is_free
from vaultmem.models.providers.types import Surroundings
from vaultmem.records import Clock

Hear = Callable[[str], None]

_NOBODY = (
    "there is no model to chat with: set ANTHROPIC_API_KEY, or start Ollama, and set OLLAMA_HOST "
    "where it is not on this machine"
)


TALKERS = ("anthropic", "ollama")
"""The providers that can be talked to: a module of this package each, with its `talker`."""


def chosen(
    profile: Profile,
    surroundings: Surroundings,
    reachable: Callable[[str], bool] = endpoint.reachable,
) -> Choice:
    """Return which model talks: the one that writes, and where nobody does, whichever is there.

    A vault whose summaries are made offline can still be talked to: that somebody asks for.
    """
    choice = choose(profile, surroundings, reachable)
    if choice.backend != EXTRACTIVE:
        return choice
    return choose(
        profile._replace(backend="auto"), replace(surroundings, summarizer="auto"), reachable
    )


def talker(choice: Choice, profile: Profile, surroundings: Surroundings) -> Talker:
    """Return the model of *choice*, not asked yet; raises ModelAway when there is none."""
    if choice.backend == EXTRACTIVE:
        raise ModelAway("chat", _NOBODY)
    if choice.missing:
        raise ModelAway(choice.backend, f"{choice.missing}: set it, or choose another with --model")
    if choice.backend not in TALKERS:
        raise ModelAway(choice.backend, "it writes summaries alone: choose another with --model")
    module = importlib.import_module(f"{__package__}.{choice.backend}")
    made: Talker = module.talker(choice.model, profile, surroundings)
    return made


class Speaker:
    """A Talker that asks another within *limits*, and again where nothing was heard yet."""

    def __init__(  # noqa: PLR0913, PLR0917  # the composition, as of a summarizer's model
        self,
        inner: Talker,
        folder: Path,
        clock: Clock,
        limits: Limits,
        pace: Pace | None = None,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Wrap *inner*; *folder* is the vault's `.vaultmem`; *tell* hears why it takes longer."""
        self.name, self.most_tokens = inner.name, inner.most_tokens
        self._inner, self._ledger = inner, (folder, clock, limits)
        # No rest: who waits for an answer says so by asking again.
        self._patience = Patience(
            pace or Pace(), rest=0,
            tell=lambda fault, seconds: tell(f"{fault}; trying again in {seconds:.1f} s"),
        )  # fmt: skip

    @property
    def model(self) -> str:
        """The model's id, as the provider spells it."""
        return self._inner.model

    @property
    def window(self) -> int:
        """The tokens that the model can hold, as far as it is known by now."""
        return self._inner.window

    def has_tools(self) -> bool:
        """Tell whether the model can call tools; raises ModelAway."""
        return self._patience.ask(self._inner.has_tools)

    def is_base(self) -> bool:
        """Tell whether the model goes on with a page rather than converses; raises ModelAway."""
        return self._patience.ask(self._inner.is_base)

    def talk(self, asked: ModelRequest, hear: Hear) -> Answer:
        """Answer *asked*; raises ModelAway, OverBudget before a call that is not allowed."""
        return self._patience.ask(lambda: self._once(asked, hear))

    def close(self) -> None:
        """Hang up."""
        self._inner.close()

    def _once(self, asked: ModelRequest, hear: Hear) -> Answer:
        once = _Once(self._inner, asked, hear)
        budgeted = Budgeted(once, *self._ledger)
        request = Request("", _shown(asked), self.most_tokens)
        try:
            budgeted.complete(request)
        except ModelAway as e:
            if once.heard:  # said twice is worse than cut off
                e.retryable = False
            raise
        usage = once.answer.usage.believed(lambda count: believed(count, cost(request)))
        return replace(once.answer, usage=usage)


class _Once:
    """One question to a Talker, in the form of a Model: budgets are kept by those."""

    def __init__(self, inner: Talker, asked: ModelRequest, hear: Hear) -> None:
        self.name, self.model = inner.name, inner.model
        self.heard = False
        self.answer: Answer
        self._inner, self._asked, self._hear = inner, asked, hear

    def complete(self, request: Request) -> Reply:  # noqa: ARG002  # it only tells the budget
        answer = self._inner.talk(self._asked, self._note)
        self.answer = answer
        return Reply(answer.text, self.model, answer.usage.shown, answer.usage.output_tokens)

    def _note(self, piece: str) -> None:
        self.heard = True
        self._hear(piece)


def _shown(asked: ModelRequest) -> str:
    """Return all text that the model is shown, for an estimate."""
    system = "\n".join(block["text"] for block in asked.system)
    messages = json.dumps([m.plain() for m in asked.messages], ensure_ascii=False)
    tools = json.dumps([[t.description, t.schema] for t in asked.tools])
    return f"{system}\n{messages}\n{tools}"


def price(choice: Choice, profile: Profile, usage: Usage) -> float | None:
    """Return what *usage* costs in US dollars, None when the profile has no price of that model.

    A model at home costs nothing.
    """
    from vaultmem.memory.compaction.cost import price as priced  # noqa: PLC0415  # it loads the cascade

    if is_free(choice):
        return 0.0
    known = profile if choice.model == profile.model else profile._replace(
        input_price=None, output_price=None
    )  # fmt: skip
    return priced(known, usage.billed, usage.output_tokens)
