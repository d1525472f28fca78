"""Chat and claims in words, and the board of claims, each with its speakers and its status.

Free text is unchanged; a quick claim is in the reader's own language and may be a lie. Its status
is decided here for both faces, from what the reader's own view knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final, assert_never

from engine.actions import Broke, Collapsed, Repaired
from engine.board import GOAL_CELLS
from engine.bots.evidence import AGAINST, IN_FAVOUR, ActionKind, SeenAction, find_action
from engine.bots.talk import Bluff, DigsAgainstUs, DigsForUs, Talk
from engine.cards import Goal, Role, Tool
from engine.events import Laid
from engine.view import View
from net.protocol.chat import BEFORE_ALL, ChatLine
from net.protocol.cleaning import sanitise
from net.protocol.lobby import Lobby, TableClaim, Topic
from net.protocol.messages import Reacted
from net.protocol.requests import Reaction
from sabtui.text.cards import cell_words, goal_known, goal_name, tool_of, tool_words
from sabtui.text.i18n import _, add_facts, capitalise, lazy, ngettext, pgettext, put_title
from sabtui.text.names import PlayerNames

how_to_talk: Final = lazy("Type a message, then press Enter; Esc goes back.")
nothing_done: Final = lazy("Nothing yet in this round.")


def chat_words(
    line: ChatLine, names: Sequence[str], reason: str = "", *, quoted: bool = True
) -> str:
    """Return a chat line with its speaker, by the present `names`, and the `reason` for its claim.

    Where talk cannot be mistaken for anything else, as on a screen, it need not be `quoted`.
    """
    said = line.text if line.claim is None else claim_words(line.claim, names)
    if reason and line.claim is not None and line.claim.topic is Topic.WHO_ME:
        said = f"{said} {capitalise(reason)}."  # it was a question
    elif reason:
        said = put_title(said, reason)
    return talk_line(line.name, said) if quoted else put_title(line.name, said)


_QUOTES: Final = str.maketrans(dict.fromkeys('"“”„‟«»\u2039\u203a\uff02″〝〞', "'"))


def talk_line(name: str, said: str, *, organiser: bool = False) -> str:
    """Quote somebody's words, perhaps an organiser's.

    It is in quotes, and has none inside: nobody can pose as the program.
    """
    # Translators: {said} is what somebody has said or written, word by word.
    text = _('{name} says: "{said}"')
    if organiser:
        text = _('{name} (organiser) says: "{said}"')
    return sanitise(text.format(name=name, said=said.translate(_QUOTES)))


_OF_ROLES: Final = {
    Topic.DIGS_AGAINST_US: AGAINST,
    Topic.DIGS_FOR_US: IN_FAVOUR,
    Topic.WHO_ME: IN_FAVOUR,
}
"""The kinds of action that are the reason for a claim on each topic."""


def bot_reason(line: ChatLine, view: View, names: PlayerNames) -> str:
    """Return the reason for a bot's claim about a player as a clause, "" if there is none to tell.

    It is the most telling action of this round that everybody had seen before the claim. People
    give their reasons themselves.
    """
    claim, when = line.claim, line.when
    if claim is None or claim.topic not in _OF_ROLES or when.round not in (0, view.score.number):
        return ""
    unplayed = None if when == BEFORE_ALL else when.unplayed
    seat = line.seat if claim.topic is Topic.WHO_ME else claim.about
    action = find_action(view, seat, _OF_ROLES[claim.topic], unplayed)
    if action is None:
        return ""
    done = action.event
    has_helped = isinstance(done, Repaired) and done.target == line.seat
    if claim.topic is Topic.DIGS_FOR_US and has_helped:
        # Translators: a bot thanks a player who has repaired its tool.
        return _("thank you for the repair")
    return _action_words(action, names, by_itself=claim.topic is Topic.WHO_ME)


def _action_words(action: SeenAction, names: PlayerNames, *, by_itself: bool) -> str:
    """Describe an action in a clause without its subject, named just before.

    With `by_itself` it is in the words of the player who did it.
    """
    match action.event:
        case Repaired(_, _, target, broken):
            # Translators: a bot defends itself; {tool} is somebody's tool, as its object.
            mine = _("I repaired {tool}")
            # Translators: of a player just named; {tool} is somebody's tool, as its object.
            text = mine if by_itself else _("repaired {tool}")
            return text.format(tool=tool_of(broken, target, names))
        case Broke(_, broken, target):
            # Translators: of a player just named; {tool} is somebody's tool, as its object.
            return _("broke {tool}").format(tool=tool_of(broken, target, names))
        case Laid(_, _, cell):
            # Translators: of a player just named; {cell} is a place in the mine.
            text = _("led the tunnel away at {cell}")
            if action.kind is ActionKind.BLOCKED:
                # Translators: of a player just named; {cell} is a place, {ways} a number.
                text = ngettext(
                    "laid a dead end at {cell} while {ways} way was open",
                    "laid a dead end at {cell} while {ways} ways were open",
                    action.ways,
                )
        case Collapsed(_, cell):
            # Translators: of a player just named; {cell} is a place in the mine.
            text = _("removed the dead end at {cell}")
            if by_itself:
                # Translators: a bot defends itself; {cell} is a place in the mine.
                text = _("I removed the dead end at {cell}")
            elif action.kind is ActionKind.RUINED:
                # Translators: of a player just named; {cell} is a place in the mine.
                text = _("brought the tunnel down at {cell}")
        case _:
            return ""
    return text.format(cell=cell_words(cell, spelt=names.spelt), ways=action.ways)


def claim_words(claim: TableClaim, names: Sequence[str]) -> str:
    """Return a claim in words. `names` are the current names by seat."""
    match claim.topic:
        case Topic.GOLD_AT:
            return _("{goal} is gold").format(goal=goal_name(GOAL_CELLS[claim.about]))
        case Topic.STONE_AT:
            return _("{goal} is stone").format(goal=goal_name(GOAL_CELLS[claim.about]))
        case Topic.DIGS_FOR_US:
            return _("I think {name} is a miner").format(name=_name_at(claim.about, names))
        case Topic.DIGS_AGAINST_US:
            return _("I think {name} is a saboteur").format(name=_name_at(claim.about, names))
        case Topic.HELP_ME:
            return _("please repair my {tool}").format(tool=tool_words(tuple(Tool)[claim.about]))
        case Topic.BLUFF:
            return _("{name} is bluffing").format(name=_name_at(claim.about, names))
        case Topic.WHO_ME:
            return _("who, me?")
        case _:
            assert_never(claim.topic)


def quick_claims(seats: int, me: int | None) -> tuple[TableClaim, ...]:
    """Return all claims that seat `me` (`None`: a watcher) can make, in the order of the menu."""
    others = [seat for seat in range(seats) if seat != me]
    goals, tools = range(len(GOAL_CELLS)), range(len(Tool))
    return (
        *(TableClaim(topic, goal) for goal in goals for topic in (Topic.GOLD_AT, Topic.STONE_AT)),
        *(TableClaim(Topic.HELP_ME, broken) for broken in tools),
        *(TableClaim(Topic.DIGS_AGAINST_US, seat) for seat in others),
        *(TableClaim(Topic.DIGS_FOR_US, seat) for seat in others),
        *(TableClaim(Topic.BLUFF, seat) for seat in others),
        TableClaim(Topic.WHO_ME),
    )


def _name_at(seat: int, names: Sequence[str]) -> str:
    """Return the name of a seat's player; the table may have fewer seats now than at the time."""
    return names[seat] if seat < len(names) else _("Player {seat}").format(seat=seat + 1)


