"""The players of a record, and which of them each event belongs to.

Events name their player by nickname. Players who have the same nickname are distinguished by turn order, and
after the last turn by the cumulative scores.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.errors import excerpt
from engine.messages import Text
from engine.records.gcg.record import MAX_PLAYERS, MIN_PLAYERS, NOBODY, EventKind, PlayerName

if TYPE_CHECKING:
    from engine.records.gcg.event_line import Parts
    from engine.records.gcg.fault_list import FaultList

TURNS = (EventKind.PLAY, EventKind.EXCHANGE, EventKind.PASS)
OF_LAST_PLAY = (EventKind.PHONY, EventKind.CHALLENGE, EventKind.END_BONUS)


class Roster:
    """Collect the players while a record is read; faults are added to the list of the reader."""

    def __init__(self, found: FaultList) -> None:
        self.players: list[PlayerName] = []
        self._found = found
        self._by_nick: dict[str, list[int]] = {}
        self._undeclared: set[str] = set()
        self._totals: list[int] = []
        self._begun = False
        self._on_turn = 0
        self._played = 0  # the player of the last play

    def declare(self, place: int, value: str, line: int) -> None:
        """Add the player of a line #player1, #player2, ..."""
        field = f"player{place}"
        nick, *rest = value.split(None, 1) or [""]
        name = rest[0] if rest else ""
        if nick in self._undeclared:
            self._undeclared.remove(nick)
            self.players[self._by_nick[nick][0]] = PlayerName(nick, name)
        elif not nick:
            sentence = Text("#{pragma} names no player", pragma=field)
            self._found.add("bad_player", sentence, line, field)
        elif place <= len(self.players):
            sentence = Text("the player {player} is declared twice", player=place)
            self._found.add("duplicate_player", sentence, line, field)
        elif self._begun and len({*self._by_nick, nick}) <= len(self.players):
            sentence = Text(
                "#{pragma} comes after a turn, but the order of the players must be known before",
                pragma=field,
            )
            self._found.add("bad_player", sentence, line, field)
        elif place != len(self.players) + 1 or place > MAX_PLAYERS:
            sentence = Text("#{pragma} comes after {count} players", pragma=field, count=len(self.players))
            self._found.add("bad_player", sentence, line, field)
        else:
            if nick in self._by_nick:
                sentence = Text(
                    "two players have the nickname '{player}'; turn order distinguishes them",
                    player=excerpt(nick),
                )
                self._warn("duplicate_nickname", sentence, line, field)
            if name and name in [player.name for player in self.players]:
                sentence = Text("two players are called '{name}'", name=excerpt(name))
                self._warn("duplicate_name", sentence, line, field)
            self._add(PlayerName(nick, name))

    def player_of(self, parts: Parts, line: int) -> int:
        """Return the player of an event, NOBODY if no player has its nickname.

        While there are fewer than two players, a nickname that was not declared is a new player.
        """
        nick = parts.nick
        if nick not in self._by_nick:
            if len(self.players) >= MIN_PLAYERS:
                sentence = Text("'{player}' is not a player of this game", player=excerpt(nick))
                self._found.add("unknown_player", sentence, line, "player")
                return NOBODY
            sentence = Text("the player '{player}' was not declared", player=excerpt(nick))
            self._found.add("event_before_player", sentence, line, "player")
            self._undeclared.add(nick)
            self._add(PlayerName(nick))
        self._begun = True
        player = self._one_of(self._by_nick[nick], parts)
        self._follow(player, parts)
        return player

    def _add(self, player: PlayerName) -> None:
        self._by_nick.setdefault(player.nick, []).append(len(self.players))
        self.players.append(player)
        self._totals.append(0)

    def _one_of(self, alike: list[int], parts: Parts) -> int:
        """Return which of the players with the nickname of an event it belongs to."""
        if len(alike) == 1:
            return alike[0]
        if parts.kind in OF_LAST_PLAY and self._played in alike:
            return self._played
        if parts.kind not in TURNS and parts.total is not None:
            fits = [player for player in alike if self._totals[player] + parts.score == parts.total]
            if len(fits) == 1:
                return fits[0]
        # The first of them in the order of play, from the player on turn.
        return min(alike, key=lambda player: (player - self._on_turn) % len(self.players))

    def _follow(self, player: int, parts: Parts) -> None:
        self._totals[player] = self._totals[player] + parts.score if parts.total is None else parts.total
        if parts.kind is EventKind.PLAY:
            self._played = player
        if parts.kind not in OF_LAST_PLAY:
            self._on_turn = player + 1

    def _warn(self, code: str, sentence: str, line: int, field: str) -> None:
        self._found.add(code, sentence, line, field, warning=True)
