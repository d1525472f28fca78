"""The signs of the table and of the notation, each with its meaning.

They are the same in the rules and in the table's help, and with every set of glyphs. Every screen
needs this module, so it loads no part of the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from sabtui.text.i18n import _, lazy

plain_characters: Final = lazy("Plain characters only: for any terminal and any font.")


Signs: TypeAlias = Sequence[tuple[str, str]]  # rows of a sign and its meaning


def notation_signs() -> Signs:
    return (
        ("4n1", _("a place: 4 east of the start and 1 north; s is south, -4 is west")),
        ("4", _("a place in the row of the start: 4 east of it")),
        ("NES", _("a tunnel, open to north, east and south; small letters: a dead end")),
        ("SW@4n1", _("a card laid at that place")),
        ("-P -L -C", _("a broken pick, lantern or cart; -L>2 is played on seat 2")),
        ("+P +PC", _("a repair of the pick; of pick or cart; +PC>2:P mends the pick")),
        ("R@4 M@8n2", _("a rockfall, and a map")),
        ("xNES $2", _("a card discarded; a gold card of 2 nuggets kept")),
    )


def mine_signs() -> Signs:
    return (
        ("S ? $ o", _("the start; a goal: unknown, the treasure, a stone")),
        ("[?] [$] [o]", _("a goal still face down: unknown, or as you alone saw it")),
        ("x X ^ v", _("in the middle of a card: a dead end")),
        ("~ : .", _("cut off from the start, like all fainter tunnels")),
        ("<3 3>", _("this many cards are off screen on that side")),
    )


def place_signs() -> Signs:
    return (
        ("[+]", _("a place for your card; n goes to the next")),
        ("*", _("your card can be played on this path card, goal or player")),
        ("=", _("your card would join this one")),
        ("^ > v <", _("your card would open a tunnel that way")),
        ("x   x", _("around your card: it does not fit there")),
    )


def player_signs() -> Signs:
    return (
        (">", _("whose turn it is, or the card that you chose")),
        ("6*", _("the card that you drew last")),
        ("+ - ?", _("before a name: your mark (friend, foe or unsure)")),
        ("! ~", _("after a name: connection lost, or shaky")),
        ("! = x", _("after a claim: disputed, true or false")),
        ("-3 +2", _("three unseen cards break that tool, two repair it")),
        ("pl", _("pick and lantern are broken")),
        ("=2", _("two gold cards face down")),
        ("$2", _("gold of 2 nuggets, open or your own")),
    )
