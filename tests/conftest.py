"""What the scenes share: a vault, a clock we set, a home nobody writes to."""

from __future__ import annotations

import gc
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import HealthCheck, settings

from vaultmem import Vault
from vaultmem.api import create
from vaultmem.errors import DiskRefused
from vaultmem.records import utc_now
from vaultmem.storage import git
from vaultmem.storage.files import Root
from vaultmem.storage.plan import Plan
from vaultmem.storage.store import Store
from vaultmem.storage.writer import Writer

settings.register_profile(
    "scenes",
    deadline=None,
    # What thirty do not find is looked for by `thorough`, and under other seeds by `repeat.py`.
    max_examples=30,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
    stateful_step_count=12,
    # The gate draws the same examples each time; `tests/repeat.py` draws others.
    derandomize="CI" in os.environ,
)
settings.register_profile(
    "thorough", settings.get_profile("scenes"), max_examples=400, stateful_step_count=30
)
settings.load_profile("scenes")

_HERE = Path(__file__).parent
_MEMORY = Path("/dev/shm")  # noqa: S108  # each session makes a folder of its own there
_ENOUGH = 4 << 30
_YOUNG = 20_000  # objects until a collection: the usual 700 are made and gone in every call
_OF_LONG = 3  # one of so many is in a sample: the gate stays under twenty minutes
_OURS = ("GIT_", "VAULTMEM_", "XDG_", "ANTHROPIC_", "OLLAMA_")
GITCONFIG = (
    "[user]\n\tname = Ada Person\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n"
    # Else a commit, and who takes a push, each start two more processes to ask what to tidy up.
    "[maintenance]\n\tauto = false\n[receive]\n\tautogc = false\n"
)


def pytest_xdist_auto_num_workers() -> int:
    """Return how many `-n auto` are: half as many more as there are cores.

    A scene waits for git or a server a quarter of its time.
    """
    cores = os.cpu_count() or 1
    return cores + (cores + 1) // 2


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the gate take some of the long scenes: others with each commit, all of them in turn."""
    parser.addoption(
        "--sample", metavar="SEED", help="of the scenes that are `long` take a third, by SEED"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Work in memory where there is enough of it: an fsync costs nothing there.

    `--basetemp` names another place, and TMPDIR does so.
    """
    # Hundreds of processes begin here: each of them would compile the whole package.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    # Nobody draws from the dice that all share: to set those back thrice a scene shows nothing.
    config.option.randomly_reset_seed = False
    gc.disable()  # of what modules make while they are imported nothing can be freed
    if "TMPDIR" in os.environ or config.getoption("basetemp"):
        return
    if _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free >= _ENOUGH:
        os.environ["TMPDIR"], tempfile.tempdir = str(_MEMORY), str(_MEMORY)


