"""The Python API: what `from vaultmem import Vault` promises."""

from __future__ import annotations

import errno
import inspect
import json
import math
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Unpack, cast

import frontmatter
import pytest

import vaultmem
from tests.conftest import Clock
from vaultmem import Vault
from vaultmem.api import create
from vaultmem.api.types import RecallOptions
from vaultmem.errors import (
    BadInput,
    CannotOpen,
    DiskRefused,
    MassVanish,
    Refused,
    StaleWrite,
    TooNew,
    Unavailable,
)
from vaultmem.retrieval.search import Scope

pytestmark = pytest.mark.without_history


def set_option(folder: Path, line: str) -> None:
    """Replace the line of the config that sets the same key."""
    path = folder / "config/memory_compaction.md"
    key = line.partition(":")[0] + ":"
    old = path.read_text().splitlines(keepends=True)
    path.write_text("".join(f"{line}\n" if x.startswith(key) else x for x in old))


def tell(vault: Vault, count: int, agent: str = "ada", start: int = 1) -> None:
    """Remember *count* plain facts, each with its number."""
    for n in range(start, start + count):
        vault.remember(f"Fact {n}: lantern {n} hangs in the garden.", agent=agent)


def small(folder: Path) -> None:
    """Make the windows four memories wide."""
    set_option(folder, "immediate_window: 4")
    set_option(folder, "recent_window: 4")


def git(folder: Path, *args: str) -> str:
    """Run git as a person does."""
    return subprocess.run(
        ["git", *args], cwd=folder, capture_output=True, text=True, check=True
    ).stdout


# --- opening ----------------------------------------------------------------------------------


def test_a_vault_is_found_from_any_folder_in_it(folder: Path) -> None:
    """As git finds its repository."""
    with Vault.open(folder / "config") as vault:
        assert vault.path == folder


def test_a_folder_that_is_no_vault_is_named_with_the_way_out(tmp_path: Path) -> None:
    """`init` makes one."""
    with pytest.raises(CannotOpen, match=rf"no vault at {tmp_path} .*`vaultmem init {tmp_path}`"):
        Vault.open(tmp_path)


@pytest.mark.with_history
def test_a_vault_whose_config_a_sparse_checkout_leaves_out_says_how_it_comes_back(
    folder: Path,
) -> None:
    def git(*args: str) -> None:
        subprocess.run(["git", "-C", str(folder), *args], check=True, capture_output=True)

    with Vault.open(folder) as vault:
        vault.store.sync()
    git("status")  # else git does not know that the files are as it has them
    git("sparse-checkout", "set", "notes")
    way = f"`git -C {folder} sparse-checkout add config` brings it back"
    with pytest.raises(CannotOpen, match=f"sparse checkout leaves out: {way}"):
        Vault.open(folder)
    git("sparse-checkout", "add", "config")
    with Vault.open(folder) as vault:
        assert [it.code for it in vault.status().problems] == ["sparse"]


def test_a_vault_of_a_newer_format_is_left_alone(folder: Path) -> None:
    """It says what to do and touches nothing."""
    set_option(folder, "format: 2")
    before = sorted(str(p) for p in folder.rglob("*"))
    with pytest.raises(
        TooNew, match="has format 2, this vaultmem supports up to 1: upgrade"
    ) as told:
        Vault.open(folder)
    assert told.value.exit_code == 5
    assert sorted(str(p) for p in folder.rglob("*")) == before


@pytest.mark.parametrize(
    "line",
    ["immediate_window: none", "recent_window: 0", "strategy: guess", "disabled_agents: ada"],
)
def test_a_setting_that_cannot_be_is_named(folder: Path, line: str) -> None:
    """File, key and what it takes."""
    set_option(folder, line)
    key = line.partition(":")[0]
    with pytest.raises(BadInput, match=rf"config/memory_compaction.md: {key} is .*, it takes "):
        Vault.open(folder)


def test_a_vault_is_made_and_opened_in_one_step(tmp_path: Path) -> None:
    with Vault.init(tmp_path / "mine") as made:
        made.remember("Mara likes tea.", agent="ada")
        assert (made.path / ".git").is_dir()
        assert made.log()[0].subject.startswith("remember")
    with pytest.raises(Refused, match="already a vault"):
        Vault.init(tmp_path / "mine")
    with Vault.init(tmp_path / "plain", with_git=False) as plain:
        assert not (plain.path / ".git").exists()


