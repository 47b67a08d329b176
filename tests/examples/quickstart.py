"""Remember, find it again, see where it comes from, put it right, forget it."""

from vaultmem import Vault

with Vault.open("memory") as vault:
    vault.remember("Mara drinks dark roast, before nine only.", agent="ada", tags=["coffee"])
    best = vault.recall("Which roast does Mara drink?", k=3).hits[0]
    print(best.date[:10], best.snippet)
    print(vault.post(best.path).metadata["tags"])

    vault.correct(best.id, "Mara drinks decaf since November.", agent="ada")
    print(vault.recall("What does Mara drink?").hits[0].snippet)
    print(*(link.text for link in vault.why("Mara drinks decaf").chain), sep=" <- ")

    print(vault.context("breakfast for Mara", agent="ada", budget=2000).text)
    print(vault.status().status, vault.command("@memory-status").splitlines()[0])

    vault.forget(best.id, reason="Mara asked for it")
    print([hit.snippet for hit in vault.recall("dark roast").hits])
