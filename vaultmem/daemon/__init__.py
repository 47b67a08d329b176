"""The daemon: notice what changed, do what is due, answer who asks, rest.

schedule:       what is due when, as pure values
note_commands:  the @commands in notes, as pure text
inbox:          which notes ask, and when they have rested long enough to be answered
loop:           notices, asks the schedule, takes the steps, sleeps
query_handler:  answers other processes, with a vault that stays open
sync_loop:      `sync --watch`, for a machine without a daemon
socket_server:  the socket where they ask
service_files:  how systemd and launchd start it
"""
