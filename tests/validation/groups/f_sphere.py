"""Drag and wake of a sphere."""

from measures import bubble_length, last, only
from program import run
from rows import Row, published

title = "Sphere"
about = """
Uniform flow past a sphere, eight diameters from the inflow and the sides. The finest grid is what two cores do in about
ten minutes; `sphere_gpu.toml` is the setting for a GPU.
"""


def rows(quick):
    resolutions = (8, 12) if quick else (12, 17, 24)
    runs = {n: [run("sphere", {"grid.spacing": 1 / n}, threads=1 if quick else 2)] for n in resolutions}
    for quantity, name, measure, margin in (("Cd", "drag", last("Cd"), {8: 0.25, 12: 0.15, 17: 0.06, 24: 0.03}),
                                            ("length of the bubble / D", "bubble", bubble_length,
                                             {8: 0.3, 12: 0.2, 17: 0.1, 24: 0.05})):
        yield Row("Re 100", quantity, runs, only(measure), bounds=published(f"sphere_{name}"), margin=margin,
                  shows_order=True,
                  explanation="{off:.1f} % beyond what is published at {finest:g} cells to the diameter{towards}.")
