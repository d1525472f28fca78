"""The table: one screen for a running game, in four rooms.

model, actions     the state of the screen as a value (`TableModel`), and the steps that answer with
                   the next one and effects: actions of the player, updates, what time brings;
                   commands as rows with their words
selection          the chosen card, the cursor, what a card can do, and its places in the mine
layout             room for each part in any size of terminal; its panels, here and in a replay

render             rows of the mine's side: header, mine, and which part shows what at which stage
hand               the hand or the gold on offer, and the faces of cards
status             the sentence under the hand: what Enter does, or why it does nothing

side               rows of the players' side: a value, laid out once a redraw; facts, quick claims
players            each player's row or board
log                everything that happened and was said, there and on a screen of its own

animation          frames of an event, as differences from the resting picture; ceremonies, which
                   are frames for which the updates that tell them wait
moments            the pictures of ceremonies, the end of a round or game, its picture for friends

screen             widgets, clicks as actions, and effects carried out

Nothing here decides a rule of the game: legal moves and reasons come from the view.
"""
