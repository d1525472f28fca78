"""Every sentence a player reads: what happened, why not, whose turn, what a card is.

Knows the engine's values and the players' names. Must not know where a sentence is shown, in lines
or on a screen, and nothing of how an event came. Sentences are plain text, never markup: a face
that has markup must show them as they are.

    tongue     the language: gettext, from the first line
    cast       who sits where, by cleaned names, and who "you" are
    cards      cards, tools, sides, goals
    events     what happened          gold      the same for gold, and the end of a game
    mine       what the mine looks like to a seat
    reasons    why a move cannot be made
    moves      what a move would do   turns     what the game waits for
"""
