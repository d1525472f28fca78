"""The client's part in the draws of seeds (`net.lobby.draw`), and what it keeps of each to check.

The program answers by itself, as its player has nothing to decide. Its share is kept in memory
alone: after a restart between commitment and share it cannot answer, and is left out.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from msgspec import structs

from engine.shares import SHARE_BYTES, commitment
from engine.state import Phase
from engine.view import View
from net.lobby.draw import host_name, is_opened
from net.lobby.events import DrawBegan, LobbyEvent
from net.lobby.model import Lobby, SeedDraw, Stage
from net.protocol.messages import CommitShare, ShowShare


def new_share() -> bytes:
    """Return 32 bytes of the system's randomness."""
    return secrets.token_bytes(SHARE_BYTES)


@dataclass(frozen=True, slots=True)
class SeenDraw:
    """The way in which a round was dealt, as far as it was seen.

    `draw` is `None` if the host dealt alone, which `is_due` says it should not have. `host` is the
    host's name. `own` is the share that this program put in, empty if it put in nothing.
    """

    draw: SeedDraw | None
    host: str
    own: bytes = b""
    is_due: bool = False


@dataclass(frozen=True, slots=True)
class SeenDeals:
    """The way in which a game was dealt, as far as it was seen.

    `names` are those of the players at its beginning, empty if they were not seen. `draws` are by
    round, `None` for rounds that were dealt while this program was away. A past is `rewritten` if
    the host sent a snapshot that contradicts what it had told before.
    """

    names: tuple[str, ...] = ()
    draws: tuple[SeenDraw | None, ...] = ()
    rewritten: bool = False

    def then(self, number: int, seen: SeenDraw) -> SeenDeals:
        """Return the deals seen with round `number` added."""
        return replace(self, draws=(*self._up_to(number - 1), seen))

    def after_gap(self, number: int, seen: SeenDraw, *, is_rewritten: bool) -> SeenDeals:
        """Return the deals seen after a snapshot of round `number`, which shows `seen`.

        All that was seen of this round and earlier ones before the gap is kept.
        """
        if is_rewritten and not self.rewritten:
            return replace(self, rewritten=True).after_gap(number, seen, is_rewritten=True)
        ours = self._up_to(number)[-1]
        if ours is None or ours.draw is None or seen.draw is None or ours.draw.id != seen.draw.id:
            return self.then(number, seen)
        return replace(self, draws=self.draws[:number])

    def _up_to(self, number: int) -> tuple[SeenDraw | None, ...]:
        return (*self.draws, *(None,) * number)[:number]


NOTHING_DEALT: Final = SeenDeals()
"""Nothing seen yet, as before a game."""


@dataclass(slots=True)
class OwnShare:
    """This program's share in the draw with id `draw`, from `source`.

    `pinned` is the draw as it stood when the share was shown: nothing in it may change after that.
    """

    source: Callable[[], bytes] = new_share
    draw: bytes = b""
    share: bytes = b""
    pinned: SeedDraw | None = None

    def answer(self, lobby: Lobby, member: int) -> tuple[CommitShare | ShowShare, ...]:
        """Return the answer that the draw under way awaits from a member, if it awaits one.

        A share is shown only for a draw with our own commitment to it, once and for all.
        """
        draw = lobby.draw
        if draw is None or draw.done:
            return ()
        name = next((one.name for one in draw.people if one.member == member), None)
        if name is None:
            return ()
        if not draw.commitments:
            if draw.id != self.draw:
                self.draw, self.share, self.pinned = draw.id, self.source(), None
            return (CommitShare(draw.id, commitment(draw.id, name, self.share)),)
        if draw.id != self.draw or not is_opened(draw, member, self.share):
            return ()
        self.pinned = self.pinned or draw
        return (ShowShare(draw.id, self.share),)

    def seen(self, lobby: Lobby, number: int, *, live: bool) -> SeenDraw:
        """Return the draw of round `number` as it was seen; `live` if the round was dealt just now.

        The commitments are those that were public when our own share was not yet.
        """
        draw = lobby.draw
        if draw is None or not draw.done or draw.round != number:
            return SeenDraw(None, host_name(lobby), is_due=live and bool(lobby.drawers))
        if self.pinned is None or draw.id != self.draw:
            return SeenDraw(draw, draw.host_name)
        ours = structs.replace(self.pinned, shares=draw.shares, done=True)
        return SeenDraw(ours, draw.host_name, self.share)


def is_due(event: LobbyEvent, running: bytes, lobby: Lobby, view: View | None) -> bool:
    """Return True unless a draw begins that does not belong here, after this running hash.

    So its id says which public past it follows, and programs that were told two pasts commit to
    their shares in two different draws.
    """
    if not isinstance(event, DrawBegan):
        return True
    if view is None:
        waits, number = lobby.stage is Stage.LOBBY, 1
    else:
        waits, number = view.phase is Phase.DEAL, view.score.number + 1
    return waits and event.round == number and event.id == running


def contradicts(held_lobby: Lobby, held: View, lobby: Lobby, view: View) -> bool:
    """Return True if a snapshot takes back what was told of the same round to the same seat."""
    if held.seat != view.seat or held.score.number != view.score.number:
        return False
    ours, theirs = held_lobby.draw, lobby.draw
    if ours is None or theirs is None or ours.id != theirs.id:
        return False  # another game, or one that the host dealt alone
    return tuple(view.history)[: len(held.history)] != tuple(held.history)
