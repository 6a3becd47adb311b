"""Chance that can be repeated: everything drawn comes from the championship's number of the draw."""

import random
from hashlib import blake2b


def derived(seed: int, *words: object) -> int:
    """Another seed for another purpose, the same on every machine; fits in 53 bits, which JSON keeps exactly."""
    text = " ".join(str(word) for word in (seed, *words))
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big") >> 11


def chance(seed: int, *words: object) -> random.Random:
    return random.Random(derived(seed, *words))
