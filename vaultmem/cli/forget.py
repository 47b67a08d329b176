"""`forget`: take out what shall not be remembered, from the files or from the history, too."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vaultmem.cli import screen
from vaultmem.errors import BadInput, Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.forgetting import Forgetting, Forgotten, Found, Permit, Proof, Purged

_TEXT = 60
_SHOWN = 10


@click.command()
@screen.common
@click.argument("refs", nargs=-1, metavar="[REF | WORDS]...")
@click.option("--person", default="", metavar="NAME", help="All that concerns or names a person.")
@click.option("--reason", default="", help="Why, kept on the tombstone; not what it said.")
@click.option("--purge", is_flag=True, help="Out of the git history and all caches, for good.")
@click.option("--verify", is_flag=True, help="Look at every object, file and cache for it.")
@click.option("--backup", type=click.Path(dir_okay=False, path_type=Path),
              help="Write the history there first, as a git bundle.")  # fmt: skip
@click.option("--yes", is_flag=True, help="Do what a preview shows; purge although a remote keeps.")
def forget(  # noqa: PLR0913  # click calls with keywords
    *,
    refs: tuple[str, ...],
    person: str,
    reason: str,
    purge: bool,
    verify: bool,
    backup: Path | None,
    yes: bool,
) -> int:
    """Forget what REF names: an id, a path, a wikilink, the id of a tombstone.

    WORDS, or a person, show what would be forgotten; --yes forgets it.
    """
    from vaultmem.forgetting import Permit

    with screen.vault() as vault:
        if verify and not purge:
            return _verify(vault.forgetting, refs)
        meant = _meant(vault.forgetting, refs, person, yes=yes)
        if purge:
            permit = Permit(remotes=yes, backup=_backup(backup, yes=yes))
            return _purge(vault.forgetting, meant, reason, permit, verify=verify)
        done = vault.forgetting.forget(meant, reason)
        screen.out(done, lambda: _told(done))
        return 0


def _meant(forgetting: Forgetting, refs: Sequence[str], person: str, *, yes: bool) -> Sequence[str]:
    """Return the refs; of words or a person what they find, once --yes allows it."""
    if refs and not person and all(forgetting.knows(ref) for ref in refs):
        return refs
    found = forgetting.find(query=" ".join(refs), person=person)
    if not found:
        raise BadInput(f"nothing here says {' '.join(refs) or person!r}")
    if not yes:
        screen.out({"would_forget": found}, lambda: _preview(found))
        raise Refused(f"{screen.count(len(found), 'thing')} would be forgotten: --yes forgets them")
    return [f.path for f in found]


def _preview(found: Sequence[Found]) -> None:
    from vaultmem.model import first_line

    rows = [(screen.day(f.date), f.type, first_line(f.text, _TEXT), f.path) for f in found]
    screen.table(("date", "type", "text", "path"), rows)


def _told(done: Forgotten) -> None:
    screen.say(f"forgot {', '.join(done.forgotten)}")
    for path in done.derived:
        screen.say(f"  told again without it: {path}")
    for path in done.mentions:
        screen.note(f"{path} still says it, and is yours to mend")
    screen.say(f"  {done.history}; `vaultmem undo {done.op}` brings it back")


def _backup(named: Path | None, *, yes: bool) -> Path | None:
    """Return where the backup goes; a person at a terminal is offered one."""
    if named or yes or not sys.stdin.isatty():
        return named
    offer = "Write the history to a git bundle first? It will still hold what is purged."
    return Path(click.prompt("File", err=True)) if click.confirm(offer, err=True) else None


def _purge(
    forgetting: Forgetting, refs: Sequence[str], reason: str, permit: Permit, *, verify: bool
) -> int:
    soft, done = forgetting.purge(refs, reason, permit, verify=verify)
    found = done.proof.found if done.proof else ()
    result = {**_plain(soft), "receipt": done.receipt, "found": found}
    screen.out(result, lambda: _receipt(soft, done))
    return 1 if found else 0


def _plain(soft: Forgotten) -> dict[str, object]:
    return {name: getattr(soft, name) for name in soft.__slots__}


def _receipt(soft: Forgotten, done: Purged) -> None:
    it = done.receipt
    screen.say(f"purged {', '.join(soft.forgotten)}", bold=True)
    screen.say(f"  {screen.count(it.files, 'path')} gone from every commit, "
               f"{screen.count(it.versions, 'old version')} of other files redacted")  # fmt: skip
    rewritten = f"{screen.count(it.commits, 'commit')} and {screen.count(it.refs, 'ref')} rewritten"
    screen.say(f"  {rewritten}; {it.objects_before} objects before, {it.objects_after} now")
    if it.signatures:
        screen.note(f"{screen.count(it.signatures, 'commit')} lost the signature")
    screen.say(f"  caches made anew: {', '.join(it.caches) or 'none'}")
    for path in soft.mentions:
        screen.note(f"{path} still says it, and is yours to mend")
    screen.say("out of reach:")
    for place in it.out_of_reach:
        screen.say(f"  {place}")
    if not it.backup:
        screen.say("no backup was written; `--backup FILE` writes one first")
    if done.proof:
        _proven(done.proof)


def _verify(forgetting: Forgetting, refs: Sequence[str]) -> int:
    if not refs:
        raise BadInput("name the tombstone whose text is to be looked for: its id")
    proof = forgetting.verify(refs)
    result = {
        "forgotten": refs,
        "verified": proof.verified,
        "found": proof.found,
        "by": proof.by,
        "objects": proof.objects,
        "files": proof.files,
    }
    screen.out(result, lambda: _proven(proof))
    return 1 if proof.found else 0


def _proven(proof: Proof) -> None:
    how = "its words" if proof.by == "words" else "its hash, line by line"
    objects, files = screen.count(proof.objects, "git object"), screen.count(proof.files, "file")
    looked = f"{objects} and {files}"
    if proof.verified:
        screen.say(f"verified by {how}: nothing in {looked}", fg="green")
        return
    for place in proof.found[:_SHOWN]:
        screen.note(f"found in {place}")
    places = screen.count(len(proof.found), "place")
    screen.note(f"found by {how} in {places} of {looked}")


COMMANDS = {"forget": forget}
