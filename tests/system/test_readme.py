"""README and manual say what is true: transcripts run, Python runs, every command is named."""

from __future__ import annotations

import os
import re
import runpy
import shutil
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.cases import rarely
from tests.commands import Commands
from tests.commands import commands as running
from vaultmem import Vault
from vaultmem.api import create
from vaultmem.cli import COMMANDS, watch
from vaultmem.daemon.inbox import Inbox
from vaultmem.documents.bodies import markdown
from vaultmem.records import utc_now
from vaultmem.storage import files, transcripts
from vaultmem.storage.commits import QUIET

_ROOT = Path(__file__).parents[2]
_MANUAL = _ROOT / "vaultmem/manual"
_README = (_ROOT / "README.md").read_text(encoding="utf-8")
_PAGES = {
    str(path.relative_to(_ROOT)): path.read_text(encoding="utf-8")
    for path in (_ROOT / "README.md", _ROOT / ".github/CONTRIBUTING.md", *sorted(_MANUAL.iterdir()))
}
_BIN = Path(sys.executable).parent


def _blocks(language: str, page: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", _PAGES[page], re.MULTILINE | re.DOTALL)


def _pages_with(language: str) -> list[str]:
    return [page for page in _PAGES if _blocks(language, page)]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home of its own, where README's commands run."""
    (tmp_path / ".gitconfig").write_text("[user]\nname = Someone\nemail = someone@example.org\n")
    return tmp_path


def _environment(home: Path) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("VAULTMEM", "GIT_", "XDG_"))}
    return kept | {"HOME": str(home), "PATH": f"{_BIN}:{os.environ['PATH']}", "NO_COLOR": "1"}


_HOME = "/home/mara"
"""The home folder that the pages show."""


def _masked(text: str, home: Path) -> str:
    """Blank out what differs from run to run: times, ids, the home folder."""
    text = text.replace(str(home), "~").replace(_HOME, "~")
    text = re.sub(r"\d{8}-\d{6}-([a-z0-9-]+)-[0-9a-z]{6}\b", r"TIME-\1-ID", text)
    text = re.sub(r"/\d{4}/\d{2}/", "/YEAR/MONTH/", text)
    text = re.sub(r"\b[0-9A-HJKMNP-TV-Z]{26}\b", "OPERATION", text)
    text = re.sub(r"`[0-9a-f]{8}`", "CHANGE", text)
    text = re.sub(r"origin/\w+", "origin/BRANCH", text)
    return re.sub(r"\d{4}-\d{2}-\d{2}( \d{2}:\d{2}|T[\d:]{8}Z)?", "DATE", text)


@pytest.fixture(scope="module")
def commands() -> Iterator[Commands]:
    """Start what runs the commands of all pages."""
    with running() as started:
        yield started


@pytest.mark.long
@pytest.mark.parametrize("page", _pages_with("console"))
def test_the_transcripts_are_what_the_commands_print(
    commands: Commands, home: Path, page: str
) -> None:
    """Each block is one shell session; `$` lines are typed, the rest is printed."""
    for block in _blocks("console", page):
        typed = [line[2:] for line in block.splitlines() if line.startswith("$ ")]
        script = "\n".join(f"echo '$ '{_quoted(line)}; {line}" for line in typed)
        done = commands.script(script, home, _environment(home))
        assert done.stderr == ""
        assert _masked(done.stdout, home) == _masked(block, home)


def _quoted(line: str) -> str:
    return "'" + line.replace("'", "'\\''") + "'"


def _examples() -> dict[str, str]:
    folder = _ROOT / "tests/examples"
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py"))}


@pytest.mark.parametrize("name", _examples())
def test_every_example_stands_in_the_manual(name: str) -> None:
    """They are run, each by a test of its own."""
    assert any(_examples()[name] in _blocks("python", page) for page in _PAGES)


@pytest.mark.long
@pytest.mark.parametrize(
    ("page", "printed"),
    [
        ("README.md", ["Mara drinks dark roast, before nine only."]),
        *rarely(
            ("vaultmem/manual/getting-started.md", ["Mara drinks dark roast, before nine only."]),
            (
                "vaultmem/manual/sessions.md",
                ["We decided on the Ferro", "ada/episodes/episode-0001-"],
            ),
        ),
    ],
)
def test_the_python_runs(home: Path, page: str, printed: list[str]) -> None:
    """It finds what it has just remembered."""
    environment = _environment(home)
    subprocess.run(
        [_BIN / "vaultmem", "init", "memory"], cwd=home, env=environment, check=True,
        capture_output=True,
    )  # fmt: skip
    (code,) = (code for code in _blocks("python", page) if code not in _examples().values())
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=home, env=environment, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert all(text in done.stdout for text in printed)


