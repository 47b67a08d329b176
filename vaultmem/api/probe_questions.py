"""Questions made of a text by some of its distinctive words, to see whether recall finds it again.

Pure: no vault is asked.
"""

from vaultmem.nlp.text.probe_questions import (
    Word,
    distinctive_words,
    is_enough,
    question,
    rarity,
    rarity_of,
)

__all__ = ["Word", "distinctive_words", "is_enough", "question", "rarity", "rarity_of"]
