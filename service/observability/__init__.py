"""What an operator sees: JSON logs, request ids, and the times of every request."""