def test_the_package_offers_the_vault_and_its_version() -> None:
    """And nothing else by accident."""
    assert vaultmem.__version__
    with pytest.raises(AttributeError):
        _ = vaultmem.Wault


# --- who is meant -----------------------------------------------------------------------------


def test_who_is_meant_when_nobody_is_named(folder: Path, clock: Clock) -> None:
    """`default` in a new vault, the only agent in a used one, the config's above all."""
    with Vault.open(folder, clock=clock) as vault:
        assert vault.store.agent() == "default"
        vault.remember("x", agent="ada")
        assert vault.remember("y").path.startswith("agents/ada/")
        vault.remember("z", agent="bob")
        assert vault.store.agent() == "default"
        set_option(folder, "agent: bob")
        assert vault.remember("w").path.startswith("agents/bob/")


def test_an_agent_that_has_nothing_is_named_with_those_that_have(vault: Vault) -> None:
    """A typo must not look like an empty memory."""
    vault.remember("x", agent="ada")
    for ask in (vault.compact, vault.plan_compaction, lambda name: vault.context(agent=name)):
        with pytest.raises(BadInput, match=r"no agent 'adda' in this vault; there are: ada"):
            ask("adda")


# --- remembering and compacting ---------------------------------------------------------------


def test_remembering_compacts_when_that_is_due(folder: Path, vault: Vault) -> None:
    """At immediate + recent + 1 memories, and memory 1 is in it."""
    small(folder)
    tell(vault, 8)
    assert vault.get_recent_context().recent == ""
    assert not vault.should_compact()
    tell(vault, 1, start=9)
    (ada,) = vault.status().agents
    assert (ada.memories, ada.covered, ada.pending, ada.recent_summaries) == (9, 5, 0, 1)
    tell(vault, 4, start=10)
    (ada,) = vault.status().agents
    assert (ada.covered, ada.recent_summaries) == (9, 2)
    assert ada.longterm == "agents/ada/summaries/longterm.md"


def test_the_recent_context_is_three_layers_of_text(folder: Path, vault: Vault) -> None:
    """Long-term, newest short-term, the immediate memories verbatim."""
    small(folder)
    tell(vault, 13)
    layers = vault.get_recent_context()
    assert layers.longterm
    assert layers.recent
    last = [f"Fact {n}: lantern {n} hangs in the garden.\n" for n in range(10, 14)]
    assert [m.body for m in layers.immediate] == last


@pytest.mark.with_history
def test_a_plan_writes_nothing_and_says_what_compacting_then_does(
    folder: Path, vault: Vault
) -> None:
    """Dry run and run agree on the chunks."""
    small(folder)
    tell(vault, 6)
    before = git(folder, "status", "--porcelain", "--untracked-files=all")
    planned = vault.plan_compaction("ada", force=True)
    assert git(folder, "status", "--porcelain", "--untracked-files=all") == before
    done = vault.compact("ada", force=True)
    ranges = [(c.start, c.end, c.count) for c in planned.compactions]
    assert ranges == [(c.start, c.end, c.count) for c in done.compactions] == [(1, 2, 2)]


@pytest.mark.with_history
def test_a_plan_is_applied_as_it_was_shown(folder: Path, vault: Vault) -> None:
    """And only once: its memories are summarized then."""
    small(folder)
    tell(vault, 6)
    planned = vault.plan_compaction("ada", force=True)
    done = vault.compactions.apply(planned)
    assert done.commit
    assert done.compactions == planned.compactions
    with pytest.raises(StaleWrite, match="changed since"):
        vault.compactions.apply(planned)


def test_a_plan_of_nothing_is_not_applied(vault: Vault) -> None:
    with pytest.raises(BadInput, match="nothing to apply: all 0 memories"):
        vault.compactions.apply(vault.plan_compaction())


def test_what_needs_no_model_is_compacted_for_all_agents(folder: Path, vault: Vault) -> None:
    small(folder)
    for agent in ("ada", "bo"):
        for n in range(9):
            vault.memories.keep(f"Fact {n}: lantern {n} hangs in the garden.", agent=agent)
    done = vault.compactions.run_offline()
    assert [c.agent for made in done for c in made.compactions] == ["ada", "bo"]


def test_why_nothing_is_due_is_said(folder: Path, vault: Vault) -> None:
    """The reason, in the numbers that decide."""
    assert "all 0 memories" in vault.compact().reason
    small(folder)
    tell(vault, 6)
    assert vault.compact("ada").reason == (
        "2 memories wait outside the immediate window, compaction is due at 5"
    )
    vault.compact("ada", force=True)
    assert vault.compact("ada", force=True).reason == (
        "every memory outside the immediate window is summarized already"
    )


