"""`forget`: take out what shall not be remembered, from the files or from the history, too."""

from __future__ import annotations

import re
import shlex
import sys
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vaultmem.cli import output, references
from vaultmem.errors import BadInput, Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.api.types import (
        AllowedAgain,
        ForgetTarget,
        Forgetting,
        Forgotten,
        Permit,
        Proof,
        Purged,
        Remainder,
    )
    from vaultmem.api.vault import Vault

_TEXT = 60
_STAYS = {
    "": "says it in other words, and stays",
    "another": "has the same words, but they are another's, and stays",
    "short": "has the same few words, and stays",
}
_LINE = re.compile(r".+\.jsonl:\d+")
_SHOWN = 10
_BACK = "`vaultmem undo {op}` brings it back"
_FINAL = "there is no git history here, so what is forgotten is gone for good: --yes forgets it"
_UNSEEN = (
    "the git history here cannot be opened, so nobody can tell whether it holds that: bring git "
    "back, or --yes forgets what is in the files"
)
_ERASED_IN_PART = (
    "it is forgotten in the files, and nobody knows how much of it is erased from the history: "
    "`vaultmem forget ID --purge` erases the rest, with the ID of its tombstone"
)
_OFFER = "Write the history to a git bundle first? The bundle will still contain what is purged."


@click.command()
@output.common
@click.argument("refs", nargs=-1, metavar="[REF | WORDS]...")
@click.option(
    "--person", default="", metavar="NAME", help="All that is about a person or names them."
)
@click.option("--reason", default="", help="Why; kept on the tombstone, so do not repeat the text.")
@click.option(
    "--purge", is_flag=True, help="Erase it from the git history and all caches, for good."
)
@click.option(
    "--verify",
    is_flag=True,
    help="Search every git object, file and cache for it; --purge does so too.",
)
@click.option("--allow-again", is_flag=True, help="Let in again what the tombstone REF stands for.")
@click.option("--backup", type=click.Path(dir_okay=False, path_type=Path),
              help="First save the history to this file, as a git bundle.")  # fmt: skip
@click.option(
    "--yes",
    is_flag=True,
    help="Do what the preview shows; purge without a backup, even if a remote still has it.",
)
def forget(  # noqa: PLR0913  # click calls with keywords
    *,
    refs: tuple[str, ...],
    person: str,
    reason: str,
    purge: bool,
    verify: bool,
    allow_again: bool,
    backup: Path | None,
    yes: bool,
) -> int:
    """Forget REF: an id, a path, a turn or item (FILE.jsonl:NUMBER), or the id of a tombstone.

    With --allow-again REF is a tombstone, and its text may be said and written again; nothing comes
    back by that. With WORDS or --person it shows what would be forgotten; add --yes to forget it. A
    purge cannot be undone, so it needs --backup or --yes.
    """
    from vaultmem.api.types import Permit

    with output.vault() as vault:
        if verify and not purge:
            return _verify(vault.forgetting, refs)
        if allow_again:
            return _allow_again(vault.forgetting, refs)
        if not refs and not person:
            raise BadInput("name what to forget: an id, a path, words, or --person NAME")
        named = references.each_in_vault(vault, refs)
        meant = _meant(vault.forgetting, named, person, yes=yes)
        if purge:
            backup = _backup(vault.forgetting, backup, yes=yes)
            permit = Permit(remotes=yes, backup=backup, agree=None if yes else _agree)
            with output.interruptible(partial(_cut_short, vault, vault.store.writer.carried_out)):
                return _purge(vault.forgetting, meant, reason, permit)
        if (final := vault.forgetting.is_final) and not yes:
            raise Refused(_UNSEEN if vault.forgetting.is_closed else _FINAL)
        with output.tally("forgetting"):
            done = vault.forgetting.forget(meant, reason)
        output.out(done, lambda: _print_forgotten(done, final=final))
        return 0


@click.command()
@output.common
@click.argument("words", nargs=-1, required=True, metavar="[ID | WORDS]...")
def spoken(*, words: tuple[str, ...]) -> int:
    """Forget ID; for anything else, only show what would go, since a note cannot confirm."""
    with output.vault() as vault:
        ref = " ".join(words).strip()
        found = _targets(vault.forgetting, ref)
        if vault.forgetting.is_final or ref.upper() not in {f.id for f in found if f.id}:
            output.out({"would_forget": found}, lambda: _offer(found))
            return 0
        done = vault.forgetting.forget([ref])
        output.out(done, lambda: _print_forgotten(done, final=False))
        return 0


def _targets(forgetting: Forgetting, ref: str) -> Sequence[ForgetTarget]:
    """Return what *ref* names or, taken as words, finds; raises BadInput for nothing."""
    named = forgetting.named(ref) or forgetting.find(query=ref)
    if not named:
        raise BadInput(f"nothing in the vault says {output.quoted(ref)}")
    return named


