"""In-context compaction: the message list of a running conversation made shorter."""
