"""Forget: what would go and what tells of it, shown before anything is done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vaultmem.api.types import ForgetTarget, Record
from vaultmem.errors import BadInput
from vaultmem.web.types import Asked, Page, Reader

WORD = "forget"
"""What is typed to confirm."""


@dataclass(frozen=True, slots=True)
class ForgetPage:
    """What would be forgotten, and the files that tell of it, which would be written again."""

    ref: str
    targets: Sequence[ForgetTarget]
    telling: Sequence[Record]
    is_final: bool
    word: str = WORD


def query(reader: Reader, asked: Asked) -> ForgetPage:
    """Return the preview for `ref` in the query; raises BadInput, Refused."""
    ref = asked.fields.get("ref", "").strip()
    if not ref:
        raise BadInput("name what to forget")
    if asked.options.agent:
        reader.view.file(ref)
    forgetting = reader.vault.forgetting
    targets = forgetting.find(ref)
    known = reader.view.at([it.path for it in targets])
    telling = {r.path: r for it in known.values() for r in reader.view.backlinks(it)}
    return ForgetPage(ref, targets, list(telling.values()), forgetting.is_final)


PAGE = Page("/forget", "Forget", "forget.html", query)
