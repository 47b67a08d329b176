"""What Obsidian finds when it opens the vault: views, templates, links, settings."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import pytest
import yaml

from vaultmem import Vault
from vaultmem.documents import frontmatter
from vaultmem.knowledge.cards import parser as cards
from vaultmem.knowledge.tasks import parser as tasks
from vaultmem.maintenance import starter_files
from vaultmem.memory import adopt
from vaultmem.storage import reader
from vaultmem.storage.files import content

VAULT = Path(__file__).parents[2] / "vault"
NOTES = sorted(VAULT.rglob("*.md"))
SETTINGS = sorted((VAULT / ".obsidian").glob("*.json"))
TEMPLATES = sorted((VAULT / "templates").glob("*.md"))

FILE = {"name", "ext", "path", "folder", "size", "ctime", "mtime", "tags", "links"}
FUNCTIONS = {"if", "toString", "slice", "inFolder", "hasTag", "isEmpty", "contains", "format"}
"""Of Obsidian's own, https://help.obsidian.md/bases/syntax and …/functions: those in use here."""

ICONS = {"file", "folder", "search", "group", "graph"}
CORE = {
    "audio-recorder", "backlink", "bases", "bookmarks", "canvas", "command-palette", "daily-notes",
    "editor-status", "file-explorer", "file-recovery", "footnotes", "global-search", "graph",
    "markdown-importer", "note-composer", "outgoing-link", "outline", "page-preview", "properties",
    "publish", "random-note", "slash-command", "slides", "switcher", "sync", "tag-pane",
    "templates", "webviewer", "word-count", "workspaces", "zk-prefixer",
}  # fmt: skip


@cache
def base() -> dict[str, object]:
    """Return the views as Obsidian reads them."""
    found = yaml.safe_load((VAULT / "Memories.base").read_text())
    assert isinstance(found, dict)
    return found


def views() -> list[dict[str, object]]:
    """Return the views, each by itself."""
    found = base()["views"]
    assert isinstance(found, list)
    return found


