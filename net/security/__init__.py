"""Trust between the two ends of a connection: room code, keys, TLS and the handshake.

`code` is the room code, `keys` the table certificate with its TLS contexts and the seat keys,
`pake` the key exchange, `handshake` the messages that both sides share, `client` and `server` the
two sides, `guess_limiter` the rate limit on guessed codes, `sealing` the shares of a table's key.

Nothing here opens a socket, reads a clock or starts a thread; only `keys` touches a file, because
Python's ssl module loads private keys from nowhere else. The heavy packages (cryptography, spake2)
are imported when first needed.
"""
