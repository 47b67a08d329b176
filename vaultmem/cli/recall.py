"""`recall` and `context`: what comes out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from vaultmem.api.types import NO_EMBEDDER, Answer, Hit, Mode
from vaultmem.cli import output

if TYPE_CHECKING:
    from vaultmem.api.types import ContextForm

_DECIMALS = 2
"""Of what `--explain` prints; what is nothing then is left out."""


@click.command()
@output.common
@click.argument("query", nargs=-1, required=True)
@click.option("-k", default=10, show_default=True, help="The number of hits at most, from 1 to 50.")
@output.agent("Only this agent's own files and those all agents share; @vault: the vault's agent.")
@click.option(
    "--type",
    "kind",
    default="",
    callback=output.refuse_empty,
    help="Only this type: memory, turn, summary, topic, card, episode, …",
)
@click.option(
    "--tag",
    "tags",
    multiple=True,
    callback=output.refuse_empty,
    help="Only files with this tag in their frontmatter, or one nested in it, as kiln/gas in"
    " kiln; can be repeated.",
)
@click.option("--after", default="", callback=output.refuse_empty, help="Only from this date on.")
@click.option("--before", default="", callback=output.refuse_empty, help="Only up to this date.")
@click.option("--person", default="", callback=output.refuse_empty,
              help="Only what this person said, or what is about them.")  # fmt: skip
@click.option("--trust", default="", metavar="TRUST", callback=output.refuse_empty,
              help="Only what has this trust or more: agent, user, verified.")  # fmt: skip
@click.option(
    "--as-of",
    default="",
    metavar="DATE",
    callback=output.refuse_empty,
    help="Search the vault as it was committed on DATE.",
)
@click.option("--mode", type=click.Choice(["auto", "lexical", "semantic"]), default="auto",
              show_default=True, help="By both if possible, by words, or by meaning.")  # fmt: skip
@click.option("--untrusted", is_flag=True, help="Include untrusted notes, such as web pages.")
@click.option("--explain", is_flag=True, help="Show what each score is the sum of.")
def recall(  # noqa: PLR0913
    query: tuple[str, ...], k: int, agent: str, kind: str, tags: tuple[str, ...], after: str,
    before: str, person: str, trust: str, as_of: str, mode: Mode, *, untrusted: bool,
    explain: bool,
) -> None:  # fmt: skip
    """Find what answers QUERY, best match first."""
    with output.interruptible(output.ONLY_READ), output.vault() as vault:
        answer = vault.recall(
            " ".join(query), k, agent=agent or None, type=kind or None, tags=tags,
            after=after or None, before=before or None, person=person or None,
            trust=trust or None, untrusted=untrusted, mode=mode, as_of=as_of or None,
            explain=explain,
        )  # fmt: skip
        why = _worth_saying(answer.degraded_reason, mode)
    output.out(answer, lambda: _show(answer, why))


def _worth_saying(why: str | None, mode: Mode = "auto") -> str | None:
    """Return *why*, but not each time that no embedder was ever set up.

    What else is away was named by somebody, such as a reranker.
    """
    return None if why == NO_EMBEDDER and mode != "semantic" else why


def _show(answer: Answer, why: str | None) -> None:
    if why:
        output.note(why)
    if not answer.hits:
        output.say("nothing found")
    for hit in answer.hits:
        where = f"{hit.path}:{hit.lines[0]}"
        marks = "  stale" * hit.stale + "  untrusted" * (hit.trust == "untrusted")
        about = f"  {hit.date[:10] or 'undated'}  {hit.score:.2f}{marks}"
        fits = "\n" not in output.folded(f"{where}{about}")
        output.line(where, fg="cyan", nl=not fits)
        output.say(about if fits else f"  {about}")
        output.prose(f"    {_hit_line(hit)}", indent="    ")
        if hit.signals:
            output.table(
                ("signal", "value", "weight", "part"),
                [(it.name, f"{it.value:.2f}", f"{it.weight:.2f}", f"{it.part:+.2f}")
                 for it in hit.signals if round(it.part, _DECIMALS)],
            )  # fmt: skip


def _hit_line(hit: Hit) -> str:
    """Return what a hit says, as agents may read it."""
    from vaultmem.api.rendering import fenced

    text = fenced(hit.snippet or hit.title, path=hit.path, kind=hit.type, trust=hit.trust)
    return text.rstrip().replace("\n", "\n    ")


@click.command()
@output.common
@click.argument("query", nargs=-1)
@output.agent("The agent whose memory to use.")
@click.option(
    "--budget", default=8000, show_default=True, help="The number of tokens at most, 200 or more."
)
@click.option(
    "--turns",
    type=click.IntRange(min=0),
    default=0,
    help="How many turns the conversation has had so far.",
)
@click.option(
    "--as-of",
    default="",
    metavar="DATE",
    callback=output.refuse_empty,
    help="Use the vault as it was committed on DATE.",
)
@click.option(
    "--situation", default="", help="What to say of the place, who is there, what is going on."
)
@click.option("--commands", default="", help="What to say of what the agent can do.")
@click.option("--format", "form", type=click.Choice(["text", "messages", "transcript"]),
              default="text", show_default=True,
              help="One text, chat messages, or what a base model goes on with.")  # fmt: skip
@click.option(
    "--cache-hint",
    is_flag=True,
    help="Mark where the part that rarely changes ends, for prompt caching.",
)
def context(  # noqa: PLR0913
    query: tuple[str, ...], agent: str, budget: int, turns: int, as_of: str, situation: str,
    commands: str, form: ContextForm, *, cache_hint: bool,
) -> None:  # fmt: skip
    """Print the context for an agent's prompt, chosen for QUERY if one is given."""
    with output.vault() as vault:
        made = vault.context(
            " ".join(query), agent=agent or None, budget=budget, turns=turns,
            as_of=as_of or None,
            situation=situation, commands=commands, form=form,
        )  # fmt: skip
        why = _worth_saying(made.degraded_reason)
    body: dict[str, object] = {"text": made.text}
    shown = made.text
    if form == "messages":
        body = {"messages": made.messages(cache_hint=cache_hint)}
        shown = json.dumps(body["messages"], ensure_ascii=False, indent=1)
    if cache_hint:
        body["cache"] = made.cache(form)
    rest = {"tokens": made.tokens, "budget": made.budget, "items": made.items,
            "dropped": made.dropped, "degraded_reason": made.degraded_reason}  # fmt: skip
    output.out(body | rest, lambda: _print_hits(shown, why))


def _print_hits(shown: str, why: str | None) -> None:
    if why:
        output.note(why)
    output.say(shown)


COMMANDS = {"recall": recall, "context": context}
