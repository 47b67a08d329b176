"""From something said to a memory file: cleaned, named, and never changed afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import NamedTuple

from vaultmem.config import Config
from vaultmem.documents import frontmatter, secrets
from vaultmem.documents.frontmatter import Field, Verbatim
from vaultmem.documents.markdown import blocks
from vaultmem.errors import BadInput, SecretFound, SwitchedOff, Unreadable
from vaultmem.memory.placement import Place, Placement, archived_path
from vaultmem.records import TRUST, TRUST_OF_SOURCE, compact_stamp, first_line, iso, lowest, names
from vaultmem.storage import files, tombstones, unconfirmed_operations
from vaultmem.storage.plan import Change, Plan
from vaultmem.storage.store import Store
from vaultmem.storage.transcripts import Turn
from vaultmem.storage.unconfirmed_operations import Earlier

LARGEST = 100 * 1024
"""Bytes of one memory; the same cap as Anthropic's memory stores."""

LONGEST_NAME = 200
"""Characters of a session, a speaker, a tag, a message's id."""

_SLUG = 48
_TAIL = 6
_SUBJECT = 60
_ESCAPED = 0xDC00
"""What Python adds to a byte that is not UTF-8, to keep it in a text (`surrogateescape`)."""

_ZERO_WIDTH = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff"))
REVIEW = "inbox/review"


@dataclass(frozen=True, slots=True)
class MemoryInput:
    """One thing to remember, and what is known of where it came from."""

    text: str
    agent: str
    created: datetime
    source: str = "user"
    importance: float | None = None
    speaker: str = ""
    session: str = ""
    origin: str = ""
    tags: tuple[str, ...] = ()
    role: str = ""
    asked: str = ""
    dated: bool = False
    """Whether somebody said when it was; else it is created when it is written."""
    supersedes: tuple[str, ...] = ()
    """What holds no longer because of it: an import's names, and in its file the ids."""
    heard: tuple[Turn, ...] = ()
    """What was said before it, and is in no session yet: a tool's words may be among them."""
    archived: bool = False
    """Whether it was put away where it comes from, and is here, too."""
    more: Mapping[str, Field | Verbatim] = field(default_factory=dict)
    """What else its frontmatter says, of no meaning to what it is worth."""

    def request(self, kind: str, *more: str) -> str:
        """Return what stands for the wish to have it written: the same when it is asked again."""
        when = iso(self.created) if self.dated else ""
        return unconfirmed_operations.digest(
            kind, self.text, self.agent, self.source, self.importance, self.speaker, self.session,
            self.origin, self.tags, self.asked, when, *more,
        )  # fmt: skip

    @property
    def words(self) -> tuple[str, ...]:
        """Every text of it that somebody may read or recall, and the passages of the longest."""
        more = {key: frontmatter.as_read(value) for key, value in self.more.items()}
        own = {**more, "speaker": self.speaker, "session": self.session, "tags": self.tags}
        return (*blocks.passages(self.text), *names(own))

    @property
    def trust(self) -> str:
        """What the origin is worth; less, where less was *asked* for."""
        worth = TRUST_OF_SOURCE[self.source]
        return lowest((worth, self.asked)) if self.asked else worth

    @property
    def spoken_as(self) -> str:
        """In what role it was said: of a page, say, in a tool's, whoever is told to have spoken."""
        return "tool" if self.trust == TRUST[0] else self.role or "user"


def clean(text: str, where: str, *, redact: bool = False) -> str:
    """Return *text* without its `<private>` parts, fit to be stored; empty when nothing is left.

    Raises SecretFound for a credential (*redact* replaces it instead) and BadInput for text that
    no file can hold; *where* names it in the message.
    """
    kept = secrets.strip_private(text)
    _check_size(kept, where)
    bare = kept.translate(_ZERO_WIDTH)
    if bare != kept and secrets.find(bare):  # a key with invisible letters in it is a key
        kept = bare
    if redact:
        kept = secrets.redact(kept)
    elif found := secrets.find(kept):
        raise SecretFound(where, found[0].rule)
    kept = kept.replace("\r\n", "\n").strip("\n")
    _check_storable(kept, where)
    return kept if bare.strip() else ""  # nobody reads what is invisible


