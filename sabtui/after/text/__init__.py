"""Sentences about games that are over, with bars and curves.

plots    bars and curves in characters of a terminal
replays  a game watched again
review   the review of a game
"""
