"""`card`: what is known of people and things, patched fact by fact, listed, exported."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from vaultmem.cli import output as cli_output
from vaultmem.errors import BadInput, CardLacks, Refused, input_errors
from vaultmem.records import TRUST_OF_SOURCE

if TYPE_CHECKING:
    from vaultmem.api.types import CardMode, CardText, Json, ListedCard, Strategy, WrittenCard

_MODES = ("advanced", "json", "enhanced", "notes")
_mode = click.option(
    "--mode", type=click.Choice(_MODES), default="advanced", show_default=True,
    help="Whole cards; only the nested facts; a paragraph per card; or a line per fact.",
)  # fmt: skip
_source = f"Where it comes from: {', '.join(TRUST_OF_SOURCE)}."


@click.group(cls=cli_output.Group)
@cli_output.common
def card() -> None:
    """Manage cards: facts about a person or a thing, each with its source and date."""


@card.command("set")
@cli_output.common
@click.argument("name", metavar="CATEGORY/KEY")
@click.option("--field", "fields", multiple=True, metavar="NAME=VALUE",
              help="Set a fact; contact.phone=1 nests, repeating a name makes a list.")  # fmt: skip
@click.option("--unset", multiple=True, metavar="NAME",
              help="Remove a fact and everything nested in it.")  # fmt: skip
@click.option("--person", default="", help="Whom the card is about.")
@click.option("--relationship", default="", help="What the person is to the user.")
@click.option("--backstory", default="", help="How this came to be known.")
@click.option("--create", is_flag=True, help="Create a new card; fail if it already exists.")
@click.option("--strategy", type=click.Choice(["overwrite", "append", "merge"]),
              help="How to combine new values with existing ones, this time only.")  # fmt: skip
@click.option("--policy", "policies", multiple=True, metavar="NAME=latest|all",
              help="From now on, keep only the fact's latest value, or all.")  # fmt: skip
@click.option("--valid-from", default="", metavar="DATE", help="From when it is true.")
@click.option("--valid-to", default="", metavar="DATE", help="Until when it is true.")
@click.option("--stale-after", default="", metavar="DATE", help="From when to treat it as stale.")
@click.option("--source", default="agent", show_default=True, help=_source)
@click.option("--at", default="", metavar="TIME", help="When it was said, such as 2026-11-20.")
def set_(  # noqa: PLR0913
    name: str, fields: tuple[str, ...], unset: tuple[str, ...], person: str, relationship: str,
    backstory: str, strategy: Strategy | None, policies: tuple[str, ...], valid_from: str,
    valid_to: str, stale_after: str, source: str, at: str, *, create: bool,
) -> int:  # fmt: skip
    """Set facts on the card CATEGORY/KEY; create the card if there is none.

    A new card needs --person, --relationship and --backstory. What a less trusted source says
    against a more trusted one waits in the inbox: exit 3.
    """
    from vaultmem.api.types import Patch

    patch = Patch(
        _pairs(fields), unset, person, relationship, backstory, valid_from, valid_to, stale_after,
        strategy, dict(_split(policy, "--policy") for policy in policies), source, at,
    )  # fmt: skip
    with cli_output.vault() as vault:
        try:
            return _show(vault.cards.set(name, patch, create=create))
        except CardLacks as e:
            options = " ".join(f"--{key}" for key in e.lacking)
            raise BadInput(f"{e}: add {options}") from e


def _pairs(fields: Sequence[str]) -> dict[str, Json]:
    """Return facts by name; JSON objects and lists are taken apart, all else is text."""
    found: dict[str, list[Json]] = {}
    for field in fields:
        name, value = _split(field, "--field")
        found.setdefault(name, []).append(_json(value))
    return {name: values[0] if len(values) == 1 else values for name, values in found.items()}


def _split(pair: str, option: str) -> tuple[str, str]:
    name, equals, value = pair.partition("=")
    if not (name.strip() and equals):
        raise BadInput(f"{option} {cli_output.quoted(pair)}: write NAME=VALUE")
    return name.strip(), value


def _json(value: str) -> Json:
    if value[:1] not in {"{", "["}:
        return value
    try:
        found: Json = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return found


def _show(made: WrittenCard) -> int:
    """Print what became of a card; return the exit code."""
    more = {"conflicts": made.conflicts, "changed": made.changed, "waits": made.waits,
            "path": made.path, "commit": made.commit,
            "uncommitted": made.uncommitted}  # fmt: skip
    cli_output.wrote({**made.card, **more}, lambda: _print_written(made))
    return Refused.exit_code if made.conflicts or made.waits == made.path else 0


def _print_written(made: WrittenCard) -> None:
    what = ", ".join(made.changed) or "nothing changed"
    cli_output.line(f"{made.path}: {what}")
    for conflict in made.conflicts:
        cli_output.say(f"  {conflict.field}: {conflict.source} says {_quoted(conflict.claimed)}, "
                   f"{_quoted(conflict.kept)} stays")  # fmt: skip
    if made.waits == made.path:
        cli_output.line(f"all of it waits for review: `vaultmem review accept {made.path}`")
    elif made.waits:
        cli_output.line(f"waits for review in {made.waits}")


def _quoted(value: CardText | None) -> str:
    return "nothing" if value is None else repr(value)


@card.command("get")
@cli_output.common
@click.argument("name", metavar="CATEGORY/KEY")
def get(name: str) -> None:
    """Show the card CATEGORY/KEY: its facts, who stated them, and what awaits a decision."""
    with cli_output.vault() as vault:
        found = vault.cards.get(name)
    cli_output.out(found, lambda: _page(found))


def _page(found: dict[str, Json]) -> None:
    apart = {"claims", "id", "path", "category", "key", "title", "trust", "conflicts", "facts"}
    cli_output.line(f"{found['title']}  ({found['path']}, {found['trust']})", bold=True)
    for name, value in found.items():
        if name not in apart:
            for each in _outline(f"{name}:", value):
                cli_output.say(each)
    waits = found["conflicts"]
    if isinstance(waits, list) and waits:
        about = dict.fromkeys(str(it["field"]) for it in waits if isinstance(it, dict))
        cli_output.note(f"claims disagree about {', '.join(about)}: see the inbox")


def _outline(lead: str, value: Json, indent: str = "  ") -> Iterator[str]:
    """Yield *value* behind its *lead* as lines of an outline: what is nested stands below it."""
    if isinstance(value, Mapping) and value:
        nested = [(f"{indent}{key}:", inner) for key, inner in value.items()]
    elif value and isinstance(value, Sequence) and not isinstance(value, str):
        nested = [(f"{indent}-", inner) for inner in value]
    else:
        text = "nothing" if value in (None, [], {}) else cli_output.cell(value)
        yield f"{lead} {text}".replace("\n", f"\n{indent}")
        return
    yield lead
    for inner_lead, inner in nested:
        yield from _outline(inner_lead, inner, f"{indent}  ")


@card.command("list")
@cli_output.common
@click.option("--person", default="", help="Only cards about the person of this name.")
@click.option("--category", default="", help="Only this category.")
def list_(person: str, category: str) -> None:
    """List the cards."""
    with cli_output.vault() as vault:
        found = vault.cards.list(person=person, category=category)
    cli_output.out({"cards": found}, lambda: _table(found))


def _table(found: Iterable[ListedCard]) -> None:
    rows = [
        (c.name, c.person, c.relationship, c.trust, c.problem or c.waiting or "") for c in found
    ]
    cli_output.table(("card", "person", "relationship", "trust", "waiting"), rows)


@card.command("resolve")
@cli_output.common
@click.argument("name", metavar="CATEGORY/KEY")
@click.option("--field", "fields", multiple=True, metavar="NAME=VALUE",
              help="The correct value.")  # fmt: skip
@click.option("--by", default="human", show_default=True, help="Who decides.")
def resolve(name: str, fields: tuple[str, ...], by: str) -> int:
    """Resolve conflicting claims on a card: with --field, or as ticked in its inbox note."""
    with cli_output.vault() as vault:
        return _show(vault.cards.resolve(name, _pairs(fields), by))


@card.command("export")
@cli_output.common
@_mode
@click.option("--output", type=click.Path(path_type=Path), help="Write to this file.")
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
def export(mode: CardMode, output: Path | None, *, force: bool) -> int:
    """Print all cards as one JSON object; exit 1 and name any that cannot be read."""
    with cli_output.vault() as vault:
        found = vault.cards.export(mode)
        if output is not None:
            _refuse_place(output, vault.path, force=force)
    problems = found.get("problems", ())
    problems = list(map(str, problems)) if isinstance(problems, list) else []
    cards = {key: value for key, value in found.items() if key != "problems"}
    text = json.dumps(cards, ensure_ascii=False, indent=2)
    if output is None:
        cli_output.out(found, lambda: click.echo(text))
    else:
        output.write_text(f"{text}\n", encoding="utf-8")
        result = {"output": str(output), "problems": problems}
        cli_output.out(result, lambda: cli_output.say(f"wrote {output}"))
    for problem in problems:
        cli_output.note(f"left out: {problem}")
    return 1 if problems else 0


def _refuse_place(output: Path, vault: Path, *, force: bool) -> None:
    """Raise Refused where *output* is a person's file, or would become one of the vault."""
    if output.resolve().is_relative_to(vault.resolve()):
        raise Refused(
            f"{output} lies in the vault, which is no place for exports: write it elsewhere"
        )
    if output.exists() and not force:
        raise Refused(f"{output} already exists: --force overwrites it")


