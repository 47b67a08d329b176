"""Read the log: the commits of a vault, their messages and trailers."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime
from itertools import takewhile

from vaultmem.storage.git import object_check, objects, process
from vaultmem.storage.git.types import OP, PLAIN, Blob, Entry, Place, Row

_EACH = ("diff-tree", "--stdin", "-r", "-z", "--root", "--no-renames", "--no-ext-diff")
# Of the year 9999: git takes later ones, Python does not.
_LAST = 253_402_300_799
_MOST = 64
"""Lines of history that are told apart: a command line has an end."""
_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_BLANK = " \t\r"
"""What a line may have that git takes for blank."""
_MOST_OURS = 100
"""Commits behind which those of ours are kept in mind: who asks for more has git tell it."""
_TRAILER = re.compile(r"([A-Za-z0-9][A-Za-z0-9-]*)[ \t]*:[ \t]*(.*)")


def entries(place: Place, *args: str, stdin: bytes = b"", mark: str = "") -> list[Entry]:
    """Return the commits that rev-list finds with *args*, newest first.

    A *mark*, as its format knows it, stands before the name of each.
    """
    shape = f"--format={mark}%H%x00%at%x00%an%x00%s%x00%b%x00%P%x00%ct%x00"
    raw = process.git(
        place, "rev-list", "--no-commit-header", "--encoding=UTF-8", shape, *args, stdin=stdin
    )
    fields = raw.decode(errors="replace").split("\0")[:-1]
    return [_entry(fields[at : at + 7]) for at in range(0, len(fields), 7)]


def since(place: Place, old: str, new: str) -> list[Entry]:
    """Return the commits that *new* has and *old* has not, both by their whole names; "" has none.

    The newest come first, none ahead of one that stands on it. Git is asked once; of a shallow
    clone, which may get more of its past, each time.
    """
    asked = (old, new)
    if (known := place.known_commits.answers.get(asked)) is not None:
        return [*known]
    found = entries(place, "--date-order", f"{old}..{new}" if old else new, "--")
    if not object_check.is_shallow(place):
        place.known_commits.note(asked, tuple(found))
    return found


def ask_apart(place: Place, base: str, ours: str, theirs: str) -> None:
    """Ask at one go what came on either of two lines since *base*: nobody asks for it again.

    The commits, which `since` knows then, and what differs in the files of a repository that is the
    vault's alone.
    """
    if place.prefix or object_check.is_shallow(place):
        return
    how = ("--date-order", "--left-right", f"{ours}...{theirs}", "--")
    found = entries(place, *how, mark="%m")
    for pair, side in (((theirs, ours), "<"), ((ours, theirs), ">")):
        own = (it._replace(commit=it.commit[1:]) for it in found if it.commit.startswith(side))
        place.known_commits.note(pair, tuple(own))
    made = [*rows(place, [f"{it} {base}" for it in (ours, theirs)])]
    for tip in (ours, theirs):
        place.known_rows.note((base, tip), tuple(row for it, row in made if it == tip))


def ahead(place: Place, commit: str, since: str | None) -> int:
    """Return how many commits *commit* has that *since* has not; None has none."""
    known = place.known_commits.answers.get((since or "", commit))
    if known is not None:
        return len(known)
    wanted = commit if since is None else f"{since}..{commit}"
    return int(process.git(place, "rev-list", "--count", wanted))


def is_known_to_go_on(place: Place, old: str, new: str) -> bool:
    """Tell whether the commit *new* stands on *old*, as far as that was asked."""
    known = place.known_commits.answers.get((old, new), ())
    return any(old in it.parents for it in known)


def note_made(place: Place, commit: str, parents: Sequence[str], facts: bytes) -> None:
    """Keep in mind what *commit* of ours has that others have not, where its *parents* were asked.

    *facts* are those that it was stored with.
    """
    if object_check.is_shallow(place):
        return
    entry, known = _made(commit, parents, facts), place.known_commits
    for (old, new), found in [*known.answers.items()]:
        if new in parents and {*parents} <= {old, new} and len(found) < _MOST_OURS:
            known.note((old, commit), (entry, *found))
    if len(parents) == 1:
        known.note((parents[0], commit), (entry,))


def _made(commit: str, parents: Sequence[str], facts: bytes) -> Entry:
    """Return the commit of ours that was stored with *facts* as git's log tells it."""
    author, _, rest = facts.decode(errors="replace").partition("\n")
    name, _, date = author.removeprefix("author ").rpartition(" <")
    lines = rest.partition("\ndata ")[2].split("\n")[1:]
    first = [*takewhile(lambda line: line.strip(_BLANK), lines)]
    subject = " ".join(line.rstrip(_BLANK) for line in first)
    body = "\n".join(lines[len(first) :])
    at = date.split(" ")[-2]
    return _entry((commit, at, name, subject, body, " ".join(parents), at))


