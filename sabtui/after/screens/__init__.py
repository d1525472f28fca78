"""Screens of games that are over.

records  the list of kept games, one of them, and what they count up to
replay   a game watched again, on the mine and list of the table
review   the review of a game: its work, and walking along its graph
"""
