"""The face of lines: lines in, lines out, for screen readers, dumb terminals and scripts.

Knows a seat's `View`, the events it heard and the names at the table; all of it could have come
over a wire. Must not know a `Game`, or where its lines come from and go to, but for `console`,
which is standard input and output.

    face       the state between two lines, and what is heard as lines
    reading    a line typed, as lines and a wish (`wishes`) for the driver to fulfil
    commands   what can be typed        obeying   what that does
    choices    what can be done, numbered
    telling    events as lines          looking   what a player asks to see
    drawing    the mine in ASCII        tiles     one card of it
    wrap       lines no wider than the terminal
"""
