"""The work of `kibitz experiment`: what the papers measured, measured again, without the command line."""
