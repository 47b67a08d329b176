"""Text analysis: words, sentences, segments, what is quoted and what is salient."""
