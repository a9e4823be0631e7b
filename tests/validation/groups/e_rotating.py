"""A cylinder that turns."""

from measures import amplitude_of, only, mean_of, strouhal
from program import run
from rows import Row, published

title = "Rotating cylinder"
about = """
Re 100, turning counter-clockwise at rates omega D / (2U). The published flows have 50 to 100 diameters around the
body, ours 25. Without a published value: the curve over the rates.
"""

start, end = 120, 170


def runs(rate, cells):
    return [run("cylinder", {"flow.reynolds": 100, "grid.spacing": 1 / cells, "time.end": end,
                             "initial.perturbation": 0.3, "body.0.rotation": 2 * rate})]


def rows(quick):
    resolutions = (16,) if quick else (8, 16, 32)
    at_one = {cells: runs(1.0, cells) for cells in resolutions}
    for quantity, name, measure, margin in (
            ("mean Cd", "drag", mean_of("Cd", start), {8: 0.15, 16: 0.05}),
            ("mean Cl", "lift", mean_of("Cl", start), {8: 0.1, 16: 0.05}),
            ("amplitude of Cd", "drag_amplitude", amplitude_of("Cd", start), {8: 0.3, 16: 0.1, 32: 0.05}),
            ("amplitude of Cl", "lift_amplitude", amplitude_of("Cl", start), {8: 0.3, 16: 0.15, 32: 0.05}),
            ("St", "strouhal", strouhal(start), {8: 0.1, 16: 0.04, 32: 0.01})):
        yield Row("rate 1", quantity, at_one, only(measure), bounds=published(f"rotating_{name}"), margin=margin,
                  shows_order=True)
    for rate in (0.0, 0.5, 1.0, 1.5, 2.0):
        if quick and rate not in (0.0, 2.0):
            continue
        for quantity, measure in (("mean Cd", mean_of("Cd", start)), ("mean Cl", mean_of("Cl", start)),
                                  ("amplitude of Cl", amplitude_of("Cl", start))):
            yield Row(f"rate {rate:g}", quantity, {16: runs(rate, 16)}, only(measure))
