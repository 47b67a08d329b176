"""The daemon: notice what changed, do what is due, answer who asks, rest.

agenda:     what is due when, as pure values
asking:     the @commands in notes, as pure text
inbox:      which notes ask, and when they have rested long enough to be answered
loop:       notices, asks the agenda, takes the steps, sleeps
answering:  replies to other processes, with a vault that stays open
serving:    the socket where they ask
units:      how systemd and launchd start it
"""
