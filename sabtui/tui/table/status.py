"""The sentence under the hand: what Enter would do, why it does nothing, or what others did.

It is never empty during a game. While somebody's move is news, it describes the cell under the
cursor only once the player moves that.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.actions import Repair, TurnEvent
from engine.cards import Tool
from engine.events import GoalPeeked
from engine.moves import KeepGold, Move, Play, Reason, ToolsBroken
from engine.state import Phase
from engine.view import View
from net.client.session import ConnectionState, Status
from net.protocol.lobby import Lobby, Presence
from net.protocol.messages import Refusal
from net.room.permissions import people_waited_for
from sabtui.table.commands import PAUSE_KEY
from sabtui.table.sight import Playing, Sight
from sabtui.text import moves, seats
from sabtui.text.cards import cell_sentence, history_words, tool_words
from sabtui.text.connection import disk_sentence, state_words
from sabtui.text.events import event_sentence, how_to_see_role, no_paths, story_lines
from sabtui.text.i18n import _, alternatives, enter_does, lower_first, put_title
from sabtui.text.layout import confine_lines, width
from sabtui.text.lesson import press_enter, task_of, task_words
from sabtui.text.lobby import few_here, player_names
from sabtui.text.names import PlayerNames
from sabtui.text.reasons import refusal_sentence, why_not
from sabtui.tui.table.model import TableModel
from sabtui.tui.table.selection import Choice, Selection
from sabtui.tui.widgets.footer import MAX_STATUS_LINES
from sabtui.tui.widgets.panel import cut


def lobby_at(status: Status) -> Lobby:
    assert status.lobby is not None
    return status.lobby


def names_at(status: Status) -> PlayerNames:
    """Return the names of the players by seat; the status has a lobby."""
    return player_names(lobby_at(status), status.member)


def sentence(model: TableModel, status: Status) -> str:
    """Return the message for the player, else the hint; in a lesson, its task comes first."""
    sight, task, selection = Sight.of(status), task_of(status), model.selection
    if sight is None or task is None or model.is_asked or model.is_in_ceremony:
        return _choose_message(model, status)
    view, held, more = sight.view, selection.find_card(sight.view), model.message
    begun: Move | None = None
    if held is not None or selection.nuggets is not None:
        nuggets = selection.nuggets
        begun = KeepGold(nuggets) if nuggets else selection.chosen_move(view)
    text = task_words(
        task,
        view,
        sight.names,
        in_lines=False,
        begun=begun,
        is_listed=model.about is not None,
    )
    if held is not None and isinstance(task.action, Play) and task.action.card is not held:
        more = _("Press Esc first to put this card back.")
    elif not more and begun is not None and begun == task.action:
        more = _choose_message(model, status)  # Enter does nothing else than the task
    # The hint says in full what Enter does: if it fits beside the task, that need not say it too.
    said = text.removesuffix(press_enter()) if begun and more and not model.message else text
    both = f"{said.rstrip()} {more}".rstrip()
    fits = len(confine_lines([both], model.layout.columns - 2, 0)) <= MAX_STATUS_LINES
    return both if fits else model.message or text


def _choose_message(model: TableModel, status: Status) -> str:
    columns = model.layout.columns - 2
    if model.held and not model.is_asked:
        return cut(model.frame.text or _("Any key skips this."), columns)
    sight = Sight.of(status)
    waits = sight is not None and sight.view.phase in {Phase.DEAL, Phase.GOLD}
    if model.message and waits and not model.is_asked:  # a knock does not hide what it is about
        more = _sentences(status, model.selection, tells_news=False)
        return with_more([model.message, *more], columns)
    if model.message or status.lobby is None:
        return model.message
    if model.is_masked and sight is not None and sight.is_mine:
        return cut(how_to_see_role(), columns)
    return hint(status, model.selection, columns, tells_news=not model.is_looking)


def hint(status: Status, selection: Selection, columns: int, *, tells_news: bool = False) -> str:
    """Return the sentence, and details that fit: with `tells_news`, first what others did."""
    return with_more(_sentences(status, selection, tells_news=tells_news), columns)


def with_more(lines: Sequence[str], columns: int) -> str:
    """Return the first sentence, and those of the others that fit beside it."""
    text, *more = lines
    for sentence in more:
        if width(text) + 1 + width(sentence) <= columns:
            text += f" {sentence}"
    return text


def _sentences(status: Status, selection: Selection, *, tells_news: bool) -> list[str]:
    """Return the sentences, the most important first."""
    lobby, sight = status.lobby, Sight.of(status)
    if status.connection is ConnectionState.ENDED:
        return [state_words(status), enter_does(_("leave"))]
    if lobby is None or status.connection is not ConnectionState.CONNECTED:
        return [state_words(status)]
    if sight is None:
        return [moves.not_begun()]
    table = Playing(sight, lobby)
    if status.disk.is_waiting:
        lines = [disk_sentence(status.disk, is_host=status.is_host)]
        return [*lines, _("f continues without saving.")] if status.is_host else lines
    if few := few_here(status):
        return [few]
    if table.lobby.paused:
        return [_describe_pause(status, table.lobby)]
    match table.sight.view.phase:
        case Phase.OVER:
            return _describe_end_of_game(table, is_host=status.is_host)
        case Phase.DEAL:
            return _describe_end_of_round(table)
        case Phase.GOLD:
            return _describe_gold_choice(table, selection)
        case Phase.PLAY:
            return _describe_play(table, selection, tells_news=tells_news)


def _describe_pause(status: Status, lobby: Lobby) -> str:
    """Return a sentence on how the host resumes the game, or that the others wait for the host."""
    if status.is_host:
        return _("Paused: {key} resumes.").format(key=PAUSE_KEY)
    if lobby.person(lobby.host) is None:
        return _("Paused")
    return refusal_sentence(Refusal.PAUSED)


def _describe_play(table: Playing, selection: Selection, *, tells_news: bool) -> list[str]:
    """Return what Enter does or why it does nothing, the news, and what is under the cursor."""
    view, names, mine = table.sight.view, table.sight.names, table.sight.is_mine
    if selection.seat is None:
        under = [cell_sentence(selection.cell, view)]
        history = history_words(selection.cell, view, names)
    else:
        under, history = [f"{moves.player_words(selection.seat, view, names)}."], []
    choice, move = selection.choice(view), selection.chosen_move(view)
    if choice is None and move is not None:
        return [
            enter_does(moves.done_words(move, view, names)),
            _("Your only move."),
        ]
    if choice is None and tells_news:
        news = story_lines(view, names)
        if not mine:
            news = _describe_peek(view, names) or news
            waits = _describe_wait(table)  # first if it may take a long time
            return [*waits, *news] if _explain_delay(table) else [*news, *waits]
        broken = view.seat is not None and view.table.broken[view.seat]
        return [*_ask_for_card(view), *([] if broken else news)]
    if choice is None:
        if mine and history and view.seat is not None and not view.table.broken[view.seat]:
            # A short sentence, so that what the player looks at fits beside it.
            return [moves.turn_of(view.seat, names), *under, *history]
        lines = _ask_for_card(view) if mine else _describe_wait(table)
        if history and not mine:
            return [*under, *history, *lines]
        return [*lines, *under, *history]
    if not mine:
        return [*_describe_wait(table), *_foresee(view, selection, choice, names)]
    if move is None:
        if choice.on_seats:
            return [_("Play this card on a player: n jumps to one.")]
        return [_("This card is played in the mine: n jumps to a place.")]
    reason = view.why_not(move)
    if reason is not None:
        return explain_refusal(reason, move, view, names)
    return [
        enter_does(moves.done_words(move, view, names)),
        *_describe_other_ways(selection, choice, is_now=True),
        *([] if choice.card.ways or selection.discarding else history),
    ]


def _describe_peek(view: View, names: PlayerNames) -> list[str]:
    """Return what the player's map has shown; nothing once somebody else has moved."""
    for event in reversed(view.history):
        if isinstance(event, GoalPeeked):
            return [event_sentence(event, names)]
        if isinstance(event, TurnEvent) and event.seat != view.seat:
            break
    return []


