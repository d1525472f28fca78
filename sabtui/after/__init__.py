"""Games that are over: the record, watching again, review, standings, export.

export   a game as a page for those without Sabtui
library  the folder of kept games, the rows of a list of them, and standings
lines    a finished game watched again in lines of text
replays  watching a game again: positions and points of view
review   the review of a kept game, step by step
room     what this room adds to the core: commands, a row of the welcome, watching again
screens  the screens of all this
text     games watched again and reviews, in sentences, and a plot in blocks

Nothing here asks a table for anything.
"""