def clean_each(texts: Iterable[str], where: str, *, redact: bool = False) -> tuple[str, ...]:
    """Return *texts*, the items of one list, each as `clean` does.

    A private part may begin in one and end in another; one that is all private is empty.
    """
    return tuple(clean(text, where, redact=redact) for text in secrets.strip_each(texts))


def _check_size(text: str | bytes, where: str) -> None:
    # Before it is looked for credentials, too: that takes as long as the text does.
    if len(text) > LARGEST:
        raise BadInput(f"{where}: longer than {LARGEST // 1024} KiB: split it")


def _check_storable(text: str, where: str) -> None:
    try:
        data = text.encode()
        _check_size(data, where)
        frontmatter.fields(frontmatter.Document("", "", "", frontmatter.decode(data)))
    except (UnicodeEncodeError, Unreadable) as e:
        why = e.why if isinstance(e, Unreadable) else _unencodable(e)
        raise BadInput(f"{where}: cannot be stored: {why}") from e


def _unencodable(error: UnicodeEncodeError) -> str:
    """Say what of a text is no character: a byte that came with it as Python keeps it, or half."""
    byte = ord(error.object[error.start]) - _ESCAPED
    if byte in range(0x80, 0x100):
        return f"it is not UTF-8 (byte 0x{byte:02x}): write it again"
    return "it contains half a character"


def one_line(text: str, what: str) -> str:
    """Return *text*, which becomes a line of frontmatter and of a commit, without line breaks.

    Raises BadInput, naming *what*, for text that is too long or no text.
    """
    line = " ".join(secrets.strip_private(text).split())
    if len(line) > LONGEST_NAME:
        raise BadInput(f"the {what} is longer than {LONGEST_NAME} characters: shorten it")
    if not encodable(line):
        raise BadInput(f"the {what} is not UTF-8: it cannot be stored")
    return line


def one_lines(texts: Iterable[str], what: str) -> tuple[str, ...]:
    """Return *texts*, the items of one list, each as `one_line` does, without the empty ones.

    A private part may begin in one and end in another.
    """
    return tuple(filter(None, (one_line(text, what) for text in secrets.strip_each(texts))))


def title_line(text: str, what: str) -> str:
    """Return *text*, by which something is called, as `one_line` does.

    Raises BadInput where nothing of it may be kept, too.
    """
    line = one_line(text, what)
    if text.strip() and not line:
        raise BadInput(f"there is no {what}: {secrets.why_empty(text)}")
    return line


def reason_line(reason: str) -> str:
    """Return *reason* as a line that can stand in a commit; raises BadInput, SecretFound."""
    line = one_line(reason, "reason")
    refuse_secrets("the reason", line)
    return line


def reason_notes(line: str) -> tuple[str, ...]:
    """Return what a commit says of the reason for it, none for an empty *line*."""
    return (f"Reason: {line}",) if line else ()


