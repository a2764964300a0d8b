#!/usr/bin/env python3
"""Draws CSV of three columns, series,x,y, from stdin: for pictures that no command of errare draws by itself.

plot.py [--bars] [--marks] TITLE X_LABEL Y_LABEL > picture.svg
Lines, or with --bars a group of bars for each x, which may then be a word. --marks puts a dot on every point.
"""

import csv
import sys
from html import escape

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 840, 520, 76, 61, 57
COLOURS = ["#0072B2", "#E69F00", "#009E73", "#000000", "#D55E00", "#56B4E9", "#CC79A7"]
DASHES = ["", "7 3", "2.4 2", "10 2.4 2 2.4", "6 2 2 2 2 2", "14 4"]


def ticks(low, high):
    """About eight round numbers that reach from low to high."""
    rough = (high - low) / 7 or 1
    power = 10.0 ** len(str(int(rough))) if rough >= 1 else 1.0
    steps = sorted(m * power * 10.0**-k for m in (1, 2, 5) for k in range(12))
    step = next(step for step in steps if step >= rough)
    first, last = int(low // step), -int(-high // step)
    return [round(step * k, 10) for k in range(first, last + 1)]


def text(x, y, what, anchor="middle", turn="", size=13):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"{turn}>{escape(str(what))}</text>'


def line(points, style):
    return f'<polyline fill="none" {style} points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}"/>'


def main():
    flags = [word for word in sys.argv[1:] if word.startswith("--")]
    title, x_label, y_label = [word for word in sys.argv[1:] if not word.startswith("--")]
    bars = "--bars" in flags
    series = {}
    for name, x, y in csv.reader(sys.stdin):
        series.setdefault(name, []).append((x if bars else float(x), float(y)))
    words = list(dict.fromkeys(x for points in series.values() for x, _ in points))
    heights = [y for points in series.values() for _, y in points]
    ys = ticks(min(heights + [0.0] * bars), max(heights))
    xs = list(range(len(words) + 1)) if bars else ticks(min(words), max(words))
    right = WIDTH - 56 - max(60, *(7 * len(name) for name in series))
    wide, high = right - LEFT, HEIGHT - TOP - BOTTOM
    at_x = lambda x: LEFT + wide * (x - xs[0]) / (xs[-1] - xs[0])
    at_y = lambda y: TOP + high * (ys[-1] - y) / (ys[-1] - ys[0])
    out = [f'<svg role="img" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
           'xmlns="http://www.w3.org/2000/svg" font-family="sans-serif" fill="#222222">',
           f"<title>{escape(title)}</title>", f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#FFFFFF"/>',
           text(LEFT, 28, title, "start", size=15)]
    out += [line([(LEFT, at_y(y)), (right, at_y(y))], 'stroke="#E4E4E4"') for y in ys]
    out += [text(LEFT - 8, at_y(y) + 4, f"{y:g}", "end") for y in ys]
    if bars:
        out += [text(at_x(place + 0.5), TOP + high + 19, word) for place, word in enumerate(words)]
    else:
        out += [line([(at_x(x), TOP), (at_x(x), TOP + high)], 'stroke="#E4E4E4"') for x in xs]
        out += [text(at_x(x), TOP + high + 19, f"{x:g}") for x in xs]
    out += [line([(LEFT, TOP), (LEFT, TOP + high), (right, TOP + high)], 'stroke="#666666"'),
            text(LEFT + wide / 2, HEIGHT - 14, x_label),
            text(20, TOP + high / 2, y_label, turn=f' transform="rotate(-90 20 {TOP + high / 2:.1f})"')]
    for place, (name, points) in enumerate(series.items()):
        colour, dash = COLOURS[place % len(COLOURS)], DASHES[place % len(DASHES)]
        style = f'stroke="{colour}" stroke-width="2"' + (f' stroke-dasharray="{dash}"' if dash else "")
        if bars:
            broad = 0.8 / len(series)
            for x, y in points:
                left = at_x(words.index(x) + 0.1 + broad * place)
                size = f'width="{at_x(broad) - at_x(0):.1f}" height="{at_y(0) - at_y(y):.1f}"'
                out.append(f'<rect x="{left:.1f}" y="{at_y(y):.1f}" {size} fill="{colour}"/>')
        else:
            out.append(line([(at_x(x), at_y(y)) for x, y in points], style))
        if "--marks" in flags:
            out += [f'<circle cx="{at_x(x):.1f}" cy="{at_y(y):.1f}" r="2.6" fill="{colour}"/>' for x, y in points]
        level = TOP + 6 + 19 * place
        shape = f'stroke="{colour}" stroke-width="10"' if bars else style
        out += [line([(right + 10, level), (right + 36, level)], shape),
                text(right + 42, level + 4, name, "start", size=12)]
    print("\n".join(out + ["</svg>"]))


main()
