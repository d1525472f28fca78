"""What Sabtui has for programs of others."""
