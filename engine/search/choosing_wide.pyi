from engine.search.choosing_narrow import Mover as Mover
