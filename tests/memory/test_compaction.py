"""What is due follows from the files alone, and every memory is told of exactly once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import count as counting

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.config import Config
from vaultmem.documents import frontmatter
from vaultmem.errors import StaleWrite, Unavailable
from vaultmem.memory import compaction
from vaultmem.memory.compaction import Chunk, Past, cascade
from vaultmem.memory.compaction.dependencies import Dependencies
from vaultmem.nlp.summarization import prompts
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.summarization.guarded import Guarded
from vaultmem.nlp.tasks import Summary, Task
from vaultmem.records import Record
from vaultmem.storage import files, reader
from vaultmem.storage.index.coverage import Member
from vaultmem.storage.operation_keys import operation_key
from vaultmem.storage.plan import Change

SMALL = Config(immediate_window=2, recent_window=3)
NOW = "2026-11-20T10:15:00Z"
ANSWER = Summary("Told.", "scripted", "recent-1", 1.0, 1.0)


def memories(count: int, trust: str = "user") -> tuple[Record, ...]:
    """Return memories 1 to *count*, in order."""
    return tuple(
        Record(
            f"agents/ada/memories/2026/11/m{n:06}.md", f"{n:064}", id=f"{n:026}", type="memory",
            agent="ada", created=f"2026-01-01T00:00:00.{n:06}Z", trust=trust,
            body=f"Ada saw {n} herons at Lake {n} with Ben.",
        )
        for n in range(1, count + 1)
    )  # fmt: skip


def years(count: int) -> tuple[Record, ...]:
    """Return one memory a year, from 2001 on."""
    return tuple(
        replace(m, created=f"{2000 + n}-05-01T08:00:00Z") for n, m in enumerate(memories(count), 1)
    )


def told(number: int, members: Sequence[Record], **more: str) -> Record:
    """Return the short-term summary of *members*."""
    return Record(
        f"agents/ada/summaries/recent-{number:03}.md", "", id=f"S{number:025}", type="summary",
        agent="ada", tier="recent", created=f"2026-02-01T00:00:{number:02}Z", prompt="p",
        sources=tuple(m.stem for m in members), body=f"Told {number}.\n",
        op=operation_key("recent", "p", members),
    ) if not more else replace(told(number, members), **more)  # type: ignore[arg-type]  # fmt: skip


def past(kept: Sequence[Record], recents: Sequence[Record] = (), **more: object) -> Past:
    """Return what ada remembers."""
    members = tuple(Member(*(getattr(m, name) for name in Member._fields)) for m in kept)
    return replace(Past("ada", members, tuple(recents), None), **more)  # type: ignore[arg-type]


def spans(chunks: Sequence[Chunk]) -> list[tuple[int, int]]:
    """Return the ordinals of the chunks."""
    return [(c.start, c.end) for c in chunks]


class Scripted:
    """A summarizer that says what it is told to."""

    name = "scripted"

    def __init__(self, *texts: str) -> None:
        """Answer with *texts* in turn, the last one again and again."""
        self.texts = list(texts)

    def summarize(self, task: Task) -> Summary:
        """Return the next text; raise when there is none."""
        if not self.texts:
            raise Unavailable("no model answers")
        text = self.texts.pop(0) if len(self.texts) > 1 else self.texts[0]
        return Summary(text, self.name, f"{task.tier}-1", 1.0, 1.0)


class Disk(dict[str, bytes]):
    """Files in memory, for proposals to read and tests to apply them to."""

    def __init__(self) -> None:
        """Begin without a file."""
        super().__init__()
        self.minted = counting()

    def means(self, summarizer: object = None, kept: Sequence[Record] = ()) -> Dependencies:
        """Return the means to propose with."""
        there = {m.path: m for m in kept}
        offline = Extractive()
        return Dependencies(
            Guarded(summarizer or offline, offline).summarize,  # type: ignore[arg-type]
            lambda: f"01KAFXF{next(self.minted):019}",
            NOW,
            self.get,
            lambda planned: [there.get(path) or self.record(path) for path, _ in planned],
        )

    def record(self, path: str) -> Record | None:
        """Return the record of a file, None when there is none."""
        return reader.record(path, files.content(self[path])) if path in self else None

    def apply(self, changes: Sequence[Change]) -> None:
        """Carry out *changes*, which must fit what is there."""
        for change in changes:
            assert self.get(change.path) == change.old
            if change.new is None:
                del self[change.path]
            else:
                self[change.path] = change.new

    def past(self, kept: Sequence[Record], **more: object) -> Past:
        """Return the past of *kept* and of the summaries there are."""
        found = (reader.record(p, files.content(d)) for p, d in self.items())
        # Every byte here was written by the program, which gives what it claims.
        made = [replace(r, trust=r.claimed or r.trust, claimed="") for r in found]
        assert [r.problem for r in made] == [None] * len(made)
        recents = sorted((r for r in made if r.tier == "recent"), key=lambda r: r.id)
        longterm = next((r for r in made if r.tier == "longterm"), None)
        return past(kept, recents, longterm=longterm, **more)


def compacted(disk: Disk, kept: Sequence[Record], config: Config, **how: bool) -> Past:
    """Compact what is due and return the past after it."""
    before = disk.past(kept)
    proposal = cascade.propose(
        before, compaction.due(before, config, **how), disk.means(None, kept), config
    )
    disk.apply(proposal.changes)
    return disk.past(kept)


# --- what is due ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "covered", "expected"),
    [
        (128, 0, []), (129, 0, [(1, 65)]), (192, 65, []), (193, 65, [(66, 129)]),
        (256, 129, []), (257, 129, [(130, 193)]), (321, 193, [(194, 257)]),
        (321, 0, [(1, 65), (66, 129), (130, 193), (194, 257)]),
    ],
)  # fmt: skip
def test_the_first_compaction_comes_at_129_then_one_every_64(
    count: int, covered: int, expected: list[tuple[int, int]]
) -> None:
    """Memory 1 is in the first chunk, which has one more."""
    kept = memories(count)
    recents = [told(1, kept[:covered])] if covered else []
    assert spans(compaction.due(past(kept, recents), Config())) == expected


@given(
    n=st.integers(0, 60),
    windows=st.tuples(st.integers(1, 12), st.integers(1, 12)),
    covered=st.sets(st.integers(1, 60)),
    unsound=st.sets(st.integers(1, 60), max_size=5),
    force=st.booleans(),
)
def test_chunks_are_disjoint_in_order_and_of_the_right_size(
    n: int, windows: tuple[int, int], covered: set[int], unsound: set[int], *, force: bool
) -> None:
    """Over any set that is covered already, late arrivals and unsound memories among it."""
    kept = memories(n)
    immediate, recent = windows
    config = Config(immediate_window=immediate, recent_window=recent)
    known = [m for i, m in enumerate(kept, 1) if i in covered]
    it = past(kept, [told(1, known)] if known else [])
    it = replace(it, unsound=frozenset(m.stem for i, m in enumerate(kept, 1) if i in unsound))
    chunks = compaction.due(it, config, force=force)
    members = [m.id for c in chunks for m in c.members]
    free = [m.id for m in kept[:-immediate] if m not in known and m.stem not in it.unsound]
    assert members == free[: len(members)]
    sizes = [len(c.members) for c in chunks]
    first = recent if known else recent + 1
    whole = sizes[:-1] if force else sizes
    assert whole == ([first, *([recent] * n)])[: len(whole)]
    left = len(free) - len(members)
    assert left == 0 if force else left < (recent if chunks else first)


@pytest.mark.long
@given(
    batches=st.lists(st.lists(st.integers(1, 60), min_size=1, max_size=25), max_size=6),
    immediate=st.integers(1, 5),
    recent=st.integers(1, 6),
    force=st.booleans(),
)
def test_whatever_arrives_in_whatever_order_is_covered_exactly_once(
    batches: list[list[int]], immediate: int, recent: int, *, force: bool
) -> None:
    """Late arrivals inside the old range are taken up; forcing twice is empty."""
    pool, disk = memories(60), Disk()
    config = Config(immediate_window=immediate, recent_window=recent)
    known: set[int] = set()
    for batch in batches:
        known |= set(batch)
        kept = [m for i, m in enumerate(pool, 1) if i in known]
        after = compacted(disk, kept, config, force=force)
        counts = Counter(s for r in after.recents for s in r.sources)
        assert set(counts.values()) <= {1}
        assert compaction.stale(after) == ()
        assert compaction.due(after, config) == ()
        if force:
            assert {m.stem for m in kept[:-immediate]} <= set(counts)
            assert compaction.due(after, config, force=True) == ()
        names = [r.path.removesuffix(".md") for r in after.recents]
        assert sorted(after.longterm.sources if after.longterm else ()) == sorted(names[:-1])


def test_switched_off_nothing_is_due_unless_forced() -> None:
    """The person says when."""
    config = replace(SMALL, strategy="off")
    assert compaction.due(past(memories(20)), config) == ()
    assert len(compaction.due(past(memories(20)), config, force=True)) == 6


# --- summaries whose ground has moved ---------------------------------------------------------


def test_an_edited_source_makes_its_summary_stale() -> None:
    """It is redone in its place: same file, same id, same time."""
    disk, kept = Disk(), list(memories(12))
    before = compacted(disk, kept, SMALL)
    assert compaction.stale(before) == ()
    kept[1] = replace(kept[1], sha="f" * 64, body="Ada saw 99 egrets.")
    (chunk,) = compaction.stale(disk.past(kept))
    assert chunk.redone == before.recents[0]
    after = compacted(disk, kept, SMALL)
    assert compaction.stale(after) == ()
    assert [(r.id, r.path, r.created, r.sources) for r in after.recents] == [
        (r.id, r.path, r.created, r.sources) for r in before.recents
    ]
    changed = [a.op != b.op for a, b in zip(before.recents, after.recents, strict=True)]
    assert changed == [True, False, False]
    assert "updated: 2026-11-20T10:15:00Z" in disk[after.recents[0].path].decode()


def test_the_longterm_summary_is_made_anew_when_what_it_absorbed_is_redone() -> None:
    """It is a page of notes: which words came from where cannot be told from its lines."""
    disk, kept = Disk(), list(memories(12))
    before = compacted(disk, kept, SMALL)
    asked: list[Task] = []

    def ask(task: Task) -> Summary:
        asked.append(task)
        return ANSWER

    kept[1] = replace(kept[1], sha="f" * 64, body="Ada saw 99 egrets.")
    it = disk.past(kept)
    means = replace(disk.means(None, kept), ask=ask)
    cascade.propose(it, compaction.stale(it), means, SMALL)
    assert [task.tier for task in asked] == ["recent", "longterm"]
    absorbed = [p.text for p in asked[-1].passages]
    assert absorbed == [ANSWER.text, before.recents[1].body]


def test_what_a_person_added_to_a_summarys_frontmatter_survives_its_redoing() -> None:
    """Only our keys and our text are ours."""
    disk, kept = Disk(), list(memories(8))
    path = compacted(disk, kept, SMALL).recents[0].path
    disk[path] = disk[path].replace(b"---\n", b"---\nmood: calm # mine\n", 1)
    kept[1] = replace(kept[1], sha="f" * 64)
    compacted(disk, kept, SMALL)
    assert disk[path].startswith(b"---\nmood: calm # mine\n")


def test_a_removed_source_leaves_the_others_told_of() -> None:
    """Its line leaves the long-term summary as well."""
    disk, kept = Disk(), list(memories(12))
    before = compacted(disk, kept, SMALL)
    told_of = before.recents[0].body.splitlines()
    assert before.longterm is not None
    assert set(told_of) <= set(before.longterm.body.splitlines())
    del kept[1:3]
    after = compacted(disk, kept, SMALL)
    assert [len(r.sources) for r in after.recents] == [
        2,
        *(len(r.sources) for r in before.recents[1:]),
    ]
    assert after.longterm is not None
    said = {line for r in after.recents for line in r.body.splitlines()}
    assert set(after.longterm.body.splitlines()) <= said
    assert compaction.stale(after) == ()


def test_a_summary_whose_memories_are_all_gone_goes_and_nothing_names_it() -> None:
    """Neither as a source nor by its words."""
    disk, kept = Disk(), list(memories(15))
    before = compacted(disk, kept, SMALL)
    assert len(before.recents) == 4
    after = compacted(disk, kept[4:], SMALL)
    assert after.recents == before.recents[1:]
    assert after.longterm is not None
    names = [r.path.removesuffix(".md") for r in after.recents]
    assert list(after.longterm.sources) == names[:-1]
    said = {line for r in after.recents for line in r.body.splitlines()}
    assert set(after.longterm.body.splitlines()) <= said


def test_when_the_newest_summary_goes_the_one_before_is_not_absorbed_twice() -> None:
    """It was already."""
    disk, kept = Disk(), list(memories(12))
    before = compacted(disk, kept, SMALL)
    left = [m for m in kept if m.stem not in before.recents[-1].sources]
    after = compacted(disk, [*left, *memories(20)[12:]], SMALL)
    assert after.longterm is not None
    assert len(set(after.longterm.sources)) == len(after.longterm.sources)
    lines = after.longterm.body.splitlines()
    assert len(set(lines)) == len(lines)


def test_an_unsound_memory_keeps_its_place_and_its_summary() -> None:
    """It is not summarized, and what tells of it is not judged."""
    kept = list(memories(14))
    recent = told(1, kept[:4])
    broken = frozenset({kept[1].stem, kept[5].stem})
    kept[0] = replace(kept[0], sha="f" * 64)
    it = past(kept, [recent], unsound=broken)
    assert compaction.stale(it) == ()
    stems = [m.stem for c in compaction.due(it, SMALL, force=True) for m in c.members]
    assert kept[5].stem not in stems
    assert spans(compaction.due(it, SMALL, force=True)) == [(5, 8), (9, 11), (12, 12)]
    without = past([kept[0], *kept[2:]], [recent], unsound=broken)
    assert compaction.stale(without) == ()


def test_of_two_machines_summaries_of_the_same_the_lower_id_stays() -> None:
    """The other goes, and what it alone said."""
    kept = memories(8)
    mine, other = (told(n, kept[:4]) for n in (1, 2))
    (chunk,) = compaction.stale(past(kept, [mine, other]))
    assert (chunk.redone, chunk.members) == (other, ())


def test_overlapping_summaries_are_rebuilt_to_disjoint_ones() -> None:
    """The lower id keeps what it has, the other tells of the rest."""
    kept = memories(10)
    mine, other = told(1, kept[:4]), told(2, kept[2:7])
    (chunk,) = compaction.stale(past(kept, [mine, other]))
    assert (chunk.redone, [m.id for m in chunk.members]) == (other, [m.id for m in kept[4:7]])


# --- proposing --------------------------------------------------------------------------------


def test_a_summary_file_says_what_it_tells_of() -> None:
    """All keys, in their order."""
    disk, kept = Disk(), memories(6)
    after = compacted(disk, kept, SMALL)
    (made,) = after.recents
    assert list(frontmatter.fields(frontmatter.parse(disk[made.path].decode()))) == [
        "id", "type", "title", "description", "agent", "created", "trust", "tier",
        "memory_range_start", "memory_range_end", "memory_count", "covers_from", "covers_to", "op",
        "model", "prompt", "faithfulness", "coverage", "compression", "written", "sources",
    ]  # fmt: skip
    assert (made.range_start, made.range_end, made.title) == (1, 4, "January 2026: Ben")
    assert made.sources == tuple(m.stem for m in kept[:4])
    assert made.created == NOW


def test_a_summary_says_of_what_time_it_tells_and_so_does_the_longterm_one() -> None:
    """The days of the memories, not the day on which they were summarized."""
    disk, kept = Disk(), years(12)
    after = compacted(disk, kept, SMALL)
    assert [(r.covers_from[:10], r.covers_to[:10]) for r in after.recents] == [
        ("2001-05-01", "2004-05-01"), ("2005-05-01", "2007-05-01"), ("2008-05-01", "2010-05-01"),
    ]  # fmt: skip
    assert after.longterm is not None
    told_of = (after.longterm.covers_from, after.longterm.covers_to)
    assert told_of == (kept[0].created, kept[6].created)


def test_a_model_is_told_of_what_time_a_summary_speaks() -> None:
    """Also of one that was written before summaries said so: its memories tell."""
    kept = years(9)
    asked: list[Task] = []

    def ask(task: Task) -> Summary:
        asked.append(task)
        return ANSWER

    means = replace(Disk().means(None, kept), ask=ask)
    it = past(kept, [told(1, kept[:4])])
    cascade.propose(it, compaction.due(it, SMALL), means, SMALL)
    (before,) = next(task.passages for task in asked if task.tier == "longterm")
    assert (before.created, before.until) == (kept[0].created, kept[3].created)
    assert "[2001-05-01 to 2004-05-01] Told 1." in prompts.longterm(asked[0]).text


@pytest.mark.long
def test_summaries_of_one_second_get_names_of_their_own() -> None:
    """Hundreds of them, each once."""
    disk = Disk()
    after = compacted(disk, memories(200), SMALL)
    stems = [r.stem for r in after.recents]
    assert len(set(stems)) == len(stems) == 65
    assert stems[:1] + sorted(stems)[:3] == [
        "recent-20261120-101500",
        "recent-20261120-101500",
        "recent-20261120-101500-b",
        "recent-20261120-101500-c",
    ]
    again = compacted(disk, memories(203), SMALL)
    assert len(again.recents) == 66


@pytest.mark.long
def test_the_longterm_summary_absorbs_exactly_the_older_ones() -> None:
    """Over one catch-up as over many compactions, and it stays short."""
    at_once, bit_by_bit = Disk(), Disk()
    whole = compacted(at_once, memories(50), SMALL)
    for n in range(1, 51):
        step = compacted(bit_by_bit, memories(n), SMALL)
    for it in (whole, step):
        assert it.longterm is not None
        names = [r.path.removesuffix(".md") for r in it.recents]
        assert sorted(it.longterm.sources) == sorted(set(names) - {it.recents[-1].path[:-3]})
        assert len(it.longterm.body.splitlines()) <= 12


@pytest.mark.long
def test_a_persons_lines_in_the_longterm_summary_survive_verbatim() -> None:
    """Indented, odd, in any language: they stay through every waterfall."""
    disk = Disk()
    compacted(disk, memories(12), SMALL)
    path = "agents/ada/summaries/longterm.md"
    mine = "  * Ada  is   allergic to nuts!\n她喜欢深色烘焙\n"
    disk[path] += mine.encode()
    for n in range(13, 60):
        compacted(disk, memories(n), SMALL)
    body = frontmatter.parse(disk[path].decode()).body
    assert body.startswith(mine)
    assert body.count("allergic") == 1


def test_a_longterm_summary_that_no_program_wrote_is_kept_whole() -> None:
    """It is a person's, every line of it."""
    disk = Disk()
    path = "agents/ada/summaries/longterm.md"
    mine = "# What I know\n\nAda is allergic to nuts.\n"
    head = f"id: {'0' * 26}\ntype: summary\ntier: longterm\ncreated: 2026-01-01\n"
    disk[path] = f"---\n{head}---\n{mine}".encode()
    compacted(disk, memories(12), SMALL)
    assert frontmatter.parse(disk[path].decode()).body.startswith(mine)


