from engine.movegen.internal_words_narrow import EMULATES_AVX512 as EMULATES_AVX512
from engine.movegen.internal_words_narrow import PLAY_BYTES as PLAY_BYTES
from engine.movegen.internal_words_narrow import Generator as Generator
from engine.movegen.internal_words_narrow import simd_name as simd_name
