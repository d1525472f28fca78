"""Every sentence a player reads, and its translations; nothing here decides a rule or does I/O.

    actions     what each player did in the present round
    audit       who dealt a game, and whether it checks
    cards       names of cards, tools, sides and goals
    colours     the colours of players' names
    connection  the player's own connection, and reasons for its end
    doors       doors beside a table, and what keeps one closed
    editions    editions, house rules, and bot levels
    errors      system and notation errors; relative times
    evening     an evening at a table: its target, and who has what
    events      what happened in the game
    i18n        gettext: current language, catalogues, argparse's own texts
    journals    reasons why a table cannot be resumed, and moves lost by an older copy
    layout      wrapping lines to the terminal's width
    lesson      the lesson's steps
    lobby       lobby events
    mine        the mine in words
    moves       effects of moves, turns, players' state, hints
    moving      a table that waits for people, or goes on elsewhere
    names       players' names, and text width in terminal cells
    network     tables on the network: states, addresses, room codes, and faults of these
    pages       pages to read, as values
    qr_code     QR codes in half blocks
    reasons     reasons why a move is illegal, and the table's refusals
    results     the rounds of a game, and what each player did in it
    rules       the rules of the game, as pages
    seats       people and seats at a table
    settings    the settings of a table, a row each, for all faces
    signs       the signs of the table and of the notation
    summary     the player's hand, plays, gold, and the piles as lists
    talk        chat lines and quick claims, and what each claim is worth
    talk_line   the limits of a line of talk

Sentences are plain text, never markup: an interface with markup must escape them.
"""
