"""A body that moves."""

from program import run
from rows import Row, published

title = "Cylinder oscillating in still fluid"
about = """
Keulegan-Carpenter number 5, Re 100, in a closed box of 24 by 20 diameters: largest and least drag coefficient on the
cylinder's own peak speed in the fourth period.
"""


def in_last_period(choose):
    def measure(results):
        forces = results[0].forces
        return choose(forces["Cd"][forces["time"] > 15])

    return measure


def rows(quick):
    resolutions = (16,) if quick else (16, 32, 64)
    runs = {cells: [run("oscillating_cylinder", {"grid.spacing": 1 / cells})] for cells in resolutions}
    for quantity, name, choose in (("largest Cd", "high", max), ("least Cd", "low", min)):
        yield Row("KC 5, Re 100", quantity, runs, in_last_period(choose), bounds=published(f"oscillating_{name}"),
                  margin={16: 0.05, 32: 0.06, 64: 0.05}, shows_order=True,
                  explanation="off by {off:.1f} %: the smoothed surface acts as a layer of its own, which is of first "
                              "order for a body that accelerates (docs/decisions/0006-moving-bodies.md).")
