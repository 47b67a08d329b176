"""The version of the program, where every layer can name it."""

__version__ = "0.1.0"