def test_compaction_for_everybody_names_the_agents(vault: Vault) -> None:
    """Nobody named and none in the config: all that have memories."""
    assert vault.agents() == ("default",)
    vault.remember("x", agent="bob")
    vault.remember("x", agent="ada")
    assert vault.agents() == ("ada", "bob")
    assert vault.agents("bob") == ("bob",)


@pytest.mark.long
def test_adding_in_the_background_keeps_and_commits_everything(folder: Path, clock: Clock) -> None:
    """`add_memory` returns at once; closing waits for the rest."""
    small(folder)
    with Vault.open(folder, clock=clock) as vault:
        for n in range(20):
            made = vault.add_memory(f"Fact {n}", agent="ada")
            assert (folder / made.path).is_file()
    with Vault.open(folder, clock=clock) as vault:
        assert vault.status().agents[0].covered >= 13
        assert vault.status().uncommitted == 0
        assert vault.fsck().ok


def test_a_time_without_a_zone_is_utc(vault: Vault) -> None:
    """As a string, and as a datetime, wherever the machine stands."""
    naive = datetime(2024, 3, 1, 9, 30)  # noqa: DTZ001  # that is the scene
    aware = datetime(2024, 3, 1, 9, 30, tzinfo=UTC)
    times: list[str | datetime] = [naive, aware, "2024-03-01T09:30", "2024-03-01T10:30+01:00"]
    paths = [vault.remember(f"{n}", agent="ada", at=at).path for n, at in enumerate(times)]
    assert {p.split("/")[-1][:15] for p in paths} == {"20240301-093000"}


# --- finding ----------------------------------------------------------------------------------


def test_recall_finds_chinese_accents_and_stems(vault: Vault) -> None:
    """By a part of a sentence without blanks, without the accent, in another form."""
    vault.remember("用户喜欢深度烘焙的咖啡。", agent="ada")
    vault.remember("The café in Zürich serves éclairs.", agent="ada")
    vault.remember("She was running along the river.", agent="ada")
    for query, word in (("咖啡", "咖啡"), ("cafe zurich", "Zürich"), ("runs", "running")):
        assert word in vault.recall(query).hits[0].snippet


def test_recall_sees_what_was_written_by_hand_a_moment_ago(vault: Vault) -> None:
    """And no longer what was deleted."""
    topic = vault.path / "topics/teapot.md"
    topic.parent.mkdir()
    topic.write_text("---\ntype: topic\n---\nThe zanzibar teapot stands in the hall.\n")
    assert [h.path for h in vault.recall("zanzibar").hits] == ["topics/teapot.md"]
    topic.unlink()
    assert vault.recall("zanzibar").hits == ()


@pytest.mark.parametrize("query", ["", "   ", "x" * 5000, "\udcff"])
def test_a_question_that_is_none_is_refused(vault: Vault, query: str) -> None:
    """With a sentence."""
    with pytest.raises(BadInput):
        vault.recall(query)


@pytest.mark.parametrize("query", ['"', "a AND (", "NEAR(", "*", "title:x", "'; DROP TABLE docs"])
def test_no_question_is_a_syntax_error(vault: Vault, query: str) -> None:
    """Any words may be asked for."""
    vault.remember("title x a AND near table docs", agent="ada")
    vault.recall(query)


# --- where a vault may live -------------------------------------------------------------------


def test_a_vault_works_without_git(tmp_path: Path, clock: Clock) -> None:
    """Everything but history."""
    create.create(tmp_path / "v", clock, with_git=False)
    small(tmp_path / "v")
    with Vault.open(tmp_path / "v", clock=clock) as vault:
        tell(vault, 9)
        assert vault.recall("lantern 3").hits
        assert vault.status().agents[0].covered == 5
        assert vault.status().uncommitted == 0
        assert vault.fsck().ok
        for ask in (vault.log, vault.diff, lambda: vault.undo("01J5XK3M9QZ7V4T8R2N6W7Q3KZ")):
            with pytest.raises(Unavailable, match="has no git history: `git init` there starts"):
                ask()


