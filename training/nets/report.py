"""Draw what a run logged: losses, speed, and Elo where matches were played, as one SVG picture.

    python -m training.nets.report training/checkpoints/hex-11.jsonl hex-11.svg --elo 2.6=-295 --elo 6=33

`--elo MINUTE=ELO` is a point of the curve of strength.
"""

import argparse
import json
from pathlib import Path
from typing import Any

WIDTH, HEIGHT, LEFT, TOP, GAP = 640, 150, 60, 30, 46

#: What is drawn, one panel each: a title, and the fields of the log with their colours.
PANELS: tuple[tuple[str, dict[str, str]], ...] = (
    ("Losses: policy (blue), its distance to the search (green), value (red)",
     {"policy_loss": "#2563eb", "policy_distance": "#16a34a", "value_loss": "#dc2626"}),
    ("Evaluations a second", {"evaluations_per_second": "#7c3aed"}),
)  # fmt: skip

Points = list[tuple[float, float]]


def panel(number: int, title: str, curves: dict[str, Points], minutes: float) -> str:
    """One diagram, with the smallest and largest value and the last minute written beside it."""
    values = [value for points in curves.values() for _, value in points]
    low, high = min(0.0, *values), max(values)
    top = TOP + number * (HEIGHT + GAP)

    def place(minute: float, value: float) -> str:
        return f"{LEFT + minute / minutes * WIDTH:.1f},{top + HEIGHT - (value - low) / (high - low) * HEIGHT:.1f}"

    drawn = [f'<text x="{LEFT}" y="{top - 8}">{title}</text>']
    drawn.append(f'<rect x="{LEFT}" y="{top}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#999"/>')
    for value, y in ((high, top + 10), (low, top + HEIGHT)):
        drawn.append(f'<text x="{LEFT - 6}" y="{y}" text-anchor="end">{value:,.4g}</text>')
    drawn.append(f'<text x="{LEFT + WIDTH}" y="{top + HEIGHT + 16}" text-anchor="end">{minutes:.1f} minutes</text>')
    for colour, points in curves.items():
        path = " ".join(place(minute, value) for minute, value in points)
        drawn.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
    return "\n".join(drawn)


def picture(lines: list[dict[str, Any]], elo: Points) -> str:
    minutes = max(line["minutes"] for line in lines)
    # Before the first step there are no losses.
    learning = [line for line in lines if line["policy_loss"]]
    panels = [
        (title, {colour: [(line["minutes"], line[name]) for line in learning] for name, colour in fields.items()})
        for title, fields in PANELS
    ]
    if elo:
        panels.append(("Elo", {"#ea580c": sorted(elo)}))
    drawn = [panel(number, title, curves, minutes) for number, (title, curves) in enumerate(panels)]
    height = TOP + len(panels) * (HEIGHT + GAP)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 20} {height}"'
    return f'{head} font-family="sans-serif" font-size="12">\n' + "\n".join(drawn) + "\n</svg>\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("log", type=Path)
    parser.add_argument("svg", type=Path)
    parser.add_argument("--elo", action="append", default=[], help="MINUTE=ELO")
    given = parser.parse_args()
    lines = [json.loads(line) for line in given.log.read_text().splitlines()]
    elo = [(float(minute), float(value)) for minute, value in (text.split("=") for text in given.elo)]
    given.svg.write_text(picture(lines, elo))


if __name__ == "__main__":
    main()
