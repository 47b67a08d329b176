"""Topics: durable notes by subject, and Claude Code's memory folder as one of their formats."""
