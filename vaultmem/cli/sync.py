"""`sync`: the index equal to the files, and this machine's vault equal to the others'."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from vaultmem.cli import output

if TYPE_CHECKING:
    from vaultmem.api.types import Synced, VectorState


_EVERY = 300
_SAFE = "what is here is safe and committed; `vaultmem sync` goes on"
_BY_SETTINGS = "by the settings"


@click.command()
@output.common
@click.option(
    "--remote", default="", metavar="NAME", help="The remote; by default the branch's own."
)
@click.option("--no-push", is_flag=True, help="Fetch and merge only; push nothing.")
@click.option("--dry-run", is_flag=True, help="Show what would be fetched and pushed.")
@click.option(
    "--accept-missing", is_flag=True, help="Accept that many files are gone on the other side."
)
@click.option(
    "--watch",
    is_flag=False,
    flag_value=_BY_SETTINGS,
    metavar="[TIME]",
    help="Sync every 30s, 5m, 1h until stopped; by default sync_every of the settings, else 5m.",
)
def sync(
    *, remote: str, no_push: bool, dry_run: bool, accept_missing: bool, watch: str | None
) -> None:
    """Sync the vault with its git remote, and the index with the files.

    Changes on both sides are merged; what cannot be merged waits in inbox/. It never force-pushes.
    """
    if watch is not None:
        if no_push or dry_run or accept_missing:
            raise click.UsageError("--watch syncs both ways, where nobody looks on: leave out "
                                   "--no-push, --dry-run and --accept-missing")  # fmt: skip
        _keep(remote, _seconds(watch))
        return
    with output.interruptible(_SAFE), output.vault() as vault:
        done = vault.sync_clones(
            remote, push=not no_push, dry_run=dry_run, accept_missing=accept_missing
        )
        if dry_run:
            output.out(asdict(done), lambda: _show(done, "would come", "would go"))
            return
        documents = vault.queries.refresh_index()
        with output.tally("embedding") as progress:
            caught = vault.embed(progress=progress)
        found = vault.retriever.state()
    body = {"documents": documents, "embedder": vault.retriever.choice.kind, "caught": caught,
            "vectors": found, **asdict(done)}  # fmt: skip
    output.out(body, lambda: _show_all(done, documents, found))


def _seconds(every: str) -> int:
    from vaultmem.config import interval

    if every == _BY_SETTINGS:
        return 0
    try:
        seconds = interval(every)
    except ValueError:
        seconds = 0
    if not seconds:
        why = f"{every!r} is no time to wait: use one of a second or more, such as 30s, 5m or 1h"
        raise click.BadParameter(why, param_hint="--watch")
    return seconds


def _keep(remote: str, every: int) -> None:
    """Sync until a signal says to stop; show what came and went, and what went wrong once."""
    import random

    from vaultmem.api import shutdown_signals
    from vaultmem.api.watcher import POLLING, Watch
    from vaultmem.daemon import sync_loop

    bell = Watch(POLLING)
    with shutdown_signals.heeded(shutdown_signals.STOPPING) as asked, output.vault() as vault:

        def again() -> Synced:
            done = vault.exchange.sync_unattended(remote)
            vault.embed()
            return done

        asked.begins_with(bell.wake)
        went = sync_loop.run(sync_loop.Rounds(
            again, lambda: every or vault.store.config().sync_every or _EVERY, _show_news,
            _note_failure, bell.wait, lambda: asked.asked, random.random,
        ))  # fmt: skip
    output.out({"syncs": went}, lambda: output.say(f"stopped after {output.count(went, 'sync')}"))


def _note_failure(why: str) -> None:
    """Say *why* a sync failed, of those that go on by themselves."""
    output.note(why.replace("run `vaultmem sync` again", "it is tried again by itself"))


def _show_news(done: Synced) -> None:
    """Show a sync that did something."""
    if not output.shared().json and (done.pulled or done.gone or done.pushed):
        _show(done, "came", "went")


def _show(done: Synced, came: str, went: str) -> None:
    if done.remote:
        _show_step(done, came, went)
    else:
        output.say(done.reason)
    for path in done.conflicts:
        output.line(f"! {path} waits for you: two versions of the same lines")
    for line in done.told:
        output.line(f"! {line}")


def _show_step(done: Synced, came: str, went: str) -> None:
    where = f"{done.remote}/{done.branch}"
    gone = f"; {output.count(len(done.gone), 'file')} gone there" if done.gone else ""
    output.say(f"{where}: {output.count(len(done.pulled), 'file')} {came}, "
               f"{output.count(done.pushed, 'commit')} {went}{gone}")  # fmt: skip


def _show_all(done: Synced, documents: int, found: VectorState | None) -> None:
    _show(done, "came", "went")
    output.say(output.count(documents, "document") + " in the index")
    if found is None:
        output.say("no vectors: there is no embedder (`vaultmem embedder status` says why)")
        return
    output.say(f"{found.embedded} of {output.count(found.passages, 'passage')} have a vector")
    if found.reason:
        output.say(f"! {found.reason}")


COMMANDS = {"sync": sync}
