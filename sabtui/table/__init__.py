"""Knowledge of a table that every face shares, whether it draws or prints.

    commands  the requests that a person can make to a table: keys, words, question, reasons
    sight  the table as one person sees it, and its questions to them
    ways   the ways in to show to friends: code, ssh line, link, QR code

Nothing here draws, prints or does I/O.
"""