def test_a_vault_inside_a_bigger_repository_commits_only_its_own(
    tmp_path: Path, clock: Clock
) -> None:
    """What else is changed or staged there stays as it was."""
    git(tmp_path, "init", "-q")
    (tmp_path / "app.py").write_text("x = 1\n")
    git(tmp_path, "add", "app.py")
    create.create(tmp_path / "docs/vault", clock, in_repo=True)
    with Vault.open(tmp_path / "docs/vault", clock=clock) as vault:
        made = vault.remember("The well is deep.", agent="ada")
        assert made.commit == git(tmp_path, "rev-parse", "HEAD").strip()
        vault.undo(made.id)
        assert not (vault.path / made.path).exists()
        assert vault.fsck().ok
        assert [o.subject for o in vault.log()][-1] == "init: a vault"
    changed = git(tmp_path, "log", "--format=", "--name-only").split()
    assert all(path.startswith("docs/vault/") for path in changed)
    assert git(tmp_path, "status", "--porcelain") == "A  app.py\n"


def test_a_crowd_of_missing_files_stops_every_write(vault: Vault) -> None:
    """Until a person says they may go."""
    tell(vault, 12)
    shutil.rmtree(vault.path / "agents/ada/memories")
    vault.store.sync()
    with pytest.raises(MassVanish, match=r"^12 files are gone .* `vaultmem fsck --accept-missing`"):
        vault.remember("more", agent="ada")
    assert vault.tick().condensed.compactions == ()
    assert vault.status().status == "ERROR"
    vault.fsck(accept_missing=True)
    vault.remember("more", agent="ada")


@pytest.mark.long
@pytest.mark.with_history
def test_what_brings_a_crowd_back_leaves_what_a_person_is_writing(vault: Vault) -> None:
    note = vault.path / "notes/tea.md"
    note.parent.mkdir()
    note.write_text("Tea.\n")
    for args in (("add", "--all"), ("commit", "-qm", "Tea")):
        git(vault.path, *args)
    tell(vault, 12)
    vault.store.writer.commit_pending()
    note.write_text("Tea, and a long afternoon's work.\n")
    shutil.rmtree(vault.path / "agents/ada/memories")
    vault.store.sync()
    with pytest.raises(MassVanish) as refused:
        vault.remember("more", agent="ada")

    way = re.search(r"`(git [^`]+)`", str(refused.value))
    assert way
    subprocess.run(["sh", "-c", way[1]], cwd=vault.path, check=True)

    vault.remember("more", agent="ada")
    assert note.read_text() == "Tea, and a long afternoon's work.\n"
    assert len([*vault.path.glob("agents/ada/memories/**/*.md")]) == 13


