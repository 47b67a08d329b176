"""Claude Code's hooks: what each event is given from the vault, and what it leaves for it.

events:        one call: JSON in, JSON or nothing out, never a failure; the log of what went wrong
context:       what the model is told when a session starts, and with a prompt
plugin_files:  the files of the plugin, as texts
json_merge:    one entry into a user's JSON and out of it again, everything else as it was
install:       the plugin into a project, and out of it again
receipt:       what the install wrote there
"""