@card.command("import")
@cli_output.common
@click.argument("file", type=click.Path(path_type=Path))
@_mode
@click.option("--person", default="", help="Whom the facts are about, if FILE is plain JSON.")
@click.option("--relationship", default="", help="What the person is to the user.")
@click.option("--backstory", default="", help="How these came to be known.")
@cli_output.agent("The agent who remembers notes and paragraphs.")
@click.option("--source", default="import", show_default=True, help=_source)
@click.option("--at", default="", metavar="TIME", help="When it was said, if FILE does not say.")
def import_(  # noqa: PLR0913
    file: Path, mode: CardMode, person: str, relationship: str, backstory: str, agent: str,
    source: str, at: str,
) -> int:  # fmt: skip
    """Create or update cards from FILE; importing it again changes nothing.

    Notes and paragraphs become memories. What disagrees waits in the inbox: exit 3.
    """
    from vaultmem.api.types import Patch

    defaults = Patch(
        person=person, relationship=relationship, backstory=backstory, source=source, at=at
    )
    with input_errors(file, "a JSON file"):
        data = file.read_bytes()
    with cli_output.vault() as vault:
        done = vault.cards.load(data, mode, defaults, where=file.name, agent=agent)
    waits = sum(len(each.conflicts) for each in done.cards)
    result: dict[str, Any] = {
        "cards": [each.name for each in done.cards], "conflicts": waits,
        "remembered": done.remembered, "skipped": done.skipped, "commit": done.commit,
    }  # fmt: skip
    cards = cli_output.count(len(done.cards), "card")
    made = f"{cards}, {cli_output.count(done.remembered, 'memory')}"
    cli_output.out(
        result, lambda: cli_output.say(f"imported {made}; {done.skipped} known; {waits} wait")
    )
    return Refused.exit_code if waits else 0


COMMANDS = {"card": card}
