"""What may leave a file: its text without what is marked as private, and without credentials.

Everything that is indexed, shown, sent, exported or made from a file is made from this; whoever
writes a file needs its own text, and no other. Lines keep their numbers, so that a place in the one
is the same line in the other.
"""

from __future__ import annotations

import contextlib
import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from vaultmem.documents import frontmatter, secrets, wide_text
from vaultmem.documents.frontmatter import Document, Value
from vaultmem.errors import Unreadable

PRIVATE, SECRET = "private", "secret"
_BREAK = re.compile(r"\r?\n")
_BLANK = " \t"
_TRIES = 64
_INSTEAD = "[private]"
_LONGEST = 400
_LONGEST_ERROR, _HEAD, _TAIL = 2000, 500, 1000
_LIKE_A_KEY = re.compile(r"\w{12}|[=:]", re.ASCII)
"""What any key has in it, and few names of files."""


class Hidden(NamedTuple):
    """A part of a text that stays in it, what is *shown* instead, *why*: `private` or `secret`."""

    start: int
    end: int
    shown: str
    why: str


class PublicText(NamedTuple):
    """A text that may leave its file, and the parts of the file's own text that may not."""

    text: str
    hidden: tuple[Hidden, ...] = ()

    @property
    def held(self) -> str:
        """Why the file is held back from the history: `private`, `secret`, both, or ""."""
        return " ".join(sorted({part.why for part in self.hidden}))


def of(text: str) -> PublicText:
    """Return what of *text*, which a file holds, may leave it.

    Nothing of it may where a part must be hidden from who reads it in wide letters, or reads the
    values of its frontmatter.
    """
    found = _as_it_stands(text)
    reasons = {part.why for it in _readings(found.text) for part in _as_it_stands(it).hidden}
    return _all_hidden(text, reasons | {part.why for part in found.hidden}) if reasons else found


def _readings(text: str) -> Iterator[str]:
    """Yield what *text* says beside what stands there."""
    yield from wide_text.readings(text)
    if "\\" not in text or "\\" not in (doc := frontmatter.parse(text)).head:
        return
    with contextlib.suppress(Unreadable):  # nobody is shown its values
        for key, value in frontmatter.fields(doc).items():
            yield "\n".join((f"{key}: ", *frontmatter.texts(value)))


def _as_it_stands(text: str) -> PublicText:
    private = _private(text)
    veiled = _shown(text, private) if private else text
    hidden = _with_credentials(text, private, veiled)
    return PublicText(_shown(text, hidden) if hidden else text, hidden)


def _all_hidden(text: str, reasons: Iterable[str]) -> PublicText:
    breaks = _breaks(text)
    first, *more = sorted(reasons)
    others = (Hidden(len(text), len(text), "", why) for why in more)
    return PublicText(breaks, (Hidden(0, len(text), breaks, first), *others))


def shown(text: str) -> str:
    """Return *text*, an error or a line of a log, which may quote anything, fit to be shown."""
    return of(text).text


def quoted(value: object) -> str:
    """Return *value*, a text that a sentence names, in quotes and fit to be shown.

    For what is private in it stands `[private]`: a mark in the sentence would take its end away,
    and quotes write a line break in a mark out, so that nobody would know it for one. Of what is
    too long to be read the beginning stands there.
    """
    text = str(value)
    for start, end in reversed(secrets.private_parts(text)):
        text = f"{text[:start]}{_INSTEAD}{text[end:]}"
    kept = secrets.redact(secrets.strip_private(text))
    return repr(kept if len(kept) <= _LONGEST else f"{kept[:_LONGEST]}…")


def without_middle(error: str) -> str:
    """Return an *error* as it is told, without the middle of one that is too long to be read.

    The middle is what a caller gave: what is wrong, and what to do, stand at the ends.
    """
    return error if len(error) <= _LONGEST_ERROR else f"{error[:_HEAD]} … {error[-_TAIL:]}"


def of_bytes(data: bytes) -> PublicText:
    """Return what of a file's bytes may leave it; what is no UTF-8 stays what it is."""
    return of(data.decode("utf-8", "surrogateescape"))