def pytest_collection(session: pytest.Session) -> None:
    """Let each worker begin with other folders: what is new one compiles, and the rest reads it.

    Side by side they would all compile all of it: the scenes, the package, what it imports.
    """
    worker, args = os.environ.get("PYTEST_XDIST_WORKER"), session.config.args
    if worker is None or [session.config.rootpath / it for it in args] != [_HERE]:
        return
    folders = sorted({path.parent for path in _HERE.glob("*/test_*.py")})
    first = len(folders) * int(worker[2:]) // int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
    args[:] = map(str, folders[first:] + folders[:first])


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let all workers have the same order, wherever they began, and the same sample."""
    items.sort(key=lambda item: item.nodeid.partition("::")[0])
    if (seed := config.getoption("--sample")) is not None:
        drawn = {item: _is_in_sample(item, seed) for item in items}
        items[:] = [item for item in items if drawn[item]]
        config.hook.pytest_deselected(items=[item for item in drawn if not drawn[item]])


def _is_in_sample(item: pytest.Item, seed: str) -> bool:
    is_long = item.get_closest_marker("long") is not None
    return not is_long or crc32(f"{seed} {item.nodeid}".encode()) % _OF_LONG == 0


def pytest_collection_finish() -> None:
    """Spare the collector what has been loaded for all the scenes to come."""
    gc.freeze()  # what garbage there is, too: to look for it takes 0.7 s in each worker
    gc.set_threshold(_YOUNG, 20, 50)
    gc.enable()


class Clock:
    """A clock that stands still until it is told."""

    def __init__(self) -> None:
        """Begin on a Friday morning."""
        self.now = datetime(2026, 11, 20, 10, 15, tzinfo=UTC)

    def __call__(self) -> datetime:
        """Return the time it shows."""
        return self.now

    def advance(self, **by: float) -> None:
        """Move the hands, back too: `advance(days=-1)`."""
        self.now += timedelta(**by)


class Home:
    """A folder with the configuration of git, in which the scenes live one after another."""

    def __init__(self, folder: Path) -> None:
        """Furnish *folder*."""
        self.folder, self._config = folder, folder / ".gitconfig"
        self._config.write_text(GITCONFIG)
        self._says = {
            "HOME": str(folder),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": str(self._config),
            # The servers of scenes have no certificates; to read those of the world takes 40 ms.
            "SSL_CERT_DIR": str(folder),
        }

    @contextmanager
    def lived_in(self) -> Iterator[None]:
        """Let the environment say that this is home, and nothing of ours, until the block ends.

        What of ours a scene leaves in it goes too: a hook says to what it starts that it runs.
        """
        before = _of_ours() | {key: os.environ.get(key) for key in self._says}
        _say(dict.fromkeys(_of_ours()) | self._says)
        yield
        _say(dict.fromkeys(_of_ours()) | before)

    def tidied(self) -> list[Path]:
        """Return what somebody left here, and make it as it was."""
        if not self._config.exists() or self._config.read_text() != GITCONFIG:
            self._config.write_text(GITCONFIG)
        left = [path for path in self.folder.iterdir() if path != self._config]
        for path in left:
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        return left


def _of_ours() -> dict[str, str | None]:
    return {key: value for key, value in os.environ.items() if key.startswith(_OURS)}


def _say(environment: Mapping[str, str | None]) -> None:
    for key, value in environment.items():
        if value is None:
            os.environ.pop(key, None)
        else:
            os.environ[key] = value


@pytest.fixture(scope="session")
def only_home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """Return the home of all scenes: to make one for each takes longer than many of them."""
    return Home(Path(tempfile.mkdtemp(prefix="home-", dir=tmp_path_factory.getbasetemp())))


@pytest.fixture(autouse=True)
def home(request: pytest.FixtureRequest, only_home: Home) -> Iterator[Path]:
    """Let each scene begin at home, and see that it stays as it was."""
    with only_home.lived_in():
        yield only_home.folder
    left = only_home.tidied()
    assert left == [], "somebody wrote to the home folder"
    if isinstance(path := request.node.funcargs.get("tmp_path"), Path):
        _unlink_current(path)


def _unlink_current(path: Path) -> None:
    """Take away the link to a scene's folder that pytest leaves beside it.

    It looks at all that is there to number the next one, which takes a millisecond more with every
    thousand scenes.
    """
    path.with_name(f"{path.name.rstrip('0123456789')}current").unlink(missing_ok=True)


@pytest.fixture
def clock() -> Clock:
    """Return the clock of the vault."""
    return Clock()


class Template:
    """A folder of small files, kept to be written again: a third of what a copy takes."""

    def __init__(self, source: Path) -> None:
        """Read all there is in *source*."""
        self._top = source.stat()
        found = sorted(p for p in source.rglob("*") if not p.is_symlink())
        self._folders = [(p.relative_to(source), p.stat()) for p in found if p.is_dir()]
        self._files = [
            (str(p.relative_to(source)), p.stat(), p.read_bytes()) for p in found if p.is_file()
        ]
        self._links = [
            (p.relative_to(source), p.readlink()) for p in source.rglob("*") if p.is_symlink()
        ]

    def write(self, target: Path) -> Path:
        """Write it to *target*, with the modes and times it had, and return that."""
        target.mkdir(0o700)
        for folder, facts in self._folders:
            (target / folder).mkdir(stat.S_IMODE(facts.st_mode))
        for name, facts, data in self._files:
            fd = os.open(f"{target}/{name}", os.O_WRONLY | os.O_CREAT | os.O_EXCL, facts.st_mode)
            os.write(fd, data)
            os.utime(fd, ns=(facts.st_atime_ns, facts.st_mtime_ns))
            os.close(fd)
        for link, to in self._links:
            (target / link).symlink_to(to)
        for folder, facts in self._folders:
            os.utime(target / folder, ns=(facts.st_atime_ns, facts.st_mtime_ns))
        os.utime(target, ns=(self._top.st_atime_ns, self._top.st_mtime_ns))
        return target


def indexed(made: Path, clock: Callable[[], datetime]) -> Template:
    """Return a new vault and its index: to read the manual in each takes longer than a scene."""
    with Vault.open(made, clock=clock) as opened:
        opened.estimate()
    return Template(made)


def _pack(made: Path) -> None:
    """Put thirty objects into one file: half of what a vault's copy would be is their folders."""
    subprocess.run(["git", "repack", "-adq"], cwd=made, check=True)


@pytest.fixture(scope="session")
def templates() -> dict[str, Template]:
    """Return new vaults by name, once they were made."""
    return {}


@pytest.fixture
def folder(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    templates: dict[str, Template],
) -> Path:
    """Make a vault with its first commit, or none `without_history`, and return where it is."""
    marks = (mark.name for mark in request.node.iter_markers() if mark.name.endswith("_history"))
    with_git = next(marks, "with_history") == "with_history"
    name = "vault" if with_git else "without history"
    if name not in templates:
        made = tmp_path_factory.mktemp("template") / "vault"
        create.create(made, Clock(), with_git=with_git)
        if with_git:
            _pack(made)
        templates[name] = indexed(made, Clock())
    return templates[name].write(tmp_path / "vault")


