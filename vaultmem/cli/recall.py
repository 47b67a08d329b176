"""`recall` and `context`: what comes out."""

from __future__ import annotations

import click

from vaultmem.cli import screen
from vaultmem.errors import Unavailable
from vaultmem.recall import Answer, Scope


@click.command()
@screen.common
@click.argument("query", nargs=-1, required=True)
@click.option("-k", default=10, show_default=True, help="How many hits at most.")
@click.option("--agent", default="", help="Only what this agent remembers.")
@click.option("--type", "kind", default="", help="Only memory, summary, topic, card, episode, …")
@click.option("--tag", "tags", multiple=True, help="Only what has this tag.")
@click.option("--after", default="", help="Only from this date on.")
@click.option("--before", default="", help="Only up to this date.")
@click.option("--mode", type=click.Choice(["auto", "lexical", "semantic"]), default="auto",
              show_default=True, help="By words, by meaning, or whatever there is.")  # fmt: skip
def recall(  # noqa: PLR0913
    query: tuple[str, ...], k: int, agent: str, kind: str, tags: tuple[str, ...], after: str,
    before: str, mode: str,
) -> None:  # fmt: skip
    """Find what answers QUERY, best first."""
    if mode == "semantic":
        raise Unavailable("no embedder is set up here: --mode lexical ranks by words")
    scope = Scope(agent=agent, type=kind, tags=tags, after=after, before=before)
    with screen.vault() as vault:
        answer = vault.recall(" ".join(query), k, scope)
    screen.out(answer, lambda: _show(answer))


def _show(answer: Answer) -> None:
    if not answer.hits:
        screen.say("nothing found")
    for hit in answer.hits:
        screen.say(f"{hit.path}:{hit.lines[0]}", fg="cyan", nl=False)
        stale = "  stale" if hit.stale else ""
        screen.say(f"  {hit.date[:10] or 'undated'}  {hit.score:.2f}{stale}")
        screen.say(f"    {hit.snippet}")


@click.command()
@screen.common
@click.argument("query", nargs=-1)
@click.option("--agent", default="", help="Whose memory.")
@click.option("--budget", default=8000, show_default=True, help="Tokens at most.")
@click.option("--format", "form", type=click.Choice(["text", "messages"]), default="text",
              show_default=True, help="One text, or a list of chat messages.")  # fmt: skip
def context(query: tuple[str, ...], agent: str, budget: int, form: str) -> None:
    """Print what an agent's prompt should hold of its memory, for QUERY if one is given."""
    with screen.vault() as vault:
        made = vault.context(" ".join(query), agent=agent, budget=budget)
    body: dict[str, object] = {"text": made.text}
    if form == "messages":
        body = {"messages": made.messages()}
    rest = {"tokens": made.tokens, "budget": made.budget, "items": made.items,
            "dropped": made.dropped}  # fmt: skip
    screen.out(body | rest, lambda: screen.say(made.text))


COMMANDS = {"recall": recall, "context": context}
