"""Textual interface: the app, its screens and their widgets.

app, navigation             the app itself; which screen a session needs
context                     what screens ask of the app
driver                      how keys reach the app on POSIX terminals; suspended by the shell, and
                            ended with it
output                      updates in few bytes, the terminal's title and cursor, whether its line
                            is slow
command, command_screen     a command and its keys; screens with help and palette
help_lines                  help on commands
palette                     finds a command by a few letters, over any of these screens
theme                       colours, glyphs and large letters
private                     private names of Textual, and why we need them
screens, lobby, table       screens outside a table; before a game; during a game
mine, widgets               the mine as rows of text; widgets shared by screens

Nothing here decides a rule of the game: screens ask a view what is legal. Shared sentences come
from `sabtui.text`.
"""
