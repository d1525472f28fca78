"""A game watched again, on the mine and list of the table; nothing here asks a table for anything.

review      the review of the game: its work, and walking along its graph
graph       that graph as rows
hands       all players with their hands, as small pictures or in words
rows        where one is, as a value, and the parts of the screen as rows, with all cards open or
            as one seat saw it
screen      the screen: keys, playing by itself, and drawing
"""
