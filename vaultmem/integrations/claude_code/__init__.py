"""Claude Code's hooks: what each event is given from the vault, and what it leaves for it.

events:        one call: JSON in, JSON or nothing out, and never a failure
types:         what Claude Code says of an event
context:       what the model is told when a session starts, and with a prompt
log:           what went wrong
plugin_files:  the files of the plugin, as texts
json_merge:    one entry into somebody's JSON and out of it again, everything else as it was
receipt:       what an installation wrote, so that it can be taken out again
install:       the plugin into a project, and out of it again
"""
