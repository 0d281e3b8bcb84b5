from engine.selfplay.playing_narrow import RESULT_BYTES as RESULT_BYTES
from engine.selfplay.playing_narrow import TURN_BYTES as TURN_BYTES
from engine.selfplay.playing_narrow import GameLoop as GameLoop
