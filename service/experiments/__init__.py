"""The work of `kibitz experiment`: what the papers measured, measured again. No command line in here."""
