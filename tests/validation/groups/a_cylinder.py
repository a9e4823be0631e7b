"""Drag, lift and wake of a circular cylinder."""

from measures import amplitude_of, bubble_length, mean, mean_of, strouhal
from program import run
from rows import Row, published

title = "Circular cylinder"
about = """
Uniform flow past a circular cylinder, 25 diameters from the inflow and the sides, 40 from the outflow. Every value is
the mean over four positions of the body within a cell, so that the order is that of the method and not of luck.
Drag and lift are of the last 40 diameters of travel, in whole periods where vortices are shed.
"""

offsets = ((0.0, 0.0), (0.25, 0.5), (0.5, 0.75), (0.75, 0.25))  # of the body, in cells
steady_end = {20: 80, 40: 120}
shedding_end, shedding_from = 170, 120


def runs(reynolds, cells):
    h = 1 / cells
    changes = {"flow.reynolds": reynolds, "grid.spacing": h}
    changes |= {"time.end": steady_end.get(reynolds, shedding_end),
                "initial.perturbation": 0.0 if reynolds in steady_end else 0.3}
    return [run("cylinder", changes | {"body.0.centre": [x * h, y * h]}) for x, y in offsets]


def row(reynolds, quantity, name, measure, resolutions, **more):
    return Row(f"Re {reynolds}", quantity, {cells: runs(reynolds, cells) for cells in resolutions}, mean(measure),
               bounds=published(f"cylinder_re{reynolds}_{name}"), **more)


def rows(quick):
    resolutions = (8, 16) if quick else (8, 16, 32)
    for reynolds in (20, 40):
        start = steady_end[reynolds] - 1
        yield row(reynolds, "Cd", "drag", mean_of("Cd", start), resolutions, order=1.7, margin={8: 0.04, 16: 0.02})
        yield row(reynolds, "length of the bubble / D", "bubble", bubble_length, resolutions, shows_order=True,
                  margin={8: 0.15, 16: 0.05})
    for reynolds in (100, 200):
        yield row(reynolds, "mean Cd", "drag", mean_of("Cd", shedding_from), resolutions, shows_order=True,
                  margin={8: 0.2, 16: 0.05})
        yield row(reynolds, "amplitude of Cl", "lift", amplitude_of("Cl", shedding_from), resolutions,
                  shows_order=True, margin={8: 0.25, 16: 0.1})
        yield row(reynolds, "St", "strouhal", strouhal(shedding_from), resolutions, shows_order=True,
                  margin={8: 0.12, 16: 0.04})
