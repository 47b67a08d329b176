"""all-MiniLM-L6-v2 on this machine: 384 dimensions, English, the first 256 tokens of a text.

Two formats, one space: safetensors run in numpy, ONNX in onnxruntime. Nothing is loaded before the
first text is embedded.
"""

from vaultmem.models.embeddings.minilm.kind import KIND as KIND
