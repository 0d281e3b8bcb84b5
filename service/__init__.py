"""The HTTP service of kibitz, a Flask application.

Open `app.py` first: `create_app` puts the application together. `resources/` has the views, one module for a
group of operations; `schemas/` loads their requests and documents their answers; `state.py` holds what the
views share (catalogue, cache, jobs). `gunicorn_conf.py` is the configuration with which `kibitz serve` runs
gunicorn, `settings.py` lists every KIBITZ_* variable. The service imports only public names of `engine`.
"""
