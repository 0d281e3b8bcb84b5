from engine.movegen.gordon_narrow import Generator as Generator
from engine.movegen.gordon_narrow import simd_name as simd_name
