"""Screens of games that are over, and of positions to try moves on.

records     kept games
replay      a game watched again, on the mine and list of the table: keys, playing by itself, and
            drawing; rows has where one is, as a value, and the parts of the screen as rows, and
            hands all players with their hands, as small pictures or in words
review      the review of a game: its work, and walking along its graph, which graph has as rows
standings   what kept games count up to
study       positions to try moves on
"""
