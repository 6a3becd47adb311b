"""Pairs in arguments of commands."""


def read_pairs(text: str) -> dict[str, str]:
    """What `NAME=VALUE,…` says; `-` stands for no pair."""
    return {} if text == "-" else dict(pair.split("=", 1) for pair in text.split(",") if pair)
