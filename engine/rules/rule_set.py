"""Rule sets: the rules in which the games of federations differ."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Annotated, Any, Final

from engine.errors import Fault, InvalidInput, NotFound, check_known, excerpt
from engine.messages import Text
from engine.rules.data_files import data_ids, data_text
from engine.rules.game_rules import RulesKernel

ENDINGS: Final = ("double", "single")
CHALLENGE_RULES: Final = ("single", "double", "triple", "void", "5pt", "10pt")

# The least and greatest value of each number. The kernels rely on racks of at most 7 tiles.
LIMITS: Final = {
    "bingo_bonus": (0, 1000),
    "bingo_tiles": (1, 7),
    "rack_size": (1, 7),
    "exchange_limit": (1, 400),
    "zero_turn_limit": (1, 99),
    "passes_each": (0, 99),
}
SWITCHES: Final = ("zero_turns_need_points",)
PENALTIES_PER: Final = ("play", "word")
"""What the points of the challenge rules 5pt and 10pt are counted for."""

CHOICES: Final = {"ending": ENDINGS, "challenge_rule": CHALLENGE_RULES}
RULE_NAMES: Final = (*LIMITS, *SWITCHES, *CHOICES)
"""The names of all rules, in the order of the canonical text."""

DEFAULT_ID: Final = "english"


@dataclass(frozen=True)
class RuleSet:
    """Hold the rules in which games differ; immutable ([Heuri], chapter 3; [Cipra2006], section 2.2).

    The game ends when a player goes out with an empty bag, after zero turns, or after passes. `ending` is
    "double" if the player who goes out gets twice the value of all other racks, "single" if they get it once
    and the others lose theirs. Raises InvalidInput for other values than the texts name.

    `penalty_per`, `federation` and `language` are not part of the canonical text: they change no position.
    """

    id: Annotated[str, "id"] = "custom"
    bingo_bonus: Annotated[int, "points for a bingo"] = 50
    bingo_tiles: Annotated[int, "number of tiles played at once that make a bingo"] = 7
    rack_size: Annotated[int, "number of tiles of a full rack"] = 7
    exchange_limit: Annotated[int, "least number of tiles in the bag that allows an exchange"] = 7
    zero_turn_limit: Annotated[int, "turns without points in a row that end the game"] = 6
    passes_each: Annotated[int, "passes in a row of every player that end the game; 0: they do not"] = 0
    zero_turns_need_points: Annotated[bool, "true if zero turns count only after somebody has scored"] = False
    ending: Annotated[str, "points for going out: the double or single value of the other racks"] = "double"
    challenge_rule: Annotated[str, "what a challenge costs: void, single, double, triple, 5pt or 10pt"] = (
        "double"
    )
    penalty_per: Annotated[str, "whether the points of 5pt and 10pt count for the play or for each word"] = (
        PENALTIES_PER[0]
    )
    federation: Annotated[str, "the federation or the game; empty for the rules printed with the game"] = ""
    language: Annotated[str, "language of the tiles, such as en"] = ""

    def __post_init__(self) -> None:
        faults = []
        for name, (least, most) in LIMITS.items():
            number = getattr(self, name)
            if not isinstance(number, int) or isinstance(number, bool) or not least <= number <= most:
                detail = Text(
                    "the rule {rule} must be a whole number from {least} to {most}",
                    rule=name,
                    least=least,
                    most=most,
                )
                faults.append(Fault("bad_rule", detail, f"rules/{name}"))
        for name in SWITCHES:
            if not isinstance(getattr(self, name), bool):
                detail = Text("the rule {rule} must be true or false", rule=name)
                faults.append(Fault("bad_rule", detail, f"rules/{name}"))
        for name, choices in (*CHOICES.items(), ("penalty_per", PENALTIES_PER)):
            if getattr(self, name) not in choices:
                detail = Text("the rule {rule} must be one of {known}", rule=name, known=list(choices))
                faults.append(Fault("bad_rule", detail, f"rules/{name}"))
        if faults:
            raise InvalidInput.collected(faults)

    def bonus(self, placed: int) -> int:
        """Return the points that a play earns for placing a number of tiles."""
        return self.bingo_bonus if placed == self.bingo_tiles else 0

    def canonical(self) -> str:
        """Return the rules as text, one line "name value" for each rule, without the id."""
        return self._canonical

    @cached_property
    def _canonical(self) -> str:
        return "".join([f"{name} {getattr(self, name)}\n" for name in RULE_NAMES])

    @cached_property
    def identity(self) -> str:
        """The id and the rules as text."""
        return f"{self.id} {self._canonical}"

    @cached_property
    def kernel(self) -> RulesKernel:
        """The rules as the kernels take them."""
        return RulesKernel(self)

    def changed(self, **changes: Any) -> RuleSet:
        """Return these rules with some values replaced; the id is "custom" if a value differs."""
        unknown = set(changes) - {*RULE_NAMES, "penalty_per"}
        if unknown:
            name = min(unknown)
            raise InvalidInput(
                Text("'{name}' is not a rule", name=excerpt(name)),
                code="unknown_rule",
                field="rules",
            )
        changed = replace(self, id="custom", federation="", **changes)
        is_same = changed.canonical() == self.canonical() and changed.penalty_per == self.penalty_per
        return self if is_same else changed


def rule_set(id: str) -> RuleSet:  # noqa: A002
    """Return a rule set by its name, such as "english"; raise NotFound naming the known ones."""
    return _load(id)


@lru_cache(maxsize=1)
def rule_set_ids() -> tuple[str, ...]:
    """List the names of the rule sets that come with kibitz, sorted."""
    return data_ids("rule_sets", ".toml")


def default_rule_set(tile_set_id: str) -> RuleSet:
    """Return the default rules of a tile set, those of english for a set without any."""
    return rule_set(_defaults().get(tile_set_id, DEFAULT_ID))


@lru_cache(maxsize=1)
def _defaults() -> dict[str, str]:
    return {tiles: name for name in rule_set_ids() for tiles in _data(name)["default_for"]}


@lru_cache(maxsize=64)
def _load(name: str) -> RuleSet:
    check_known(
        Text("rule set"), name, rule_set_ids(), code="unknown_rule_set", field="rules", error=NotFound
    )
    fields = {key: value for key, value in _data(name).items() if key not in ("default_for", "note")}
    return RuleSet(id=name, **fields)


@lru_cache(maxsize=64)
def _data(name: str) -> dict[str, Any]:
    return tomllib.loads(data_text("rule_sets", f"{name}.toml"))
