"""Knowledge of a table that every face shares, whether it draws or prints.

    sight       what a table looks like to a person, at a table or in a replay
    deed        a deed: what a person may ask of a table, with its keys, words, question and reasons
    seat_deeds  those that begin a game, and those about who sits where
    deeds       those of the host about the game and the table, and the catalogue of all
    questions   what a table asks by itself, on screens

Nothing here draws, prints or does I/O.
"""
