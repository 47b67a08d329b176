"""The origins of what a folded memory brought, by which it is known again when it is sent on."""

from __future__ import annotations

import re

from vaultmem.memory.folding import CARRIED

_EPISODE = re.compile(rf"{CARRIED}.*/episode-(\d{{1,6}})", re.DOTALL)
_NEXT = re.compile(r"/next-(\d{1,6})\Z")


def of_session(session: str) -> str:
    """Return the origin of a topic, with which those of turns and episodes begin."""
    return f"{CARRIED}{session}"


def of_episode(session: str, number: int) -> str:
    """Return the origin of the episode with that id in the file."""
    return f"{of_session(session)}/episode-{number}"


def of_turn(session: str, number: int, following: int | None = None) -> str:
    """Return the origin of a turn; *following* is the id of the next episode, where it is known.

    The last turn that the file only tells of has that: topics may have taken up all episodes.
    """
    end = "" if following is None else f"/next-{following}"
    return f"{of_session(session)}/{number}{end}"


def is_turn(origin: str, session: str, number: int) -> bool:
    """Tell whether *origin* is that of a turn of this session."""
    return _NEXT.sub("", origin) == of_turn(session, number)


def episode_id(origin: str) -> int | None:
    """Return the id that an episode had in the file, None for one that came from none."""
    found = _EPISODE.fullmatch(origin)
    return int(found[1]) if found else None


def following_id(origin: str) -> int:
    """Return the id of the next episode as the *origin* of a turn has it, 0 where it has none."""
    found = _NEXT.search(origin) if origin.startswith(CARRIED) else None
    return int(found[1]) if found else 0
