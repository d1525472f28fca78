"""For programs of others: a place at a table, from Python, and how well bots play.

client  `join`, which watches a table, or sits at it
arena   bots measured over the same deals, with talk
room    the command of the shell
"""
