"""Wire protocol: frames, typed messages, and the one codec for the engine's values.

`framing` packs and unpacks frames, `fields` bounds the field types; `events` (and moves) and
`views` translate engine values to the wire and back; `messages` lists the messages of both sides,
`requests` what players may ask, `election` the messages by which programs elect a new host;
`state_hash` hashes a state; `text` cleans text from others; `plausibility` checks a host's events
against the rules. The package does no I/O. The sizes of what it writes follow from public facts
alone (RULES K); see `net.protocol.fields`.
"""
