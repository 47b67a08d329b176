"""The words of the domain as frozen values: records, times, and trust, decided by the origin.

What an origin is worth stands here, what a file says of its own in `documents.origin`, whether a
file may be believed in `storage.attestations`, and whose words an agent repeats in
`memory.tool_quotes`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Literal

from vaultmem.errors import BadInput

Clock = Callable[[], datetime]

TRUST = ("untrusted", "agent", "user", "verified")
"""From least to most; derived text has the least of its sources."""

PERSONS = frozenset({"user", "verified"})
"""What people said, or vouch for: more than an agent's word."""

ORDINARY = 0.5
"""The importance of what nobody called more or less important."""

TRUST_OF_SOURCE = {
    "user": "user",
    "human": "verified",
    "agent": "agent",
    "import": "agent",
    "dream": "agent",
    "tool": "untrusted",
    "web": "untrusted",
}
"""What a memory's origin is worth; set by the program, never by a model."""

MARKS_OF_ORIGIN = frozenset({"source", "via", "trust"})
"""The keys that tell where a file comes from and what it is worth: none says what it is about."""

PERSON_SOURCES = frozenset(it for it, trust in TRUST_OF_SOURCE.items() if trust in PERSONS)
"""The sources of what a person wrote down."""

Actor = Literal["user", "agent"]
"""Who forgets or takes back: a person, or an agent of its own accord."""

_ARCHIVED = re.compile(r"agents/[^/]+/archive/")
_LONGEST_DATE = len("2026-11-20T10:15:00.000000+00:00")
_LINE = re.compile(r"[^\n\u2028\u2029]+")  # no other end of a line stays one when it is shown
_AS_PATTERNS_READ = tuple(zip("\u0130\u0131\u017f\u212a", "iisk", strict=True))
_BIDI = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
INSTRUCTS = ("instruction", "standing")
"""The tags of what a person wants to be followed."""
TOPIC_KINDS = ("user", "feedback", "project", "reference")
"""What a topic is about: a person, how to work, a project, or where to look things up."""

LISTS = frozenset({"MEMORY.md", "TASKS.md"})
"""The files that are made anew from the others."""

SUMMARIES = ("summary", "episode")
"""The types of what the program tells anew whenever what it was made of changes."""
RETOLD = (*SUMMARIES, "topic")
"""The types of what tells in other words what was said."""
DERIVED = (*RETOLD, "card")
"""The types of what is made from memories and turns."""
_NAMED_HERE = frozenset({"memory", "summary", "episode", "card", "task", "skill", "supersession"})

SCAFFOLDING = LISTS | {"README.md", "AGENTS.md", "CLAUDE.md"}
SCAFFOLDING_FOLDERS = frozenset({"config", "templates", "inbox", "supersessions", "tombstones"})


_NAMING = (
    "title", "name", "description", "aliases", "tags", "speaker", "person", "relationship",
    "session",
)  # fmt: skip
"""The keys of a record whose texts somebody may read or recall it by."""


def names(raw: Mapping[str, object], path: str = "") -> tuple[str, ...]:
    """Return the texts that name a record: of its frontmatter, and its file's, hyphens as spaces.

    *raw* is its frontmatter, or what of that is known. They are texts like its body.
    """
    stem = path.rpartition("/")[2].removesuffix(".md")
    said = [stem, _spelled(stem)]
    for value in map(raw.get, _NAMING):
        said += map(str, value) if isinstance(value, list | tuple) else [str(value or "")]
    return tuple(dict.fromkeys(text for text in said if text.strip()))