def mentions(place: Place, text: str) -> list[Entry]:
    """Return the commits whose message holds *text*, newest first."""
    if objects.head(place) is None:
        return []
    return entries(place, "--fixed-strings", f"--grep={text}", "HEAD", "--")


def parents(place: Place, commits: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the parents of each of *commits*."""
    raw = process.git(place, "rev-list", "--no-walk", "--parents", *commits, "--")
    rows = (line.split(" ") for line in raw.decode().splitlines())
    return {commit: tuple(others) for commit, *others in rows}


def stashes(place: Place) -> list[str]:
    """Return the commits of all stashes, the newest first."""
    if objects.resolve(place, "refs/stash") is None:
        return []
    return process.git(place, "rev-list", "--walk-reflogs", "refs/stash", "--").decode().split()


def reflog(place: Place) -> list[str]:
    """Return the commits that HEAD stood on in this clone, the newest first."""
    return process.git(place, "rev-list", "--walk-reflogs", "HEAD", "--").decode().split()


def left_behind(
    place: Place, tips: Sequence[str], head: str, others: Collection[str] = ()
) -> list[Entry]:
    """Return the commits that *tips* reach and *head* does not, newest first.

    Those that name an operation of ours, and those among *others*. "" reaches none. What git has
    not is left out.
    """
    if not tips:
        return []
    asked = "".join(f"{name}\n" for name in (*tips, f"^{head}") if name.strip("^")).encode()
    how = ("--date-order", "--ignore-missing", "--stdin")
    if not others:  # git itself reads messages far quicker
        return entries(place, "--fixed-strings", f"--grep={OP}: ", *how, stdin=asked)
    found = entries(place, *how, stdin=asked)
    return [it for it in found if it.names_operation or it.commit in others]


def versions(place: Place, path: str, *, newest: bool = False) -> Iterator[str]:
    """Yield the blobs of the file that commits of any ref or reflog added, the newest first.

    *path* counts from the vault; *newest* asks for what the last commit has that touched it, which
    git finds without going through all the history.
    """
    most = ("--max-count=1",) if newest else ()
    wanted = ("--all", "--reflog", *most, "--no-merges", *place.below((path,)))
    commits = process.git(place, "rev-list", *wanted).decode().split()
    for _, row in rows(place, commits) if commits else ():
        if row.path == path:
            yield row.new.id if row.new.mode in PLAIN else row.old.id


def until(place: Place, head: str, when: int | None) -> str | None:
    """Return the newest commit of the vault up to *head* that is dated *when* (Unix) or before.

    None asks for the newest of all. Newest is the one closest to *head* in the line of first
    parents, whatever the dates around it say: a clock may have gone wrong for a while.
    """
    if when is not None and when < 0:  # git knows no date before 1970
        return None
    age = () if when is None else (f"--min-age={when}",)
    return _line(place, "--max-count=1", *age, head).decode().strip() or None


def tips_until(place: Place, head: str, when: int) -> list[str]:
    """Return the newest commits on every line up to *head* that were made by *when* (Unix).

    None of them stands on another. The earlier date counts, that of who wrote it or of who
    committed it: a rebase keeps the first. What such a commit stands on is older, whatever its own
    dates say.
    """
    if when < 0:  # git knows no date before 1970
        return []
    shape = ("--no-commit-header", "--format=%H %at %P", f"--max-age={when + 1}")
    lines = process.git(place, "rev-list", *shape, head, "--").decode().splitlines()
    rows = (line.split() for line in lines)
    younger = {commit: parents for commit, at, *parents in rows if int(at) > when}
    found, due = dict[str, None](), [head]
    while due:
        commit = due.pop()
        if commit not in found:
            found[commit] = None
            due += younger.get(commit, ())
    return _apart(place, [commit for commit in found if commit not in younger])


def _apart(place: Place, commits: Sequence[str]) -> list[str]:
    """Return those of *commits* that no other one of them stands on."""
    if len(commits) < 2:  # noqa: PLR2004  # one stands for itself
        return [*commits]
    return process.git(place, "merge-base", "--independent", *commits[:_MOST]).decode().split()


def later(place: Place, commit: str, when: int, now: int) -> list[str]:
    """Return the commits that *commit* stands on, dated between *when* and *now*, oldest first.

    Of the line of first parents. One from the future has a wrong date, which says nothing.
    """
    lines = _line(place, "--reverse", "--no-commit-header", "--format=%H %ct", commit).decode()
    dated = (line.split(" ") for line in lines.splitlines())
    return [it for it, date in dated if when < int(date) < now]


def begins(place: Place, head: str) -> datetime | None:
    """Return the earliest date of a commit of the vault up to *head*, None when there is none."""
    dates = _line(place, "--no-commit-header", "--format=%ct", head).split()
    return datetime.fromtimestamp(min(_LAST, *map(int, dates)), UTC) if dates else None


def _line(place: Place, *args: str) -> bytes:
    return process.git(place, "rev-list", "--first-parent", *args, *place.below())


def after(place: Place, since: str | None) -> str:
    """Return the range from *since* to HEAD; None asks the whole history."""
    if since is None:
        return "HEAD"
    # rev-list itself says when there is no such commit
    return f"{since if objects.is_id(since) else objects.step(place, since)[1]}..HEAD"


def touched(place: Place, commits: Sequence[str]) -> dict[str, tuple[Row, ...]]:
    """Return what each of *commits*, by their whole names, did to files of the vault, in order.

    Merges and links are left out. Git is asked once; of a shallow clone, whose first commits seem
    to have made all they have, each time.
    """
    if object_check.is_shallow(place):
        return did(place, commits)
    known = place.known_steps.rows
    unknown = [it for it in dict.fromkeys(commits) if it not in known]
    new = did(place, unknown)
    place.known_steps.note({it: new.get(it, ()) for it in unknown})
    return {it: some for it in commits if (some := known.get(it) or new.get(it))}


def did(place: Place, commits: Sequence[str]) -> dict[str, tuple[Row, ...]]:
    """Do as `touched`, and ask each time; a commit may have a parent behind it, as of `rows`."""
    found: dict[str, list[Row]] = {}
    for commit, row in rows(place, commits) if commits else ():
        if is_file(row):
            found.setdefault(commit, []).append(row)
    return {commit: tuple(some) for commit, some in found.items()}


def is_file(row: Row) -> bool:
    """Tell whether a plain file is there, or was."""
    return row.old.mode in PLAIN or row.new.mode in PLAIN


def rows(place: Place, commits: Sequence[str]) -> Iterator[tuple[str, Row]]:
    """Yield what each of *commits* did to a file, the commit first; a merge did nothing.

    With a parent behind it, after a space, what that has not.
    """
    fields = iter(_each(place, "--raw", commits))
    commit = ""
    for field in fields:
        if field.startswith(b":"):
            old_mode, new_mode, old, new, _ = field[1:].decode().split(" ")
            path = place.inside(os.fsdecode(next(fields)))
            yield commit, Row(Blob(old_mode, old), Blob(new_mode, new), path)
        else:
            commit = field.decode().strip()


def line_counts(place: Place, commits: Sequence[str]) -> dict[tuple[str, str], tuple[int, int]]:
    """Return how many lines came and went, by commit and path; a file that is no text has none."""
    found: dict[tuple[str, str], tuple[int, int]] = {}
    commit = ""
    for field in _each(place, "--numstat", commits):
        added, tab, rest = field.partition(b"\t")
        if not tab:
            commit = field.decode()
        elif added != b"-":
            removed, _, path = rest.partition(b"\t")
            found[commit, place.inside(os.fsdecode(path))] = int(added), int(removed)
    return found


def _each(place: Place, shape: str, commits: Sequence[str]) -> list[bytes]:
    """Return what git says of each of *commits* against its parent, by one process."""
    asked = "".join(f"{commit}\n" for commit in commits).encode()
    args = (*_EACH, "--no-textconv", shape, *place.below())
    return process.stored(place, *args, stdin=asked).split(b"\0")[:-1]


def _entry(fields: Sequence[str]) -> Entry:
    commit, at, author, subject, body, parents, committed = fields
    text, trailers = _trailers(body)
    when = datetime.fromtimestamp(int(at), UTC)
    told = (commit.lstrip("\n"), when, author, subject, text, trailers)
    return Entry(*told, (*parents.split(),), at != committed)


def _trailers(body: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    # Read here and not by git, whose idea of a trailer the repository's config can change.
    text, _, last = ("\n\n" + body.strip()).rpartition("\n\n")
    found = [_TRAILER.fullmatch(line) for line in last.splitlines()]
    if not found or None in found:
        return body.strip(), ()
    return text.strip(), tuple((m[1], m[2].strip()) for m in found if m)
