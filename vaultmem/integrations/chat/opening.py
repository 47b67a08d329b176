"""Open a conversation on a vault: which model talks, in which session, with how much memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from vaultmem.api.vault import Vault
from vaultmem.integrations.chat import providers
from vaultmem.integrations.chat.loop import Chat
from vaultmem.integrations.chat.types import Face, SilentFace
from vaultmem.models.environment import surroundings
from vaultmem.nlp.summarizer_selection import WORKINGS

_A_DAY = timedelta(days=1)


def open_chat(  # noqa: PLR0913  # who talks where is said by name
    vault: Vault,
    env: Mapping[str, str],
    *,
    agent: str = "",
    session: str = "",
    model: str = "",
    budget: int = 8000,
    face: Face | None = None,
    commands: str = "",
) -> Chat:
    """Return a conversation of *agent*; raises ModelAway where nobody can talk.

    Without a *session* it is the last of the past day that is not over, or a new one. Memory may
    take *budget* tokens of the prompt; *commands* tells a base model what else can be typed.
    """
    profile, around = vault.writers.profile(), surroundings(env, Path.home())
    around = replace(around, model=model or around.model)
    choice = providers.chosen(profile, around)
    shown = face or SilentFace()
    speaker = providers.Speaker(
        providers.talker(choice, profile, around), vault.path / WORKINGS, vault.store.clock,
        vault.writers.limits(), tell=shown.waiting,
    )  # fmt: skip
    name = session or vault.sessions.newest_open(agent, within=_A_DAY)
    who = vault.start_session(name, agent=agent)
    return Chat(
        vault, speaker, who.transcript.session, who.transcript.agent, budget, shown,
        lambda usage: providers.price(choice, profile, usage), commands=commands,
    )  # fmt: skip
