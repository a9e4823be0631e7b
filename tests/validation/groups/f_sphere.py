"""Drag and wake of a sphere."""

from measures import bubble_length, last, only
from program import run
from rows import Row, published

title = "Sphere"
about = """
Uniform flow past a sphere, eight diameters from the inflow and the sides. The finest grid is what one core does in about
ten minutes; `sphere_gpu.toml` is the setting for a GPU.
"""


def rows(quick):
    resolutions = (8,) if quick else (8, 12, 18)
    runs = {n: [run("sphere", {"grid.spacing": 1 / n})] for n in resolutions}
    yield Row("Re 100", "Cd", runs, only(last("Cd")), bounds=published("sphere_drag"), margin={8: 0.1, 12: 0.05},
              shows_order=True)
    yield Row("Re 100", "length of the bubble / D", runs, only(bubble_length), bounds=published("sphere_bubble"),
              margin={8: 0.15, 12: 0.1, 18: 0.03}, shows_order=True)
