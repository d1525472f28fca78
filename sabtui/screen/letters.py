"""Large letters: the room code and the title, to be read across a room.

A pure function from text and glyph set to lines. Each letter is five rows of dots; with box
drawing two rows share a line, in half blocks.
"""

from __future__ import annotations

from typing import Final

from sabtui.screen.glyphs import ASCII, Glyphs

_DOTS: Final = {
    "a": ".##. #..# #### #..# #..#",
    "b": "###. #..# ###. #..# ###.",
    "c": ".### #... #... #... .###",
    "d": "###. #..# #..# #..# ###.",
    "e": "#### #... ###. #... ####",
    "f": "#### #... ###. #... #...",
    "g": ".### #... #.## #..# .###",
    "h": "#..# #..# #### #..# #..#",
    "i": "### .#. .#. .#. ###",
    "j": "..## ...# ...# #..# .##.",
    "k": "#..# #.#. ##.. #.#. #..#",
    "l": "#... #... #... #... ####",
    "m": "#...# ##.## #.#.# #...# #...#",
    "n": "#..# ##.# #.## #..# #..#",
    "o": ".##. #..# #..# #..# .##.",
    "p": "###. #..# ###. #... #...",
    "q": ".##. #..# #..# #.#. .#.#",
    "r": "###. #..# ###. #.#. #..#",
    "s": ".### #... .##. ...# ###.",
    "t": "##### ..#.. ..#.. ..#.. ..#..",
    "u": "#..# #..# #..# #..# .##.",
    "v": "#..# #..# #..# .##. .##.",
    "w": "#...# #...# #.#.# ##.## #...#",
    "x": "#..# #..# .##. #..# #..#",
    "y": "#.# #.# .#. .#. .#.",
    "z": "#### ..#. .#.. #... ####",
    "-": "... ... ### ... ...",
}
_HALVES: Final = {"..": " ", "#.": "▀", ".#": "▄", "##": "█"}


def large(text: str, glyphs: Glyphs) -> list[str]:
    """A text of letters and hyphens in large letters: three lines, or five in ASCII."""
    rows = [
        ".".join(parts) for parts in zip(*(_DOTS[letter].split() for letter in text), strict=True)
    ]
    if glyphs is ASCII:
        return [row.replace(".", " ").rstrip() for row in rows]
    rows.append("." * len(rows[0]))
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return ["".join(_HALVES[a + b] for a, b in zip(*pair, strict=True)).rstrip() for pair in pairs]


def spaced(text: str) -> str:
    """A text in capitals, set wide: where large letters have no room."""
    return " ".join(text.upper())
