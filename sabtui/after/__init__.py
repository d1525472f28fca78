"""Games that are over: the record, watching again, review, standings, export.

cli        `sabtui review` and `sabtui standings`
export     a game as a page for those without Sabtui
library    the folder of kept games, and the rows of a list of them
lines      a finished game watched again in lines of text
options    the options of this room's commands
replays    watching a game again: positions and points of view
review     the review of a kept game, step by step
room       what this room adds to the core: commands, a row of the welcome, watching again
screens    the screens of all this
standings  standings over kept games, and their table
text       games watched again and reviews, in sentences, and a plot in blocks

Nothing here asks a table for anything.
"""
