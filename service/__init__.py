"""The HTTP service of kibitz, a Flask application.

Open `app.py` first: `create_app` puts the application together. `resources/` has the views, one module for a
path; `operations/` makes their answers, also for batches, jobs and `kibitz engine` (`pipe.py`); `schemas/`
loads requests and documents answers; `state.py` holds what they share (catalogue, cache, jobs).
`gunicorn_conf.py` is the configuration with which `kibitz serve` runs gunicorn, `settings.py` lists every
KIBITZ_* variable. The service imports only public names of `engine`.
"""
