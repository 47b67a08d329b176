"""The words that the index has, as FTS5 keeps them: stems, marked with their language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vaultmem.storage.index.queries import Queries

# A step of an index a language: DISTINCT would read a row a text.
_LANGUAGES = """\
WITH RECURSIVE found(language) AS (
SELECT min(language) FROM main.docs WHERE language != '' UNION ALL
SELECT (SELECT min(language) FROM main.docs WHERE language > found.language AND language != '')
FROM found WHERE language IS NOT NULL)
SELECT language FROM found WHERE language IS NOT NULL"""
_LONGER = 200
"""Words that begin with another and are looked at: more are no compounds of it."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of the index, and the *languages* of its texts."""

    index: Queries
    languages: Sequence[str]

    def holds(self, form: str) -> bool:
        """Tell whether a text has *form*."""
        return self.index.value("SELECT 1 FROM words WHERE words MATCH ? LIMIT 1", form) is not None

    def longer(self, word: str) -> Sequence[str]:
        """Return words that begin with *word*."""
        sql = "SELECT term FROM vocabulary WHERE term > ? AND term < ? LIMIT ?"
        found = self.index.db.execute(sql, (word, f"{word}\U0010ffff", _LONGER))
        return [longer for (longer,) in found]

    def beginning(self, letters: str) -> Sequence[str]:
        """Return all words that begin with *letters*."""
        sql = "SELECT term FROM vocabulary WHERE term >= ? AND term < ?"
        return [word for (word,) in self.index.db.execute(sql, (letters, f"{letters}\U0010ffff"))]


def of(index: Queries) -> Vocabulary:
    """Return the words of *index*."""
    return Vocabulary(index, [language for (language,) in index.db.execute(_LANGUAGES)])
