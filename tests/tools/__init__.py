"""What builders run, on cases made for it."""