@pytest.mark.with_history
def test_a_crowd_that_an_operation_of_ours_took_away_stops_nothing(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who was killed behind the last file told no index."""
    talk = vault.path.parent / "talk.jsonl"
    said = ({"content": f"Lantern {n} hangs.", "role": "user"} for n in range(12))
    talk.write_text("".join(json.dumps(line) + "\n" for line in said))
    vault.import_files("jsonl", [talk], agent="ada")
    op = vault.log()[0].ops[-1]
    folder = vault.path / "agents/ada/memories"
    with monkeypatch.context() as patch:
        patch.setattr(vault.store.index, "absorb", lambda _: pytest.exit("killed"))
        with pytest.raises(pytest.exit.Exception):
            vault.undo(op)
    assert not [*folder.glob("**/*.md")]

    with Vault.open(vault.path) as again:
        again.remember("The well is deep.", agent="ada")
        assert [it.code for it in again.status().problems] == []
        assert again.fsck().ok


def test_a_folder_that_nobody_may_look_into_is_named(
    folder: Path, clock: Callable[[], datetime], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one of another user's home."""

    def refused(path: Path, **_: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "stat", refused)
        with pytest.raises(DiskRefused, match=r"vault: Permission denied"):
            Vault.open(folder, clock=clock)


def test_vaults_can_be_opened_twice_in_one_process(
    folder: Path, clock: Callable[[], datetime]
) -> None:
    """What one writes the other finds."""
    with Vault.open(folder, clock=clock) as one, Vault.open(folder, clock=clock) as two:
        one.remember("The well is deep.", agent="ada")
        two.remember("The hill is high.", agent="ada")
        assert one.recall("hill").hits
        assert two.recall("well").hits


def test_a_file_comes_as_the_post_that_frontmatter_users_know(vault: Vault) -> None:
    """python-frontmatter's own type, every scalar as it is written."""
    made = vault.remember("Version 1.10 at 12:30.", agent="ada", tags=["release"])
    post = vault.post(made.path)
    assert isinstance(post, frontmatter.Post)
    assert (post["id"], post["tags"], post.content) == (
        made.id,
        ["release"],
        "Version 1.10 at 12:30.\n",
    )
    with pytest.raises(BadInput, match="not in the vault"):
        vault.post("topics/none.md")


def test_workings_that_lead_elsewhere_are_refused(folder: Path, tmp_path: Path) -> None:
    """A cloned vault may hold any link."""
    shutil.rmtree(folder / ".vaultmem", ignore_errors=True)
    (folder / ".vaultmem").symlink_to(tmp_path)
    with pytest.raises(CannotOpen, match="is a link"):
        Vault.open(folder)


def test_whose_memory_is_asked_when_nobody_is_named_and_many_remember(vault: Vault) -> None:
    """An empty context of an agent that never was would look like an answer."""
    for name in ("ada", "bo"):
        vault.remember("Tea at four.", agent=name)
    with pytest.raises(BadInput, match="ada, bo"):
        vault.context("tea")


# --- what a program looks at ------------------------------------------------------------------


def test_a_program_reads_the_settings(vault: Vault) -> None:
    set_option(vault.path, "immediate_window: 7")
    assert vault.config.immediate_window == 7


def test_a_file_that_a_person_wrote_is_in_the_index_once_it_is_refreshed(vault: Vault) -> None:
    before = vault.queries.refresh_index()
    (vault.path / "topics").mkdir()
    (vault.path / "topics/wells.md").write_text("# Wells\n\nThe well is deep.\n")
    assert vault.queries.refresh_index() == before + 1


def test_the_files_of_a_scope_are_what_recall_sees(vault: Vault) -> None:
    for name in ("ada", "bo"):
        vault.remember("Tea at four.", agent=name)
    (hers,) = vault.queries.files(Scope(agent="ada", type="memory"))
    assert hers.agent == "ada"
    with pytest.raises(BadInput, match="cid"):
        vault.queries.files(Scope(agent="cid"))


@pytest.mark.with_history
def test_what_waits_for_its_commit_is_committed(vault: Vault) -> None:
    kept = vault.memories.keep("The well is deep.", agent="ada")
    assert vault.history.has_repository
    assert list(vault.history.commit_pending()) == [kept.id]
    assert not vault.history.commit_pending()


def test_without_git_there_is_no_repository(plain: Vault) -> None:
    assert not plain.history.has_repository


def test_an_estimate_of_several_agents_is_one_sum(vault: Vault) -> None:
    for name in ("ada", "bo"):
        vault.remember("Tea at four.", agent=name)
    assert vault.compactions.estimate_all(["ada", "bo"]).price == 0


# --- what a caller gives ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda v: v.remember("a", tags="health"), "tags takes a list of strings, not 'str'"),
        (lambda v: v.remember("a", tags=["health", 5]), "tags takes a list of strings, and holds"),
        (lambda v: v.remember(None), "text takes a string, not None"),
        (lambda v: v.remember("a", at=5), "at takes a string or a datetime or None, not 'int'"),
        (lambda v: v.remember("a", importance="0.5"), "importance takes a number or None"),
        (lambda v: v.add_memory("a", agent=None), "agent takes a string, not None"),
        (lambda v: v.correct("a", 5), "text takes a string, not 'int'"),
        (lambda v: v.recall(5), "query takes a string, not 'int'"),
        (lambda v: v.recall("a", k="5"), "k takes a whole number, not 'str'"),
        (lambda v: v.recall("a", k=True), "k takes a whole number, not 'bool'"),
        (
            lambda v: v.recall("a", scope=Scope(tags=cast("Any", "health"))),
            "tags takes a list of strings, not 'str'",
        ),
        (lambda v: v.context("a", budget="8000"), "budget takes a whole number"),
        (lambda v: v.context("a", budget=10**19), "budget takes a whole number of at most 15"),
        (lambda v: v.context("a", turns=10**5000), "turns takes a whole number of at most 15"),
        (lambda v: v.context("a", task_complexity=math.nan), "task_complexity takes a number"),
        (lambda v: v.tasks.create("a", owner=5), "owner takes a string, not 'int'"),
        (lambda v: v.reach().append("notes/a.md", None), "text takes a string, not None"),
        (lambda v: v.forget(None), "ref takes a string, not None"),
        (lambda v: v.forgetting.forget("notes/a.md"), "refs takes a list of strings"),
        (lambda v: type(v).open(5), "path takes a string or a Path, not 'int'"),
    ],
)
def test_what_cannot_be_meant_is_said_and_nothing_is_written(
    vault: Vault, ask: Callable[[Any], object], said: str
) -> None:
    """In one sentence, that names the argument."""
    with pytest.raises(BadInput, match=said):
        ask(vault)
    assert vault.store.writer.waiting() == 0


