"""Trust between programs, and their connections: keys, handshake, TLS over TCP, limits.

    address        addresses, as people type them
    authenticate   the handshake, run on a connection
    client         the client's side of the handshake
    code           the room code
    connection     one connection
    guess_limiter  the rate limit on guessed codes
    handshake      the messages of the handshake
    keys           the table's certificate, its TLS contexts, the seat keys
    limits         the limiter of what others do, quotas, and admission of untrusted connections
    listener       the host's accept loop
    pake           the key exchange
    server         the host's side of the handshake
    tunnel         what the system's ssh carries

Only `connection`, `listener`, `tunnel` and `authenticate` touch sockets; `keys` touches a file,
because Python's ssl module loads private keys from nowhere else. The heavy packages (cryptography,
spake2) are imported when first needed. Nothing here knows the game or its messages.
"""