def explain_refusal(reason: Reason, move: Move, view: View, names: PlayerNames) -> list[str]:
    """Explain why the chosen card cannot be played; with a broken tool, also what one can do."""
    text = why_not(reason, move, view, names)
    # Translators: while a tool is broken: the key x discards the card, and action cards do work.
    if not isinstance(reason, ToolsBroken):
        return [text]
    return [text, _("x discards it; only action cards play.")]


def _describe_other_ways(selection: Selection, choice: Choice, *, is_now: bool) -> list[str]:
    """Return the other ways to play the chosen card here; `is_now` on the player's turn."""
    if selection.discarding:
        # Translators: the card is discarded face down.
        return [_("Face down."), _("Esc keeps it.")]
    other = choice.other_way(selection.place, selection.turned)
    if other not in choice.targets.get(selection.place, ()):
        return []
    if isinstance(other, Repair):
        # Translators: the key r mends this tool in place of the one just named.
        return [_("r: {tool}.").format(tool=tool_words(other.tool))]
    return [_("r rotates it."), *([_("R plays it rotated.")] if is_now else [])]


def _ask_for_card(view: View) -> list[str]:
    """Return the request to choose a card, after what keeps the player from laying paths."""
    text = put_title(moves.your_turn(), lower_first(moves.ask_for_card(len(view.hand))))
    broken = () if view.seat is None else Tool.within(view.table.broken[view.seat])
    return [no_paths(broken), text] if broken else [text]


