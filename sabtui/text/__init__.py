"""Every sentence a player reads, and its translations; nothing here decides a rule or does I/O.

    addresses   addresses and room codes, and their faults
    cards       names of cards, tools, sides and goals
    chat        chat lines and quick claims
    connection  the player's own connection, and reasons for its end
    editions    editions, house rules, and bot levels
    errors      system and notation errors; relative times
    events      what happened in the game
    games       games on the network
    i18n        gettext: current language, catalogues, argparse's own texts
    journals    reasons why a table cannot be resumed, and moves lost by an older copy
    layout      wrapping lines to the terminal's width
    lobby       lobby events, the table's settings
    mine        the mine in words
    moves       effects of moves, turns, players' state, hints
    names       players' names, and text width in terminal cells
    reasons     reasons why a move is illegal, and the table's refusals
    rules       the rules of the game, as pages
    standings   the rounds of a game, and what each player did in it
    summary     the player's hand, plays, gold, and the piles as lists

Sentences are plain text, never markup: an interface with markup must escape them.
"""
