"""How well the bots play, measured: `python -m engine.bots.arena --help`.

    matches    one round, one whole game; many of them, in several processes
    pairing    how often one side wins against the other
    figures    what else is counted: the rows of each table
    page       the tables, and their places in docs/bots.md

Each round and game is its own deal, from a seed that is told, and all pairings of a table play the
same deals. A run of the same version gives the same figures, but for the times.
"""
