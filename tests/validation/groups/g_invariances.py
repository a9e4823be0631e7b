"""What must not change a flow, and what may change it only a little."""

import math

import numpy as np

from b_taylor_green import box, once, vortices
from measures import last, mean_of, only
from program import run
from rows import Row, required

title = "Invariances"
about = """
How far a result moves when nothing that matters is changed: relative differences, each against what is required.
Where the two flows are the same but for their place in space, they differ by rounding alone. Cd against Re should be
smooth: the largest second difference is compared with the mean first difference, over eight steps of 1 % in Re.
"""

x_axis = {"from": -25, "to": 40, "fine": [-1, 1], "growth": [1.5, 0.5]}
y_axis = {"from": -25, "to": 25, "fine": [-1, 1], "growth": [1.5, 1.5]}
sides = ("x_low", "x_high", "y_low", "y_high")
inflow, outflow = {"type": "inflow", "speed": 1}, {"type": "outflow", "speed": 1}


def tunnel(x=x_axis, y=y_axis, centre=(0.01, 0.02), rotation=1.0, boundary=(inflow, outflow, "slip", "slip"),
           **more):
    """A rotating cylinder on a grid of which mirror images are the same; double precision."""
    changes = {"precision": "double", "flow.reynolds": 40, "grid.spacing": 0.125, "time.end": 10, "grid.x": x,
               "grid.y": y, "body.0.centre": list(centre), "body.0.rotation": rotation}
    changes |= {f"boundary.{side}": value for side, value in zip(sides, boundary)}
    return run("cylinder", changes, **more)


def moved(axis, by):
    return axis | {"from": axis["from"] + by, "to": axis["to"] + by, "fine": [x + by for x in axis["fine"]]}


def force_difference(turn):
    """Largest distance of (Cd, Cl) of the second result from `turn` of those of the first, over time."""

    def measure(results):
        first, second = ((result.forces["Cd"], result.forces["Cl"]) for result in results)
        expected = turn(*first)
        return max(np.max(np.abs(a - b)) for a, b in zip(expected, second)) / abs(first[0][-1])

    return measure


def cd_change(measure):
    return lambda results: abs(measure(results[1]) / measure(results[0]) - 1)


def roughness(results):
    first = np.diff([last("Cd")(result) for result in results])
    return np.max(np.abs(np.diff(first))) / abs(np.mean(first))


def bits(results):
    return float(any(np.any(a != b) for a, b in zip(results[0].flow.velocity, results[1].flow.velocity)))


def carried(results):
    at_rest, carried_along = (result.flow for result in results)
    stream = (1.0, 0.0)
    square = sum(np.mean((once(carried_along, c) - stream[c] - once(at_rest, c)) ** 2) for c in (0, 1))
    return math.sqrt(square)


def rows(quick):
    plain = tunnel()

    def row(case, quantity, runs, measure, high, at=8, unit="cells/D"):
        return Row(case, quantity, {at: runs}, measure, unit=unit, bounds=required(0, high))

    yield row("mirror image", "forces", [plain, tunnel(centre=(0.01, -0.02), rotation=-1.0)],
              force_difference(lambda cd, cl: (cd, -cl)), 1e-9)
    yield row("turned by 90 degrees", "forces",
              [plain, tunnel(y_axis, x_axis, (-0.02, 0.01), boundary=("slip", "slip", inflow, outflow))],
              force_difference(lambda cd, cl: (-cl, cd)), 1e-9)
    yield row("domain moved", "forces",
              [plain, tunnel(moved(x_axis, 3.7), moved(y_axis, -1.3), (3.71, -1.28))],
              force_difference(lambda cd, cl: (cd, cl)), 1e-9)
    yield row("two threads for one", "bits that differ", [plain, tunnel(threads=2)], bits, 0)
    yield row("vortices carried once around", "velocity",
              [vortices(64, 800, {"initial.velocity": v}, until=box) for v in ([0, 0], [1, 0])], carried, 0.01, 64,
              "cells")
    for reynolds, measure in ((40, last("Cd")), (100, mean_of("Cd", 100))):
        end, puff, start = (60, 0.0, 0) if reynolds == 40 else (150, 0.3, 100)
        case = {"flow.reynolds": reynolds, "time.end": end, "initial.perturbation": puff}
        yield row("half the time step", f"Cd at Re {reynolds}",
                  [run("cylinder", case | {"time.cfl": cfl}) for cfl in (0.35, 0.175)], cd_change(measure), 1e-3, 16)
    coarse = {"precision": "double", "grid.spacing": 0.125, "time.end": 40}
    near = [run("cylinder", coarse | {"flow.reynolds": 30 * 1.01**n}) for n in range(9)]
    yield row("Re in steps of 1 %", "roughness of Cd", near, roughness, 0.05)
