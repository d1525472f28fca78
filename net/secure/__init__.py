"""Trust between programs, and their connections: keys, handshake, TLS over TCP, limits.

    address     addresses, as people type them
    code        the room code
    connection  one connection, over TCP or the system's ssh, and the handshake on it
    handshake   the messages and both sides of the handshake, and the key exchange
    keys        the table's certificate, its TLS contexts, the seat keys
    limits      the limiter of what others do, quotas, guesses, and admission of untrusted
                connections
    listener    the host's accept loop

Only `connection` and `listener` touch sockets; `keys` touches a file, because Python's ssl module
loads private keys from nowhere else. The heavy packages (cryptography, spake2) are imported when
first needed. Nothing here knows the game or its messages.
"""
