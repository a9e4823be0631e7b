"""Benchmark 2D-1 of Schaefer and Turek."""

import numpy as np

from flow import weights
from measures import last, only
from program import run
from rows import Row, published

title = "Cylinder in a channel"
about = """
Benchmark 2D-1 of Schaefer and Turek, steady at Re 20. The pressure at the front and the rear of the cylinder, which
lie in the smoothed mask, is extrapolated from two to five cells off the surface.
"""


def surface_pressure(flow, x, direction):
    """At (x, 0.2), the surface, from what is found going away from it."""
    h = np.diff(flow.faces[1])[0]
    off = np.arange(2, 6) * h
    values = [flow.sample(None, (x + direction * d, 0.2)) for d in off]
    return weights(off, 0.0) @ values


def pressure_difference(result):
    return surface_pressure(result.flow, 0.15, -1) - surface_pressure(result.flow, 0.25, 1)


def rows(quick):
    resolutions = (10, 20) if quick else (10, 20, 40)
    runs = {n: [run("channel", {"grid.spacing": 0.1 / n})] for n in resolutions}
    for quantity, name, measure, margins in (("Cd", "drag", last("Cd"), (0.05, 0.02, 0.002)),
                                             ("Cl", "lift", last("Cl"), (0.4, 0.1, 0.05)),
                                             ("pressure difference", "pressure", pressure_difference,
                                              (0.03, 0.03, 0.005))):
        margin = dict(zip((10, 20, 40), margins))
        yield Row("2D-1", quantity, runs, only(measure), bounds=published(f"channel_{name}"), margin=margin,
                  shows_order=True, explanation="{off:.2g} % beyond the bounds of the benchmark{towards}.")
        exact = published(f"channel_{name}_exact")
        yield Row("2D-1", f"error of {quantity}", runs, lambda results, m=measure, e=exact.low: abs(m(results[0]) - e),
                  is_error=True, shows_order=True)
