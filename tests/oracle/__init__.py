"""A second model of the whole game: slow, plain, and written from docs/rules.md alone.

It shares no logic with the engine: the names of cards, moves and rows are all it borrows. Where
the engine keeps sets up to date it floods from the start; where the engine works out what fits it
tries every card in every cell. When the two disagree, the rulebook says which is wrong.
"""
