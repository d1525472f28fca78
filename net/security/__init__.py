"""Trust between the two ends of a connection: room code, keys, TLS and the handshake.

`code` is the room code, `keys` the table certificate and the seat keys, `tls` the TLS contexts,
`pake` the key exchange, `handshake` the messages that both sides share, `client` and `server` the
two sides, `guess_limiter` the rate limit on guessed codes.

Nothing here opens a socket, reads a clock or starts a thread; only `tls` touches a file, because
Python's ssl module loads private keys from nowhere else. The heavy packages (cryptography, spake2)
are imported when first needed.
"""
