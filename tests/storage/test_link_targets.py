"""What a link means: the file whose path ends so, if it is one alone."""

from __future__ import annotations

import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from vaultmem.storage.link_targets import Targets

PARTS = st.lists(st.sampled_from(["a", "A", "b", "B"]), min_size=1, max_size=3)
NAMES = PARTS.map("/".join)
PATHS = st.lists(NAMES.flatmap(lambda name: st.sampled_from([name, f"{name}.md"])), max_size=7)


def meant(paths: list[str], target: str) -> str:
    """Return what *target* means among all ends of all *paths*, as they are or in any case."""
    ends = dict[str, set[str]]()
    for path in paths:
        name = path.removesuffix(".md")
        while name:
            ends.setdefault(name, set()).add(path)
            name = name.partition("/")[2]
    one = {name: min(found) for name, found in ends.items() if len(found) == 1}
    one |= {path.removesuffix(".md"): path for path in paths}
    return one.get(target) or {name.casefold(): it for name, it in one.items()}.get(
        target.casefold(), ""
    )


@given(PATHS, NAMES)
def test_a_link_means_the_one_path_that_ends_so(paths: list[str], target: str) -> None:
    assert Targets(paths).path(target) == meant(paths, target)


def test_paths_in_deep_folders_take_no_more_memory_than_others() -> None:
    def peak(depth: int) -> int:
        paths = ["/".join([f"{n}"] * depth) + f"/note-{n}.md" for n in range(3000)]
        tracemalloc.start()
        held = Targets(paths)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert held.path("note-7") == paths[7]
        return most

    assert peak(9) < 1.5 * peak(1)
