"""Providers of language models and embeddings: endpoints, retry, budget, reply cache."""
