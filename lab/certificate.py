"""The file of a certificate: its fields, its word list, and its checksum."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

import orjson

from engine.errors import InvalidInput

if TYPE_CHECKING:
    from engine.lexicon import Lexicon
    from engine.position import Position

ENDGAME: Final = "kibitz-endgame-proof 1"
PREENDGAME: Final = "kibitz-preendgame-proof 1"
TEXTS: Final = dict.fromkeys(("cgp", "lexicon", "lexicon_sha256"), str)
FORMATS: Final[dict[str, dict[str, type]]] = {
    ENDGAME: TEXTS | {"value": int, "at_least": dict, "at_most": dict},
    PREENDGAME: TEXTS | {"move": str, "win_pct": float, "draws": list},
}


def read_proof(data: bytes) -> dict[str, Any]:
    """Read the file of a certificate; raise InvalidInput (code "bad_proof") for any other."""
    try:
        proof: dict[str, Any] = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise InvalidInput(f"this is no certificate: {error}", code="bad_proof") from None
    kinds = FORMATS.get(str(proof.get("format"))) if isinstance(proof, dict) else None
    if kinds and all(type(proof.get(name)) is kind for name, kind in kinds.items()):
        return proof
    raise InvalidInput("this is no certificate: a field is missing or of another kind", code="bad_proof")


def check_lexicon(proof: dict[str, Any], position: Position, lexicon: Lexicon) -> None:
    """Raise InvalidInput, "other_lexicon", for a certificate that is not one of a lexicon and its tiles."""
    named = proof["lexicon"], proof["lexicon_sha256"], position.lexicon_id, position.tile_set
    if named != (lexicon.id, lexicon.content_sha256, lexicon.id, lexicon.tile_set):
        raise InvalidInput(f"it is not one of the words and tiles of {lexicon.id}", code="other_lexicon")


def check_sum(proof: dict[str, Any]) -> None:
    """Raise InvalidInput, "proof_edited", for a certificate that is proven but not what was written."""
    content = orjson.dumps({name: part for name, part in proof.items() if name != "sha256"})
    if proof.get("sha256") != sha256(content).hexdigest():
        raise InvalidInput("it is proven, but its checksum is another: it was edited", code="proof_edited")
