"""Line plots as SVG."""

import numpy as np

width, height, left, right, top, bottom = 640, 320, 70, 20, 30, 45
colours = ("#1f6fb2", "#d1622b", "#3b8f4a")


def ticks(low, high):
    step = 10 ** np.floor(np.log10(high - low))
    step = next(step * part for part in (0.1, 0.2, 0.5, 1, 2) if (high - low) / (step * part) <= 8)
    return np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step


def plot(lines, x_title, y_title):
    """`lines`: x, y by name."""
    low = np.min([[x.min(), y.min()] for x, y in lines.values()], axis=0)
    high = np.max([[x.max(), y.max()] for x, y in lines.values()], axis=0)
    low[1], high[1] = low[1] - 0.1 * (high[1] - low[1]), high[1] + 0.1 * (high[1] - low[1])

    def place(x, y):
        return (left + (x - low[0]) / (high[0] - low[0]) * (width - left - right),
                height - bottom - (y - low[1]) / (high[1] - low[1]) * (height - top - bottom))

    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
           f'font-size="12"><rect width="{width}" height="{height}" fill="white"/>']
    for x in ticks(low[0], high[0]):
        at, _ = place(x, low[1])
        svg.append(f'<text x="{at:.1f}" y="{height - bottom + 18}" text-anchor="middle">{x:.6g}</text>')
    for y in ticks(low[1], high[1]):
        _, at = place(low[0], y)
        svg.append(f'<line x1="{left}" x2="{width - right}" y1="{at:.1f}" y2="{at:.1f}" stroke="#ddd"/>'
                   f'<text x="{left - 6}" y="{at + 4:.1f}" text-anchor="end">{y:.6g}</text>')
    for n, (name, (x, y)) in enumerate(lines.items()):
        points = " ".join(f"{px:.1f},{py:.1f}" for px, py in map(place, x, y))
        svg.append(f'<polyline points="{points}" fill="none" stroke="{colours[n]}" stroke-width="1.5"/>'
                   f'<text x="{left + 10 + 150 * n}" y="{top - 10}" fill="{colours[n]}">{name}</text>')
    svg.append(f'<text x="{width / 2}" y="{height - 8}" text-anchor="middle">{x_title}</text>'
               f'<text transform="translate(14 {height / 2}) rotate(-90)" text-anchor="middle">{y_title}</text></svg>')
    return "\n".join(svg) + "\n"
