"""What each signal of the ranking weighs: by words alone, with vectors, and with token vectors.

Written by `python tests/bench/fitting.py --conversations FOLDER --write`, by the likelihood of the
evidence on four conversations of LoCoMo; only what is outdated or retold is set by hand. A score is
the sum of what the signals say times this; six times a difference of scores is one of logits. A
date weighs most because few questions name one, and then it tells nearly all.
"""

from __future__ import annotations

from collections.abc import Mapping

OUTDATED = 0.2
RETOLD = 0.45

BY_WORDS: Mapping[str, float] = {
    "words": 0.54,
    "near words": 1.21,
    "window": 0.71,
    "question before": 0.42,
    "session": 0.22,
    "speaker": 0.40,
    "date": 1.36,
    "time told": 0.36,
    "number told": 0.36,
    "asking": 0.08,
    "brevity": 0.29,
    "validity": 0.20,
    "retelling": 0.45,
}
WITH_VECTORS: Mapping[str, float] = {
    "words": 0.40,
    "near words": 1.05,
    "window": 0.71,
    "question before": 0.34,
    "session": 0.19,
    "meaning": 0.35,
    "speaker": 0.34,
    "date": 1.36,
    "time told": 0.36,
    "number told": 0.32,
    "asking": 0.09,
    "brevity": 0.36,
    "validity": 0.20,
    "retelling": 0.45,
}
WITH_TOKENS: Mapping[str, float] = {
    "words": 0.09,
    "window": 0.55,
    "question before": 0.22,
    "session": 0.10,
    "meaning": 0.13,
    "tokens": 0.46,
    "tokens around": 0.46,
    "speaker": 0.36,
    "date": 0.96,
    "time told": 0.31,
    "number told": 0.27,
    "asking": 0.07,
    "brevity": 0.03,
    "validity": 0.20,
    "retelling": 0.45,
}
