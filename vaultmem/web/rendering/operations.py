"""Operations as sentences: what a commit's subject says, in the words of a person."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

_SUBJECT = re.compile(r"(?P<kind>[a-z][a-z -]*?)(?:\((?P<who>[^()]*)\))?: (?P<rest>.*)", re.DOTALL)
_PARTS = re.compile(r"; (?=(?:compact|fold|index)(?:\([^()]*\))?: )")
"""Between what one operation came to: after an import its summaries, in words of ours alone."""
_COUNTED = frozenset({"import", "compact", "fold", "index"})


def _of_compact(who: str, what: str) -> str:
    count, _, into = what.partition(" into ")
    if into:
        return f"Summarized {count} of {who}'s"
    return f"Wrote {what} for {who}"


_SENTENCES: Mapping[str, Callable[[str, str], str]] = {
    "remember": lambda who, what: f"{who or 'Somebody'} remembered: {what}",
    "import": lambda who, what: f"Imported {what}" + (f" for {who}" if who else ""),
    "compact": _of_compact,
    "fold": lambda who, what: f"Distilled {who}'s sessions into {what}",
    "correct": lambda who, what: f"{who or 'Somebody'} corrected: {what}",
    "forget": lambda _, what: f"Forgot {what}",
    "dream": lambda _, what: f"Applied {what} from a dream",
    "plan a dream": lambda _, what: f"A dream proposed {what}",
    "review a dream": lambda _, what: f"Reviewed a dream: {what}",
    "review": lambda _, what: _after(what, {"accept": "Accepted", "drop": "Dropped"}, "Reviewed"),
    "task": lambda verb, what: _of_task(verb, *what.partition(" ")[::2]),
    "edit": lambda who, what: f"{_by(who)} edited {what}",
    "write": lambda who, what: f"{_by(who)} wrote {what}",
    "rename": lambda who, what: f"{_by(who)} renamed {what}",
    "human": lambda _, what: _after(
        what,
        {
            "add": "Added by hand:",
            "edit": "Edited by hand:",
            "delete": "Deleted by hand:",
            "rename": "Renamed by hand:",
            "replace": "Replaced by hand:",
        },
        "Edited by hand:",
    ),
    "undo": lambda _, what: f"Undone: {sentence(what)}",
    "init": lambda _, __: "Created the vault",
    "topic": lambda _, what: f"Updated the topic {what}",
    "card": lambda _, what: f"Updated the card {what}",
    "session": lambda who, what: f"Summarized a session of {who}'s: {what}",
    "experience": lambda who, what: f"{who} noted an experience: {what}",
    "reflect": lambda who, what: f"{who} reflected on: {what}",
    "working": lambda who, what: f"{who} updated its working memory: {what}",
    "turns": lambda who, what: f"Kept {what}" + (f" with {who}" if who else ""),
    "turn": lambda who, what: f"Said to {who} in {what}",
    "items": lambda who, what: f"Kept what {who} goes on from: {what}",
    "share": lambda who, what: f"Shared {_of(who)}{what}",
    "withdraw": lambda who, what: f"Stopped sharing {_of(who)}{what}",
    "sync": lambda _, what: _after(what, {"merge": "Merged", "rewrite": "Rewrote"}, "Synced:"),
    "repair": lambda _, what: f"Repaired {what}",
    "restore": lambda _, what: f"Restored {what}",
    "attest": lambda _, what: f"Vouched for {what}",
    "release": lambda _, what: f"Let go of {what}",
    "index": lambda _, what: f"Updated {what.removeprefix('index: ')}",
    "accept": lambda who, what: f"Accepted {what}" + (f" of {who}'s" if who else ""),
    "allow": lambda _, what: f"Allowed {what}",
    "adopt": lambda who, what: f"Adopted for {who}: {what}",
    "archive": lambda _, what: f"Archived {what}",
    "unarchive": lambda _, what: f"Brought back from the archive: {what}",
}


def _of_task(verb: str, number: str, about: str) -> str:
    return f"New task: {about}" if verb == "create" else f"Task {number}: {about.replace('_', ' ')}"


def _after(what: str, verbs: Mapping[str, str], otherwise: str) -> str:
    """Return *what*, which begins with one of *verbs*, with that as a person says it."""
    verb, _, rest = what.partition(" ")
    return f"{verbs[verb]} {rest}" if verb in verbs and rest else f"{otherwise} {what}"


def _by(who: str) -> str:
    return "You" if who == "person" else who or "Somebody"


def _of(who: str) -> str:
    return f"a memory of {who}'s: " if who else ""


def sentence(subject: str) -> str:
    """Return what the *subject* of a commit says, as a sentence; as it is when it is not ours."""
    found = _SUBJECT.fullmatch(subject)
    if not found or found["kind"] not in _SENTENCES:
        return subject
    if found["kind"] in _COUNTED and len(parts := _PARTS.split(subject)) > 1:
        return "; ".join([sentence(parts[0]), *(_lowered(sentence(it)) for it in parts[1:])])
    return _SENTENCES[found["kind"]](found["who"] or "", found["rest"])


def _lowered(said: str) -> str:
    return said[:1].lower() + said[1:]


def kind(subject: str) -> str:
    """Return what kind of operation a subject is of: `compact`, `dream`, `hand` for people's."""
    found = _SUBJECT.fullmatch(subject)
    if not found or found["kind"] not in _SENTENCES or found["kind"] == "human":
        return "hand"
    return found["kind"].split(" ", maxsplit=1)[0]
