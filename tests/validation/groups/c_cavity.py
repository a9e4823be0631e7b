"""Velocities on the centrelines of a lid-driven cavity."""

import csv

import numpy as np

from flow import weights
from measures import only
from program import root, run
from rows import Bounds, Row, published

title = "Lid-driven cavity"
about = """
Steady flow in a box whose lid moves. Extrema are those on the centrelines; of Ghia's table the largest deviation of u
is taken, which should be no more than the table itself is off: the distance of its minimum at Re 1000 from that of
Botella and Peyret, who have more digits.
"""

end = {100: 30, 400: 80, 1000: 120}


def centreline(result, component):
    """A velocity component along the line through the middle of the box, across that component."""
    flow, across = result.flow, 1 - component
    return flow.centres[across], np.take(flow.velocity[component], flow.shape[component] // 2, axis=component)


def extremum(component, largest):
    """By a polynomial of degree four through the five values around the outermost one."""
    sign = 1 if largest else -1

    def measure(result):
        x, values = centreline(result, component)
        n = np.clip(np.argmax(sign * values[:-6]) if component == 0 else np.argmax(sign * values), 2, len(x) - 3)
        near = slice(n - 2, n + 3)
        fine = np.linspace(x[n - 1], x[n + 1], 201)
        return sign * max(sign * weights(x[near], at) @ values[near] for at in fine)

    return measure


def ghia():
    with open(root / "data" / "reference" / "ghia_cavity.csv") as lines:
        return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def deviation(reynolds):
    def measure(result):
        return max(abs(result.flow.sample(0, (0.5, float(row["y"]))) - float(row[f"re{reynolds}"])) for row in ghia())

    return measure


def accuracy_of_ghia():
    minimum = min(float(row["re1000"]) for row in ghia())
    accurate = published("cavity_re1000_u_min")
    return Bounds(0, abs(minimum - accurate.low), "distance between Ghia et al. 1982 and Botella & Peyret 1998")


def rows(quick):
    for reynolds in (100, 400, 1000):
        cells = (32, 64) if quick else (32, 64, 128)
        changes = {"flow.reynolds": reynolds, "time.end": end[reynolds]}
        runs = {n: [run("cavity", changes | {f"grid.{axis}": {"from": 0, "to": 1, "cells": n} for axis in "xy"})]
                for n in cells}
        yield Row(f"Re {reynolds}", "deviation from Ghia's table", runs, only(deviation(reynolds)), unit="cells",
                  bounds=accuracy_of_ghia(), margin={32: 10, 64: 1.5})
        if reynolds == 400:
            continue
        for quantity, component, largest in (("u min", 0, False), ("v max", 1, True), ("v min", 1, False)):
            name = f"cavity_re{reynolds}_{quantity.replace(' ', '_')}"
            yield Row(f"Re {reynolds}", quantity, runs, only(extremum(component, largest)), unit="cells",
                      bounds=published(name), margin={32: 0.08, 64: 0.03, 128: 0.008}, shows_order=True,
                      explanation="{off:.2f} % from a value known to seven digits{towards}.")
