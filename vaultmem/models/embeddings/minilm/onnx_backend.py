"""all-MiniLM-L6-v2 as an ONNX graph, run by onnxruntime: what Chroma's cache holds."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ids = NDArray[np.int64]

_ERRORS_ONLY = 3


class Graph:
    """The model of one ONNX file, on one thread of the CPU."""

    def __init__(self, path: Path) -> None:
        """Load it; raises ImportError without onnxruntime, RuntimeError for a file it refuses."""
        # Its wheels report home unless told not to before they start: a device id and an event
        # would be on disk by then.
        os.environ["ORT_DISABLE_TELEMETRY"] = "1"
        import onnxruntime  # type: ignore[import-untyped]  # noqa: PLC0415  # after that
        from onnxruntime.capi import (  # type: ignore[import-untyped]  # noqa: PLC0415  # likewise
            onnxruntime_pybind11_state as said,
        )

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = _ERRORS_ONLY
        try:
            self._session = onnxruntime.InferenceSession(
                str(path), options, providers=["CPUExecutionProvider"]
            )
        except (said.Fail, said.InvalidGraph, said.InvalidProtobuf, said.NotImplemented) as e:
            raise RuntimeError(str(e)) from e

    def encode(self, batch: Sequence[Sequence[int]]) -> list[Floats]:
        """Return the tokens' vectors, a token a row, for each text of *batch*, its token ids."""
        ids, mask = _padded(batch)
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        (tokens, *_) = self._session.run(None, given)
        return [text[: len(ids)] for text, ids in zip(tokens, batch, strict=True)]


def _padded(batch: Sequence[Sequence[int]]) -> tuple[Ids, Ids]:
    """Return the ids, each text as long as the longest, and a mask that is 1 where one is."""
    lengths = np.array([len(ids) for ids in batch])
    mask = (np.arange(lengths.max()) < lengths[:, None]).astype(np.int64)
    ids = np.zeros_like(mask)
    ids[mask == 1] = np.concatenate(batch)
    return ids, mask
