"""The daemon: notice what changed, do what is due, rest.

agenda:  what is due when, as pure values
steps:   what is done, on an open vault
asking:  the @commands in notes, as pure text
loop:    notices, asks the agenda, takes the steps, sleeps
units:   how systemd and launchd start it
"""
