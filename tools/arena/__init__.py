"""Measurements of how well the bots play: `python -m tools.arena --help`.

    matches       rounds and games between bots, in several processes; the oracle
    talkers       the claims made in those rounds, by bots and by malicious talkers
    statistics    the rows of most tables: win rates with intervals, gold, beliefs
    counts        the rows of the tables of moves: what beliefs and hand models were counted from
    seats         how even the sides are at each number of seats
    nerve         suspicion of saboteurs who hide, and the share of passes
    judging       how good beliefs are, over published rounds
    league        bots rated in a tournament, and somebody's bot beside ours
    listening     the rows of the tables of talk
    __main__      the tables in Markdown, and their places in benchmarks/bots.md and docs/bots.md

Every round or game has its own deal from a fixed seed, and all pairings of a table play the same
deals. The same version always gives the same figures, except for times.
"""
