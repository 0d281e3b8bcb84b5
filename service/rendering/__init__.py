"""Pictures of what the engine says."""
