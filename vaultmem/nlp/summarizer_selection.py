"""Who writes summaries: the model that profile and surroundings choose, or the offline summarizer.

Read anew at every use, since a person may edit the profile while the daemon runs; the same writer
stays while nothing changed, so that what it has learnt of a model that is away is not forgotten.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultmem.models.providers import endpoint, profile
from vaultmem.models.providers.profile import Profile
from vaultmem.models.providers.selection import EXTRACTIVE, Choice, choose, is_free
from vaultmem.models.providers.types import Surroundings
from vaultmem.storage.store import Store

if TYPE_CHECKING:
    from vaultmem.models.providers.budget import Limits, Spent
    from vaultmem.models.providers.reply_cache import Kept
    from vaultmem.nlp.tasks import Summarizer

WORKINGS = ".vaultmem"


@dataclass(frozen=True, slots=True)
class _Writer:
    """A summarizer, what it was made of, and the model it asks, if any."""

    choice: Choice
    profile: Profile
    limits: Limits
    summarizer: Summarizer
    model: Kept | None


class Writers:
    """The writer of one vault, among the *surroundings* that are asked for at each use."""

    def __init__(
        self,
        store: Store,
        surroundings: Callable[[], Surroundings],
        reachable: Callable[[str], bool] = endpoint.reachable,
    ) -> None:
        """Write for the vault at *store*."""
        self._store, self._surroundings, self._reachable = store, surroundings, reachable
        self._writer: _Writer | None = None

    def profile(self) -> Profile:
        """Return the profile that the config names; raises BadInput when it cannot be read."""
        return profile.read(self._store.root, self._store.config().profile)

    def priced(self) -> Profile:
        """Return the profile with the prices of who writes: a model at home costs nothing.

        The profile's own are of the model that it names.
        """
        said, choice = self.profile(), self.choice()
        if is_free(choice):
            return said._replace(input_price=0.0, output_price=0.0)
        known = choice.model == said.model
        return said if known else said._replace(input_price=None, output_price=None)

    def choice(self) -> Choice:
        """Return who writes, and why; raises BadInput for a setting that cannot be."""
        return choose(self.profile(), self._surroundings(), self._reachable)

    def limits(self) -> Limits:
        """Return what a model may cost."""
        from vaultmem.models.providers.budget import Limits  # noqa: PLC0415  # as below

        config = self._store.config()
        return Limits(config.max_llm_calls_per_hour, config.max_tokens_per_day)

    def spent(self) -> Spent:
        """Return what models have cost of late."""
        from vaultmem.models.providers import budget  # noqa: PLC0415  # nobody else pays for a model

        return budget.spent(self._store.root.path / WORKINGS / budget.FILE, self._store.clock())

    def affords(self, calls: int, tokens: int) -> bool:
        """Tell whether so many calls and tokens more are within the limits now."""
        spent, limits = self.spent(), self.limits()
        return (
            spent.calls + calls <= limits.calls_per_hour
            and spent.tokens + tokens <= limits.tokens_per_day
        )

    def summarizer(self) -> Summarizer:
        """Return the summarizer to ask."""
        choice, said, limits = self.choice(), self.profile(), self.limits()
        known = self._writer
        if known is None or (known.choice, known.profile, known.limits) != (choice, said, limits):
            known = self._writer = self._made(choice, said, limits)
        return known.summarizer

    def forget(self) -> None:
        """Forget the replies that were kept for what is now written."""
        if self._writer and self._writer.model:
            self._writer.model.clear()

    def _made(self, choice: Choice, said: Profile, limits: Limits) -> _Writer:
        if choice.backend == EXTRACTIVE:
            from vaultmem.nlp.summarization.extractive import Extractive  # noqa: PLC0415  # as above

            return _Writer(choice, said, limits, Extractive(), None)
        from vaultmem.models.providers import factory  # noqa: PLC0415  # as above
        from vaultmem.nlp.summarization.model_summarizer import Written  # noqa: PLC0415  # as above

        workings, clock = self._store.root.path / WORKINGS, self._store.clock
        model = factory.build(choice, said, self._surroundings(), workings, clock, limits)
        assert model is not None  # noqa: S101  # only `extractive` has none
        return _Writer(choice, said, limits, Written(model, said.max_tokens), model)
