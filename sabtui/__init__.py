"""The face: command line, Textual screens and widgets, and every sentence a player reads.

Decides no rule and opens no socket of its own.
"""

__version__ = "0.1.0"
