"""What cards, tools, sides and goals are called.

A dead end is always called one: the small letters that tell it from a tunnel in the notation
cannot be heard.
"""

from __future__ import annotations

from typing import assert_never

from engine.cards import SIDES, Card, E, Goal, N, Path, Role, S, Tool, W
from sabtui.text.i18n import _, begins_with_vowel, ngettext, pgettext
from sabtui.text.names import PlayerNames

CardSide = int
"""N, E, S or W."""


def side(edge: CardSide) -> str:
    """A side of a card."""
    return {
        N: pgettext("side", "north"),
        E: pgettext("side", "east"),
        S: pgettext("side", "south"),
        W: pgettext("side", "west"),
    }[edge]


def sides(edges: int) -> str:
    """A set of sides, clockwise from north."""
    return ", ".join(side(edge) for edge in SIDES if edges & edge)


def path_words(path: Path) -> str:
    """A path card as it lies."""
    if path.through:
        return _("tunnel {sides}").format(sides=sides(path.edges))
    return _("dead end {sides}").format(sides=sides(path.edges))


def card_words(card: Card) -> str:
    """A card in words."""
    if card.ways:
        return path_words(card.ways[0])
    if card.breaks is not None:
        return broken_card(card.breaks)
    if card.repairs:
        return " / ".join(repair_card(tool) for tool in card.repairs)
    return pgettext("card", "map") if card is Card.MAP else pgettext("card", "rockfall")


def card_spelt(card: Card) -> str:
    """A card in notation and in words."""
    return _("{card} ({words})").format(card=card.text, words=card_words(card))


def tool(of: Tool) -> str:
    """A tool."""
    match of:
        case Tool.PICK:
            return pgettext("tool", "pick")
        case Tool.LANTERN:
            return pgettext("tool", "lantern")
        case Tool.CART:
            return pgettext("tool", "cart")
        case _:
            assert_never(of)


def broken_card(of: Tool) -> str:
    """The card that breaks a tool, and the tool that is broken."""
    match of:
        case Tool.PICK:
            return _("broken pick")
        case Tool.LANTERN:
            return _("broken lantern")
        case Tool.CART:
            return _("broken cart")
        case _:
            assert_never(of)


def repair_card(of: Tool) -> str:
    """The card that repairs a tool."""
    match of:
        case Tool.PICK:
            return _("pick repair")
        case Tool.LANTERN:
            return _("lantern repair")
        case Tool.CART:
            return _("cart repair")
        case _:
            assert_never(of)


def tool_of(of: Tool, owner: int, names: PlayerNames, actor: int | None = None) -> str:
    """A player's tool, as the object of a sentence; `actor` is the seat that the sentence is of."""
    match of:
        case Tool.PICK:
            mine, own, theirs = _("your pick"), _("their own pick"), _("{name}'s pick")
            elided = pgettext("before a vowel", "{name}'s pick")
        case Tool.LANTERN:
            mine, own, theirs = _("your lantern"), _("their own lantern"), _("{name}'s lantern")
            elided = pgettext("before a vowel", "{name}'s lantern")
        case Tool.CART:
            mine, own, theirs = _("your cart"), _("their own cart"), _("{name}'s cart")
            elided = pgettext("before a vowel", "{name}'s cart")
        case _:
            assert_never(of)
    if owner == actor:
        return names.say(owner, mine, own)
    return names.say(owner, mine, elided if begins_with_vowel(names.names[owner]) else theirs)


def goal_words(goal: Goal) -> str:
    """What lies on a goal's face."""
    match goal:
        case Goal.TREASURE:
            return pgettext("goal", "the treasure")
        case Goal.STONE_NE | Goal.STONE_NW:
            return pgettext("goal", "stone")
        case _:
            assert_never(goal)


def role_words(role: Role) -> str:
    """A dwarf."""
    match role:
        case Role.MINER:
            return pgettext("dwarf", "miner")
        case Role.SABOTEUR:
            return pgettext("dwarf", "saboteur")
        case _:
            assert_never(role)


def cards_counted(count: int) -> str:
    """So many cards."""
    return ngettext("{count} card", "{count} cards", count).format(count=count)


def nuggets_counted(count: int) -> str:
    """So many nuggets."""
    return ngettext("{count} nugget", "{count} nuggets", count).format(count=count)
