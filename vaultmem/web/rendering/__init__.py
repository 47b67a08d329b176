"""Pure functions from values to what a page shows: Markdown, diffs, times, drawings."""
