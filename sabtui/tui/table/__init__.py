"""The table: one screen for a running game.

model       the state of the screen as a value (`TableModel`)
selection   the chosen card, the cursor, and what a card can do (`Selection`, `Choice`)
actions     an action as a value: what it does, why not, whom it concerns; and effects
card_actions, assist, view_actions, host_actions   the actions, and the deeds of a table as such
update      what the session and time bring, as steps like those of an action
commands, mouse   keys and clicks as actions
layout      room for each part, for any size of terminal
narrow      players and hand on a phone held upright
header, players, hand, faces, log, log_entry, claims, facts   parts as rows
results, result_columns   the end of a round or game as rows
podium      the dwarves there, drawn
postcard    the picture of a finished game for friends
highlights  places of the chosen card, and what laying it would join and open
animation   frames of an event, as differences from the resting picture; ceremonies, which are
            frames for which the updates that tell them wait
stages      the pictures of ceremonies over the mine
render, side   which part shows what at which stage; the side is a value, laid out once a redraw
log_screen  the whole log on a screen of its own, with a search
status      the sentence under the hand: what Enter does, or why it does nothing
panels      the panels that rows are shown in, here and in a replay
screen      widgets; actions taken, and effects carried out

Nothing here decides a rule of the game: legal moves and reasons come from the view.
"""