def test_a_longterm_summary_with_crlf_keeps_it() -> None:
    """No line of it ends otherwise."""
    disk = Disk()
    compacted(disk, memories(12), SMALL)
    path = "agents/ada/summaries/longterm.md"
    disk[path] = disk[path].replace(b"\n", b"\r\n")
    compacted(disk, memories(15), SMALL)
    assert disk[path].count(b"\n") == disk[path].count(b"\r\n")


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ((), "away"),
        (("",), "empty"),
        ((" \n\t\n",), "blank"),
        (("...\n---\n",), "no words"),
        (("I am I am I am I am " * 40,), "a loop"),
        (("word " * 3000,), "longer than its sources"),
        (("\n".join(f"Fact number {n} is new." for n in range(500)),), "a flood"),
        (("half a character \ud800",), "not to be encoded"),
        (("a NUL \0 here",), "not text"),
        (("<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n",), "a conflict"),
    ],
)
def test_what_no_vault_should_hold_is_summarized_offline(script: tuple[str, ...], why: str) -> None:
    """Bad output never reaches a file, and the summary says who wrote it."""
    disk, kept = Disk(), memories(12)
    before = past(kept)
    means = disk.means(Scripted(*script), kept)
    proposal = cascade.propose(before, compaction.due(before, SMALL), means, SMALL)
    disk.apply(proposal.changes)
    after = disk.past(kept)
    assert {r.model for r in after.recents} == {"extractive"}, why
    assert after.longterm is not None
    assert after.longterm.model == "extractive"
    assert {c.summary.model for c in proposal.compactions} == {"extractive"}


