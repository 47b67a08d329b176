"""Claude Code's hooks: what each event is given from the vault, and what it leaves for it.

events:      one call: JSON in, JSON or nothing out, and never a failure
model:       what Claude Code says of an event
answering:   what the model is told when a session starts, and with a prompt
noting:      the log of what went wrong
plugin:      the files of the plugin, as texts
weaving:     one entry into somebody's JSON and out of it again, everything else as it was
installing:  the plugin into a project, and out of it again
"""