TEXTS = [
    (name, given)
    for name, method in vars(Vault).items()
    if inspect.isfunction(method) and not name.startswith("_")
    for given, parameter in inspect.signature(method).parameters.items()
    if parameter.annotation == "str"
]


@pytest.mark.parametrize(("name", "given"), TEXTS)
def test_every_method_says_that_a_text_is_none(vault: Vault, name: str, given: str) -> None:
    """Whether the vault looks at it or the part that it hands it to."""
    method = getattr(vault, name)
    parameters = inspect.signature(method).parameters.values()
    needed = [p for p in parameters if p.default is p.empty and p.kind is not p.VAR_KEYWORD]
    others = {p.name: [] if p.annotation.startswith("Sequence") else "" for p in needed}
    with pytest.raises(BadInput, match=f"{given} takes a string, not 'int'"):
        method(**(others | {given: 5}))


def test_recall_looks_where_its_options_say(vault: Vault) -> None:
    """As a scope does; an agent's are its own and those that all share."""
    vault.remember("Ada has tea at four.", agent="ada", at="2026-05-05", tags=["tea"])
    vault.remember("Ada had tea at three.", agent="ada", at="2026-03-05")
    vault.remember("Bob has tea at five.", agent="bob", at="2026-05-05")
    (vault.path / "notes").mkdir()
    (vault.path / "notes/tea.md").write_text("Tea for all.\n")

    def found(**options: Unpack[RecallOptions]) -> set[str]:
        return {hit.snippet for hit in vault.recall("tea", **options).hits}

    ada = {"Ada has tea at four.", "Ada had tea at three."}
    assert found() == {*ada, "Bob has tea at five.", "Tea for all."}
    assert found(agent="ada") == {*ada, "Tea for all."}
    assert found(agent="ada", type="memory") == ada
    assert found(tags=["tea"]) == {"Ada has tea at four."}
    assert found(after="2026-05-01", before="2026-05-05", mode="lexical") == {
        "Ada has tea at four.",
        "Bob has tea at five.",
    }


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda v: v.recall("a", tags="tea"), "tags takes a list of strings, not 'str'"),
        (lambda v: v.recall("a", explain="yes"), "explain takes True or False, not 'str'"),
        (lambda v: v.recall("a", scope=Scope(), agent="ada"), "a scope or agent, not both"),
        (lambda v: v.recall("a", after="soon"), "soon"),
    ],
)
def test_what_recall_cannot_be_asked_is_said(
    vault: Vault, ask: Callable[[Any], object], said: str
) -> None:
    with pytest.raises(BadInput, match=said):
        ask(vault)


def test_an_option_that_recall_does_not_have_is_a_mistake_of_the_caller(vault: Vault) -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'agnet'"):
        vault.recall("tea", agnet="ada")  # type: ignore[call-arg]  # a mistake


@pytest.mark.parametrize("path", ["", "  "])
def test_an_empty_path_means_no_folder(
    folder: Path, tmp_path: Path, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (work := tmp_path / "work").mkdir()
    monkeypatch.chdir(work)
    with pytest.raises(BadInput, match="the path of a vault is empty"):
        Vault.init(path)
    assert [*work.iterdir()] == []
    monkeypatch.chdir(folder)
    with pytest.raises(BadInput, match="the path of a vault is empty"):
        Vault.open(path)
    with pytest.raises(BadInput, match="path takes a string or a Path"):
        Vault.init(cast("str", None))
    for here in (".", Path()):
        with Vault.open(here) as vault:
            assert vault.path == folder


def test_what_recall_import_and_open_cannot_take_is_said(vault: Vault) -> None:
    with pytest.raises(BadInput, match="scope takes a Scope, not str"):
        vault.recall("x", scope="nope")  # type: ignore[arg-type]  # a mistake
    with pytest.raises(BadInput, match="'zzz' is not a mode of recall: use one of auto, lexical"):
        vault.recall("x", mode="zzz")  # type: ignore[arg-type]  # a mistake
    with pytest.raises(BadInput, match="paths takes a list of strings or Paths"):
        vault.import_files("jsonl", "notalist")
    with pytest.raises(BadInput, match="NUL"):
        Vault.open("a\0b")
