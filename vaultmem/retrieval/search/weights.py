"""What each signal of the ranking weighs: by words alone, with vectors, and with token vectors.

Written by `python tests/bench/fitting.py --conversations FOLDER --write`, by the likelihood of the
evidence on four conversations of LoCoMo; only what is outdated or retold is set by hand. A score is
the sum of what the signals say times this; six times a difference of scores is one of logits. A
date weighs most because few questions name one, and then it tells nearly all.

Those with vectors, and no tokens, were fitted when each turn was still embedded alone: fitted anew
they find no more.
"""

from __future__ import annotations

from collections.abc import Mapping

OUTDATED = 0.2
RETOLD = 0.45

BY_WORDS: Mapping[str, float] = {
    "words": 0.56,
    "near words": 0.98,
    "related words": 0.57,
    "window": 0.66,
    "question before": 0.38,
    "session": 0.32,
    "speaker": 0.40,
    "date": 1.39,
    "time told": 0.36,
    "number told": 0.32,
    "asking": 0.08,
    "brevity": 0.22,
    "validity": 0.20,
    "retelling": 0.45,
}
WITH_VECTORS: Mapping[str, float] = {
    "words": 0.43,
    "near words": 0.82,
    "related words": 0.51,
    "window": 0.65,
    "question before": 0.31,
    "session": 0.31,
    "meaning": 0.31,
    "speaker": 0.35,
    "date": 1.44,
    "time told": 0.36,
    "number told": 0.29,
    "asking": 0.08,
    "brevity": 0.28,
    "validity": 0.20,
    "retelling": 0.45,
}
WITH_TOKENS: Mapping[str, float] = {
    "words": 0.17,
    "related words": 0.35,
    "window": 0.49,
    "question before": 0.21,
    "session": 0.25,
    "meaning": 0.23,
    "tokens": 0.43,
    "tokens around": 0.35,
    "speaker": 0.41,
    "date": 1.32,
    "time told": 0.31,
    "number told": 0.29,
    "asking": 0.03,
    "brevity": -0.02,
    "validity": 0.20,
    "retelling": 0.45,
}
