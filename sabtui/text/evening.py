"""Results of each round, what each player did, and an evening of games, in sentences.

Actions are counted from the record that is published when a game is over, which has everybody's
nuggets; until then, and if it contradicts what was seen, from the events received.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from engine.board import GOAL_CELLS
from engine.bots.talk import DigsAgainstUs, GoldAt, StoneAt, Talk
from engine.cards import Goal, Role
from engine.events import Event, RoundEnded
from engine.notation import NotationError, Record, parse_record, replay
from engine.state import Score
from engine.tally import RoundTally, Tally
from engine.view import View
from net.client.session import Status
from net.protocol.lobby import Lobby
from net.protocol.messages import CloseReason
from sabtui.text.cards import cards_counted, nuggets_counted, role_words
from sabtui.text.i18n import (
    _,
    capitalise,
    join_words,
    lazy,
    lower_first,
    ngettext,
    pgettext,
    phrases,
    put_title,
)
from sabtui.text.layout import align_columns
from sabtui.text.moves import name_winner
from sabtui.text.names import PlayerNames

once_over: Final = lazy("You can do that once the game is over.")


def earned_facts(name: str, lobby: Lobby) -> list[str]:
    """Return a player's games and gold of the evening, nothing if they have not played yet."""
    rows = (row for row in lobby.evening.rows if row.name.casefold() == name.casefold())
    row = next(rows, None)
    if row is None:
        return []
    # Translators: beside a player's name: how many of their games this evening they won.
    won = _("{won} of {games} won").format(won=row.won, games=row.games)
    return [won, nuggets_counted(row.gold)]


def finished_lines(lobby: Lobby) -> list[str]:
    """Return the evening's standings, nothing while its only game says the same."""
    return standing_lines(lobby) if lobby.evening.games > 1 else []


def standing_lines(lobby: Lobby) -> list[str]:
    """State the number of games, who has won them, and who has how much gold."""
    evening = lobby.evening
    if not evening.games:
        return []
    won = {row.name: row.won for row in evening.rows if row.won}
    return [
        games_counted(evening.games),
        # Translators: {names} is a list with numbers: Ana 2 and Bruno 1.
        _("Games won: {names}.").format(names=_list_counts(won)),
        *gold_lines({row.name: row.gold for row in evening.rows}),
    ]


def gold_lines(gold: dict[str, int]) -> list[str]:
    """List everybody's gold, of a game or an evening."""
    # Translators: the gold of an evening: {gold} is a list: Ana 12, Bruno 7 and Carla 3.
    return [_("Gold: {gold}.").format(gold=_list_counts(gold))]


def games_counted(count: int) -> str:
    """Return the number of finished games in words."""
    return ngettext("{count} finished game.", "{count} finished games.", count).format(count=count)


def _list_counts(counts: dict[str, int]) -> str:
    return join_words([f"{name} {count}" for name, count in counts.items()])


def farewell_lines(status: Status) -> list[str]:
    """Name the winners of an evening of several games, with its standings, at a closed table."""
    lobby = status.lobby
    if lobby is None or lobby.evening.games < 2 or status.ending is not CloseReason.CLOSED:
        return []
    names = [row.name for row in lobby.evening.first]
    return [won_evening(names), *evening_lines(lobby)]


def won_evening(names: Sequence[str]) -> str:
    text = ngettext("{names} has won the evening.", "{names} have won the evening.", len(names))
    return text.format(names=join_words(names))


def evening_lines(lobby: Lobby) -> list[str]:
    """Return the evening's standings, a line for each player; nothing before its end."""
    rows = [PersonStanding(row.name, row.gold, row.won, row.games) for row in lobby.evening.rows]
    return [*filter(None, standings_table(lobby.evening.games, rows))] if rows else []


MAX_AWARDS: Final = 3  # maximum number of awards after a game
MAX_AWARDED: Final = 2  # maximum number of players who share an award


def tally_of(view: View, past: tuple[Event, ...] | None, record: str) -> Tally:
    """Count everybody's actions, from what was seen and from the record published at the end.

    Until then, a reader who joined after the first round (`past` is `None`) knows only the present
    round.
    """
    seen = Tally.of((*(past or ()), *view.history), view.table.players)
    published = _read_published(record) if record else None
    if published is None:
        return seen
    score, tally = published.score, published.tally
    agrees = score == view.score and (past is None or tally.seats == seen.seats)
    return tally if agrees else seen


class _Accusation(NamedTuple):
    """A true claim that a seat is a saboteur's."""

    moves: int  # of the round before it was made
    round: int
    seat: int
    by: int


class _Published(NamedTuple):
    """Contents of a record; `lies` are false claims about goals, by seat."""

    score: Score
    tally: Tally
    lies: tuple[int, ...]
    unmasked: _Accusation | None


@lru_cache(maxsize=1)
def _read_published(text: str) -> _Published | None:
    """Read a published record, `None` if it is not a whole, valid one."""
    try:
        record = parse_record(text)
    except NotationError:
        return None
    if not isinstance(record, Record):
        return None
    events: list[Event] = []
    score = Score.empty(record.rounds, len(record.names))
    for game, step in replay(record):
        score = game.score
        events += step
    ends = [event for event in events if isinstance(event, RoundEnded)]
    tally = Tally.of(events, len(record.names))
    return _Published(score, tally, _count_lies(record, ends), _find_unmasked(record, ends))


def _count_lies(record: Record, ends: Sequence[RoundEnded]) -> tuple[int, ...]:
    """Return how many claims about goals were false, by seat; `ends` are those of the rounds."""
    lies = [0] * len(record.names)
    for said in record.talk:
        if said.seat is None or not isinstance(said.claim, GoldAt | StoneAt):
            continue
        if said.round > len(ends):
            break
        face = ends[said.round - 1].goals[GOAL_CELLS.index(said.claim.cell)]
        lies[said.seat] += (face is Goal.TREASURE) is not isinstance(said.claim, GoldAt)
    return tuple(lies)


