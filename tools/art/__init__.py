"""The pictures of Sabtui: drawn here, baked into the wheel, for builders alone.

    make art                          draw and bake every picture
    python -m tools.art.sheet FOLDER  contact sheets as PNG, to look at

shapes    lines and polygons with a seed, as SVG
ground    a card of the mine: rock, tunnel, light, rubble, and what lies there
things    folder of SVG files: tools, dwarves, map, rocks, gold; a designer changes these
cards     hand cards, roles, gold and dwarves, composed from the things
icons     icons of a few cells, drawn point by point
fit       a picture as coloured glyphs, and the palette of all pictures
bake      everything above as the data of `sabtui.art`
sources   the hash by which a test knows that the data were baked from these sources
example   a mine with everything in it
sheet     contact sheets of what a terminal would show

What is needed is the extra `art` of pyproject.toml. Nothing here is part of the wheel.
"""
