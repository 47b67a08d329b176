"""How the system starts the daemon at login: a systemd unit or a launchd agent, as text."""

from __future__ import annotations

import plistlib
from pathlib import Path
from xml.sax.saxutils import escape

from vaultmem.storage import files

_SYSTEMD = """\
# Save as ~/.config/systemd/user/{name}.service, then:
#   systemctl --user daemon-reload
#   systemctl --user enable --now {name}.service
#   journalctl --user -u {name}.service
# Keys of models belong into `systemctl --user edit {name}.service`, as
#   [Service]
#   Environment=ANTHROPIC_API_KEY=...

[Unit]
Description=vaultmem watches {description}

[Service]
ExecStart={program} watch --vault {vault}
Restart=on-failure
RestartSec=30
# 2 and 3: a mistake in this file, or another daemon is there; 5: the vault cannot be opened.
RestartPreventExitStatus=2 3 5
# git must end by itself: only the daemon is told to stop.
KillMode=mixed
TimeoutStopSec=30
Nice=10
IOSchedulingClass=idle
UMask=0077
NoNewPrivileges=yes
LockPersonality=yes
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
SystemCallArchitectures=native

[Install]
WantedBy=default.target
"""

_LAUNCHD = """\
<!--
Save as ~/Library/LaunchAgents/{name}.plist, then:
  launchctl bootstrap gui/$UID ~/Library/LaunchAgents/{name}.plist
-->
"""


def systemd(program: Path, vault: Path) -> str:
    """Return a systemd user unit that runs *program* (absolute) on *vault* (absolute)."""
    return _SYSTEMD.format(
        name=f"vaultmem-{_slug(vault)}",
        description=_specifiers(" ".join(str(vault).split())),
        program=_quoted(program),
        vault=_quoted(vault).replace("$", "$$"),
    )


def _quoted(path: Path) -> str:
    """Return *path* as one word of a command line: systemd.service(5), quoting and escaping."""
    escaped = str(path).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{_specifiers(escaped)}"'


def _specifiers(text: str) -> str:
    return text.replace("%", "%%")


def launchd(program: Path, vault: Path) -> str:
    """Return a launchd agent that runs *program* (absolute) on *vault* (absolute)."""
    name = f"md.vaultmem.{_slug(vault)}"
    agent = {
        "Label": name,
        "ProgramArguments": [str(program), "watch", "--vault", str(vault)],
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
        "ThrottleInterval": 30,
        "ExitTimeOut": 30,
        "ProcessType": "Background",
        "LowPriorityIO": True,
        "Nice": 10,
        "Umask": 0o077,
        "StandardErrorPath": str(Path.home() / "Library/Logs" / f"{name}.log"),
    }
    text = plistlib.dumps(agent, sort_keys=False).decode()
    return text.replace("<plist", _LAUNCHD.format(name=escape(name)) + "<plist", 1)


def _slug(vault: Path) -> str:
    return files.slug(vault.name, 40) or "vault"
