"""Bodies with edges: a foil and a plate."""

import numpy as np

from measures import amplitude_of, mean_of, only, settled, strouhal
from program import run
from rows import Row, published

title = "Thin bodies"
about = """
NACA 0012 and a flat plate at Re 1000, 20 chords from the inflow and the sides, 25 from the outflow. The trailing edge
of the foil and all of the plates are thinner than the mask that resolves a body, and sealed by a one-sided one
(docs/decisions/0007-thin-bodies.md). Published of the foil at 10.04 degrees are root mean squares. The plate at
0 degrees stands beside the theory of its boundary layer, whose next terms are not small at this Re.
"""

start = 15
resolutions = (64, 128, 256)


def root_mean_square(name):
    return lambda result: np.sqrt(np.mean(settled(result, name, start)[1] ** 2))


def runs(shape, angle, cells):
    return [run("thin_body", shape | {"body.0.angle": angle, "grid.spacing": 1 / cells})]


def naca(angle, cells):
    return runs({"body.0.shape": "naca", "body.0.naca": "0012"}, angle, cells)


def plate(thickness, angle, cells):
    return runs({"body.0.thickness": thickness}, angle, cells)


def rows(quick):
    chosen = resolutions[:1] if quick else resolutions

    def row(case, quantity, of_cells, measure, name=None, margin=None, **more):
        return Row(case, quantity, {cells: of_cells(cells) for cells in chosen}, only(measure), unit="cells/chord",
                   bounds=name and published(name), margin=margin or {}, shows_order=True, **more)

    beyond = "{off:.1f} % beyond what is published{towards}."
    yield row("NACA 0012, 0 degrees", "Cd", lambda cells: naca(0, cells), mean_of("Cd", start), "naca0012_0_drag",
              {64: 0.04}, explanation=beyond)
    for quantity, coefficient, name, margin in (("Cd", "Cd", "drag", {64: 0.1, 128: 0.02, 256: 0.02}),
                                                ("Cl", "Cl", "lift", {64: 0.08, 128: 0.05, 256: 0.04})):
        yield row("NACA 0012, 10.04 degrees", quantity, lambda cells: naca(10.04, cells),
                  root_mean_square(coefficient), f"naca0012_10_{name}", margin, explanation=beyond)
    yield row("NACA 0012, 10.04 degrees", "St", lambda cells: naca(10.04, cells), strouhal(start))
    yield row("plate, 0 degrees", "Cd", lambda cells: plate(0, 0, cells), mean_of("Cd", start), "plate_0_drag",
              {64: 0.1, 128: 0.05, 256: 0.03},
              explanation="{off:.1f} % beyond the theory{towards}.")
    for thickness in (0, 0.02):
        for quantity, measure in (("mean Cd", mean_of("Cd", start)), ("mean Cl", mean_of("Cl", start)),
                                  ("amplitude of Cl", amplitude_of("Cl", start)), ("St", strouhal(start))):
            yield row(f"plate {thickness:g} thick, 10 degrees", quantity,
                      lambda cells, t=thickness: plate(t, 10, cells), measure)
