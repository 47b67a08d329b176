"""Read conversations without a model: what was decided, ruled out, left open, wished, done.

Every item is a sentence or clause that was said, cut to size; nothing is put in other words.
"""