@pytest.fixture
def vault(folder: Path, clock: Clock) -> Iterator[Vault]:
    """Open the vault."""
    with Vault.open(folder, clock=clock) as opened:
        yield opened


Once = Callable[[Callable[[Path], object]], Template]
Prepared = Callable[[Callable[[Vault], object]], Vault]


@pytest.fixture
def once(templates: dict[str, Template], tmp_path_factory: pytest.TempPathFactory) -> Once:
    """Return what keeps the folder that a function makes, which is called once for all scenes."""

    def kept(make: Callable[[Path], object]) -> Template:
        name = f"{make.__module__}.{make.__qualname__}"
        if name not in templates:
            make(made := tmp_path_factory.mktemp("template") / "vault")
            templates[name] = Template(made)
        return templates[name]

    return kept


@pytest.fixture
def prepared(
    folder: Path,
    clock: Clock,
    templates: dict[str, Template],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Prepared]:
    """Return what opens the vault after a deed, which is done once for all the scenes it is for.

    The deed is a function of a module, and leaves the clock alone.
    """
    with ExitStack() as stack:

        def after(deed: Callable[[Vault], object]) -> Vault:
            name = f"{deed.__module__}.{deed.__qualname__} {(folder / '.git').exists()}"
            if name not in templates:
                made = Template(folder).write(tmp_path_factory.mktemp("template") / "vault")
                with Vault.open(made, clock=Clock()) as opened:
                    deed(opened)
                templates[name] = Template(made)
            shutil.rmtree(folder)
            return stack.enter_context(Vault.open(templates[name].write(folder), clock=clock))

        yield after


@pytest.fixture
def plain(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, templates: dict[str, Template]
) -> Iterator[Vault]:
    """Open a vault without history, by the clock of the system."""
    if "plain" not in templates:
        create.create(
            made := tmp_path_factory.mktemp("template") / "vault", utc_now, with_git=False
        )
        templates["plain"] = indexed(made, utc_now)
    with Vault.open(templates["plain"].write(tmp_path / "vault")) as opened:
        yield opened


@pytest.fixture
def full_at_the_third_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the disk be full when the third plan is carried out, and no longer."""
    real, done = Store.apply, []

    def apply(store: Store, plan: Plan, guard: Callable[[], None] | None = None) -> None:
        done.append(1)
        if len(done) == 3:
            raise DiskRefused("vault", "No space left on device")
        real(store, plan, guard)

    monkeypatch.setattr(Store, "apply", apply)


@pytest.fixture
def reopen(folder: Path, clock: Clock) -> Iterator[Callable[[], Writer]]:
    """Return what opens the vault's door as a new process does, with nothing in its memory."""
    roots: list[Root] = []

    def writer() -> Writer:
        roots.append(Root(folder))
        return Writer(roots[-1], clock, git.find)

    yield writer
    for root in roots:
        root.close()


@pytest.fixture
def writer(reopen: Callable[[], Writer]) -> Writer:
    """Return the vault's door."""
    return reopen()


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Root]:
    """Open an empty folder."""
    path = tmp_path / "root"
    path.mkdir()
    opened = Root(path)
    yield opened
    opened.close()


_LINK = os.link


def no_lock_of_git(
    source: str,
    target: str,
    *,
    src_dir_fd: int | None = None,
    dst_dir_fd: int | None = None,
    follow_symlinks: bool = True,
) -> None:
    """Stand in for `os.link` where the folder `.git` may not be written."""
    if str(target).endswith(".git/index.lock"):
        raise PermissionError(13, "Permission denied", str(target))
    _LINK(source, target, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd,
          follow_symlinks=follow_symlinks)  # fmt: skip


class StalledGit:
    """A git that stops short of moving HEAD until it is told to go on."""

    def __init__(self, folder: Path) -> None:
        """Put it into *folder*."""
        self.folder, self._reached, self._on = folder, folder / "reached", folder / "on"
        git = shutil.which("git")
        folder.mkdir()
        os.mkfifo(self._reached)
        os.mkfifo(self._on)
        program = folder / "git"
        program.write_text(
            "#!/bin/sh\n"
            'for word; do if [ "$word" = update-ref ]; then\n'
            f'  echo > "{self._reached}"; read -r _ < "{self._on}"\n'
            f'fi; done\nexec "{git}" "$@"\n'
        )
        program.chmod(0o700)

    def stalls(self) -> None:
        """Wait until somebody is in the middle of a commit."""
        self._reached.read_bytes()

    def goes_on(self) -> None:
        """Let the commit end."""
        self._on.write_bytes(b"\n")


@pytest.fixture
def stalled_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StalledGit:
    """Put a git that stalls before the real one, for processes that are started from now on."""
    made = StalledGit(tmp_path / "stalled")
    monkeypatch.setenv("PATH", f"{made.folder}{os.pathsep}{os.environ['PATH']}")
    return made
