"""The rules, taught in a few pages with drawn cards.

pictures  cards in a row
pages     what is taught, a page each
screen    turning the pages
"""

from sabtui.tui.rules.screen import RulesScreen

__all__ = [
    "RulesScreen",
]
