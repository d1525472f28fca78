"""Every sentence a player reads: what happened, why not, whose turn, what a card is.

Sentences are plain text, never markup: a face that has markup must show them as they are.

    tongue     the language: gettext, from the first line
    languages  which there are, which is meant, their catalogues
    usage      what argparse says by itself       system   what the system says, refusing
    notation   what is wrong with a text in notation
    cast       who sits where, by cleaned names, and who "you" are
    cards      cards, tools, sides, goals
    events     what happened          gold      the same for gold, and the end of a game
    mine       what the mine looks like to a seat
    reasons    why a move cannot be made
    moves      what a move would do   turns     what the game waits for
    news       what happened at the table beside its game
    terms      what the table has agreed upon
    talk       what is said, and quick claims
    refusals   why the table did not do what one wanted
    endings    how one's own link stands, and why it ended
"""
