"""Screens of games that are over.

records  the list of kept games, one of them, and what they count up to
replay   a game watched again, on the mine and list of the table: keys, playing by itself, and
         drawing
rows     where one is in that game, as a value, and the parts of the screen as rows, hands among
         them
review   the review of a game: its work, and walking along its graph
"""