def _find_unmasked(record: Record, ends: Sequence[RoundEnded]) -> _Accusation | None:
    """Return the saboteur who was called one by somebody else after the fewest moves."""
    found = [
        _Accusation(said.moves, said.round, said.claim.seat, said.seat)
        for said in record.talk
        if isinstance(said.claim, DigsAgainstUs)
        and said.moves
        and said.round <= len(ends)
        and said.seat is not None
        and said.seat != said.claim.seat
        and ends[said.round - 1].roles[said.claim.seat] is Role.SABOTEUR
    ]
    return min(found, default=None)


def crime_line(seat: int, end: RoundEnded, view: View, talk: Talk, names: PlayerNames) -> str:
    """Return what a saboteur did in the round: dead ends laid, tools broken, lies told."""
    done = Tally.of(view.history, view.table.players).seats[seat]
    claimed = talk.said_of_goals().items()
    # True means that they called the goal gold, False stone: a lie if it is the other.
    lies = sum(
        (end.goals[goal] is not Goal.TREASURE) in said for (by, goal), said in claimed if by == seat
    )
    found = {
        ngettext("{count} dead end", "{count} dead ends", done.dead_ends): done.dead_ends,
        ngettext("{count} tool broken", "{count} tools broken", done.breaks): done.breaks,
        ngettext("{count} lie", "{count} lies", lies): lies,
    }
    words = [text.format(count=count) for text, count in found.items() if count]
    if not words:
        return names.name(seat)
    return put_title(names.name(seat), join_words(words))


def saboteurs_line(tally: Tally, names: PlayerNames) -> str:
    """Name the saboteurs of each round of a game, "" if no round is known."""
    rounds = [
        put_title(
            _("round {number}").format(number=round_.number),
            names.call_all(saboteurs_of(round_)) or pgettext("dwarves", "none"),
        )
        for round_ in tally.rounds
        if round_.roles is not None
    ]
    if not rounds:
        return ""
    title = capitalise(pgettext("dwarves", "saboteurs"))
    return put_title(title, f"{phrases(rounds)}.")


def saboteurs_of(tally: RoundTally) -> list[int]:
    roles = enumerate(tally.roles or ())
    return [seat for seat, role in roles if role is Role.SABOTEUR]


def award_lines(tally: Tally, record: str, names: PlayerNames) -> list[str]:
    """Return up to three awards of a finished game; one is for the first saboteur unmasked.

    An award that would go to nobody, or to more than two players, is left out.
    """
    published = _read_published(record) if record else None
    lies = () if published is None else published.lies
    texts = (
        (_("Most tunnels: {names}, {count}."), tuple(seat.tunnels for seat in tally.seats)),
        (_("Best liar: {names}, false claims: {count}."), lies),
        (_("Broke the most tools: {names}, {count}."), tuple(seat.breaks for seat in tally.seats)),
        (_("Most dead ends: {names}, {count}."), tuple(seat.dead_ends for seat in tally.seats)),
        (_("Passed most often: {names}, {count}."), tuple(seat.passes for seat in tally.seats)),
    )
    lines = list[str]()
    for text, counts in texts:
        most = max(counts, default=0)
        seats = [seat for seat, count in enumerate(counts) if count == most]
        if most and len(seats) <= MAX_AWARDED:
            lines.append(text.format(names=names.call_all(seats), count=most))
    unmasked = None if published is None else published.unmasked
    if unmasked is not None:
        # Translators: {name} and {by} may be "you": the saboteur, and who said so first.
        text = _("Unmasked first: {name}, on move {move} of round {round}, by {by}.")
        name, by = names.call(unmasked.seat), names.call(unmasked.by)
        at = {"move": unmasked.moves, "round": unmasked.round}
        lines.insert(0, text.format(name=name, by=by, **at))
    return lines[:MAX_AWARDS]


def round_line(tally: RoundTally, names: PlayerNames) -> str:
    """Sum up a finished round in one line: the winners, and everybody's role and gold."""
    has_saboteurs = not tally.roles or Role.SABOTEUR in tally.roles
    won = name_winner(tally.number, tally.winner, has_saboteurs=has_saboteurs)
    gold = [
        cards_counted(cards) if nuggets is None else nuggets_counted(nuggets)
        for cards, nuggets in zip(tally.cards, tally.nuggets, strict=True)
    ]
    players = phrases(
        [
            put_title(names.name(seat), f"{role_words(role)}, {gold[seat]}")
            for seat, role in enumerate(tally.roles or ())
        ]
    )
    return f"{won} {players}."


def final_lines(tally: Tally, record: str, names: PlayerNames) -> list[str]:
    """Return the rounds of a game that is over, then its awards."""
    rounds = [round_line(round_, names) for round_ in tally.rounds if round_.roles is not None]
    return [*rounds, *award_lines(tally, record, names)]


class PersonStanding(NamedTuple):
    """A person's results over many games; `won` are games with the most gold."""

    name: str
    gold: int = 0
    won: int = 0
    games: int = 0


def standings_table(games: int, rows: Sequence[PersonStanding]) -> list[str]:
    """Return the standings over finished games as the lines of a table, and how many games."""
    lines = [games_counted(games)]
    if not rows:
        return lines
    table = [standings_header(), *(tuple(map(str, row)) for row in rows)]
    return [*lines, "", *align_columns(table)]


def standings_header() -> tuple[str, str, str, str]:
    name, won = lower_first(_("Name")), pgettext("standings", "won")
    return name, _("gold"), won, pgettext("standings", "games")
