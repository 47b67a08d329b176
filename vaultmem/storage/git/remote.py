"""The other side: what a remote has, bringing it here, and giving ours; never by force.

It is spoken to by its address, and with programs that we name: what the repository's config says of
a remote could start anything. Who asks for a password gets none, and who does not answer is left.
"""

from __future__ import annotations

import errno
import os
import re
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput, DiskRefused, Refused, Unavailable
from vaultmem.storage.git import config, named_pipes, objects, process
from vaultmem.storage.git.types import ConfigEntry, Place

_SECONDS = 120.0
"""For an answer; what is brought or given after it may take longer, as it is large."""
_NOT_FOR_EVER = ("http.lowSpeedLimit=1", "http.lowSpeedTime=120")
_PROTOCOLS = "file:ssh:https"
_UPLOAD, _RECEIVE = "--upload-pack=git-upload-pack", "--receive-pack=git-receive-pack"
_MOVED = re.compile(r"fetch first|non-fast-forward|stale info|incorrect old value")
_AT_ONCE = re.compile(r"cannot lock ref '[^']*': (is at|reference already exists|.*File exists)")
"""Who pushes at the same moment is told so, and the verdict says no more than `_NOT_MOVED`."""
_NOT_MOVED = "failed to update ref"
_BARRED = re.compile(r"transport '[^']*' not allowed")
_MOST_SAID = 500
_OF_ITS_OWNER = re.compile(r"(?<=//)[^/@\s]*@|(?<=[^\s'\"])\?[^\s'\"]+")
"""What of an address is a name with a password, or a query: that has a token."""

_INSTEAD = ".insteadof"


@dataclass(frozen=True, slots=True)
class Remote:
    """A branch elsewhere: the remote's *name* here, its address, and what the branch is called.

    *ssh* is the command for an address that git reaches by ssh.
    """

    name: str
    url: str
    branch: str
    ssh: str

    @property
    def ref(self) -> str:
        """The branch, as it is called there."""
        return f"refs/heads/{self.branch}"

    @property
    def tracking(self) -> str:
        """The name under which git here remembers where the branch there stood last."""
        return f"refs/remotes/{self.name}/{self.branch}"

    @property
    def shown(self) -> str:
        """The address without a password or a token in it."""
        return _OF_ITS_OWNER.sub("", self.url)


def find(place: Place, name: str = "") -> Remote | None:
    """Return the branch to be in step with: of *name*, else the upstream's, else of `origin`.

    None when there is no remote; raises BadInput for a *name* that there is not.
    """
    own, said = _branch(place), config.entries(place)
    known = _addresses(said)
    upstream, branch = _upstream(said, own)
    chosen = name or (upstream if upstream in known else "origin")
    if chosen not in known:
        if name:
            here = ", ".join(sorted(known)) or "none: `git remote add origin URL` adds one"
            raise BadInput(f"no remote {quoted(name)} in {place.top}; there are: {here}")
        return None
    there = branch if chosen == upstream and branch else own
    return Remote(chosen, known[chosen], there, _ssh(said))


def unpublished(place: Place) -> str:
    """Return the branch here, where it follows none elsewhere and another one does; else "".

    A person has begun it beside the one that is published, and may mean to keep it here.
    """
    own, said = _branch(place), config.entries(place)
    keys = (_text(it.key) for it in said)
    others = {
        key.removeprefix("branch.").removesuffix(".merge")
        for key in keys
        if key.startswith("branch.") and key.endswith(".merge")
    } - {own}
    return (
        own if any(_upstream(said, it)[0] for it in others) and not _upstream(said, own)[0] else ""
    )


def names(place: Place) -> tuple[str, ...]:
    """Return the names of the remotes, where a copy of the history may be; raises Unavailable."""
    return tuple(sorted(_addresses(config.entries(place))))


def _branch(place: Place) -> str:
    ref = objects.branch_file(place) or _ask(place, "symbolic-ref", "-q", "HEAD")
    return ref.removeprefix("refs/heads/")


def _addresses(said: Sequence[ConfigEntry]) -> dict[str, str]:
    """Return the remotes, and from where each is fetched; its name where nothing says more."""
    names = (_text(it.key).removeprefix("remote.").rpartition(".")[0]
             for it in said if it.key.startswith(b"remote."))  # fmt: skip
    first = {name: next(iter(_values(said, f"remote.{name}.url")), "") for name in names if name}
    return {name: _rewritten(said, url or name) for name, url in first.items()}


def _rewritten(said: Sequence[ConfigEntry], url: str) -> str:
    """Return *url* with the beginning that the longest of the insteadOf that fit puts there."""
    rules = ((_text(it.key)[len("url.") : -len(_INSTEAD)], _text(it.value)) for it in said
             if it.key.startswith(b"url.") and it.key.endswith(_INSTEAD.encode()))  # fmt: skip
    fitting = [rule for rule in rules if url.startswith(rule[1])]
    start, old = max(fitting, key=lambda rule: len(rule[1]), default=("", ""))
    return start + url.removeprefix(old)


