"""The plain-text interface: lines in, lines out, for screen readers, dumb terminals and scripts.

    commands  the commands, and the help that lists them
    console   standard input and output
    deeds     requests to the table: deeds, and the host's bots and settings
    driver    plays at a table: one queue of updates and typed lines
    hall      a club's hall, from which one comes to its tables and back
    handlers  commands of any player, and commands of the game
    lobby     the table in lines: seats, settings, what comes next
    model     `PlainSession` and `GameView`, values that each step replaces, and effects
    parser    a typed line to a reaction
    replay    a finished game watched again, and a position studied
    rules     the rules, a page at a time
    updates   an update of the session to lines

All but the driver and the console are functions on values: no thread, clock, input or output.
"""
