"""The room and the client's side, without a network."""