def public(path: str, data: bytes) -> bytes:
    """Return what of the file at *path*, whose bytes are *data*, may leave it.

    Each line of a transcript is a text of its own.
    """
    found = of_bytes(data)
    if not found.hidden:
        return data
    if not path.endswith(".jsonl"):
        return found.text.encode("utf-8", "surrogateescape")
    return b"".join(
        of_bytes(line).text.encode("utf-8", "surrogateescape")
        for line in data.splitlines(keepends=True)
    )


def parsed(text: str) -> Document:
    """Return the frontmatter and the body of what of *text* may leave its file."""
    return frontmatter.parse(of(text).text)


def fields(text: str) -> dict[str, Value]:
    """Return the frontmatter of what of *text* may leave its file; raises Unreadable.

    What stands below is not searched: settings are read at every start, and explained there.
    """
    whole = frontmatter.parse(text)
    head = parsed(f"{whole.opening}{whole.head}{whole.closing}")
    return frontmatter.fields(head._replace(body=whole.body))


def is_held(data: bytes | None) -> bool:
    """Tell whether a file with these bytes is held back from the history."""
    return bool(data) and bool(of_bytes(data or b"").hidden)


def named_secret(path: str) -> str:
    """Return the rule of a credential that a file or folder on *path* is called by, "" for none.

    A private part of a name is one: "private".
    """
    if secrets.private_parts(path):
        return PRIVATE
    if not _LIKE_A_KEY.search(path):  # nearly all names: a listing asks of each
        return ""
    names = (name.removesuffix(".md") for name in path.split("/"))
    return next((found.rule for name in names for found in secrets.find(name)), "")


def is_withheld(path: str, data: bytes | None) -> bool:
    """Tell whether the file at *path* is held back: for what is in these bytes, or for its name.

    That it is gone, None, is no secret.
    """
    return data is not None and (is_held(data) or bool(named_secret(path)))


def keeps(old: bytes | None, new: bytes | None) -> bool:
    """Tell whether all that is hidden in the file *old* is so in what it shall be, too."""
    after, before = ((data or b"").decode("utf-8", "surrogateescape") for data in (new, old))
    rest = Counter(_parts(after, of(after)))
    rest.subtract(_parts(before, of(before)))
    return all(count >= 0 for count in rest.values())


def _private(text: str) -> tuple[Hidden, ...]:
    """Return the private parts of *text*, each with the blanks that would be left over."""
    found: list[Hidden] = []
    for start, end in secrets.private_parts(text):
        before = found[-1] if found else None
        found.append(_trimmed(text, start, end, before.end if before else 0))
    rest = secrets.private_parts(_shown(text, found)) if found else ()
    if rest:  # pieces that were put together spell another mark: hide all that follows
        start = _own_start(list(_pieces(text, found)), rest[0][0])
        kept = [part for part in found if part.end <= start]
        found = [*kept, Hidden(start, len(text), _breaks(text[start:]), PRIVATE)]
    return tuple(found)


def _trimmed(text: str, start: int, end: int, floor: int) -> Hidden:
    """Return the part with the blanks at one side of it, *floor* being where it may begin."""
    breaks = _breaks(text[start:end])
    follows_blank = start == 0 or text[start - 1] in " \t\r\n>"
    if not breaks and text[end : end + 1] in _BLANK and follows_blank:
        end += _blanks(text, end)
    elif breaks or text[end : end + 1] in {"", "\r", "\n"}:
        while start > floor and text[start - 1] in _BLANK:
            start -= 1
        end += _blanks(text, end) if breaks else 0
    return Hidden(start, end, breaks, PRIVATE)


def _blanks(text: str, start: int) -> int:
    end = start
    while text[end : end + 1] and text[end] in _BLANK:
        end += 1
    return end - start


def _breaks(text: str) -> str:
    return "".join(_BREAK.findall(text))


def _with_credentials(text: str, private: Sequence[Hidden], veiled: str) -> tuple[Hidden, ...]:
    """Return the *private* parts and the credentials of what is left, in order."""
    found = secrets.find(veiled)
    if not found:
        return tuple(private)
    pieces, doc = list(_pieces(text, private)), frontmatter.parse(veiled)
    head = range(len(doc.opening), len(doc.opening) + len(doc.head))
    hidden: list[Hidden] = []
    for each in found:
        # YAML takes a bracket at the beginning of a value for a list.
        mark = f"REDACTED:{each.rule}" if each.start in head else f"[REDACTED:{each.rule}]"
        start, end = _own_start(pieces, each.start), _own_end(pieces, each.end)
        hidden.append(Hidden(start, end, mark + _breaks(veiled[each.start : each.end]), SECRET))
    apart = [p for p in private if not any(h.start <= p.start < h.end for h in hidden)]
    return tuple(sorted((*apart, *hidden), key=lambda part: part.start))


