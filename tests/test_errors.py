"""Every exception of ours crosses a process, or is copied, with all that it tells."""

import copy
import pickle
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import walk_packages

import pytest

import engine
import net
import sabtui
from engine.assembling import Contradiction
from engine.bots.bot import BadReply
from engine.cards import Card
from engine.moves import Discard, IllegalMove, NotInHand
from engine.notation import NotationError
from net.client.dialer import DialFailed
from net.client.session import RunnableSession
from net.discovery.networks import NoPortFree
from net.protocol.framing import BadFrame, FrameTooLong
from net.secure.address import Address, AddressMistake, BadAddress
from net.secure.code import BadCode, BadCodeReason
from net.secure.connection import ConnectionFailed, ConnectionFault
from net.secure.handshake import AuthenticationFailed, BadShare, Rejection
from net.server.bots import BotFailed
from net.server.journal_format import (
    Damage,
    JournalBroken,
    JournalBusy,
    JournalError,
    JournalFinished,
    JournalMissing,
    JournalUnwritable,
    Obstacle,
)
from sabtui.app.errors import UsageError, UserError
from sabtui.app.joining import NoTableFound, SeveralTables
from sabtui.app.requests import GoesOnElsewhere, TableHandle
from sabtui.doors.table_link import TableGone
from sabtui.doors.web_login import BadMessage, PageRefusal, PageRefused
from sabtui.kit.arena import BadBot
from sabtui.text.settings import WrongSetting

PACKAGES = (engine, net, sabtui)
FILE = Path("tables") / "mine.sabtui"


async def open_here() -> TableHandle:
    """Bring no table back."""
    raise NotImplementedError


def make_session(_on_update: object) -> RunnableSession:
    """Make no session."""
    raise NotImplementedError


EXAMPLES: list[Exception] = [
    IllegalMove(Discard(Card.MAP), NotInHand(Card.MAP)),
    NotationError("no move: at all", "EW@1 so what", 6, 3),
    NotationError("no move", "x" * 200, 90),
    BadFrame("padding"),
    BadReply("no move", 5),
    BadBot("digger raises ZeroDivisionError"),
    Contradiction((0, 2), "more copies of a card", False),  # noqa: FBT003 - by place
    BadAddress("[::1", AddressMistake.HOST),
    BadCode(BadCodeReason.UNKNOWN_WORD, "gnome"),
    BadShare("a share of our own"),
    WrongSetting("Type hints yes or hints no."),
    BotFailed("it gave no move"),
    DialFailed(Rejection.CODE_NEEDED),
    DialFailed(ConnectionFault.OVERDUE),
    FrameTooLong(70_000, 65_536),
    JournalError(FILE),
    JournalBroken(FILE, Damage.NEWER_FORMAT),
    JournalBusy(FILE),
    JournalFinished(FILE),
    JournalMissing(FILE),
    JournalUnwritable(FILE, Obstacle.FULL),
    ConnectionFailed(ConnectionFault.BACKLOG),
    NoPortFree(range(7341, 7351)),
    NoTableFound("No table answers."),
    SeveralTables(()),
    GoesOnElsewhere(Address("10.77.0.2", 7341), TableHandle(make_session), open_here),
    AuthenticationFailed(Rejection.CODE_NEEDED),
    TableGone(),
    UserError("No table has that name."),
    UsageError("Bots would take all the seats."),
    BadMessage("no arrival"),
    PageRefused(next(iter(PageRefusal)), 2.5),
]

IDS = [f"{type(error).__name__}-{at}" for at, error in enumerate(EXAMPLES)]

WAYS: dict[str, Callable[[Exception], Exception]] = {
    "pickle": lambda error: pickle.loads(pickle.dumps(error)),  # noqa: S301 - pickled right here
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


def is_of_a_missing_extra(module: str) -> bool:
    """Whether a module cannot be imported here, as an extra that no other module needs is not."""
    return module == "sabtui.pettingzoo_env" and find_spec("pettingzoo") is None


def ours() -> Iterator[type[BaseException]]:
    """Every exception class that one of our modules defines."""
    for package in PACKAGES:
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            if module.name.endswith("__main__") or is_of_a_missing_extra(module.name):
                continue
            for value in vars(import_module(module.name)).values():
                is_error = isinstance(value, type) and issubclass(value, BaseException)
                if is_error and value.__module__ == module.name:
                    yield value


def test_each_exception_class_has_its_example_here() -> None:
    assert {type(error) for error in EXAMPLES} == set(ours())


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("at", range(len(EXAMPLES)), ids=IDS)
def test_an_exception_comes_through_with_all_that_it_tells(at: int, way: str) -> None:
    error = EXAMPLES[at]
    through = WAYS[way](error)
    assert type(through) is type(error)
    assert through.args == error.args
    assert str(through) == str(error)
    assert vars(through) == vars(error)
