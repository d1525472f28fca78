"""Knowledge of a table that every face shares, whether it draws or prints.

    sight       what a table looks like to a person, at a table or in a replay

Nothing here draws, prints or does I/O.
"""
