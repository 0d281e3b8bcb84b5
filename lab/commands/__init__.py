"""The commands of the laboratory: `kibitz experiment`."""