@cache
def known() -> frozenset[str]:
    """Return the keys of the format: those of the README's table, of tasks, of templates."""
    table = (VAULT / "README.md").read_text().partition("## Frontmatter")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`.+?) \|", table, re.MULTILINE)
    named = {key for row in rows for key in re.findall(r"`(\w+)`", row)}
    return frozenset(named.union(*(fields(path) for path in TEMPLATES)))


def fields(path: Path) -> dict[str, frontmatter.Value]:
    """Return the frontmatter of a note."""
    return dict(frontmatter.fields(frontmatter.parse(path.read_text()), 512 * 1024))


def statements(filters: object) -> Iterator[str]:
    """Yield the statements of a filter, which holds one of and, or, not at each level."""
    if isinstance(filters, str):
        yield filters
        return
    assert isinstance(filters, dict)
    assert len(filters) == 1
    assert filters.keys() <= {"and", "or", "not"}
    for each in next(iter(filters.values())):
        yield from statements(each)


def expressions() -> Iterator[str]:
    """Yield everything that Obsidian evaluates."""
    formulas = base()["formulas"]
    assert isinstance(formulas, dict)
    yield from formulas.values()
    yield from statements(base()["filters"])
    for view in views():
        if "filters" in view:
            yield from statements(view["filters"])


def names(expression: str) -> tuple[set[str], set[str]]:
    """Return the properties and the functions that an expression names."""
    bare = re.sub(r'"[^"]*"', "", expression)
    words = re.findall(r"[A-Za-z_][\w.]*(?:\s*\()?", bare)
    called = {word.rstrip(" (").rpartition(".")[2] for word in words if word.endswith("(")}
    used = {word if not word.endswith("(") else word.rpartition(".")[0] for word in words}
    return used - {"", "file"}, called


def is_property(name: str) -> bool:
    """Tell whether there is such a property: of the note, of its file, or a formula."""
    kind, _, rest = name.rpartition(".")
    formulas = base()["formulas"]
    assert isinstance(formulas, dict)
    return rest in {"file": FILE, "formula": formulas, "note": known(), "": known()}[kind]


def test_the_views_are_those_that_a_person_looks_for() -> None:
    """What holds, what waits, what came when, who it concerns."""
    found = [view["name"] for view in views()]
    assert found[:4] == ["Active", "Review queue", "Timeline", "By person"]
    assert {view["type"] for view in views()} == {"table"}
    assert base().keys() == {"filters", "formulas", "properties", "views"}
    for view in views():
        assert view.keys() <= {"type", "name", "filters", "groupBy", "order", "sort"}


def test_every_property_of_a_view_exists_in_the_format() -> None:
    """As a column, to group or to sort by, with a name of its own."""
    for view in views():
        columns, sort = view["order"], view["sort"]
        assert isinstance(columns, list)
        assert isinstance(sort, list)
        placed = [*sort, *([view["groupBy"]] if "groupBy" in view else [])]
        for name in (*columns, *(each["property"] for each in placed)):
            assert is_property(name), name
        assert {each["direction"] for each in placed} <= {"ASC", "DESC"}
    properties = base()["properties"]
    assert isinstance(properties, dict)
    assert all(is_property(name) for name in properties)


def test_every_filter_and_formula_names_what_there_is() -> None:
    """Properties of the format, functions of Obsidian; quotes and brackets in pairs."""
    for expression in expressions():
        used, called = names(expression)
        assert all(is_property(name) for name in used), expression
        assert called <= FUNCTIONS, expression
        assert expression.count('"') % 2 == 0
        assert expression.count("(") == expression.count(")")


def test_the_sample_has_something_to_show_in_the_first_views() -> None:
    """Types that a filter asks for are types that files have."""
    asked = {t for x in expressions() for t in re.findall(r'type == "(\w+)"', x)}
    assert {"memory", "card", "summary"} <= {str(fields(path).get("type")) for path in NOTES}
    assert asked <= {"memory", "card", "topic", "episode", "skill", "task", "summary"}


@pytest.mark.parametrize("path", SETTINGS, ids=lambda p: p.name)
def test_settings_are_json_and_in_every_vault(path: Path) -> None:
    """No plugin of others is among them: it could run anything."""
    assert isinstance(json.loads(path.read_text()), dict)
    assert f".obsidian/{path.name}" in starter_files.FILES
    assert path.name != "community-plugins.json"


def test_links_are_relative_and_follow_a_renamed_note() -> None:
    """So they work on GitHub and for file tools, too."""
    app = json.loads((VAULT / ".obsidian/app.json").read_text())
    assert (app["useMarkdownLinks"], app["newLinkFormat"]) == (True, "relative")
    assert app["alwaysUpdateLinks"]
    assert ".vaultmem/" in app["userIgnoreFilters"]


def test_the_core_plugins_that_the_vault_needs_are_on() -> None:
    """Those that send something away are off."""
    core = json.loads((VAULT / ".obsidian/core-plugins.json").read_text())
    assert core.keys() <= CORE
    assert all(core[name] for name in ("bases", "templates", "graph", "properties", "bookmarks"))
    assert not any(core[name] for name in ("sync", "publish"))
    templates = json.loads((VAULT / ".obsidian/templates.json").read_text())
    assert (VAULT / templates["folder"]).is_dir()


def test_bookmarks_lead_to_files_of_every_vault() -> None:
    """A new one has them, too."""
    for item in json.loads((VAULT / ".obsidian/bookmarks.json").read_text())["items"]:
        assert item["type"] in ICONS
        assert item["path"] in starter_files.FILES


def test_the_graph_has_a_colour_for_each_type() -> None:
    """And none twice."""
    groups = json.loads((VAULT / ".obsidian/graph.json").read_text())["colorGroups"]
    types = [re.fullmatch(r"\[type:(\w+)\]", group["query"]) for group in groups]
    assert {found[1] for found in types if found} == {
        "card", "episode", "memory", "skill", "summary", "task", "topic",
    }  # fmt: skip
    assert len({group["color"]["rgb"] for group in groups}) == len(groups)


def test_types_of_properties_are_of_keys_that_there_are() -> None:
    """Boxes to tick, lists, numbers."""
    types = json.loads((VAULT / ".obsidian/types.json").read_text())["types"]
    assert types.keys() <= known()
    assert set(types.values()) <= {"aliases", "checkbox", "multitext", "number", "tags", "text"}


# --- links ------------------------------------------------------------------------------------

MARKDOWN = re.compile(r"(?<!!)\[[^\]\n]*\]\(([^)\s]+)\)")
WIKI = re.compile(r"\[\[([^\]|#\n]+)")
SPECIFICATION = VAULT / "README.md"


def test_every_relative_link_of_the_sample_leads_somewhere() -> None:
    """Pointers, and what people wrote."""
    for path in NOTES:
        if path != SPECIFICATION:  # its examples are of another vault
            for target in MARKDOWN.findall(without_code(path)):
                assert "://" in target or (path.parent / unquote(target)).exists(), (path, target)


def test_every_wikilink_of_the_sample_leads_to_one_note() -> None:
    """A bare name is of one file alone."""
    stems = [path.stem for path in NOTES]
    for path in NOTES:
        if path not in {SPECIFICATION, VAULT / "AGENTS.md"}:
            for target in WIKI.findall(without_code(path)):
                whole = (VAULT / f"{target}.md").exists()
                assert whole or stems.count(target) == 1, (path, target)


def without_code(path: Path) -> str:
    """Return the text of a note, what is quoted as code left out."""
    return re.sub(r"(?ms)^ *```.*?^ *```|`[^`\n]*`", "", path.read_text())


# --- templates --------------------------------------------------------------------------------


def filled(name: str) -> str:
    """Return a template as Obsidian fills it in, a zone ahead of UTC."""
    text = (VAULT / f"templates/{name}.md").read_text()
    text = text.replace("{{date:YYYY-MM-DDTHH:mm:ssZ}}", "2026-11-20T11:15:00+01:00")
    text = text.replace("{{title}}", "Sarah")
    assert "{{" not in text
    return text


def test_a_memory_from_its_template_is_taken_in_and_has_the_right_time(vault: Vault) -> None:
    """In whatever zone the person lives; a person vouches for it through `review`."""
    path = "agents/ada/memories/from-a-template.md"
    (vault.path / path).parent.mkdir(parents=True)
    (vault.path / path).write_text(filled("memory"))
    change = adopt.completed(vault.store, path, filled("memory").encode())
    assert change is not None
    (vault.path / path).write_bytes(change.new or b"")
    assert vault.fsck().ok
    (hit,) = vault.recall("remembered sentence names").hits
    assert (hit.trust, hit.date) == ("agent", "2026-11-20T10:15:00Z")


def test_a_card_a_topic_and_a_task_from_their_templates_are_sound() -> None:
    """Each is read as what it is."""
    card = cards.read("cards/people/sarah.md", filled("card").encode())
    assert card.attributes["person"] == "Sarah"
    assert card.facts == {}
    topic = reader.record("topics/sarah.md", content(filled("topic").encode()))
    assert (topic.type, topic.title, topic.source) == ("topic", "Sarah", "human")
    task = tasks.read("tasks/task-0001.md", filled("task").encode())
    assert task.problems == ()
    assert task.task is not None
    assert task.task.status == "pending"


def test_every_template_is_in_every_vault() -> None:
    """There is one for each thing that a person makes by hand."""
    assert {f"templates/{path.name}" for path in TEMPLATES} <= set(starter_files.FILES)
    assert {path.stem for path in TEMPLATES} == {"card", "memory", "task", "topic"}


# --- agents -----------------------------------------------------------------------------------


def test_what_agents_are_told_is_short_and_names_what_there_is() -> None:
    """Claude Code reads it by way of CLAUDE.md."""
    assert (VAULT / "CLAUDE.md").read_text() == "@AGENTS.md\n"
    text = (VAULT / "AGENTS.md").read_text()
    assert len(text.splitlines()) < 60
    for path in ("MEMORY.md", "README.md", "config/memory_compaction.md", "templates/card.md",
                 "templates/topic.md", "templates/task.md"):  # fmt: skip
        assert f"`{path}`" in text
        assert path in starter_files.FILES


def test_the_example_for_agents_becomes_a_memory(vault: Vault) -> None:
    """Whoever follows it to the letter is understood."""
    text = (VAULT / "AGENTS.md").read_text()
    example = re.search(r"(?m)^    ---\n(?:    .*\n)+", text)
    assert example is not None
    note = re.sub(r"(?m)^    ", "", example[0])
    change = adopt.completed(vault.store, "agents/ada/memories/any-name.md", note.encode())
    assert change is not None
    made = reader.record(change.path, content(change.new or b""))
    assert made.problem is None
    assert (made.source, made.trust) == ("agent", "agent")
    assert made.body.startswith("The library closes at noon on Mondays.")


def test_the_snippets_that_are_on_are_there_and_speak_of_properties_that_we_write() -> None:
    enabled = json.loads((VAULT / ".obsidian/appearance.json").read_text())["enabledCssSnippets"]
    styles = [(VAULT / f".obsidian/snippets/{name}.css").read_text() for name in enabled]
    keys = re.findall(r'data-property-key="(\w+)"', "".join(styles))
    notes = "".join(note.read_text() for note in NOTES)
    assert keys
    assert all(re.search(rf"(?m)^{key}:|^\| `{key}` \|", notes) for key in keys)
