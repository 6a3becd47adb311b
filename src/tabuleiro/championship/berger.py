"""Berger tables: everybody meets everybody, and begins about half of the time."""


def round_count(players: int) -> int:
    return players - 1 + players % 2


def berger_round(players: int, number: int) -> list[tuple[int, int]]:
    """Who meets whom in a round, as places from 0, who begins first. With an odd number one place rests.

    After every place has met every other, the tables come again with sides exchanged.
    """
    even = players + players % 2
    turn, again = (number - 1) % (even - 1), (number - 1) // (even - 1) % 2
    last = even - 1
    pairs = []
    for step in range(even // 2):
        one, two = (turn + step) % last, (turn - step) % last
        if step == 0:
            # The last place begins every second of its games.
            one, two = (one, last) if turn % 2 == 0 else (last, one)
        elif step % 2 == 0:
            one, two = two, one
        pairs.append((two, one) if again else (one, two))
    return [(one, two) for one, two in pairs if one < players and two < players]