def test_a_good_answer_is_taken_as_it_is() -> None:
    """Two sentences of a model."""
    disk, kept = Disk(), memories(6)
    before = past(kept)
    means = disk.means(Scripted("I watched herons with Ben.\nIt was calm.\n"), kept)
    disk.apply(cascade.propose(before, compaction.due(before, SMALL), means, SMALL).changes)
    (made,) = disk.past(kept).recents
    assert (made.model, made.prompt) == ("scripted", "recent-1")
    assert made.body == "I watched herons with Ben.\nIt was calm.\n"


def test_trust_is_the_least_of_the_sources() -> None:
    """Through short-term and long-term."""
    kept = list(memories(12, trust="verified"))
    kept[5] = replace(kept[5], trust="agent")
    after = compacted(Disk(), kept, SMALL)
    assert [r.trust for r in after.recents] == ["verified", "agent", "verified"]
    assert after.longterm is not None
    assert after.longterm.trust == "agent"


@pytest.mark.parametrize("now", [None, "edited"])
def test_a_memory_that_changed_since_the_plan_is_not_summarized(now: str | None) -> None:
    """Gone or edited: the plan is stale."""
    kept = memories(6)
    changed = [replace(kept[0], sha="f" * 64), *kept[1:]] if now else kept[1:]
    before = past(kept)
    with pytest.raises(StaleWrite):
        cascade.propose(before, compaction.due(before, SMALL), Disk().means(None, changed), SMALL)


