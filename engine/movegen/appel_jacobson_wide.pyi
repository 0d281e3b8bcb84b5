from engine.movegen.appel_jacobson_narrow import Generator as Generator
from engine.movegen.appel_jacobson_narrow import simd_name as simd_name
