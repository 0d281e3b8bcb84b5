"""Two versions of kibitz, measured in turns: the work of `kibitz bench compare`.

`sides` builds a commit or takes a folder and starts its worker, `worker` is the process that runs the engine
of the checkout it lies in, `timing` times the engine's tasks, `over_http` the services.
"""
