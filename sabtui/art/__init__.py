"""The pictures of the cards, as each terminal shows them best.

Every card was drawn once, in `tools/art/`, and baked into `data/`. Nothing here is a widget, reads
a terminal or waits: these are values and pure functions, and no image library is needed.

glyphs        block characters: octants, sextants, quadrants, half blocks
catalogue     the names of the pictures, and which one shows what lies where
store         the baked pictures, read when they are first needed
colours       what their colours are: lit in several ways, dark and light, true or few
blocks        pictures as rows of block characters in two colours
pixels        pictures in pixels: sized for cells, put together, and as PNG
kitty         pictures sent to kitty and shown by cells of text
placeholders  characters that stand for these cells until they are written
sixel         pictures for terminals with sixel
terminal      what to ask a terminal, and what to choose by its answers

A widget draws the card in a cell of the mine so, whatever the terminal is:

1. Write `terminal.QUESTIONS` once, feed what is read to `TerminalAnswers.read` (begun with
   `divide_window` of the kernel's answer, for terminals that tell no size), and ask the answers to
   `find_protocol` and `find_blocks`. Before the first answer that is blocks.
2. Take the `Drawing` by `find_ground(path, is_lit=..., cell=cell, thing=...)`, `find_goal_back` for
   a goal face down, `find_card` for the hand, and a size in cells by `fit_size`: that of "goal" is
   the mine's, that of "map" the hand's. The newest card, one that may be laid here and one that may
   not are a `Tint`.
3. Blocks: `draw_blocks(drawing, size, blocks, tint, palette)` gives rows of `BlockCell`, a
   glyph and the names of two colours, as Rich knows them. Neighbours with equal colours become one
   segment. The cursor, marks and labels take the places of single cells.
   Kitty: `Sent.send` gives a picture's number and what to write before its first use;
   `draw_placeholders` gives cells of the same kind. Write `Sent.delete_all` at the end.
   Sixel: `draw_placeholders`, too; write these cells as blanks, and after the frame move the cursor
   to the first cell of each area of a picture and write `draw_area`, within synchronised output.
   Lines and ASCII are drawn by `sabtui/tui/mine`, as without this package.

Pictures of a turned path card in the hand are `find_ground` of its path. A role's picture and a
hand card's have other lengths in bytes than others': a door sends none of them.
"""

from enum import StrEnum


class Art(StrEnum):
    """Ways to draw cards, best first; `AUTO` is the best that the terminal can show."""

    AUTO = "auto"
    PICTURES = "pictures"
    BLOCKS = "blocks"
    LINES = "lines"
    ASCII = "ascii"
