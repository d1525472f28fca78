"""The tables of benchmarks/bots.md and docs/bots.md: `python -m benchmarks.arena --help`.

They are played in the arena of `sabtui.kit`.

    statistics    the rows of most tables: win rates with intervals, gold, beliefs
    players       pairings of sides; players who count their time, are deaf, or see all cards
    talkers       players' talk to measure with: lies, blame, repetition
    counts        the rows of the tables of moves: what beliefs and hand models were counted from
    seats         how even the sides are at each number of seats
    nerve         suspicion of saboteurs who hide, and the share of passes
    judging       how good beliefs are, over published rounds
    listening     the rows of the tables of talk
    __main__      the tables in Markdown, and their places on the pages
"""
