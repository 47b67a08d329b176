"""A vault in memory that detectors are tried on: what they propose is planned and made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from vaultmem.knowledge.cards import patching
from vaultmem.knowledge.cards.types import Claim
from vaultmem.maintenance.dream import facts, instructions
from vaultmem.maintenance.dream.planner import Detector, Planned, Terms, plan
from vaultmem.maintenance.dream.types import Proposal, Seen, Used
from vaultmem.records import Record
from vaultmem.storage import files, reader, ulids

INSTRUCTIONS = instructions.NAMES
CARD, _SAID = "cards/people/edda.md", "2024-01-05T10:00:00Z"
NOW = datetime(2026, 11, 22, 10, 0, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Vault:
    """Files by path, as text; those under `agents/*/memories` and `episodes` are raw."""

    texts: Mapping[str, str]
    uses: Mapping[str, Used] | None = None
    since: str = ""
    now: datetime = NOW

    def seen(self) -> Seen:
        """Return what a dream sees of it."""
        texts = sorted(self.texts.items())
        notes = [facts.note(p, t.encode()) for p, t in texts if facts.is_cleaned(p)]
        raw = [reader.record(p, files.content(t.encode())) for p, t in texts]
        return Seen(
            notes=tuple(note for note in notes if note),
            memories=_of(raw, "memory"),
            episodes=_of(raw, "episode"),
            paths=frozenset(self.texts),
            now=self.now,
            since=self.since,
            uses=self.uses or {},
            instructions=tuple(n for p, t in texts if p in INSTRUCTIONS
                               if (n := facts.note(p, t.encode(), fixed=True))),
        )  # fmt: skip

    def planned(self, *detectors: Detector) -> Planned:
        """Return what *detectors* propose, put together as a dream does it."""
        return plan(self.seen(), Terms(self._read), detectors)

    def dreamt(self, *detectors: Detector) -> Vault:
        """Return it as it is with all of that done."""
        texts = dict(self.texts)
        for path, data in self.planned(*detectors).changed.items():
            texts.pop(path, None)
            texts |= {path: data.decode()} if data is not None else {}
        return replace(self, texts=texts)

    def _read(self, path: str) -> bytes | None:
        return self.texts[path].encode() if path in self.texts else None


def _of(records: Sequence[Record], kind: str) -> tuple[Record, ...]:
    return tuple(r for r in records if r.type == kind and r.recallable and not r.problem)


def reasons(proposals: Sequence[Proposal]) -> list[str]:
    """Return why each is proposed."""
    return [p.reason for p in proposals]


def topic(body: str, title: str = "Deploy", **fields: str) -> str:
    """Return the text of a topic."""
    more = "".join(f"{key}: {value}\n" for key, value in fields.items())
    return f"---\ntype: topic\ntitle: {title}\n{more}---\n{body}"


def card(path: str = CARD, source: str = "agent", **fields: str) -> dict[str, str]:
    """Return a card that says *fields* of Edda, as *source* said in 2024."""
    own = {"person": "Edda", "relationship": "friend", "backstory": "Ivo said so."}
    category, key = path.removeprefix("cards/").removesuffix(".md").split("/")
    claims = [
        Claim("Edda", "friend", category, key, field, value, "Ivo said so.", source, _SAID)
        for field, value in (own | fields).items()
    ]
    made = patching.change(None, path, claims, _SAID, "01KAFZ6Q6Y3J6V8B7N6W7Q3KZM")
    return {path: (made.text or b"").decode()}


SHELTER = [
    "I started volunteering at the homeless shelter in Graz last week.",
    "Yesterday we cooked soup for forty people at the homeless shelter.",
    "I donated my old car to the shelter where I am volunteering.",
    "The homeless shelter opened a second house near the river in May.",
    "On Friday I trained three new people who are volunteering at the shelter.",
    "We painted the front desk of the homeless shelter yesterday.",
    "I organized a concert for the homeless shelter, and 300 guests came.",
]
OTHER = [
    "river",
    "garden",
    "bridge",
    "coffee",
    "violin",
    "ladder",
    "carpet",
    "window",
    "engine",
    "oak",
]


def said(*texts: str, **fields: str) -> dict[str, str]:
    """Return a memory of Mara's for each of *texts* but "", said on days of August one by one."""
    head = {"speaker": "Mara", "source": "user", "trust": "user", "agent": "ada", **fields}
    agent, lines = head["agent"], "".join(f"{key}: {value}\n" for key, value in head.items())
    return {
        f"agents/{agent}/memories/2026/08/s{n:02}.md": "---\n"
        f"id: {ulids.first_at(2e9 + n)[:22]}{n:04}\n"
        f"type: memory\ncreated: 2026-08-{n:02}T10:00:00Z\n{lines}---\n{text}\n"
        for n, text in enumerate(texts, 1)
        if text
    }


def memories(said: list[str], trust: str = "user", days: int = 7) -> dict[str, str]:
    """Return *said* as memories of several days, amid many of something else."""
    texts = list(said)
    for n in range(140):
        one, two = OTHER[n % 10], OTHER[(n * 3 + n // 10) % 10]
        texts.append(f"Number {n} is about a {one} and some {two} that cost {n} euros.")
    return {
        f"agents/ada/memories/2026/08/m{n:03}.md": "---\n"
        f"id: {ulids.first_at(1e9 + n)[:22]}{n:04}\n"
        f"type: memory\ncreated: 2026-08-{1 + n % days:02}T10:00:00Z\nspeaker: Mara\n"
        f"trust: {trust}\n---\n{text}\n"
        for n, text in enumerate(texts)
    }