def test_the_note_is_answered_as_shown(tmp_path: Path) -> None:
    """Of the note in the manual the lines without a `>` are typed, the callouts are answers."""
    (shown,) = [
        block
        for block in _blocks("markdown", "vaultmem/manual/daemon.md")
        if "[!vaultmem]" in block
    ]
    typed = "".join(re.findall(r"^(?!>).*\n", shown, re.MULTILINE))
    note = _vault(tmp_path) / "inbox/tuesday.md"
    note.write_text(typed)
    with Vault.open(tmp_path) as vault:
        vault.store.sync()
        known = frozenset(name for name in COMMANDS if name.startswith("@"))
        inbox = Inbox(known, lambda argv: watch.answer(vault.path, argv))
        assert inbox.answer(vault.store, time.time() + QUIET) == 1
    assert _masked(note.read_text(), tmp_path) == _masked(shown, tmp_path)


def _vault(folder: Path) -> Path:
    create.create(folder, utc_now)
    return folder


def test_what_tells_of_the_commands_is_what_they_say_of_themselves() -> None:
    """`python .github/commands.py` writes it again: the page, the man page, the completions."""
    written = runpy.run_path(str(_ROOT / ".github/commands.py"))["written"]()
    assert {_MANUAL / "commands.md", _ROOT / ".github/share/man/man1/vaultmem.1"} <= {
        _ROOT / path for path in written
    }
    for path, text in written.items():
        assert (_ROOT / path).read_text(encoding="utf-8") == text


@pytest.mark.skipif(not shutil.which("groff"), reason="needs groff")
def test_the_man_page_is_sound() -> None:
    """Groff has nothing to say against it."""
    page = _ROOT / ".github/share/man/man1/vaultmem.1"
    asked = ["groff", "-Kutf8", "-man", "-Tutf8", "-ww", str(page)]
    done = subprocess.run(asked, capture_output=True, check=True)
    assert done.stderr == b""
    assert b"Create no git repository" in done.stdout


def _indented(heading: str) -> list[str]:
    """Return the examples below a *heading* of the format's specification."""
    text = (_ROOT / "vault/README.md").read_text(encoding="utf-8")
    (section,) = re.findall(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    found = re.findall(r"(?:^(?:    .*)?\n)+", section, re.MULTILINE)
    return [f"{textwrap.dedent(block).strip()}\n" for block in found if block.strip()]


def test_the_bodies_of_the_specification_are_what_is_written() -> None:
    """Read and written again they are the same."""
    episode, topic, compact = _indented("Episodes, topics, compacts")
    assert markdown.render_episode(markdown.parse_episode(episode)) == episode
    assert markdown.render_topic(markdown.parse_topic(topic, "", "", "")) == topic
    assert markdown.render_compact(markdown.parse_compact(compact)) == compact


def test_the_transcript_of_the_specification_is_what_is_written(tmp_path: Path) -> None:
    (shown,) = _indented("Transcripts")
    (tmp_path / "boiler.jsonl").write_text(shown, encoding="utf-8")
    with closing(files.Root(tmp_path)) as root:
        found = transcripts.load(root, "boiler.jsonl")
    assert found is not None
    assert found.faults == ()
    assert transcripts.lines(found.turns, 1, found.session).decode() == shown


def test_the_two_commands_are_one_block_each() -> None:
    """`.ci/run` runs the second one as it stands."""
    for mark in ("demo", "tests"):
        found = re.findall(rf"<!-- {mark} -->\n```bash\n(.*)\n```", _README)
        assert len(found) == 1
        assert found[0].startswith("python3 -m venv")


@pytest.mark.parametrize("page", _PAGES)
def test_every_link_leads_somewhere(page: str) -> None:
    """Relative links only."""
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", _PAGES[page]):
        assert ((_ROOT / page).parent / target).exists(), target


def test_the_front_page_is_short() -> None:
    """Whoever reads more has the manual."""
    assert _README.count("\n") <= 250


def test_the_picture_is_what_its_script_draws() -> None:
    folder = _ROOT / ".github"
    drawn = runpy.run_path(str(folder / "picture.py"))["picture"]()
    assert (folder / "vaultmem.svg").read_text(encoding="utf-8") == drawn
