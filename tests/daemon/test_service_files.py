"""How the system starts the daemon at login."""

from __future__ import annotations

import plistlib
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from vaultmem.daemon import service_files

ODD = Path('/home/ada/100% "my"  $vault\\s')
PROGRAM = Path("/opt/my tools/vaultmem")


def words(unit: str) -> list[str]:
    """Take ExecStart apart as systemd.service(5) tells it."""
    line = next(x for x in unit.splitlines() if x.startswith("ExecStart="))
    found = re.findall(r'"((?:\\.|[^"\\])*)"|(\S+)', line.removeprefix("ExecStart="))
    plain = [re.sub(r"\\(.)", r"\1", quoted) or bare for quoted, bare in found]
    return [word.replace("%%", "%").replace("$$", "$") for word in plain]


def test_systemd_starts_this_program_on_this_vault_whatever_they_are_called() -> None:
    assert words(service_files.systemd(PROGRAM, ODD)) == [
        str(PROGRAM),
        "watch",
        "--vault",
        str(ODD),
    ]


def test_another_daemon_or_a_missing_vault_is_no_reason_to_try_again() -> None:
    unit = service_files.systemd(PROGRAM, ODD)
    assert "Restart=on-failure" in unit
    assert "RestartPreventExitStatus=2 3 5" in unit


def test_only_the_daemon_is_told_to_stop_and_its_git_ends_by_itself() -> None:
    assert "KillMode=mixed" in service_files.systemd(PROGRAM, ODD)


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd here")
@pytest.mark.parametrize("vault", [ODD, Path("/srv/notes")])
def test_systemd_accepts_the_unit(tmp_path: Path, vault: Path) -> None:
    program = tmp_path / "my 5% tools" / "vaultmem"
    program.parent.mkdir()
    program.touch(mode=0o755)
    unit = tmp_path / "vaultmem-notes.service"
    unit.write_text(service_files.systemd(program, vault))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", str(unit)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_launchd_starts_this_program_on_this_vault() -> None:
    agent = plistlib.loads(service_files.launchd(PROGRAM, ODD).encode())
    assert agent["ProgramArguments"] == [str(PROGRAM), "watch", "--vault", str(ODD)]
    assert agent["KeepAlive"] == {"SuccessfulExit": False}


def test_the_unit_says_where_it_goes_and_carries_no_key() -> None:
    vault = Path("/srv/notes")
    assert "~/.config/systemd/user/vaultmem-notes.service" in service_files.systemd(PROGRAM, vault)
    assert "~/Library/LaunchAgents/md.vaultmem.notes.plist" in service_files.launchd(PROGRAM, vault)
