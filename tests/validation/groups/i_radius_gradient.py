"""Does the exact gradient of the discretised drag say what the flow's would?"""

import numpy as np

from picture import plot
from program import run
from rows import Row, required

title = "Gradient of the drag with respect to the radius"
about = """
Re 40, drag averaged over 5 < t < 6, at radii that differ by one cell in all. The gradient is exact for the discretised
flow, so it contains what the grid does to the drag as the surface moves through a cell. How much that is says whether
an optimiser follows the flow or the grid. *Spread* is the standard deviation over the mean.
"""


def radii(cells, count):
    return [0.5 + n / (count - 1) / cells for n in range(count)]


def runs(cells, count):
    return [run("radius_gradient", {"grid.spacing": 1 / cells, "body.0.radius": radius}, verb="gradient")
            for radius in radii(cells, count)]


def derivative(result):
    return result.table("gradient.csv")["d(drag)"][0]


def spread(results):
    values = [derivative(result) for result in results]
    return np.std(values) / np.mean(values)


def finite_difference(results):
    """Of the mean gradient from that of drags over the whole cell: relative."""
    values = [derivative(result) for result in results]
    drags = [drag(result) for result in results]
    at = [result.settings["body"][0]["radius"] for result in results]
    integral = np.sum((np.array(values[1:]) + values[:-1]) / 2 * np.diff(at))
    return abs(integral / (drags[-1] - drags[0]) - 1)


def drag(result):
    with open(result.folder / "gradient.csv") as lines:
        return next(float(line.split("=")[1]) for line in lines if line.startswith("# drag = "))


def rows(quick):
    all_runs = {16: runs(16, 11)} if quick else {16: runs(16, 51), 32: runs(32, 51)}
    yield Row("Re 40", "spread of dCd/dr within a cell", all_runs, spread, bounds=required(0, 0.05))
    yield Row("Re 40", "integral of dCd/dr over a cell against the change of Cd", all_runs, finite_difference,
              bounds=required(0, 0.002))


def picture(outcomes):
    lines = {}
    for cells, results in outcomes[0].results.items():
        values = np.array([derivative(result) for result in results])
        place = np.array([(result.settings["body"][0]["radius"] - 0.5) * cells for result in results])
        lines[f"{cells} cells/D"] = (place, values)
    return plot(lines, "(radius - 1/2) / cell", "dCd/dr")
