"""The mine on the screen: tiles drawn by pure functions, a window onto an endless mine, a widget.

tiles     what lies on one cell, as rows of text
window    which cells are in sight, how large, and where
beyond    signs for what lies out of sight
picture   a view, what a chosen card can do and a cursor, as rows
widget    the rows, the mouse and the terminal's own cursor
"""
