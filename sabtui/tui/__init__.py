"""Textual interface: the app, its screens and their widgets.

app, navigation, keyboard   the app itself; which screen a session needs; keys one at a time
driver, terminal_input      how keys reach the app on POSIX terminals; input cut into keys, pastes
                            and answers
output, line_watch          updates in few bytes; whether the line to the terminal is slow
display, job                the title and cursor of the terminal; suspended by the shell, and ended
                            with the terminal
command, commands, context  a command; screens with help and palette; the app as screens see it
palette                     finds a command by a few letters, over any of these screens
theme                       colours, glyphs and large letters
screens, lobby, table       screens outside a table; before a game; during a game
replay                      a finished game on the mine and list of the table
mine, widgets               the mine as rows of text; widgets shared by screens

Nothing here decides a rule of the game: screens ask a view what is legal. Shared sentences come
from `sabtui.text`.
"""
