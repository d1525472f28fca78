"""All private names of Textual that Sabtui needs: what to check in a new Textual.

- The updates that its compositor writes. Written by us, they take a third fewer bytes, and show
  pictures (`output`).
- Its parser of a terminal's input, and the sequences that the parser knows: it takes unknown ones
  for letters, which are commands here (`driver`).
- A cache of its colours, which keeps each widget that was ever drawn (`screens.bases`).
"""

from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate
from textual._keyboard_protocol import FUNCTIONAL_KEYS
from textual._styles_cache import StylesCache
from textual._xterm_parser import XTermParser

__all__ = [
    "ANSI_SEQUENCES_KEYS",
    "FUNCTIONAL_KEYS",
    "ChopsUpdate",
    "CompositorUpdate",
    "LayoutUpdate",
    "StylesCache",
    "XTermParser",
]
