"""Programs that build things from the project or check it. Sabtui itself does not use them."""
