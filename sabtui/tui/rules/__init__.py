"""The rules of the game, taught in a few pages with drawn cards.

pages    text and pictures of each page
screen   the screen that turns the pages
"""

from sabtui.tui.rules.screen import RulesScreen

__all__ = [
    "RulesScreen",
]
