"""The lobby: the public state of a table beside its game, and the events that change it.

`model` holds people, chairs, settings and claims; `evening` the games of an evening; `events` the
lobby events, and `fold` how the lobby follows from them; `chat` the last lines of chat; `draw` the
order in which all draw the seed of a round; `succession` who goes on for a host who is gone;
`permissions` who may do what at the table, and why not; `validation` the client's checks on what a
host sends. The host's room and every client hold the same `Lobby`, apply the same events to it, and
find the same reasons against a request. The package does no I/O and holds no secret of the game.
"""
