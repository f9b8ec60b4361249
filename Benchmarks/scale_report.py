"""The tables and the plot of the results of `scale`."""

import math


def plot(results, sizes):
    """Yields an SVG: time by number of reminders, on logarithmic axes."""
    names = list(dict.fromkeys(name for name, _ in results))
    width, height, left, right, top, bottom = 760, 420, 60, 220, 20, 40
    low = math.floor(math.log10(min(results.values())))
    high = math.ceil(math.log10(max(results.values())))
    first, last = math.log10(sizes[0]), math.log10(sizes[-1])

    def x(size):
        return left + (math.log10(size) - first) / ((last - first) or 1) * (width - left - right)

    def y(milliseconds):
        return top + (high - math.log10(milliseconds)) / (high - low) * (height - top - bottom)

    yield (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12" '
           'role="img" aria-label="Milliseconds of each kind of request, by the number of reminders">')
    yield f'<rect width="{width}" height="{height}" fill="#fff"/>'
    for power in range(low, high + 1):
        at = y(10.0**power)
        yield f'<path d="M{left} {at:.0f}H{width - right}" stroke="#ddd"/>'
        yield f'<text x="{left - 8}" y="{at + 4:.0f}" text-anchor="end" fill="#555">{10.0**power:g} ms</text>'
    for size in sizes:
        yield f'<text x="{x(size):.0f}" y="{height - 14}" text-anchor="middle" fill="#555">{size:,}</text>'
    ends = sorted((y(results[name, sizes[-1]]), name) for name in names)
    free = 0.0
    colours = ("#1f6feb", "#d1242f", "#1a7f37", "#9a6700", "#8250df", "#bf3989", "#0e7490", "#57606a", "#bc4c00")
    for end, name in ends:
        colour = colours[names.index(name) % len(colours)]
        line = " ".join(f"{x(size):.1f},{y(results[name, size]):.1f}" for size in sizes)
        yield f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>'
        free = max(end, free + 15)
        yield f'<text x="{width - right + 10}" y="{free + 4:.0f}" fill="{colour}">{name}</text>'
    yield "</svg>"


def page(above, results, flat, facts, sizes, tables):
    """Yields the lines of the tables, each below the comment.

    `facts` maps the name of a fact to its text for each size. `tables` has tuples of title, columns
    and rows.
    """
    yield above
    yield f"| ms | {' | '.join(f'{size:,}' for size in sizes)} | |"
    yield f"|---|{'---|' * (len(sizes) + 1)}"
    for name in dict.fromkeys(name for name, _ in results):
        growth = results[name, sizes[-1]] / results[name, sizes[0]]
        told = f"× {growth:.2f}" if name in flat else f"grows, × {growth:.0f}"
        yield f"| {name} | {' | '.join(f'{results[name, size]:.2f}' for size in sizes)} | {told} |"
    for name, told in facts.items():
        yield f"| {name} | {' | '.join(told)} | |"
    for title, columns, rows in tables:
        if not rows:
            continue
        yield ""
        yield above
        yield f"| {' | '.join((title, *columns))} |"
        yield f"|---|{'---|' * len(columns)}"
        for row in rows:
            yield f"| {' | '.join(row)} |"