def _foresee(view: View, selection: Selection, choice: Choice, names: PlayerNames) -> list[str]:
    """Return what the card would do if it were this seat's turn, or why it cannot."""
    move = selection.chosen_move(view)
    if move is None or isinstance(move, KeepGold):
        return []
    reason = choice.why_not(move)
    if reason is not None:
        return [why_not(reason, move, view, names)]
    then = _("Then: {what}").format(what=moves.done_words(move, view, names))
    return [then, *_describe_other_ways(selection, choice, is_now=False)]


def _describe_wait(table: Playing) -> list[str]:
    """Return whose turn it is, and why it may take a long time."""
    text = moves.waiting(table.sight.view, table.sight.names)
    return [" ".join(filter(None, (text, _explain_delay(table))))]


def _explain_delay(table: Playing) -> str:
    """Return why a turn may take a long time, "" if there is no reason."""
    sight, view = table.sight, table.sight.view
    presence = None if view.to_act in (None, view.seat) else sight.presences[view.to_act]
    if view.to_act is None or presence in (None, Presence.THERE):
        return ""
    name = sight.names.names[view.to_act]
    if presence is Presence.SHAKY:
        return seats.shaky_sentence(name)
    return seats.gone_sentence(name, presence, table.lobby.settings.absent)


def _describe_gold_choice(table: Playing, selection: Selection) -> list[str]:
    """Return which gold card Enter keeps, or who chooses one."""
    view, names = table.sight.view, table.sight.names
    if not table.sight.is_mine:
        return _describe_wait(table)
    kept = selection.choose_gold(view)
    if kept is not None:
        text = enter_does(moves.done_words(KeepGold(kept), view, names))
        return [text, *filter(None, [why_no_gold_choice(view)])]
    return [ask_for_gold(view)]


def ask_for_gold(view: View) -> str:
    kinds = [str(nuggets) for nuggets in dict.fromkeys(view.offer)]
    text = _("Gold! Press the number on the card you keep: {kinds}.")
    return text.format(kinds=alternatives(kinds))


def why_no_gold_choice(view: View) -> str:
    """Explain why there is no choice among the gold cards left; "" if there is one."""
    return _("The gold cards left are all the same.") if len(set(view.offer)) == 1 else ""


def _describe_end_of_round(table: Playing) -> list[str]:
    """Return how the round ended, and who is not ready for the next."""
    view, player_names = table.sight.view, table.sight.names
    if table.lobby.is_drawing:
        return [seats.drawing_sentence()]
    text = moves.waiting(view, player_names)
    missing = people_waited_for(table.lobby, view)
    others = [person for person in missing if table.lobby.seat_of(person.member) != view.seat]
    is_late, knock = len(others) < len(missing), "" if view.seat is None else "!"
    waits = [*filter(None, [seats.waiting_sentence(others, knock)])]
    return [
        *([seats.next_round_offered()] if is_late else []),
        *waits,
        *([] if is_late else [text]),
    ]


def _describe_end_of_game(table: Playing, *, is_host: bool) -> list[str]:
    """Return what follows the game, with the keys to look at it again."""
    lobby = table.lobby
    host = lobby.person(lobby.host)
    then = seats.start_again_sentence(host.name) if host else moves.game_over()
    if is_host:
        then = enter_does(_("play again, same seats"))
    elif lobby.is_of_night:
        then = moves.night_goes_on()
    return [
        then,
        *([_("W: watch it again.")] if table.sight.record else []),
        _("Tab shows the mine."),
    ]
