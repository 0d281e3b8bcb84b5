from engine.lexicon.automaton_narrow import ARC_BYTES as ARC_BYTES
from engine.lexicon.automaton_narrow import Automaton as Automaton
from engine.lexicon.automaton_narrow import build_automaton as build_automaton
