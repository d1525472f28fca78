"""The face of lines: lines in, lines out, for screen readers, dumb terminals and scripts.

All but the driver and the console are functions on values: no thread, no clock, no input, no
output.

    table      the driver: one queue of what comes, a `Sitting` that it changes
    console    standard input and output
    sitting    a place at a table between two lines    face    the game there
    hearing    what comes, as lines                    telling    events as lines
    reading    a line typed, as lines and a wish (`wishes`) for the driver to fulfil
    commands   what can be typed        deeds, powers, obeying   what that does, for
                                        anybody, for the host, in a game
    moving     numbers, cards, moves    choices   what can be done, numbered
    lobby      who sits where, what comes next       looking   what a player asks to see
    drawing    the mine in ASCII        tiles     one card of it
    rules      the rules, a page at a time
    wrap       lines no wider than the terminal
"""