class ClaimStatus(Enum):
    """The status of a claim, as far as the reader knows; a disputed one contradicts another."""

    OPEN = auto()
    DISPUTED = auto()
    TRUE = auto()
    FALSE = auto()


_PROVEN: Final = {True: ClaimStatus.TRUE, False: ClaimStatus.FALSE}


@dataclass(frozen=True, slots=True)
class GoalClaim:
    """Claim about a goal, counted from north to south, and the seats that make it."""

    goal: int
    is_gold: bool
    seats: tuple[int, ...]
    status: ClaimStatus


class Opinion(Enum):
    """Claim about a player; `BLUFFING` is about what they said, not about their dwarf."""

    SABOTEUR = auto()
    MINER = auto()
    BLUFFING = auto()


@dataclass(frozen=True, slots=True)
class PlayerClaim:
    """Claim about a player, and the seats that make it."""

    about: int
    opinion: Opinion
    seats: tuple[int, ...]
    status: ClaimStatus


def goal_claims(view: View, talk: Talk) -> list[GoalClaim]:
    """Return the claims about the goals, from north to south, gold before stone."""
    said: dict[tuple[int, bool], list[int]] = {}
    for (seat, goal), claimed in talk.said_of_goals().items():
        for gold in claimed:
            said.setdefault((goal, gold), []).append(seat)
    found = [
        GoalClaim(goal, gold, tuple(sorted(seats)), _find_status(goal, said, view, gold=gold))
        for (goal, gold), seats in said.items()
    ]
    return sorted(found, key=lambda claim: (claim.goal, not claim.is_gold))


def _find_status(
    goal: int, said: dict[tuple[int, bool], list[int]], view: View, *, gold: bool
) -> ClaimStatus:
    """Return the status of a claim about a goal. Only one goal has gold (S6)."""
    face = view.goal_on(GOAL_CELLS[goal])
    if face is not None:
        return _PROVEN[gold is (face is Goal.TREASURE)]
    if Goal.TREASURE in map(view.goal_on, GOAL_CELLS):
        return _PROVEN[not gold]
    others = {at for at, is_gold in said if is_gold and at != goal}
    disputed = (goal, not gold) in said or (gold and others)
    return ClaimStatus.DISPUTED if disputed else ClaimStatus.OPEN


