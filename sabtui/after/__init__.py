"""Games that are over: the record, watching again, review, standings, exports; and study.

cli         `sabtui review` and `sabtui standings`
export      a game as files for those without Sabtui
library     kept games, in files of a folder: library_index in SQLite, and library_list as rows
lines       a finished game watched again in lines of text, and a position studied
options     the options of this room's commands
records     showing records of games
replays     watching a game again: positions and points of view
review      the review of a kept game, step by step
room        what this room adds to the core: commands, a row of the welcome, watching again
screens     the screens of all this
standings   standings over kept games; standings_table has them as text, CSV and HTML
study       trying moves on a position
text        sentences, bars and curves

Nothing here asks a table for anything.
"""