def _spelled(stem: str) -> str:
    return stem.replace("-", " ").replace("_", " ")


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong at a path: a stable code, a sentence, and what would fix it."""

    code: str
    path: str
    message: str
    repair: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """One Markdown file of a vault as the program understands it; empty is unknown.

    *claimed* is the trust that it asks for and has not: nobody who could has given it.
    """

    path: str
    sha: str
    problem: Problem | None = None
    id: str = ""
    type: str = ""
    agent: str = ""
    created: str = ""
    updated: str = ""
    title: str = ""
    description: str = ""
    kind: str = ""
    outcome: str = ""
    status: str = ""
    source: str = ""
    trust: str = "user"
    claimed: str = ""
    importance: float = ORDINARY
    session: str = ""
    speaker: str = ""
    origin: str = ""
    stale_after: str = ""
    valid_from: str = ""
    valid_to: str = ""
    superseded_by: str = ""
    supersedes: tuple[str, ...] = ()
    approved: str = ""
    person: str = ""
    relationship: str = ""
    facts: str = ""
    aliases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    earlier_summaries: int = 0
    earlier_digest: str = ""
    tier: str = ""
    range_start: int = 0
    range_end: int = 0
    covers_from: str = ""
    covers_to: str = ""
    op: str = ""
    prompt: str = ""
    model: str = ""
    faithfulness: float | None = None
    coverage: float | None = None
    compression: float | None = None
    degraded: str = ""
    written: str = ""
    turn_start: int = 0
    turn_end: int = 0
    distilled: str = ""
    tool_lines: str = ""
    """The marks of the lines for which the file is a tool's, joined by blanks."""
    held: str = ""
    """What of the file is not told, and keeps it out of the history: `private`, `secret`, both."""
    withheld: bool = False
    """Whether lines of it are not told: they say what another file marks as private."""
    body: str = ""
    body_line: int = 1

    @property
    def labels(self) -> frozenset[str]:
        """The `names` of it."""
        known = (key for key in _NAMING if key != "name")  # which is a title
        return frozenset(names({key: getattr(self, key) for key in known}, self.path))

    @property
    def called(self) -> tuple[str, ...]:
        """What people call it besides its title: the name of a note's file, and its aliases.

        Files that the program names are named after what they say, or by their number.
        """
        is_named_here = self.type in _NAMED_HERE or (self.type == "topic" and self.title != "")
        name = "" if is_named_here else _spelled(self.stem)
        known = self.title.casefold()
        return tuple(x for x in (name, *self.aliases) if x and x.casefold() not in known)

    @property
    def stem(self) -> str:
        """The file's name without folder and suffix: what a wikilink to a memory says."""
        name = self.path.rpartition("/")[2]  # asked for hundreds of thousands of times
        return name.rpartition(".")[0] or name

    @property
    def recallable(self) -> bool:
        """Whether recall may return it: scaffolding and what waits for a person is not."""
        top = self.path.partition("/")[0]
        shown = top not in SCAFFOLDING_FOLDERS and self.path not in SCAFFOLDING
        return shown and not self.archived

    @property
    def archived(self) -> bool:
        """Whether it was put away: kept and told of in summaries, and not recalled."""
        return is_archived(self.path)

    @property
    def kept(self) -> bool:
        """Whether it is part of what is remembered, recalled or archived."""
        return self.recallable or self.archived


def trust_of_actor(source: Actor) -> str:
    """Return what the word of whoever acts is worth; raises BadInput for another *source*."""
    if source not in ("user", "agent"):
        raise BadInput("source says who does it: user or agent")
    return TRUST_OF_SOURCE[source]


def is_archived(path: str) -> bool:
    """Tell whether what lies at *path* is archived."""
    return "/archive/" in path and _ARCHIVED.match(path) is not None


def lowest(trusts: Iterable[str]) -> str:
    """Return the least of *trusts*; that of nothing is `agent`."""
    ranks = [TRUST.index(t) if t in TRUST else 0 for t in trusts]
    return TRUST[min(ranks)] if ranks else "agent"


def is_trusted(record: Record) -> bool:
    """Tell whether somebody vouches for *record*: it may be told unasked, and told of."""
    return record.trust in TRUST[1:]


def utc_now() -> datetime:
    """Return the present, in UTC: the only clock of the program, passed down as an argument."""
    return datetime.now(UTC)


