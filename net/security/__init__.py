"""Trust between two ends of a link: certificate, room code, seat keys, and the handshake.

Read in this order: code, certificate, seatkey, messages, host, client. All of it is sans-I/O;
only `tls` touches a file, because Python loads certificates from nowhere else. What is heavy
(cryptography, spake2) is imported when first needed.
"""