def player_claims(view: View, talk: Talk) -> list[PlayerClaim]:
    """Return the claims about the players, by seat.

    Only the last opinion of each speaker on a player's dwarf counts. The reader's own role proves
    nothing here, as it could be read over the shoulder.
    """
    doubts: dict[tuple[int, int], Opinion] = {}
    dwarves: dict[tuple[int, int], Opinion] = {}
    for seat, claim, _unplayed in talk.said:
        match claim:
            case Bluff(about):
                doubts[seat, about] = Opinion.BLUFFING
            case DigsAgainstUs(about):
                dwarves[seat, about] = Opinion.SABOTEUR
            case DigsForUs(about):
                dwarves[seat, about] = Opinion.MINER
            case _:
                pass
    said: dict[tuple[int, Opinion], list[int]] = {}
    for (by, about), opinion in (*dwarves.items(), *doubts.items()):
        if by != about:
            said.setdefault((about, opinion), []).append(by)
    found = []
    for about, opinion in sorted(said, key=lambda key: (key[0], key[1].value)):
        status = ClaimStatus.OPEN
        if opinion is Opinion.BLUFFING:
            pass  # the dwarf can neither prove nor disprove it
        elif view.table.end is not None:
            is_miner = view.table.end.roles[about] is Role.MINER
            status = _PROVEN[is_miner is (opinion is Opinion.MINER)]
        elif {(about, Opinion.MINER), (about, Opinion.SABOTEUR)} <= said.keys():
            status = ClaimStatus.DISPUTED
        found.append(PlayerClaim(about, opinion, tuple(sorted(said[about, opinion])), status))
    return found


def status_words(status: ClaimStatus) -> str:
    """Return the status of a claim in a word, "" while it is open."""
    return {
        ClaimStatus.OPEN: "",
        # Translators: of a claim: others say the opposite; at most 10 columns.
        ClaimStatus.DISPUTED: pgettext("claim", "disputed"),
        ClaimStatus.TRUE: pgettext("claim", "true"),
        ClaimStatus.FALSE: pgettext("claim", "false"),
    }[status]


def short_goal(goal: int) -> str:
    """Return the short name of a goal, counted from north to south, for a column of goals."""
    # Translators: a goal in a column of goals; at most 7 columns.
    return (pgettext("side", "north"), pgettext("goals", "middle"), pgettext("side", "south"))[goal]


def goal_word(*, gold: bool) -> str:
    """Sum up a claim about a goal in a word."""
    # Translators: what somebody claims to lie at a goal; at most 6 columns.
    return _("gold") if gold else _("stone")


def player_word(opinion: Opinion) -> str:
    """Sum up a claim about a player in a word."""
    return {
        # Translators: what somebody claims a player to be; at most 10 columns.
        Opinion.MINER: pgettext("role", "miner"),
        Opinion.SABOTEUR: pgettext("role", "saboteur"),
        # Translators: of a player whose word somebody doubts; at most 10 columns.
        Opinion.BLUFFING: pgettext("claim", "bluffing"),
    }[opinion]


def claim_lines(view: View, talk: Talk, names: PlayerNames) -> list[str]:
    """Return the board of claims as lines: the goals, then the players."""
    claims = goal_claims(view, talk)
    lines = []
    for goal, cell in enumerate(GOAL_CELLS):
        said = [
            _claim_with_worth(goal_word(gold=claim.is_gold), claim.seats, claim.status, names)
            for claim in claims
            if claim.goal == goal
        ]
        known = view.goal_on(cell) is not None
        facts = [*([goal_known(cell, view)] if known else []), *said]
        if facts:
            lines.append(put_title(goal_name(cell), f"{'; '.join(facts)}."))
    for about in player_claims(view, talk):
        word = player_word(about.opinion)
        claim = _claim_with_worth(word, about.seats, about.status, names)
        lines.append(put_title(names.name(about.about), f"{claim}."))
    return lines or [nothing_done()]


def _claim_with_worth(
    what: str, seats: Sequence[int], status: ClaimStatus, names: PlayerNames
) -> str:
    text = add_facts(what, names.call_all(seats))
    return ", ".join(filter(None, [text, status_words(status)]))


def reaction_word(reaction: Reaction) -> str:
    """Return the word shown beside a player who reacts: at most 8 columns."""
    match reaction:
        case Reaction.LAUGH:
            # Translators: somebody laughs; at most 8 columns.
            return pgettext("reaction", "haha!")
        case Reaction.APPLAUD:
            # Translators: somebody applauds; at most 8 columns.
            return pgettext("reaction", "bravo!")
        case Reaction.GASP:
            # Translators: somebody gasps in surprise; at most 8 columns.
            return pgettext("reaction", "oh!")
        case Reaction.HURRY:
            # Translators: somebody wants others to hurry up; at most 8 columns.
            return pgettext("reaction", "hurry!")
        case _:
            assert_never(reaction)


def describe_reaction(reacted: Reacted | None, lobby: Lobby | None) -> str:
    """Report a reaction, "" if there is none, or if its player has left."""
    person = None if reacted is None or lobby is None else lobby.person(reacted.member)
    if reacted is None or person is None:
        return ""
    return put_title(sanitise(person.name), reaction_word(reacted.reaction))
