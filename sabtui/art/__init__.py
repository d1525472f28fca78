"""The pictures of the cards, as each terminal shows them best.

Every card was drawn once, in `tools/art/`, and baked into `data/`. Nothing here is a widget, reads
a terminal or waits: these are values and pure functions, and no image library is needed.

glyphs        block characters: octants, sextants, quadrants, half blocks
catalogue     the names of the pictures, and which one shows what lies where
store         the baked pictures, read when they are first needed
colours       their colours: lit in several ways, dark and light, true or few
blocks        pictures as rows of block characters in two colours
pixels        pictures in pixels: sized for cells, put together, and as PNG
kitty         pictures sent to kitty and shown by cells of text
placeholders  characters that stand for these cells until they are written
sixel         pictures for terminals with sixel
terminal      questions to a terminal, and what to choose by its answers

What the terminal answers to `QUESTIONS` decides how to draw on it (`find_protocol`, `find_blocks`).
A card is a `Drawing` (`find_ground`, `find_goal_back`, `find_card`), in a size by `fit_size` and a
`Tint`. `draw_blocks` returns it as cells of the screen; `draw_placeholders` returns cells of the
same kind that stand for a picture. For kitty `Sent.send` is written before its first use, and
`Sent.delete_all` at the end; for sixel `draw_area` after the frame, over blanks.

Pictures of roles and hand cards differ in length: a door sends none of them.
"""

from enum import StrEnum


class Art(StrEnum):
    """Ways to draw cards, best first; `AUTO` is the best that the terminal can show."""

    AUTO = "auto"
    PICTURES = "pictures"
    BLOCKS = "blocks"
    LINES = "lines"
    ASCII = "ascii"