def encodable(text: str) -> bool:
    """Tell whether *text* can be written at all; half a character cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def refuse_secrets(where: str, *texts: str) -> None:
    """Raise SecretFound when a credential stands in one of *texts*; *where* names the place."""
    if len(texts) > 1 and not secrets.find("\n".join(texts)):
        return  # one look at all of them is quicker, and most have none
    for text in texts:
        if found := secrets.find(text):
            raise SecretFound(where, found[0].rule)


def refuse_private_names(*names: str) -> None:
    """Raise BadInput when one of *names*, by which a text is known for ever, has a private part."""
    if any(map(secrets.private_parts, names)):
        raise BadInput("its id or its session has a private part: leave that out of the name")


def check_switches(said: MemoryInput, config: Config) -> None:
    """Raise SwitchedOff when the config switches the agent or the session off."""
    if said.agent in config.disabled_agents:
        raise SwitchedOff("agent", said.agent)
    if said.session and said.session in config.disabled_sessions:
        raise SwitchedOff("session", said.session)


def change(said: MemoryInput, memory_id: str, place: Place) -> Change:
    """Return the new file for *said*, which `clean` has passed, where *place* puts it."""
    head: dict[str, Field | Verbatim] = {
        "id": memory_id,
        "type": "memory",
        "agent": said.agent,
        "created": iso(said.created),
        "source": said.source,
        "trust": said.trust,
    }
    if said.trust == "untrusted":
        head["approved"] = False  # Obsidian shows a box to tick
    if said.importance is not None:
        head["importance"] = said.importance
    named = {"session": said.session, "speaker": said.speaker, "origin": said.origin}
    head |= {key: value for key, value in named.items() if value}
    listed = {"tags": list(said.tags), "supersedes": list(said.supersedes)}
    head |= {key: value for key, value in listed.items() if value}
    head |= {key: value for key, value in said.more.items() if key not in head}
    text = frontmatter.new(head, said.text + "\n")
    return Change(path(said, memory_id, place), None, text.encode(), "something to remember")


def path(said: MemoryInput, memory_id: str, place: Place) -> str:
    """Return where the memory lives for ever; what is not trusted waits for a person first."""
    when = compact_stamp(said.created)
    words = files.slug(first_line(said.text, _SLUG).rstrip("…"), _SLUG)
    name = "-".join(x for x in (when, words, memory_id[-_TAIL:].lower()) if x) + ".md"
    if said.trust == "untrusted":
        return f"{REVIEW}/{name}"
    folder = place(said.agent, said.created)
    return f"{archived_path(folder) if said.archived else folder}/{name}"


class Kept(NamedTuple):
    """A memory's change, with its path, its operation's id, and the tool that it *quotes*."""

    change: Change
    op: str
    quotes: str = ""


def keep(store: Store, said: MemoryInput, *, redact: bool = False, reason: str = "") -> Kept:
    """Write *said* as a memory file.

    The *reason* why it is kept stands in its commit alone. Raises BadInput, SecretFound,
    SwitchedOff, Refused for what was forgotten, and whatever `Store.apply` does. What an agent
    brings that a tool said to it is the tool's.
    """
    check_switches(said, store.config())
    why = reason_line(reason)
    text = clean(said.text, "the text", redact=redact)
    if not text:
        raise BadInput(f"nothing to remember: {secrets.why_empty(said.text)}")
    said, quotes = attributed(store, replace(said, text=text))
    tombstones.refuse(
        store, *said.words, why, agent=said.agent, origin=said.origin, speaker=said.speaker
    )
    memory_id = store.mint()
    made = change(said, memory_id, Placement(store).folder)
    plan = Plan(
        op=memory_id,
        kind="remember",
        subject=f"remember({said.agent}): {first_line(text, _SUBJECT)}",
        changes=(made,),
        agent=said.agent,
        session=said.session,
        trust=said.trust,
        notes=(made.path, *reason_notes(why)),
        asked=said.request("remember"),
    )
    if earlier := store.apply(plan):
        return Kept(confirmed(store, made, earlier), earlier.op, quotes)
    return Kept(made, memory_id, quotes)


def attributed(store: Store, said: MemoryInput) -> tuple[MemoryInput, str]:
    """Return *said* as what it is, and the tool whose word an agent takes for its own, "" for none.

    Then the tool is its source.
    """
    from vaultmem.memory import tool_quotes  # noqa: PLC0415  # most who write a memory ask nothing

    if said.trust != "agent":
        return said, ""
    texts = (said.speaker, said.text, said.session, *said.tags)
    tool = tool_quotes.tool_of(store, said.agent, *texts, heard=said.heard)
    return (replace(said, source="tool", speaker=tool) if tool else said), tool


def confirmed(store: Store, made: Change, earlier: Earlier) -> Change:
    """Return the memory that an *earlier* operation made of what was to become *made*."""
    path = next(p for p in earlier.paths if "/memories/" in p or p.startswith(REVIEW))
    return made._replace(path=path, new=store.texts.read(path))
