"""Raw memories and sessions, and the pipelines that condense them.

Cascade compaction, folding into episodes, in-context compaction, working memory, MEMORY.md.
"""
