"""The games as other libraries know games: Gymnasium, PettingZoo, OpenSpiel. Each is an extra with a file here.

In all of them an action is an index of the policy and an observation the planes of `nn.View`, as in `batches`; options
are given by name; rules that look back end games as in `record.Game`.

Names are frozen: when what an environment does changes, its number is raised and the old one goes on.
"""


def environment_id(game: str) -> str:
    """`tabuleiro/hex-v1`."""
    return f"tabuleiro/{game}-v1"