def _offer(found: Sequence[ForgetTarget]) -> None:
    """Show what would go, and how to go on from a note."""
    for it in found:
        day, text = output.day(it.date), it.text[:_TEXT]
        output.line(f"- {it.id or it.path} ({it.type}, {day}): {text}")
    first = found[0].id or found[0].path
    again = f"`@forget {first}` forgets the first; " if found[0].id else ""
    output.say(f"Nothing is forgotten yet. Where there is a git history {again}in a terminal "
               f"`vaultmem forget {shlex.quote(first)}` does, and with `--yes` all that words "
               "find.")  # fmt: skip


def _meant(forgetting: Forgetting, refs: Sequence[str], person: str, *, yes: bool) -> Sequence[str]:
    """Return the refs; of words or a person what they find, once --yes allows it."""
    if refs and not person and all(forgetting.knows(ref) for ref in refs):
        return refs
    found = forgetting.find(query=" ".join(refs), person=person)
    if not found:
        raise BadInput(f"nothing in the vault says {output.quoted(person or ' '.join(refs))}")
    if not yes:
        mentions = forgetting.mentions(person or " ".join(refs))
        result = {"would_forget": found, "mentions": mentions}
        output.out(result, lambda: _preview(found, mentions))
        them = "it" if len(found) == 1 else "them"
        raise Refused(
            f"{output.count(len(found), 'thing')} would be forgotten: --yes forgets {them}"
        )
    return [f.path for f in found]


def _preview(found: Sequence[ForgetTarget], mentions: Sequence[str]) -> None:
    from vaultmem.records import first_line

    rows = [(output.day(f.date), f.type, first_line(f.text, _TEXT), f.path) for f in found]
    output.table(("date", "type", "text", "path"), rows)
    for path in mentions:
        output.note(f"{path} mentions it, and stays as it is")


def _print_forgotten(done: Forgotten, *, final: bool) -> None:
    output.say(f"forgot {', '.join(done.forgotten)}")
    for path in done.derived:
        output.line(f"  rewritten without it: {path}")
    _print_lines(done.lines)
    _print_mentions(done)
    output.say(f"  {done.history}" + ("" if final else f"; {_BACK.format(op=done.op)}"))


def _print_lines(lines: Sequence[str]) -> None:
    """Name the turns and items that said the same elsewhere, and do so no more."""
    for line in lines:
        output.line(f"  said the same, [forgotten] now: {line}")


def _print_mentions(done: Forgotten) -> None:
    """Name what still says it: a memory is never edited, but forgotten as the first was."""
    for path in done.mentions:
        if _LINE.fullmatch(path):
            way = f"`vaultmem forget {shlex.quote(path)}` takes it"
            output.note(f"{path} {_STAYS[done.verbatim.get(path, '')]}: {way}")
            continue
        is_memory = path.startswith("agents/") and {"memories", "archive"} & {*path.split("/")}
        way = f"`vaultmem forget {shlex.quote(path)}`" if is_memory else "edit it yourself"
        output.note(f"{path} still says it: {way}")


def _backup(forgetting: Forgetting, named: Path | None, *, yes: bool) -> Path | None:
    """Return where the backup goes, offered to a person at a terminal; raises Refused elsewhere.

    Nothing brings a purged history back: to go without is said, and not assumed.
    """
    if named or yes or forgetting.is_final:
        return named
    free = forgetting.bundle_path()
    if not sys.stdin.isatty():
        raise Refused(
            "a purge cannot be undone: write the history to a bundle first, with "
            f"`--backup {shlex.quote(str(free))}`, or go without, with `--yes`"
        )
    if click.confirm(_OFFER, default=True, err=True):
        return Path(click.prompt("File", default=str(free), err=True))
    click.confirm("Purge without a backup?", abort=True, err=True)
    return None


def _agree(still: Sequence[Remainder]) -> None:
    """Show what stays and says a part of it, and ask; raises Refused where nobody can answer."""
    output.end_drawing()
    for it in still:
        output.note(_remainder_text(it))
    places = output.count(sum(it.places for it in still), "place")
    if not sys.stdin.isatty():
        raise Refused(
            f"{places} that stay repeat a part of it, {still[0].place} among them: edit or forget "
            "them, or purge all the same, with --yes; nothing was purged"
        )
    click.confirm(f"{places} would still contain that. Purge all the same?", abort=True, err=True)


def _remainder_text(it: Remainder) -> str:
    parts = [", ".join(it.words)] * bool(it.words) + ["five words of it in a row"] * it.phrase
    return f"{it.place} still {'say' if it.places > 1 else 'says'} {' and '.join(parts)}"


