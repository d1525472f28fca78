"""Knowledge of a table that every face shares, whether it draws or prints.

    commands  what a person may ask of a table, each once: keys, words, question, reasons
    sight  the table as one person sees it, and what it asks them
    ways   the ways in that are shown to friends: code, ssh line, link, QR code

Nothing here draws, prints or does I/O.
"""
