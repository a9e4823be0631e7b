"""A cylinder that turns."""

from measures import amplitude_of, mean_of, only, strouhal
from program import run
from rows import Row, published

title = "Rotating cylinder"
about = """
Re 100, turning counter-clockwise at rates omega D / (2U). The published flows have 50 to 100 diameters around the
body; ours here 50 to the inflow and the sides. Without a published value: the curve over the rates.
"""

start, end = 120, 170
measures = (("mean Cd", "drag", mean_of("Cd", start), {8: 0.18, 16: 0.06, 32: 0.02}),
            ("mean Cl", "lift", mean_of("Cl", start), {8: 0.1, 16: 0.05, 32: 0.03}),
            ("amplitude of Cd", "drag_amplitude", amplitude_of("Cd", start), {8: 0.3, 16: 0.15, 32: 0.05}),
            ("amplitude of Cl", "lift_amplitude", amplitude_of("Cl", start), {8: 0.3, 16: 0.15, 32: 0.1}),
            ("St", "strouhal", strouhal(start), {8: 0.1, 16: 0.06, 32: 0.02}))
wide = {"grid.x.from": -50, "grid.x.to": 65, "grid.y.from": -50, "grid.y.to": 50}


def runs(rate, cells, advection):
    return [run("cylinder", wide | {"flow.reynolds": 100, "flow.advection": advection, "grid.spacing": 1 / cells,
                                    "time.end": end, "initial.perturbation": 0.3, "body.0.rotation": 2 * rate})]


def rows(quick):
    resolutions = (16,) if quick else (8, 16, 32)
    for advection in ("kappa", "central"):
        at_one = {cells: runs(1.0, cells, advection) for cells in resolutions}
        for quantity, name, measure, margin in measures:
            yield Row(f"rate 1, {advection}", quantity, at_one, only(measure), bounds=published(f"rotating_{name}"),
                      margin=margin, shows_order=True,
                      explanation="{off:.1f} % beyond what is published{towards}.")
    for rate in (0.0, 2.0) if quick else (0.0, 0.5, 1.0, 1.5, 2.0):
        for quantity, measure in (("mean Cd", mean_of("Cd", start)), ("mean Cl", mean_of("Cl", start)),
                                  ("amplitude of Cl", amplitude_of("Cl", start))):
            yield Row(f"rate {rate:g}", quantity, {16: runs(rate, 16, "kappa")}, only(measure))
