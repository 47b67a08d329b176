"""`compact`: what a person is told of summaries that a model should have written."""

from __future__ import annotations

import pytest

from tests.cases import rarely
from tests.cli.test_forget import called
from tests.mcp_client import make_due
from tests.wire import Status, Wire
from vaultmem import Vault

pytestmark = pytest.mark.without_history


@pytest.mark.parametrize("code", [429, *rarely(401, 529)])
def test_what_was_written_in_the_place_of_a_model_can_be_asked_for_again(
    vault: Vault, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    make_due(vault.path)
    refused = Status(code, "not now", headers={"x-should-retry": "false"})
    with Wire(lambda _: refused) as wire:
        for name, value in wire.environment("anthropic").items():
            monkeypatch.setenv(name, value)
        done, out, err = called(capsys, vault.path, "compact", "--agent", "ada")
    assert (done, f"away: anthropic: refused with status {code}" in out) == (0, True)
    assert "`vaultmem compact --redo-degraded` asks again, once the model answers" in err
