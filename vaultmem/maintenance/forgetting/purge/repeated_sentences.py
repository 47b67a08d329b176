"""Which lines that stay say a sentence of what is forgotten whole, and so stop a purge."""

from __future__ import annotations

from collections.abc import Iterable

from vaultmem.maintenance.forgetting import redaction, target_texts
from vaultmem.maintenance.forgetting.redaction import DistinctiveWords
from vaultmem.maintenance.forgetting.target_texts import SpokenText
from vaultmem.storage.json_lines import fields


class RepeatedSentences:
    """Tells the texts that say a sentence of *spoken* whole.

    Not what another speaker says in a turn of themselves: that is theirs, and stays. Who names the
    speaker of it tells of them.
    """

    def __init__(self, spoken: Iterable[SpokenText], owner: str) -> None:
        """Look for sentences of *spoken* in the vault of its *owner*."""
        self._spoken, self._owner = tuple(dict.fromkeys(spoken)), owner
        self._known: dict[tuple[SpokenText, ...], DistinctiveWords] = {}

    def are_in(self, text: str) -> bool:
        """Tell whether *text*, a file's or a line of JSON, says one."""
        if not self._of(self._spoken).repeats_sentence(text):
            return False
        turn = fields(text)
        speaker, said = str(turn.get("speaker", "")), str(turn.get("content", ""))
        left = tuple(it for it in self._spoken if not self._is_left_to(it, speaker, said))
        return left == self._spoken or self._of(left).repeats_sentence(text)

    def _is_left_to(self, it: SpokenText, speaker: str, said: str) -> bool:
        names = {*redaction.words(it.speaker)}
        is_theirs = target_texts.is_of_another(it, speaker, self._owner)
        return is_theirs and names.isdisjoint(redaction.words(said))

    def _of(self, spoken: tuple[SpokenText, ...]) -> DistinctiveWords:
        if spoken not in self._known:
            self._known[spoken] = redaction.distinctive_words([it.text for it in spoken], ())
        return self._known[spoken]