class _Piece(NamedTuple):
    """A piece of a file's own text, and where what is shown of it stands in the public one."""

    start: int
    end: int
    first: int
    last: int
    kept: bool


def _pieces(text: str, hidden: Sequence[Hidden]) -> Iterator[_Piece]:
    at = first = 0
    for part in hidden:
        last = first + part.start - at
        yield _Piece(at, part.start, first, last, kept=True)
        first = last + len(part.shown)
        yield _Piece(part.start, part.end, last, first, kept=False)
        at = part.end
    yield _Piece(at, len(text), first, first + len(text) - at, kept=True)


def _shown(text: str, hidden: Sequence[Hidden]) -> str:
    shown = iter(part.shown for part in hidden)
    return "".join(
        text[piece.start : piece.end] if piece.kept else next(shown)
        for piece in _pieces(text, hidden)
    )


def _own_start(pieces: Sequence[_Piece], place: int) -> int:
    """Return where in the own text begins what stands at *place* in the public one."""
    piece = next(p for p in pieces if p.first <= place < p.last)
    return piece.start + (place - piece.first if piece.kept else 0)


def _own_end(pieces: Sequence[_Piece], place: int) -> int:
    """Return where in the own text ends what stands before *place* in the public one."""
    piece = next(p for p in pieces if p.first < place <= p.last)
    return piece.end - (piece.last - place if piece.kept else 0)


def edited(own: str, new: str) -> str | None:
    """Return *own*, a file's text, with the edit that makes its public text *new*.

    None where that cannot be done without touching what is hidden, or would hide some of *new*.
    """
    public = of(own)
    if not public.hidden:
        return new
    kept = list(_parts(own, public))
    for made in _candidates(own, public, new):
        there = of(made)
        if there.text == new and kept == list(_parts(made, there)):
            return made
    return None


def _parts(own: str, public: PublicText) -> Iterator[str]:
    yield from (own[part.start : part.end].strip(_BLANK) for part in public.hidden)


def _candidates(own: str, public: PublicText, new: str) -> Iterator[str]:
    """Yield the texts that differ from *own* as *new* does from its public text."""
    pieces = list(_pieces(own, public.hidden))
    places = [list(_own_ranges(pieces, change)) for change in _changes(public.text, new)]
    for chosen in itertools.islice(itertools.product(*places), _TRIES):
        made = own
        for start, end, brought in reversed(chosen):
            made = made[:start] + brought + made[end:]
        yield made


class _Brought(NamedTuple):
    """What an edit brings in, and the range of the text that it takes the place of."""

    first: int
    last: int
    text: str


def _changes(old: str, new: str) -> Iterator[_Brought]:
    """Yield how *new* differs from *old*: line by line, and no more of a line than differs."""
    import difflib  # noqa: PLC0415  # only who edits such a file pays for it

    was, now = (text.splitlines(keepends=True) for text in (old, new))
    starts = [0, *itertools.accumulate(map(len, was))]
    matcher = difflib.SequenceMatcher(None, was, now, autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag != "equal":
            there, brought = old[starts[i1] : starts[i2]], "".join(now[j1:j2])
            ahead = common(there, brought)
            behind = common(there[ahead:][::-1], brought[ahead:][::-1])
            yield _Brought(
                starts[i1] + ahead, starts[i2] - behind, brought[ahead : len(brought) - behind]
            )


def common(one: str, other: str) -> int:
    """Return how many characters both begin with."""
    return next(
        (n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )


def _own_ranges(pieces: Sequence[_Piece], change: _Brought) -> Iterator[tuple[int, int, str]]:
    """Yield the ranges of the own text that may stand for that of a *change*."""
    # What begins with a line break goes behind what is hidden in the line before.
    behind = change.text[:1] in {"\r", "\n"}
    for piece in reversed(pieces) if behind else pieces:
        if piece.kept and piece.first <= change.first and change.last <= piece.last:
            moved = piece.start - piece.first
            yield change.first + moved, change.last + moved, change.text