def _upstream(said: Sequence[ConfigEntry], branch: str) -> tuple[str, str]:
    """Return the remote that *branch* follows, and which branch there; "" where it follows none."""
    remotes, refs = (_values(said, f"branch.{branch}.{key}") for key in ("remote", "merge"))
    return (remotes[-1], refs[0].removeprefix("refs/heads/")) if remotes and refs else ("", "")


def _values(said: Sequence[ConfigEntry], key: str) -> list[str]:
    return [_text(it.value) for it in said if _text(it.key) == key]


def _text(said: bytes) -> str:
    return said.decode(errors="replace")


def tip(place: Place, remote: Remote) -> str | None:
    """Return the commit that the branch has there, None when there is none yet."""
    said = _reach(place, remote, ("ls-remote", _UPLOAD, "--", remote.url, remote.ref)).stdout
    lines = (line.split("\t") for line in said.decode(errors="replace").splitlines())
    return next((oid for oid, ref in lines if ref == remote.ref), None)


def fetch(place: Place, remote: Remote) -> None:
    """Bring what the branch has there."""
    flags = ("--no-tags", "--no-recurse-submodules", "--no-auto-maintenance", "--quiet")
    only = ("--no-write-fetch-head", "--refmap=", _UPLOAD, "--", remote.url, remote.ref)
    _reach(place, remote, ("fetch", *flags, *only), limit=process.LONG)


def note(place: Place, remote: Remote, tip: str, base: str) -> None:
    """Let git here remember that *tip*, which is to be merged, is what the branch has there.

    It stands on *base*. Raises Refused where what it had last is no longer in it: somebody took
    that out by force.
    """
    if not objects.is_at(place, remote.tracking, base):
        known = _ask(place, "rev-parse", "--quiet", "--verify", f"{remote.tracking}^{{commit}}")
        if known and not (_stands_on(place, tip, known) or _stands_on(place, known, tip)):
            raise Refused(_REWRITTEN.format(remote.shown, known[:12], remote.name))
    _note(place, remote, tip)


def lost(place: Place, remote: Remote, tip: str) -> str:
    """Return the newest commit that git here saw the branch at and that *tip* lacks, "" for none.

    A fetch moves the name that git has for it: its log, where it has one, tells what was before.
    """
    last = _ask(place, "rev-parse", "--quiet", "--verify", f"{remote.tracking}^{{commit}}")
    if not last:
        return ""
    past = _ask(place, "rev-list", "--walk-reflogs", remote.tracking, "--").split()
    # The oldest line of a log tells where its branch had stood before.
    args = ("rev-parse", "--quiet", "--verify", f"{remote.tracking}@{{{len(past)}}}")
    first = process.run(process.argv(place, args), place.top).stdout.decode().split()
    seen = dict.fromkeys((last, *past, *first))
    return next((it for it in seen if not _stands_on(place, tip, it)), "")


def _stands_on(place: Place, commit: str, ground: str) -> bool:
    args = process.argv(place, ("merge-base", "--is-ancestor", ground, commit))
    return process.run(args, place.top).returncode == 0


_REWRITTEN = (
    "the history of {} was rewritten since the last sync ({} is no longer in it), and a merge "
    "would bring back what was taken out there: nothing was merged, and what is here is safe. "
    "Clone it again and copy over what only this clone has; to merge all the same, `git fetch {}` "
    "first"
)


def push(place: Place, remote: Remote, commit: str) -> bool:
    """Give *commit*; False when somebody else was faster.

    Raises Refused when a hook or a rule there declines it, Unavailable when nobody answers.
    """
    flags = ("--porcelain", "--no-verify", "--no-signed", "--recurse-submodules=no", "--no-thin")
    args = ("push", *flags, _RECEIVE, "--", remote.url, f"{commit}:{remote.ref}")
    done = _reach(place, remote, args, okay=(0, 1), limit=process.LONG)
    if done.returncode == 0:
        _note(place, remote, commit)
        return True
    lines = _lines(done.stdout + done.stderr)
    declined = [line for line in lines if line.startswith("!")]
    if _was_overtaken(declined, lines):
        return False
    raise _declined(remote, declined[0], lines) if declined else _failed(remote, lines)


def _was_overtaken(declined: Sequence[str], lines: Sequence[str]) -> bool:
    """Tell whether the branch moved there meanwhile; a hook that says such words is not asked."""
    if any(_NOT_MOVED in line for line in declined):
        return any(map(_AT_ONCE.search, lines))
    return any(_MOVED.search(line) or _AT_ONCE.search(line) for line in declined or lines)


