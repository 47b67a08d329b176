"""The tombstones of what is forgotten: by which it is known again, and what they stand for."""

from __future__ import annotations

from collections.abc import Iterator

from vaultmem.maintenance import staying_lines
from vaultmem.maintenance.forgetting import target_texts
from vaultmem.maintenance.forgetting.draft import ForgettingDraft
from vaultmem.nlp.text import analysis
from vaultmem.records import Record
from vaultmem.storage import reader, tombstone_digests, tombstones
from vaultmem.storage.tombstone_checks import SALT
from vaultmem.storage.tombstones import Tombstone

_TELLING = 4
"""Words of a sentence that is not everybody's."""


def of(draft: ForgettingDraft, reason: str) -> Iterator[Tombstone]:
    """Yield the tombstone of each thing that is forgotten in *draft*, for that *reason*."""
    salt = tombstones.load(draft.store).salt or draft.store.random(SALT).hex()
    owner = draft.store.config().owner
    for it in draft.gone:
        texts = [*target_texts.known_by(draft.store, it, draft.raw)]
        speaker = target_texts.whose(it.speaker, texts, owner)
        digests = dict.fromkeys(d for text in texts for d in tombstone_digests.digests(text, salt))
        yield Tombstone(
            it.id or draft.store.mint(), draft.now, salt, tuple(digests), reason,
            "" if draft.raw.says(it.origin) else it.origin, it.agent,
            parts=tuple(tombstone_digests.part(x, salt) for x in _sentences(draft, it)),
            supersedes=tuple(_ended(draft, it)), trust=it.trust if it.supersedes else "",
            of=it.type if it.type == reader.TEXT else "",
            whose=tombstone_digests.name_digests(speaker, salt), stays=_staying(draft, it, salt),
        )  # fmt: skip


def _staying(draft: ForgettingDraft, it: Record, salt: str) -> tuple[str, ...]:
    """Return the digests of people's lines that stay, and say more of *it* than of anything."""
    lines = (line for some in draft.staying.values() for line, of in some.items() if of == it.path)
    return tuple(dict.fromkeys(staying_lines.digest(line, salt) for line in lines))


def _sentences(draft: ForgettingDraft, it: Record) -> Iterator[str]:
    """Yield the sentences of *it* that nothing raw says that stays."""
    for text in dict.fromkeys(
        s for x in target_texts.texts(draft.store, it) for s in analysis.sentences(x)
    ):
        if len(tombstone_digests.tokens(text)) >= _TELLING and draft.raw.says(text):
            yield text


def _ended(draft: ForgettingDraft, it: Record) -> Iterator[str]:
    """Yield the ids of what *it* superseded: that stays so, and is named without a word."""
    for target in it.supersedes:
        named = [r for r in draft.store.index.named(target) if r.type in {"memory", "tombstone"}]
        yield from (r.id for r in named if r.id)
