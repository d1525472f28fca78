"""What makes things out of the project, and is no part of it."""
