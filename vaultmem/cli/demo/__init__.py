"""The whole loop on a bundled conversation, run for real: what a stranger sees first."""

from vaultmem.cli.demo.walkthrough import AGENT as AGENT
from vaultmem.cli.demo.walkthrough import Step as Step
from vaultmem.cli.demo.walkthrough import run as run
