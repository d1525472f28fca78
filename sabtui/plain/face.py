"""The game in lines, between two lines typed: what was heard becomes lines, a line typed a wish.

Knows a view, the names and the size of the terminal; no table around the game, no clock, no input,
no output. A `Face` is a value: what it says comes with the face to go on with.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from engine.cards import Card
from engine.events import Event, HandDealt
from engine.moves import Move
from engine.table import Phase
from engine.view import View
from sabtui.plain.choices import gold_lines, hand_lines, held, play_lines
from sabtui.plain.telling import told
from sabtui.plain.wishes import Play, Wish
from sabtui.plain.wrap import Size, wrapped
from sabtui.words.cards import card_words
from sabtui.words.cast import Cast
from sabtui.words.reasons import why_not
from sabtui.words.tongue import _
from sabtui.words.turns import broken_tools, pile_words, waiting


@dataclass(frozen=True, slots=True)
class Face:
    """One player's game in lines.

    `card` is the card whose places were listed, so that the next number is a place, and `listed`
    how many of them are out. Without `hints` the table wants no advice given.
    """

    view: View
    cast: Cast
    size: Size = field(default_factory=Size)
    card: Card | None = None
    listed: int = 0
    hints: bool = True

    @property
    def my_turn(self) -> bool:
        """Whether it is this player who is to play or to choose gold."""
        return self.view.seat is not None and self.view.to_act == self.view.seat

    @property
    def plays(self) -> Sequence[Move]:
        """What the card whose places were listed can do."""
        return next((kind.plays for kind in held(self.view) if kind.card is self.card), ())

    def hear(self, events: Iterable[Event]) -> list[str]:
        """Say what happened in a step, which the view knows already."""
        lines: list[str] = []
        hand = False
        for event in events:
            lines += told(event, self.view, self.cast)
            hand = hand or isinstance(event, HandDealt)
        return [*lines, *hand_lines(self.view)] if hand and not self.my_turn else lines

    def where(self) -> list[str]:
        """Where the player is: whose turn it is, and what can be done."""
        view = self.view
        if self.my_turn and view.phase is Phase.GOLD:
            head = _("Choose a gold card by its nuggets. Then {count} are passed on.")
            return [head.format(count=len(view.offer) - 1), *gold_lines(view)]
        if self.my_turn:
            return [self._your_turn(), *hand_lines(view)]
        return [waiting(view, self.cast)]

    def choose(self, card: Card, page: int = 0) -> Said:
        """List what a card can do, from a place on, to choose from."""
        face = replace(self, card=card)
        plays = face.plays
        if not plays:
            discard = _("{card} ({words}) can only be discarded now: x{number}.")
            number = [kind.card for kind in held(self.view)].index(card) + 1
            told = discard.format(card=card.text, words=card_words(card), number=number)
            return self.put_back().say([told])
        upto = min(len(plays), page + self.size.rows - 5)
        out = play_lines(plays[page:upto], self.view, self.cast, page)
        head = _("{card} ({words}) can do:").format(card=card.text, words=card_words(card))
        ways = [_("x discards it, b goes back")]
        if upto < len(plays):
            ways.append(_("+ lists {count} more").format(count=len(plays) - upto))
        return replace(face, listed=upto).say([head, *out, f"{', '.join(ways)}."])

    def attempt(self, move: Move) -> Said:
        """Make a move if it can be made; if not, say why, and stay where we were."""
        reason = self.view.why_not(move)
        if reason is not None:
            return self.say([why_not(reason, move, self.view, self.cast)])
        return self.put_back().say([], Play(move))

    def put_back(self) -> Face:
        """The face with no card chosen."""
        return replace(self, card=None, listed=0)

    def say(self, lines: Iterable[str], wish: Wish | None = None) -> Said:
        """Say something, as wide as the terminal."""
        return Said(self, tuple(wrapped(lines, self.size.columns)), wish)

    def prompt(self) -> str:
        """What stands before the line to type: whose turn it is, and what the line answers."""
        view = self.view
        if not self.my_turn:
            return waiting(view, self.cast).rstrip(".")
        if view.phase is Phase.GOLD:
            return _("Your gold, {cards}").format(
                cards="/".join(str(nuggets) for nuggets in dict.fromkeys(view.offer))
            )
        if self.card is not None:
            return _("Your turn, {card} 1-{last}").format(card=self.card.text, last=self.listed)
        return _("Your turn, card 1-{last}").format(last=len(held(view)))

    def _your_turn(self) -> str:
        told = [_("Your turn."), pile_words(self.view)]
        assert self.view.seat is not None
        broken = broken_tools(self.view.seat, self.view)
        if broken:
            told.append(_("Your broken tools: {tools}.").format(tools=broken))
        return " ".join(told)


@dataclass(frozen=True, slots=True)
class Said:
    """What a face says, the face to go on with, and what it wishes to be done."""

    face: Face
    lines: tuple[str, ...]
    wish: Wish | None = None
