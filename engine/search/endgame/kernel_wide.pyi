from engine.search.endgame.kernel_narrow import EndgameKernel as EndgameKernel