# --- strategies, drift, and what a model was away for ------------------------------------------


def test_rolling_the_longterm_summary_takes_in_each_summary_at_once() -> None:
    """It is a running summary; memories are still told of exactly once."""
    config = replace(SMALL, strategies=(("ada", "rolling"),))
    after = compacted(Disk(), memories(12), config)
    assert after.longterm is not None
    assert [f"{s}.md" for s in after.longterm.sources] == [r.path for r in after.recents]
    assert compaction.due(after, config) == ()


class Recalling(Extractive):
    """The offline summarizer, which remembers how many passages a long-term summary came from."""

    def __init__(self) -> None:
        """Begin without a question."""
        self.longterm: list[int] = []

    def summarize(self, task: Task) -> Summary:
        """Note the task and answer it."""
        if task.tier == "longterm":
            self.longterm.append(len(task.passages))
        return super().summarize(task)


def test_every_so_many_summaries_the_longterm_one_is_made_of_all_it_absorbed() -> None:
    """Once in a catch-up, and not again before as many more are absorbed."""
    config, disk, asked = replace(SMALL, resummarize_every=4), Disk(), Recalling()
    for count in (18, 20, 21, 30):
        kept = memories(count)
        before = disk.past(kept)
        means = disk.means(asked, kept)
        disk.apply(cascade.propose(before, compaction.due(before, config), means, config).changes)
    anew = [n for n in asked.longterm if n > 2]
    assert anew == [4, 8]