def _cut_short(vault: Vault, begun: int) -> str:
    """Say what became of a purge that was cut short; it had *begun* after so many operations."""
    if vault.store.writer.carried_out > begun:
        return _ERASED_IN_PART
    return (
        "nothing was forgotten, and nothing erased but, it may be, what was forgotten before; the "
        "same command goes on"
    )


def _purge(forgetting: Forgetting, refs: Sequence[str], reason: str, permit: Permit) -> int:
    with output.tally("purging"):
        soft, done = forgetting.purge(refs, reason, permit)
    facts = {name: getattr(soft, name) for name in soft.__slots__}
    result = {**facts, "receipt": done.receipt, **_proof(done.proof)}
    output.out(result, lambda: _receipt(soft, done))
    return 0 if done.proof.verified else 1


def _receipt(soft: Forgotten, done: Purged) -> None:
    it = done.receipt
    how = "not purged completely:" if done.proof.found else "purged"
    output.say(f"{how} {', '.join(soft.forgotten)}", bold=True)
    output.say(f"  {output.count(it.files, 'path')} gone from every commit, "
               f"{output.count(it.versions, 'old version')} of other files redacted")  # fmt: skip
    rewritten = f"{output.count(it.commits, 'commit')} and {output.count(it.refs, 'ref')} rewritten"
    output.say(f"  {rewritten}; {it.objects_before} objects before, {it.objects_after} now")
    if it.signatures:
        output.note(f"{output.count(it.signatures, 'commit')} lost the signature")
    output.say(f"  caches rebuilt: {', '.join(it.caches) or 'none'}")
    _print_lines(soft.lines)
    _print_mentions(soft)
    output.say("out of reach:")
    for place in it.out_of_reach:
        output.say(f"  {place}")
    if not it.backup:
        output.say("no backup was written")
    _proven(done.proof)
    if done.proof.found:
        again = " ".join(soft.forgotten)
        output.note(f"edit or forget what is found, then `vaultmem forget {again} --purge`")


def _verify(forgetting: Forgetting, refs: Sequence[str]) -> int:
    if not refs:
        raise BadInput("name the tombstone whose text to search for, by its id")
    proof = forgetting.verify(refs)
    result = {"forgotten": refs, **_proof(proof)}
    output.out(result, lambda: _proven(proof))
    return 0 if proof.verified else 1


def _allow_again(forgetting: Forgetting, refs: Sequence[str]) -> int:
    if not refs:
        raise BadInput("name the tombstone whose text may come back, by its id")
    done = forgetting.allow_again(refs)
    output.out(done, lambda: _print_allowed(done))
    return 0


def _print_allowed(done: AllowedAgain) -> None:
    output.say(f"allowed again {', '.join(done.allowed)}: it may be said and written")
    if done.op:
        output.say(f"  `vaultmem undo {done.op}` refuses it again")


def _proof(proof: Proof) -> dict[str, object]:
    return {"verified": proof.verified, **asdict(proof)}


def _proven(proof: Proof) -> None:
    """Say what was looked for, where, and what was found; no more."""
    output.say(f"looked for {_needles(proof)}")
    objects, files = output.count(proof.objects, "git object"), output.count(proof.files, "file")
    output.say(
        f"  in {objects} (files and their names, messages of commits and tags, reachable or not) "
        f"and {files} (notes, transcripts, index, vectors, caches, journal, git's refs and logs)"
    )
    output.say("  in any case, over line ends, as JSON, URL, HTML, base64 or UTF-16")
    for it in proof.still:
        output.note(_remainder_text(it))
    if proof.verified:
        output.say("verified: none of that was found", fg="green")
        return
    for place in proof.found[:_SHOWN]:
        output.note(f"found in {place}")
    places = output.count(len(proof.found), "place")
    output.note(f"not verified: found in {places}" if proof.found else "not verified: see above")


def _needles(proof: Proof) -> str:
    words, phrases = proof.words, proof.phrases
    files = f"old versions of {output.count(proof.made, 'file')} made of it"
    if proof.by == "hash":
        sentences = f"{output.count(phrases, 'sentence')} of it"
        whole = f"its whole text and {sentences}" if words else sentences
        return (
            f"{whole}, word for word, by the tombstone's digests, and for those phrases that files "
            "still said when it was purged; not for other parts of a sentence"
        )
    more = f"; in {files} for what these alone were told by it" if proof.made else ""
    if not words + phrases:
        return f"its file and its old versions alone: what stays says each of its words{more}"
    return (
        f"{output.count(words, 'word')} and {output.count(phrases, 'phrase')} of it, those that "
        f"nothing which stays says{more}; not for other words for the same"
    )


COMMANDS = {"forget": forget, "@forget": spoken}
