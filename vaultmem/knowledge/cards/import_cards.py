"""Imports: cards patched by what a file says, and its notes kept as memories."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime

from vaultmem.config import agent_name
from vaultmem.errors import BadInput, NameTaken, Refused, SecretFound
from vaultmem.knowledge.cards import drafting, formats, names
from vaultmem.knowledge.cards import requests as card_requests
from vaultmem.knowledge.cards.formats import Mode
from vaultmem.knowledge.cards.listing import CardListing
from vaultmem.knowledge.cards.requests import CardRequest, Draft, Loaded
from vaultmem.knowledge.cards.types import REQUIRED, Json, Patch
from vaultmem.memory import remember as memory_remember
from vaultmem.memory.placement import Placement
from vaultmem.memory.remember import MemoryInput
from vaultmem.records import moment
from vaultmem.storage.plan import Plan
from vaultmem.storage.store import Store


def patch(store: Store, found: Json, mode: Mode, defaults: Patch, where: str) -> Loaded:
    """Patch the cards *found* in a file, or make them; raises for one that cannot be, naming it."""
    if mode == "json":
        _refuse_lacking(defaults)
    ask = card_requests.plain if mode == "json" else card_requests.patched
    requests = [ask(store, name, facts) for name, facts in formats.patches(found, defaults)]

    def drafts() -> list[Draft]:
        listing = CardListing(store, len(requests))
        return [_draft(each, listing, where) for each in requests]

    written = drafting.carry(store, drafts)
    changed = tuple(each for each in written if each.changed or each.conflicts)
    return Loaded(changed, skipped=len(written) - len(changed), commit=drafting.commit_of(changed))


def remember(store: Store, told: Sequence[str], defaults: Patch, agent: str) -> Loaded:
    """Keep each of *told* as a memory, once."""
    name = agent_name(store.agent(agent))
    at = moment(defaults.at) if defaults.at else store.clock()
    inputs = {s.origin: s for text in told if (s := _memory_input(text, name, at, defaults.source))}

    def step() -> Loaded:
        known = store.index.origins(name, [*inputs])
        fresh = [each for origin, each in inputs.items() if origin not in known]
        if not fresh:
            return Loaded(skipped=len(told))
        return Loaded((), len(fresh), len(told) - len(fresh), _keep(store, fresh))

    return store.retry(step)


def _draft(asked: CardRequest, listing: CardListing, where: str) -> Draft:
    """Draft one card of a file; raises what that does, naming the card."""
    place = f"{where}: {asked.name}"
    try:
        return drafting.draft(asked, listing)
    except BadInput as e:
        raise BadInput(f"{place}: {e}") from e
    except SecretFound as e:
        raise SecretFound(f"{place}: {e.where}", e.rule) from e
    except NameTaken:
        raise
    except Refused as e:
        raise Refused(f"{place}: {e}") from e


def _refuse_lacking(defaults: Patch) -> None:
    if lacking := [key for key in REQUIRED if not getattr(defaults, key)]:
        raise BadInput(
            "plain JSON does not say whom its facts concern, nor how they arose: give "
            + " ".join(f"--{key}" for key in lacking)
        )


def _memory_input(text: str, agent: str, at: datetime, source: str) -> MemoryInput | None:
    clean = memory_remember.clean(text, "a note")
    origin = f"{names.FOLDER}/{hashlib.sha256(clean.encode()).hexdigest()[:16]}"
    return MemoryInput(clean, agent, at, source, origin=origin) if clean else None


def _keep(store: Store, said: Sequence[MemoryInput]) -> str | None:
    op, *minted = store.mint_many(len(said) + 1)
    agent, trust = said[0].agent, said[0].trust
    memory_remember.check_switches(said[0], store.config())
    place = Placement(store).folder
    changes = tuple(memory_remember.change(s, i, place) for s, i in zip(said, minted, strict=True))
    subject = f"import({agent}): {len(said)} memories"
    store.apply(Plan(op, "import", subject, changes, agent, trust=trust))
    return store.writer.commit_pending().get(op)
