"""Bots that others wrote: of packages, by their entry points in `sabtui.bots`, and programs.

Finding bots runs no code of theirs: it reads the entry points of packages, the source of bots that
are plain functions, and the list of programs in the environment. Their code runs only after
`load_bot`: in the process that plays such a bot, in the arena, and in the environment for programs
that learn. A bot that cannot be offered is refused with a reason, in English, for its author.
"""

from __future__ import annotations

import ast
import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.machinery import PathFinder
from importlib.util import find_spec
from inspect import Parameter, Signature, signature
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from engine.bots import BOTS, LEVELS, Bot
from engine.bots.executables import find_start_fault

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

BOT_ENTRY_POINTS: Final = "sabtui.bots"
"""The group of entry points through which packages offer bots."""

PROGRAMS_VARIABLE: Final = "SABTUI_BOTS"
"""The environment variable with the paths of the programs that are bots here."""

MAX_BOT_NAME_LETTERS: Final = 16
"""Maximum number of letters of a bot's name: as many as fit on the screens of a lobby."""

OWN_NAMES: Final = frozenset({*BOTS, "cunning"})
"""The names of our own bots, in code and as players read and type them."""

_NAME: Final = re.compile(rf"[a-z0-9][a-z0-9._-]{{0,{MAX_BOT_NAME_LETTERS - 1}}}")
"""A name that everybody can type and every terminal can show."""

_DEFINITION: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


_OPTION: Final = re.compile(rf" ([\w.-]+)=([^\s{os.pathsep}]*)$")
"""An option of a program, after its path."""


class OfferedProgram(NamedTuple):
    """A program that is a bot: its name is its file's, without the ending."""

    name: str
    value: str  # its path
    options: tuple[tuple[str, str], ...] = ()

    @classmethod
    def read(cls, text: str) -> OfferedProgram:
        """Read a path and the options after it, as in `./digger.js depth=3`."""
        options = dict[str, str]()
        while not Path(text).exists() and (found := _OPTION.search(text)):
            options = {found[1]: found[2], **options}
            text = text[: found.start()]
        path = Path(text).absolute()
        return cls(path.stem.casefold(), str(path), tuple(options.items()))

    def __str__(self) -> str:
        return " ".join((self.value, *(f"{name}={value}" for name, value in self.options)))

    def load(self, *, leads_group: bool = False) -> Bot:
        """Return the bot, as `ProgramBot` has it; nothing runs before the first question."""
        from engine.bots.programs import ProgramBot  # noqa: PLC0415 - not at start

        bot = ProgramBot(Path(self.value), dict(self.options), leads_group=leads_group)
        return cast("Bot", bot)


def is_program(text: str) -> bool:
    """Return True for the path of a program, which has a slash, rather than a bot's name."""
    return "/" in text or os.sep in text


def offer_program(text: str) -> str:
    """Offer a program as a bot, here and in processes that are started here; return its name.

    `text` is its path and its options. It may still be refused: see `refused_bots`.
    """
    program = OfferedProgram.read(text)
    others = [other for other in _list_programs() if other.value != program.value]
    os.environ[PROGRAMS_VARIABLE] = os.pathsep.join(map(str, (*others, program)))
    for found in (_find_bots, refused_bots, installed_bots, load_bot):
        found.cache_clear()
    return program.name


@cache
def installed_bots() -> Mapping[str, EntryPoint | OfferedProgram]:
    """Return the usable bots of other authors by name, in alphabetical order.

    Bots in `refused_bots` are left out. The search runs once in a process: a package installed
    later is found after a restart.
    """
    refused = refused_bots()
    found = {point.name: point for point in _find_bots() if point.name not in refused}
    return MappingProxyType(dict(sorted(found.items())))


@cache
def refused_bots() -> Mapping[str, str]:
    """Return others' bots that are not offered, and a sentence on the reason."""
    found = _find_bots()
    times = Counter(point.name for point in found)
    reasons = {
        point.name: f"the bot {point.name!r} ({point.value}) is not offered: {fault}"
        for point in found
        if (fault := _find_fault(point, times[point.name])) is not None
    }
    return MappingProxyType(dict(sorted(reasons.items())))


def is_bot(name: str) -> bool:
    """Return True if a bot of this name is ours or installed here."""
    return name in BOTS or name in installed_bots()


def offered_bots() -> tuple[str, ...]:
    """Return the bots that people choose from: our levels, weakest first, then installed ones."""
    return (*LEVELS, *installed_bots())


@cache
def load_bot(name: str) -> Bot:
    """Return one of our bots, or the installed one of that name, and nothing else.

    A name may come from a stranger, with a table that was handed over. Raises `ValueError` if there
    is no such bot, or it cannot be called as a bot is; its module may raise anything when it is
    imported.
    """
    if name in BOTS:
        return BOTS[name]
    if name in refused_bots():
        raise ValueError(refused_bots()[name])
    if name not in installed_bots():
        raise ValueError(f"no bot {name}: none of that name is installed")
    try:
        bot: Bot = installed_bots()[name].load()
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(f"no bot {name}: {error}") from None
    check_bot(name, bot)
    return bot


def check_bot(name: str, bot: Bot) -> None:
    """Raise `ValueError` unless a loaded bot can be called as bots are."""
    try:
        fault = _find_call_fault(signature(bot))
    except (TypeError, ValueError):
        fault = "it is no function"
    if fault is not None:
        raise ValueError(f"no bot {name}: {fault}")


