"""The examples in the documentation of the API; the tests send every one."""

from __future__ import annotations

from typing import Any

# A position of the middle game, with words of every English lexicon.
CGP = (
    "7AD6/6OPE6/6REX6/2WOVEN1Y6/6A8/6T8/6E8/3VIOlA7/3I2Y8/1JUGUM9/S2I11/K2L11/IRES11/R14/T14 "
    "AEEEGPU/ 94/201 0"
)

BY_CGP: dict[str, Any] = {"cgp": CGP, "top_n": 5}
BY_ROWS: dict[str, Any] = {
    "rows": [
        *["..............."] * 7,
        ".......WINdOW..",
        *["..............."] * 7,
    ],
    "rack": "AEGIST?",
    "players": [{"score": 0}, {"score": 22, "tile_count": 7}],
    "include_exchanges": True,
    "compare": ["N8 SAGIEsT", "-GI", "H8 .AGE"],
}
BY_TILES: dict[str, Any] = {
    "tiles": [
        {"at": "8G", "letter": "C"},
        {"at": "8H", "letter": "A"},
        {"at": "8I", "letter": "T", "blank": True},
    ],
    "rack": "AEGINRS",
    "rules": {"bingo_bonus": 35},
}
BY_OWN_BOARD: dict[str, Any] = {
    "rows": [".........."] * 10,
    "board": {"rows": ["T........T", *[".........."] * 8, "T........T"], "starts": ["5E", "6F"]},
    "tile_set": "english",
    "rack": "HOUSES?",
    "top_n": 3,
}
BY_SIMULATION: dict[str, Any] = {
    "cgp": CGP,
    "top_n": 5,
    "simulate": {"method": "monte_carlo", "candidates": 5, "iterations": 200},
    "threads": 2,
}
# The ends of two games: one tile in the bag, and none.
BY_PREENDGAME: dict[str, Any] = {
    "cgp": "7FOO3BE/4COVARIED1OX/7BEL1JAW1/11INS1/10UNI2/4C3YIP4/4O2RANDOMS1/3AWAVE2ADIEU/4I5T4/"
    "4E1UDOMETRY1/3ER5R4/3L2ARKOSIc2/1FLUENT8/3T1AEQ7/HAZE11 HIILSTT/ 406/333 0",
    "top_n": 3,
    "phase": "preendgame",
    "preendgame": {"opponent": "pessimistic", "candidates": 3, "nodes": 3000, "table_mb": 4},
}
BY_ENDGAME: dict[str, Any] = {
    "cgp": "2U8JEST/2N10T1/2R8G1E1/2OF7E1L1/2PI7O1E1/1BEZ3CRYPTON1/QIS1N1WHO2A1EF/U2GADOID2X2O/"
    "A1V1C6I2L/IDE1KOBOLD1s2I/1UN1E9U/HEISTING6M/ART5YAmMERS/V1E12/E14 AAANRTW/AILR 426/452 0",
    "top_n": 3,
    "phase": "auto",
    "endgame": {"nodes": 2000, "table_mb": 4},
}
BY_RECORD: dict[str, Any] = {
    "gcg": "#player1 ann Ann Ek\n#player2 bo Bo Li\n"
    ">ann: AEITWXY 8D WAITE +24 24\n>bo: DEEFINO 7C DEFO +22 22\n",
    "turn": 2,
    "top_n": 3,
}
BY_EXPLANATION: dict[str, Any] = {
    "cgp": CGP,
    "sort": "equity",
    "top_n": 2,
    "explain": True,
    "lang": "en",
    "compare": ["-AEU"],
}
REQUESTS: dict[str, Any] = {
    "by_cgp": {"summary": "a position as CGP", "value": BY_CGP},
    "by_rows": {"summary": "a position as rows, with moves to compare", "value": BY_ROWS},
    "by_tiles": {"summary": "a position as tiles, with a custom rule", "value": BY_TILES},
    "by_record": {"summary": "the position before an event of a recorded game", "value": BY_RECORD},
    "explanation": {"summary": "why the best move is better than another", "value": BY_EXPLANATION},
    "simulation": {"summary": "the best moves compared by simulation", "value": BY_SIMULATION},
    "preendgame": {"summary": "one tile in the bag, every draw searched", "value": BY_PREENDGAME},
    "endgame": {"summary": "the search that fits the bag, here an endgame", "value": BY_ENDGAME},
    "own_board": {"summary": "an opening on a custom board", "value": BY_OWN_BOARD},
}
HINTS: dict[str, Any] = {
    "tiles": {"summary": "the tiles of the best play", "value": {"cgp": CGP, "level": 4}},
    "reveal": {
        "summary": "the play that scores most, revealed",
        "value": {"cgp": CGP, "level": 5, "reveal": True, "evaluator": "greedy"},
    },
}
JUDGEMENTS: dict[str, Any] = {
    "words": {
        "summary": "words, five points a word",
        "value": {"words": ["retinas", "qat", "qi"], "challenge_rule": "5pt", "penalty_per": "word"},
    },
    "play": {
        "summary": "all words of a play on a board",
        "value": {"cgp": CGP, "play": "C2 GA.P", "challenge_rule": "double"},
    },
}
SEARCHES: dict[str, Any] = {
    "pattern": {
        "summary": "words of five letters by a pattern",
        "value": {"pattern": "Q?*", "max_length": 5},
    },
    "anagrams": {"summary": "bingos with a blank", "value": {"tiles": "AEINRS?"}},
    "both": {
        "summary": "words of a pattern that use some of the tiles",
        "value": {"pattern": "*ING", "tiles": "ADEGINRT", "use": "some", "limit": 20},
    },
    "study": {
        "summary": "the most probable words of seven letters that have a V and no S",
        "value": {"min_length": 7, "max_length": 7, "includes": "V", "excludes": "S", "max_place": 50},
    },
}
PICTURES: dict[str, Any] = {
    "by_cgp": {"summary": "a board with a play", "value": {"cgp": CGP, "play": "C2 GA.P"}},
    "own_board": {
        "summary": "a custom board, without coordinates",
        "value": {
            "rows": [".........."] * 4 + ["..HOuSE..."] + [".........."] * 5,
            "board": BY_OWN_BOARD["board"],
            "coordinates": False,
            "size": 300,
        },
    },
}
LEAVES: dict[str, Any] = {
    "racks": {"summary": "all parts of two racks, before the game", "value": {"racks": ["AEINRS?", "QVVU"]}},
    "on_a_board": {
        "summary": "some leaves, without their parts, on a board",
        "value": {"cgp": CGP, "racks": ["ERS", "E?", "UU"], "parts": False},
    },
}
EQUIPMENT: dict[str, Any] = {
    "faults": {
        "summary": "a board with an unknown mark, and a tile set with a letter twice",
        "value": {
            "board": "\n".join(["x.........", *[".........."] * 9, "starts 5E 6F"]),
            "tile_set": "letter,count,value,is_vowel\n?,2,0,0\nA,9,1,1\nA,2,3,0\n",
        },
    },
    "none": {
        "summary": "a board without a fault",
        "value": {"board": "\n".join(["T........T", *[".........."] * 8, "T........T", "starts 5E"])},
    },
}
OPPONENT_RACKS: dict[str, Any] = {
    "last_move": {
        "summary": "after a play of six tiles",
        "value": {
            "cgp": "15/15/15/15/15/15/15/7WINdOW2/15/15/15/15/15/15/15 AEGIST?/ 0/22 0",
            "players": [{}, {"score": 22, "last_move": "8H WINdOW"}],
        },
    },
    "lm": {
        "summary": "the last move as the operation lm of the CGP",
        "value": {"cgp": "15/15/15/15/15/15/15/7ZOA5/15/15/15/15/15/15/15 AEGIST?/ 0/24 0 lm 8H ZOA;"},
    },
}
TURNS: dict[str, Any] = {
    "move": {
        "summary": "a play; the caller draws the new tiles",
        "value": {"cgp": CGP, "move": "C2 GA.P"},
    },
    "level": {
        "summary": "the move of a computer player of level 5, and tiles drawn from the bag",
        "value": {
            "cgp": "15/15/15/15/15/15/15/7WINdOW2/15/15/15/15/15/15/15 AEGIST?/EEILNRT 0/22 0",
            "level": 5,
            "seed": 7,
            "bag": "AAAAAAAABBCCDDDDEEEEEEEEEFFGGHHIIIIIIJKLLLMMNNNNOOOOOOOPPQRRRRRSSSTTTTUUUUVVXYYZ",
        },
    },
    "clock": {
        "summary": "a play in a game with a clock: 25 minutes each, 2 minutes a move",
        "value": {
            "cgp": CGP,
            "move": "C2 GA.P",
            "time": {"taken": 41.5, "left": [912.25, 1003], "per_move": 120, "overtime": "points"},
        },
    },
    "pass": {
        "summary": "the last of four passes ends a game of two",
        "value": {
            "cgp": "15/15/15/15/15/15/15/7WINdOW2/15/15/15/15/15/15/15 AEGIST?/EEILNRT 0/22 3",
            "move": "-",
            "passes": 3,
        },
    },
}
GAMES: dict[str, Any] = {
    "game": {
        "summary": "the beginning of a game, with a play that was taken back",
        "value": {
            "gcg": "#player1 ann Ann Ek\n#player2 bo Bo Li\n"
            ">ann: AEITWXY 8D WAITE +24 24\n"
            ">bo: DEEFINO 7C DEFO +22 22\n>bo: DEEFINO -- -22 0\n"
            ">ann: AEIQSXY 9D AX +34 58\n"
        },
    },
    "simulated": {
        "summary": "one turn, its best moves compared by simulation",
        "value": {
            "gcg": "#player1 ann Ann Ek\n#player2 bo Bo Li\n>ann: AEITWXY 8D WAITE +24 24\n",
            "simulate": {"iterations": 300, "candidates": 5},
            "seed": 7,
        },
    },
}
BATCH: dict[str, Any] = {
    "positions": {
        "summary": "two positions and a game, each with an id",
        "value": [
            {"id": "first", "cgp": CGP, "top_n": 1},
            {"id": 2, **BY_TILES, "top_n": 1},
            {"id": "game", **GAMES["game"]["value"]},
        ],
    }
}
DUPLICATE: dict[str, Any] = {
    "begin": {"summary": "a new game", "value": {"rules": "french", "seed": 3}},
    "round": {
        "summary": "the slips of the first round; the answer has the next rack",
        "value": {
            "game": {
                "format": "kibitz duplicate 1",
                "lexicon": {
                    "id": "club",
                    "sha256": "93368489da63142f936c66e2772d2333fef250ad82d7c10564e7d6d48505d282",
                },
                "rules": "french",
                "seed": 3,
                "rounds": [],
                "rack": "INORSS?",
            },
            "slips": [
                {"player": "Ann", "at": "8B", "word": "ORNISeS"},
                {"player": "Bob", "at": "H4", "word": "IRONS", "mark": "warning"},
                {"player": "Cy"},
            ],
            "top": "8B SONSIeR",
        },
    },
}
JOB_ID = "0" * 32
LEXICON = "club"
WORD = "CARE"
HEALTH = {"status": "ok"}
VERSION = {"name": "kibitz", "version": "0.2.0"}
LEXICONS: dict[str, Any] = {
    "lexicons": [
        {
            "id": "club",
            "name": "English (club)",
            "about": "North American clubs: 7 % of the plays found with it are not valid there (NWL23)",
            "language": "en",
            "tile_set": "english",
            "word_count": 163167,
            "sha256": "93368489da63142f936c66e2772d2333fef250ad82d7c10564e7d6d48505d282",
            "status": "ready",
            "share": None,
            "bundled": True,
            "default": True,
            "source": "SCOWL (Debian package scowl 2020.12.07-2), selected by a rule",
            "licence": "SCOWL licence (permissive, MIT-like)",
        }
    ]
}
BOARDS: dict[str, Any] = {
    "boards": [
        {
            "id": "small10",
            "side": 10,
            "rows": ["T........T", *[".........."] * 8, "T........T"],
            "starts": ["5E", "6F"],
            "symmetric": True,
            "sha256": "0" * 64,
        }
    ]
}
RULE_SETS: dict[str, Any] = {
    "rule_sets": [
        {
            "id": "home",
            "federation": "",
            "language": "en",
            "default_for": ["tiny"],
            "bingo_bonus": 35,
            "bingo_tiles": 7,
            "rack_size": 7,
            "exchange_limit": 1,
            "zero_turn_limit": 6,
            "passes_each": 0,
            "zero_turns_need_points": False,
            "ending": "double",
            "challenge_rule": "void",
            "penalty_per": "play",
        }
    ]
}
TILE_SETS: dict[str, Any] = {
    "tile_sets": [
        {
            "id": "tiny",
            "total": 5,
            "letters": [
                {"letter": "?", "count": 1, "value": 0, "is_vowel": False},
                {"letter": "A", "count": 2, "value": 1, "is_vowel": True},
                {"letter": "CH", "count": 2, "value": 5, "is_vowel": False},
            ],
            "sha256": "0" * 64,
        }
    ]
}
CARDS: dict[str, Any] = {
    "twos": {
        "summary": "all words of two letters by their first",
        "value": {"kind": "beginnings", "max_length": 2, "limit": 100},
    },
    "questions": {
        "summary": "the answers to given questions",
        "value": {"questions": ["AEINRST", "_QI_", "QA?"]},
    },
}
CARD: dict[str, Any] = {
    "due": "2026-01-08T12:00:00Z",
    "last_review": "2026-01-05T12:00:00Z",
    "stability": 3.2,
    "difficulty": 5,
    "correct": 2,
    "incorrect": 0,
    "streak": 2,
}
REVIEWS: dict[str, Any] = {
    "answers": {
        "summary": "a card that is new, and one that was missed",
        "value": {"reviews": [{"rating": "good"}, {"card": CARD, "rating": "again"}]},
    },
}
CARD_IMPORTS: dict[str, Any] = {
    "zyzzyva": {
        "summary": "a table of questions of Zyzzyva",
        "value": {"format": "zyzzyva", "text": "question,cardbox,next_scheduled\nACER,3,1791000000\n"},
    },
    "anki": {
        "summary": "notes of Anki",
        "value": {"format": "anki", "text": "#separator:Tab\n_QI_\tQIS\n"},
    },
}
CARD_EXPORTS: dict[str, Any] = {
    "zyzzyva": {
        "summary": "a card for Zyzzyva",
        "value": {"format": "zyzzyva", "cards": [{"question": "ACER", "card": CARD}]},
    },
    "anki": {
        "summary": "a card for Anki",
        "value": {"format": "anki", "cards": [{"question": "_QI_", "card": CARD}]},
    },
}