def test_a_summary_written_in_a_models_place_is_redone_once_the_model_is_there() -> None:
    """The same file with the same sources, and its mark goes."""
    disk, kept = Disk(), memories(12)
    before = past(kept)
    away = disk.means(Scripted(), kept)
    disk.apply(cascade.propose(before, compaction.due(before, SMALL), away, SMALL).changes)
    marked = disk.past(kept)
    assert {r.degraded for r in marked.recents} == {"away: no model answers"}
    assert compaction.due(marked, SMALL) == ()
    still = cascade.propose(marked, compaction.degraded(marked, refused=True), away, SMALL)
    assert still.changes == ()
    there = disk.means(Scripted("Ada saw herons at Lake 1, Lake 2 and Lake 8 with Ben."), kept)
    chunks = compaction.degraded(marked, refused=True)
    disk.apply(cascade.propose(marked, chunks, there, SMALL, anew=True).changes)
    after = disk.past(kept)
    assert [(r.id, r.sources) for r in after.recents] == [(r.id, r.sources) for r in marked.recents]
    assert after.longterm is not None
    # A summary that names lakes which its memories do not is refused, as before.
    assert [r.model for r in (*after.recents, after.longterm)].count("scripted") >= 1
    assert all(bool(r.degraded) == (r.model == "extractive") for r in after.recents)