@cache
def _find_bots() -> tuple[EntryPoint | OfferedProgram, ...]:
    # Every start of the program and of a bot's process would wait for it, and few ever need it.
    from importlib.metadata import entry_points  # noqa: PLC0415 - see above

    return (*entry_points(group=BOT_ENTRY_POINTS), *_list_programs())


def _list_programs() -> Iterable[OfferedProgram]:
    """Return the programs that the environment names; of a repeated path, the last entry counts."""
    named = filter(None, os.environ.get(PROGRAMS_VARIABLE, "").split(os.pathsep))
    programs = map(OfferedProgram.read, named)
    return {program.value: program for program in programs}.values()


def _find_fault(point: EntryPoint | OfferedProgram, times: int) -> str | None:
    if point.name in OWN_NAMES:
        return "one of Sabtui's own bots has that name"
    if not _NAME.fullmatch(point.name):
        return (
            f"a name has at most {MAX_BOT_NAME_LETTERS} small letters, digits, dots, dashes and "
            "underscores, a letter or digit first"
        )
    if times > 1:
        return "several bots have that name"
    if isinstance(point, OfferedProgram):
        return find_program_fault(point)
    try:
        bot = _find_definition(point)
    except ModuleNotFoundError:
        return f"there is no module {point.module}"
    except AttributeError:
        return f"it is not in {point.module}"
    if isinstance(bot, ast.ClassDef):
        return "it is a class, and a bot is a function"
    return None if bot is None else _find_call_fault(_read_signature(bot))


def find_program_fault(program: OfferedProgram) -> str | None:
    """Return the reason why a program cannot be started, or `None`."""
    if not Path(program.value).is_file():
        return "there is no such file"
    if not os.access(program.value, os.X_OK):
        return "its file may not be executed"
    return find_start_fault(Path(program.value))


def _find_call_fault(parameters: Signature) -> str | None:
    """Return why a function with these parameters cannot be called as a bot, or `None`."""
    talk = dict.fromkeys({"talk"} & parameters.parameters.keys())
    try:
        parameters.bind(None, None, None, **talk)
    except TypeError as error:
        return f"it has to take (view, rng, budget), but {error}"
    return None


def _find_definition(point: EntryPoint) -> ast.FunctionDef | ast.ClassDef | None:
    """Find where a module defines a bot; `None` if that is not a plain function or class.

    Raises:
        ModuleNotFoundError: there is no such module.
        AttributeError: nothing there has the name.
    """
    try:
        source = _read_source(point.module)
        parsed = ast.parse(source) if source is not None else None
    except ModuleNotFoundError:
        raise
    except (ImportError, OSError, SyntaxError, ValueError):
        return None  # Loading it will report why.
    if parsed is None:
        return None
    name = point.attr.partition(".")[0]
    found = [node for node in parsed.body if _defines(node, name)]
    if not found:
        raise AttributeError(name)
    last = found[-1]
    if isinstance(last, ast.FunctionDef | ast.ClassDef) and last.name == name:
        return None if last.decorator_list else last
    return None


def _defines(node: ast.stmt, name: str) -> bool:
    """Return True if a statement may give this name a meaning."""
    if isinstance(node, _DEFINITION):
        return node.name in (name, "__getattr__")
    return any(_binds(part, name) for part in ast.walk(node))


def _binds(part: ast.AST, name: str) -> bool:
    if isinstance(part, ast.Name):
        return part.id == name and isinstance(part.ctx, ast.Store)
    if isinstance(part, ast.alias):
        return (part.asname or part.name) in (name, "*")
    return isinstance(part, _DEFINITION) and part.name == name


def _read_source(module: str) -> bytes | None:
    """Return the source of a module, `None` if it has none; it imports none of their packages.

    Raises ModuleNotFoundError: there is no such module.
    """
    top, *parts = module.split(".")
    spec, name = find_spec(top), top
    for part in parts:
        if spec is None:
            raise ModuleNotFoundError(name)
        name = f"{name}.{part}"
        spec = PathFinder.find_spec(name, spec.submodule_search_locations)
    if spec is None:
        raise ModuleNotFoundError(name)
    if spec.origin is None or not spec.has_location:
        return None
    return Path(spec.origin).read_bytes()


def _read_signature(function: ast.FunctionDef) -> Signature:
    """Return the parameters of a function as its source has them, with no default's value."""
    given = function.args
    plain = [*given.posonlyargs, *given.args]
    first_default = len(plain) - len(given.defaults)
    parameters = [
        Parameter(
            argument.arg,
            Parameter.POSITIONAL_OR_KEYWORD,
            default=Parameter.empty if at < first_default else None,
        )
        for at, argument in enumerate(plain)
    ]
    if given.vararg is not None:
        parameters.append(Parameter(given.vararg.arg, Parameter.VAR_POSITIONAL))
    for argument, default in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        value = Parameter.empty if default is None else None
        parameters.append(Parameter(argument.arg, Parameter.KEYWORD_ONLY, default=value))
    if given.kwarg is not None:
        parameters.append(Parameter(given.kwarg.arg, Parameter.VAR_KEYWORD))
    return Signature(parameters)
