"""A team's own search as semantic memory: its hits stand beside those of the vault."""

from vaultmem import Memory
from vaultmem.api.types import ExternalHit

PAGES = {"deploys.md": "Deploys go out on Tuesday at four.", "tea.md": "Tea is at three."}


class Wiki:
    """Whatever your team has."""

    name = "wiki"

    def retrieve(self, query: str, k: int) -> list[ExternalHit]:
        """Return what has a word of the question, best first."""
        words = {*query.lower().strip("?").split()}
        return [ExternalHit(PAGES[p], p) for p in PAGES if words & {*PAGES[p].lower().split()}][:k]


with Memory.open("memory", agent="ada", retriever=Wiki()) as memory:
    memory.remember("Mara wants no deploys before the summer.")
    for hit in memory.recall("When do deploys go out?").hits:
        print(hit.retriever or "vault", hit.trust, hit.snippet, sep=" | ")
    print(memory.build_context("When do deploys go out?", budget=2000).text)