def test_without_a_model_nothing_degraded_is_redone() -> None:
    """The offline summarizer has nothing better to say."""
    disk, kept = Disk(), memories(12)
    before = past(kept)
    away = disk.means(Scripted(), kept)
    disk.apply(cascade.propose(before, compaction.due(before, SMALL), away, SMALL).changes)
    marked = disk.past(kept)
    chunks, alone = compaction.degraded(marked, refused=True), disk.means(None, kept)
    assert len(chunks) == 3
    assert cascade.propose(marked, chunks, alone, SMALL, anew=True).changes == ()


def test_a_persons_line_in_a_short_term_summary_survives_its_redoing() -> None:
    """Mended or added: it stays, ours are written again."""
    disk, kept = Disk(), list(memories(8))
    path = compacted(disk, kept, SMALL).recents[0].path
    disk[path] += b"Ben is allergic to nuts.\n"
    kept[1] = replace(kept[1], sha="f" * 64, body="Ada saw 99 egrets at Lake 2 with Ben.")
    after = compacted(disk, kept, SMALL)
    body = after.recents[0].body
    assert body.startswith("Ben is allergic to nuts.\n")
    assert "99 egrets" in body
    assert "2 herons" not in body


def test_what_a_model_made_of_a_gone_memory_is_made_anew() -> None:
    """Its words cannot be told apart from the others'."""
    disk, kept = Disk(), memories(12)
    before = past(kept)
    means = disk.means(Scripted("Ada saw herons with Ben at Lake 2.\n"), kept)
    disk.apply(cascade.propose(before, compaction.due(before, SMALL), means, SMALL).changes)
    middle = disk.past(kept)
    assert middle.longterm is not None
    assert middle.longterm.model == "scripted"
    after = compacted(disk, [kept[0], *kept[4:]], SMALL)
    assert after.longterm is not None
    assert "Lake 2" not in after.longterm.body


def test_waterfall_marks_all_but_the_first() -> None:
    """As the log lines say it."""
    kept = memories(12)
    before = past(kept)
    made = cascade.propose(before, compaction.due(before, SMALL), Disk().means(None, kept), SMALL)
    assert [(c.start, c.end, c.count, c.waterfall) for c in made.compactions] == [
        (1, 4, 4, False),
        (5, 7, 3, True),
        (8, 10, 3, True),
    ]
    assert made.claims == {m.stem for m in kept[:10]}
