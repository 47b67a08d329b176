"""Read conversations without a model: what was decided, ruled out, left open, wished, done.

Every item is a sentence or clause that was said, cut to size; nothing is put in other words.

grammar:         who says what of whom in English, German and Chinese, asserted or not, now or once
talk:            how people talk: utterances, their spelling, what passes, what stands by itself
personal_facts:  claims that people make of themselves and others, which become facts of cards
choices:         what people settle, rule out, leave open and prefer
durable:         what will still matter in ten sessions
naming:          what a talk is called
sessions:        what came of a session: episodes, tools, how far the work is
"""