def follow(place: Place, remote: Remote) -> None:
    """Let the branch here follow *remote*, unless it follows another; for a person's `git pull`.

    A config that cannot be written stays as it is: what we came for is done.
    """
    own = _branch(place)
    if own and not _upstream(config.entries(place), own)[0]:
        for key, value in (("remote", remote.name), ("merge", remote.ref)):
            args = ("config", "--local", f"branch.{own}.{key}", value)
            process.run(process.argv(place, args), place.top)


def _note(place: Place, remote: Remote, commit: str) -> None:
    """Let git here remember where the branch stands there, unless something else is noting it.

    That is a person's fetch, or one that outlived a killed sync: what we came for is done.
    """
    process.run(process.argv(place, ("update-ref", remote.tracking, commit)), place.top)


def _ask(place: Place, *args: str) -> str:
    return process.git(place, *args, okay=(0, 1)).decode(errors="replace").strip()


def _reach(
    place: Place,
    remote: Remote,
    args: Sequence[str],
    okay: tuple[int, ...] = (0,),
    *,
    limit: float | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run a git that leaves this machine; raises Unavailable when it does not come back."""
    named_pipes.refuse(place)  # who packs asks for attributes of all there is
    settings = [x for line in (*_NOT_FOR_EVER, *_keepers(place, remote)) for x in ("-c", line)]
    done = _patient([*settings, *process.argv(place, args)], place, remote, limit or _SECONDS)
    if done.returncode not in okay:
        raise _failed(remote, _lines(done.stderr))
    return done


def _keepers(place: Place, remote: Remote) -> list[str]:
    """Return who keeps passwords, as the person's own config says it, not the repository's."""
    if not remote.url.startswith("https:"):
        return []
    lines = (x for scope in _SCOPES for x in _own(place, scope, "--get-regexp", r"^credential\."))
    pairs = (line.partition("\n") for line in lines)
    return [f"{key}={value}" for key, _, value in pairs]


def _ssh(said: Sequence[ConfigEntry]) -> str:
    """Return the person's ssh, which asks nobody and does not wait for ever."""
    named = _values([it for it in said if it.scope == b"global"], "core.sshcommand")
    return f"{os.environ.get('GIT_SSH_COMMAND') or ''.join(named[-1:]) or 'ssh'} {_QUIETLY}"


_SCOPES = ("--system", "--global")
_QUIETLY = "-oBatchMode=yes -oConnectTimeout=15 -oServerAliveInterval=15"


def _own(place: Place, scope: str, *asked: str) -> list[str]:
    found = process.run(("config", "--null", scope, *asked), place.top).stdout
    return [x for x in found.decode(errors="replace").split("\0") if x]


def _patient(
    args: Sequence[str], place: Place, remote: Remote, limit: float
) -> subprocess.CompletedProcess[bytes]:
    extra = {"GIT_ALLOW_PROTOCOL": _PROTOCOLS, "GIT_SSH_COMMAND": remote.ssh}
    with process.started(args, place.top, extra) as running:
        try:
            out, err = running.communicate(timeout=limit)
        except subprocess.TimeoutExpired as e:
            # Its whole group: an ssh that waits would outlive the git that started it.
            os.killpg(running.pid, signal.SIGKILL)
            raise Unavailable(f"{remote.shown} did not answer within {limit:g} s; {_SAFE}") from e
    return subprocess.CompletedProcess(args, running.returncode, out, err)


_FULL = tuple(map(os.strerror, (errno.ENOSPC, errno.EDQUOT)))
_SAFE = "what is here is safe and committed: run `vaultmem sync` again"


def _lines(said: bytes) -> list[str]:
    lines = (_OF_ITS_OWNER.sub("", x.strip()) for x in said.decode(errors="replace").splitlines())
    return [line for line in lines if line]


def _failed(remote: Remote, lines: Sequence[str]) -> Unavailable | Refused:
    told = next((x for x in lines if x.startswith(("fatal:", "error:", "!", "ssh:"))), "")
    if _BARRED.search(told):
        return Refused(
            f"{remote.shown} is no address that `vaultmem sync` uses: give the remote one that "
            f"begins with https:// or ssh://, or a path: `git remote set-url {remote.name} ADDRESS`"
        )
    if full := next((x for x in _FULL if x in told), ""):  # its own words begin with `remote:`
        return DiskRefused(".git", full)
    why = told or (lines[0] if lines else "no reason given")
    return Unavailable(f"{remote.shown} cannot be reached: {why.removeprefix('fatal: ')}; {_SAFE}")


def _declined(remote: Remote, verdict: str, lines: Sequence[str]) -> Refused:
    """Return what the other side said: a hook's own words, else git's."""
    said = (_plain(x.removeprefix("remote:")) for x in lines if x.startswith("remote:"))
    why = " ".join(filter(None, said)) or _plain(verdict.rpartition("\t")[2])
    return Refused(f"{remote.shown} does not take it: {why[:_MOST_SAID]}; {_SAFE}")


def _plain(text: str) -> str:
    """Return *text* without what a terminal would obey."""
    return "".join(c for c in text if c.isprintable()).strip()
