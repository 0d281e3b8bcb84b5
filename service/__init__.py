"""The HTTP service and the command line of kibitz.

Everything in here imports only the public names of `engine`. Two parts stay light on purpose, because
the gunicorn master imports them and nothing else: `settings` and `server`.
"""
