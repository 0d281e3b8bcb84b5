from engine.movegen.anagram_narrow import Generator as Generator
