"""The capacity model, `kibitz bench capacity`: the machines, the Redis and the cost that a load needs.

Open `needs.py` first, which turns a load into hosts, memory and money. It reads `Inputs`, which were measured
by `service_times.py` and `repetition.py`, takes the shares of the cache from `hit_rates.py`, and gets the
times of answers from `model.py`, a discrete-event simulation. `check.py` compares the model with measured
services.
"""
