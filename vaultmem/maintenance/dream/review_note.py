"""The note that a person reviews a dream in: a box to tick for each change, and what it would do.

People move lines, add remarks, save with other line ends. Only a box with a known id counts, and
every other byte is theirs.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from vaultmem.documents import frontmatter, hidden_text, public_text, secrets
from vaultmem.documents.markdown import fences
from vaultmem.maintenance.dream.edits import Read
from vaultmem.maintenance.dream.types import Dream, Edit, Gate, Lines, Make, Move, Op, Proposal
from vaultmem.records import first_line, visible
from vaultmem.storage import files

_OPS = "|".join(get_args(Op))
# Without its backticks an id must stand before what is to be done: a day may read like one.
_BOX = re.compile(
    r"\s*[-*+]\s+\[(?P<mark>.)\]\s*"
    rf"(?:`(?P<id>[0-9a-f]{{8}})`|(?P<bare>[0-9a-f]{{8}}) (?:{_OPS})\b)"
)
_TICKS = re.compile(r"`{3,}")
_REASON, _LONGEST = 300, 400
_HOW = """\
Each change below is only proposed. Put an `x` into the box of what you want, a `-` into the box
of what you never want, and run `vaultmem dream apply`, or let `vaultmem dream review` ask you one
by one. `vaultmem dream apply --all` takes all but those marked *protected*: they touch lines that
you wrote since the last dream, and each is ticked by itself. What is applied is one commit, and
`vaultmem dream undo` undoes it.
"""


@dataclass(frozen=True, slots=True)
class Boxes:
    """What a person said in a review: the ids that were ticked, struck out, and all there are.

    One that stands twice may be both.
    """

    ticked: frozenset[str]
    declined: frozenset[str]
    known: frozenset[str]


@dataclass(frozen=True, slots=True)
class Review:
    """A review note as it is now: which dream it is of, and its boxes.

    *applied* are the ids that were done already; *op* names the operation that did the last.
    """

    id: str
    boxes: Boxes
    applied: frozenset[str]
    op: str

    @property
    def fresh(self) -> frozenset[str]:
        """The ids that are ticked and not done."""
        return self.boxes.ticked - self.applied


def path(day: str, taken: Iterable[str]) -> str:
    """Return where the review of a dream made on *day* goes: beside those that are there."""
    names = set(taken)
    wanted = f"{files.DREAMS}{day}"
    suffixes = ("", *(f"-{c}" for c in "bcdefghijklmnopqrstuvwxyz"))
    free = (f"{wanted}{s}.md" for s in suffixes if f"{wanted}{s}.md" not in names)
    return next(free, f"{wanted}-{len(names)}.md")


def boxes(text: str) -> Boxes:
    """Return the boxes of a review, wherever they stand outside of fenced code."""
    found = [box for _, box in _boxes(text)]
    marks = {(_name(box), box["mark"]) for box in found}
    return Boxes(
        frozenset(name for name, mark in marks if mark in "xX"),
        frozenset(name for name, mark in marks if mark == "-"),
        frozenset(name for name, _ in marks),
    )


def struck(text: str) -> dict[str, str]:
    """Return what stands behind each id that is struck out, with what a person added there."""
    return {
        _name(box): line[box.end("id") + 1 if box["id"] else box.end("bare") :].strip()
        for line, box in _boxes(text)
        if box["mark"] == "-"
    }


def _boxes(text: str) -> Iterator[tuple[str, re.Match[str]]]:
    """Yield the lines of *text* that begin with a box outside of fenced code, and their boxes."""
    lines = text.split("\n")
    for line, is_outside in zip(lines, fences.outside(lines), strict=True):
        if is_outside and (box := _BOX.match(line)):
            yield line, box


def withheld(text: str, told: str) -> Iterator[str]:
    """Yield the ids of the changes in *text*, a note, of which *told* leaves out a line."""
    name = ""
    for line, left in zip(text.splitlines(), told.splitlines(), strict=False):
        if box := _BOX.match(line):
            name = _name(box)
        if name and line != left:
            yield name


def reworded(text: str, proposals: Iterable[Proposal]) -> Iterator[str]:
    """Yield the ids of *proposals* whose diff in *text*, a note, says something else by now.

    The diff shows what will be done and is not what is done: who takes a line out of it means to
    take a part of the change. One that is gone as a whole says nothing.
    """
    shown = _shown(text)
    for it in proposals:
        if it.id in shown and all(isinstance(edit, Make | Lines) for edit in it.edits):
            told = secrets.redact("\n".join(difference(it, lambda _: None)))
            if _bare_lines(told.split("\n")) != _bare_lines(shown[it.id]):
                yield it.id


def _shown(text: str) -> dict[str, list[str]]:
    """Return the lines of the diff below each box of *text*, where there is one."""
    found: dict[str, list[str]] = {}
    name, fence = "", ""
    for line in text.split("\n"):
        bare = line.strip()
        if fence and bare == fence:
            name, fence = "", ""
        elif fence:
            found[name].append(line)
        elif box := _BOX.match(line):
            name = _name(box)
        elif name and bare.startswith("```") and bare.endswith("diff"):
            fence, found[name] = bare.removesuffix("diff"), []
    return found


def _bare_lines(lines: Iterable[str]) -> Counter[str]:
    """Count the lines of a diff, however far they are indented, but for what was redacted."""
    return Counter(bare for it in lines if (bare := it.strip()) and "[REDACTED:" not in bare)


def _name(box: re.Match[str]) -> str:
    return box["id"] or box["bare"]


def read(text: str) -> Review:
    """Return a review as its note says it; raises Unreadable for a frontmatter that cannot be."""
    doc = frontmatter.parse(text)
    raw = frontmatter.fields(doc)
    applied = raw.get("applied", [])
    done = frozenset(str(x) for x in applied) if isinstance(applied, list) else frozenset()
    return Review(str(raw.get("id", "")), boxes(doc.body), done, str(raw.get("op", "")))


# --- written by the program -------------------------------------------------------------------


def render(dream: Dream, read: Read) -> str:
    """Return the note of *dream*, each change whole; credentials in what it quotes are taken out.

    *read* gives the bytes of files: of those that would go.
    """
    head = {"type": "dream", "id": dream.id, "created": dream.made, "title": _title(dream)}
    body = "".join(f"{part}\n" for part in _parts(dream, read))
    return frontmatter.new(head, secrets.redact(body))


def _title(dream: Dream) -> str:
    return f"Dream of {dream.made[:10]}"


def _parts(dream: Dream, read: Read) -> Iterator[str]:
    yield f"# {_title(dream)}\n"
    yield _HOW
    yield f"{counted(dream.proposals, dream.left)}.\n"
    yield f"{gate(dream.gate)}.\n"
    if dream.losses:
        yield "## Lost for good\n"
        yield "".join(f"- {_line(loss)}\n" for loss in dream.losses)
    if dream.left:
        yield "## Left for later\n"
        yield "".join(f"- {_line(why)}\n" for why in dream.left)
    yield "## Changes\n"
    for proposal in dream.proposals:
        yield _box(proposal, read)


def counted(proposals: Sequence[Proposal], left: Sequence[str] = ()) -> str:
    """Return how many changes there are, of which kind, and how many facts were contradicted.

    `3 changes: merge 2, correct 1; 1 contradiction found`. While something was *left*, which
    may be one, it says how many are among the changes, and never that there are none.
    """
    kinds = Counter(p.op for p in proposals)
    each = ", ".join(f"{op} {count}" for op, count in kinds.items())
    against = sum(p.contradiction for p in proposals)
    where = "among them" if left else "found"
    found = f"; {against or 'no'} contradiction{'s' * (against != 1)} {where}"
    changes = f"{len(proposals)} change{'s' * (len(proposals) != 1)}: {each}"
    return changes if left and not against else f"{changes}{found}"


def gate(found: Gate) -> str:
    """Return what the quality gate found, in words."""
    if found.before is None or found.after is None:
        return "No probe was asked: nothing that changes says enough to be asked for"
    now = f"Recall answers {found.before:.0%} of {found.probes} probes now"
    return f"{now}, {found.after:.0%} after"


def headline(proposal: Proposal) -> str:
    """Return what a change is in a line: `merge topics/deploy.md: reason`."""
    marks = ["protected"] * proposal.protected + [f"by {proposal.by}"] * bool(proposal.by)
    mark = f" ({', '.join(marks)})" if marks else ""
    return _line(f"{proposal.op} {proposal.path}{mark}: {first_line(proposal.reason, _REASON)}")


def _line(text: str) -> str:
    shown = visible(hidden_text.shown(text))
    return first_line(shown.replace("<!--", "<! --").replace("-->", "-- >"), _LONGEST)


def _box(proposal: Proposal, read: Read) -> str:
    shown = [*difference(proposal, read)]
    ticks = max((len(m[0]) for line in shown for m in _TICKS.finditer(line)), default=2)
    fence = "`" * max(3, ticks + 1)
    lost = [f"  Lost: {_line(loss)}\n" for loss in proposal.losses]
    block = "".join(f"  {line}\n" for line in (f"{fence}diff", *shown, fence))
    return f"- [ ] `{proposal.id}` {headline(proposal)}\n{''.join(lost)}\n{block}"


def difference(proposal: Proposal, read: Read) -> Iterator[str]:
    """Yield what *proposal* does to files, as the lines of a diff; *read* gives their bytes."""
    lines = (line for edit in proposal.edits for line in _difference(edit, read))
    yield from (visible(hidden_text.shown(line)) for line in lines)


def _difference(edit: Edit, read: Read) -> Iterator[str]:
    if isinstance(edit, Make):
        yield "--- /dev/null"
        yield f"+++ b/{edit.path}"
        yield from (f"+{line}" for line in edit.text.removesuffix("\n").split("\n"))
    elif isinstance(edit, Lines):
        yield f"--- a/{edit.path}"
        yield f"+++ b/{edit.path}"
        near = difflib.unified_diff(edit.old, edit.new, lineterm="", n=1)
        yield from (line for line in near if not line.startswith(("---", "+++", "@@")))
    elif isinstance(edit, Move):
        yield f"rename from {edit.path}"
        yield f"rename to {edit.to}"
        text = public_text.shown((read(edit.path) or b"").decode(errors="replace"))
        yield from (f" {line}" for line in frontmatter.parse(text).body.splitlines())
    else:
        yield f"--- a/{edit.path}"
        yield "+++ /dev/null"
        text = public_text.shown((read(edit.path) or b"").decode(errors="replace"))
        yield from (f"-{line}" for line in text.splitlines())


# --- written once more, when something was applied ---------------------------------------------


@dataclass(frozen=True, slots=True)
class Done:
    """What an operation did of a review: the ids that were applied, and why others were not."""

    op: str
    when: str
    applied: frozenset[str]
    skipped: Mapping[str, str]


def marked(text: str, done: Done) -> str:
    """Return a review with what was *done* noted: boxes ticked, and a line that says so.

    A box whose change did not fit is empty again.
    """
    doc = frontmatter.parse(text)
    before = read(text).applied
    mine = done.applied & boxes(doc.body).known
    known = {*before, *mine}
    eol = "\r\n" if "\r\n" in text else "\n"
    marks = dict.fromkeys(done.skipped, " ") | dict.fromkeys(mine, "x")
    body = _with_summary(_ticked(doc.body, marks), done, len(mine), eol)
    head: dict[str, str | Sequence[str]] = {"op": done.op, "applied": sorted(known)}
    return frontmatter.render(frontmatter.update(doc, head, body))


def answered(text: str, marks: Mapping[str, str], remarks: Mapping[str, str]) -> str:
    """Return a review with *marks* in its boxes, by id, and a person's *remarks* behind them."""
    doc = frontmatter.parse(text)
    lines = _ticked(doc.body, marks).split("\n")
    outside = list(fences.outside(lines))
    for at, line in enumerate(lines):
        box = _BOX.match(line) if outside[at] else None
        if box and (remark := remarks.get(_name(box))):
            bare = line.removesuffix("\r")
            lines[at] = f"{bare} ({_line(remark)}){line[len(bare) :]}"
    return frontmatter.render(frontmatter.update(doc, {}, "\n".join(lines)))


def _ticked(body: str, marks: Mapping[str, str]) -> str:
    """Return *body* with the *marks* in its boxes, by id."""
    lines = body.split("\n")
    outside = list(fences.outside(lines))
    for at, line in enumerate(lines):
        if outside[at] and (box := _BOX.match(line)) and (mark := marks.get(_name(box))):
            lines[at] = f"{line[: box.start('mark')]}{mark}{line[box.end('mark') :]}"
    return "\n".join(lines)


def _with_summary(body: str, done: Done, count: int, eol: str) -> str:
    """Return *body* with a paragraph below its title that says what was done."""
    summary = [f"*{done.when[:10]}: {count} applied by {done.op}.*"]
    skipped = sorted(boxes(body).known & done.skipped.keys())
    summary += [f"*Skipped `{name}`: {_line(done.skipped[name])}.*" for name in skipped]
    text = "".join(f"{line}{eol}" for line in summary)
    title = re.search(r"^# [^\n]*\n(?:[ \t]*\r?\n)?", body, re.MULTILINE)
    at = title.end() if title else 0
    return f"{body[:at]}{text}{eol}{body[at:]}"