def iso(when: datetime) -> str:
    """Return *when* as the vault writes it: `2026-11-20T10:15:00Z`."""
    # Not strftime: its %Y pads no year before 1000.
    return when.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"


def compact_stamp(when: datetime) -> str:
    """Return *when* as file names carry it: `20261120-101500`."""
    return iso(when).translate({ord("-"): None, ord(":"): None, ord("T"): "-", ord("Z"): None})


def days(first: str, last: str) -> str:
    """Return the days of two times: `2023-05-08 to 2023-07-01`, one where they are the same."""
    return " to ".join(dict.fromkeys(filter(None, (first[:10], last[:10]))))


def moment(text: str) -> datetime:
    """Read a date or a time, UTC where it names no zone; raises BadInput.

    Which quotes what might have been one: where a date belongs anything may stand, a secret, too.
    """
    try:
        found = datetime.fromisoformat(text.strip())
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError) as e:  # the first and last days have no UTC everywhere
        said = repr(text) if len(text) <= _LONGEST_DATE and "<" not in text else "that"
        raise BadInput(f"{said} is not a date: write 2026-11-20 or 2026-11-20T10:15:00Z") from e


def day_of(text: str) -> date | None:
    """Return the day with which *text* begins, as ISO 8601 has it; None where it does not."""
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None


def end_of(text: str) -> datetime:
    """Read a date as its last second, a time as itself; raises BadInput."""
    when = moment(text)
    if _is_date(text):
        return when.replace(hour=23, minute=59, second=59)
    return when


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text.strip())
    except ValueError:
        return False
    return True


def visible(text: str) -> str:
    """Return *text* with what a terminal would obey, or hide behind, written out.

    Control characters but newline and tab, and those that turn the direction of writing.
    """
    if text.isprintable():
        return text
    return "".join(c if c in "\n\t" or not _commands(c) else f"\\u{ord(c):04x}" for c in text)


def visible_line(text: str) -> str:
    """Return *text* as `visible` does, with newlines and tabs written out, too.

    A path is shown so, and a sentence that names one: a file's name may hold both.
    """
    return "".join(f"\\u{ord(c):04x}" if c in _WRITTEN_OUT else c for c in visible(text))


_WRITTEN_OUT = frozenset("\n\t\u2028\u2029")


def _commands(char: str) -> bool:
    return unicodedata.category(char) == "Cc" or char in _BIDI


def lowered(text: str) -> str:
    """Return *text* in lower case, letter for letter: a place in one is that place in the other.

    Letters that a pattern takes for ASCII ones where it ignores case are these: `\u0130` is an i.
    """
    # Four searches that find nothing: to translate takes ten times as long.
    for letter, plain in _AS_PATTERNS_READ:
        text = text.replace(letter, plain)
    return text.lower()


def first_line(text: str, limit: int) -> str:
    """Return the first non-blank line of *text*, cut at a word to at most *limit* characters."""
    found = (_spaced(line[0], limit) for line in _LINE.finditer(text))
    line = next(filter(None, found), "")
    if len(line) <= limit:
        return line
    cut = line[: limit - 1]
    return (cut.rpartition(" ")[0] or cut).rstrip(" ,;:") + "…"


def _spaced(line: str, limit: int) -> str:
    """Return *line* as it is shown, singly spaced; no more of it than tells what *limit* cuts."""
    start = " ".join(visible(line[: 2 * limit]).split())
    return start if len(start) > limit else " ".join(visible(line).split())


def holds(valid_from: str, valid_to: str, when: datetime) -> bool:
    """Tell whether a fact with these dates holds at *when*, both ends included."""
    return not is_ahead(valid_from, when) and not is_over(valid_to, when)


def is_over(date: str, when: datetime) -> bool:
    """Tell whether *date* lies behind *when*."""
    try:
        return bool(date) and end_of(date) < when.replace(microsecond=0)
    except BadInput:
        return False


def is_ahead(date: str, when: datetime) -> bool:
    """Tell whether *date* lies before us at *when*."""
    try:
        return bool(date) and when < moment(date)
    except BadInput:
        return False
