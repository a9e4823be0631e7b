"""How far float is from double."""

from a_cylinder import shedding_end, shedding_from
from b_taylor_green import difference, vortices
from c_cavity import extremum
from measures import amplitude_of, last, mean_of, strouhal
from program import run
from rows import Row, required

title = "Float and double"
about = """
By which part a value moves when a run is done in single precision, `contraflow run`'s default, instead of double. All
that is measured of a flow is far less sharp than that: forces, frequencies and profiles need no double. Orders of
convergence, whose errors come near to rounding, do, and so do gradients.
"""


def both(case, changes):
    return [run(case, changes | {"precision": precision}) for precision in ("double", "float")]


def moves(measure):
    return lambda results: abs(measure(results[1]) / measure(results[0]) - 1)


def rows(quick):
    cells = 8 if quick else 16
    steady = both("cylinder", {"flow.reynolds": 40, "grid.spacing": 1 / cells, "time.end": 60})
    shedding = both("cylinder", {"flow.reynolds": 100, "grid.spacing": 1 / cells, "time.end": shedding_end,
                                 "initial.perturbation": 0.3})
    cavity = both("cavity", {"flow.reynolds": 100, "time.end": 30})
    turning = [vortices(32, 400, {"precision": precision}) for precision in ("double", "float")]

    def row(case, quantity, runs, measure, at=cells, unit="cells/D"):
        return Row(case, quantity, {at: runs}, measure, unit=unit, bounds=required(0, 1e-4))

    yield row("cylinder, Re 40", "Cd", steady, moves(last("Cd")))
    yield row("cylinder, Re 100", "mean Cd", shedding, moves(mean_of("Cd", shedding_from)))
    yield row("cylinder, Re 100", "amplitude of Cl", shedding, moves(amplitude_of("Cl", shedding_from)))
    yield row("cylinder, Re 100", "St", shedding, moves(strouhal(shedding_from)))
    yield row("cavity, Re 100", "u min", cavity, moves(extremum(0, False)), 64, "cells")
    yield row("Taylor-Green vortices", "velocity", turning, difference, 32, "cells")
