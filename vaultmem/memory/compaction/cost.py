"""What a compaction would cost, without a call: the same work, with a model that only counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vaultmem.documents import tokens
from vaultmem.memory.compaction import runner as compaction_runner
from vaultmem.memory.compaction.runner import Wanted
from vaultmem.models.providers import Reply, Request
from vaultmem.models.providers.profile import Profile
from vaultmem.nlp.summarization.model_summarizer import Written
from vaultmem.storage.store import Store

_SENTENCE = "What was said here is told in one sentence of about so many words as this one has. "
_PER_PRICE = 1_000_000


@dataclass(frozen=True, slots=True)
class Estimate:
    """Calls and tokens of a compaction; *price* in US dollars, None when the profile has none."""

    compactions: int = 0
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    price: float | None = None

    @property
    def tokens(self) -> int:
        """Prompts and answers together, as budgets count them."""
        return self.input_tokens + self.output_tokens


def total(each: Sequence[Estimate]) -> Estimate:
    """Return the sum; its price is unknown when one is."""
    prices = [e.price for e in each if e.price is not None]
    return Estimate(
        sum(e.compactions for e in each), sum(e.calls for e in each),
        sum(e.input_tokens for e in each), sum(e.output_tokens for e in each),
        round(sum(prices), 6) if len(prices) == len(each) else None,
    )  # fmt: skip


class Counting:
    """A Model that counts what it is asked and answers with a text of the usual length."""

    name = "counting"
    model = "counting"

    def __init__(self) -> None:
        """Begin with nothing asked."""
        self.calls = self.input_tokens = self.output_tokens = 0

    def complete(self, request: Request) -> Reply:
        """Count *request*."""
        answer = _SENTENCE * 3
        self.calls += 1
        self.input_tokens += tokens.estimate(request.system + request.prompt + request.schema)
        self.output_tokens += min(tokens.estimate(answer), request.most_tokens)
        return Reply(answer, self.model, 0, 0)


def compaction(store: Store, agent: str, profile: Profile, wanted: Wanted) -> Estimate:
    """Return what the compaction of *agent* would cost if each answer were taken at once.

    A refused answer costs a second call; one that the budget stops costs none.
    """
    counting = Counting()
    made = compaction_runner.sketch(
        store, agent, Written(counting, profile.max_tokens).summarize, wanted
    )
    return Estimate(
        made, counting.calls, counting.input_tokens, counting.output_tokens,
        price(profile, counting.input_tokens, counting.output_tokens),
    )  # fmt: skip


def price(profile: Profile, input_tokens: int, output_tokens: int) -> float | None:
    """Return what so many tokens cost in US dollars, None when a price is unknown."""
    if not input_tokens + output_tokens:
        return 0.0
    if profile.input_price is None or profile.output_price is None:
        return None
    cost = input_tokens * profile.input_price + output_tokens * profile.output_price
    return round(cost / _PER_PRICE, 6)
