"""Every sentence a player reads, and its translations; nothing here decides a rule or does I/O.

    audit       the check of a game, words to compare, and trouble with journals
    cards       names of cards, tools, sides and goals, and the mine
    connection  the player's own connection, and reasons for its end
    door_words  doors beside a table, with a QR code of their link
    errors      system and notation errors; relative times
    evening     results of rounds, what each player did, an evening of games
    events      what happens in a game, and what each player did in a round
    i18n        gettext: current language, catalogues, argparse's own texts
    layout      width of text in terminal cells, wrapped lines, and length of talk
    lesson      the lesson's steps
    lobby       what happens in a lobby, and when a table moves
    moves       effects of moves, turns, players' state, hints
    names       players' names and their colours
    network     tables found, addresses and room codes, and mistyped ones
    reasons     reasons why a move is illegal, and the table's refusals
    rules       the rules of the game as pages
    seats       people and seats at a table
    settings    editions and settings, one row each
    signs       the signs of the table and of the notation
    summary     the player's hand, plays, gold, and the piles as lists
    talk        chat lines and quick claims, and the status of each claim

Sentences are plain text, never markup: an interface with markup must escape them.
"""
