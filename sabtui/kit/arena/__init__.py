"""Measurements of how well bots play: `sabtui arena --help`.

    figures   win rates and gains with their intervals, and tables in Markdown
    talkers   the claims made in rounds that are measured, by bots and by malicious talkers
    matches   rounds and games between bots, in several processes; the oracle
    league    one bot beside ours, and several rated
    command   the work of `sabtui arena`

Every round or game has its own deal from a fixed seed, and all that is compared plays the same
deals. The same version always gives the same figures, except for times.
"""
