from engine.search.simulating_narrow import COLUMNS as COLUMNS
from engine.search.simulating_narrow import WIN_UNITS as WIN_UNITS
from engine.search.simulating_narrow import Candidates as Candidates
from engine.search.simulating_narrow import Simulator as Simulator
