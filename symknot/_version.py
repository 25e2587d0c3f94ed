"""The package's version, alone in a file so that building reads it without importing numpy."""

__version__ = "0.2.0"
